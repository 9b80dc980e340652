//===- Modes.cpp - What attributes choose from ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Modes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace inlay;

std::optional<PowerRounding> inlay::parsePowerRounding(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<PowerRounding>>(name)
      .Case("up", PowerRounding::Up)
      .Case("down", PowerRounding::Down)
      .Case("nearest", PowerRounding::Nearest)
      .Default(std::nullopt);
}

std::optional<PadMode> inlay::parsePadMode(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<PadMode>>(name)
      .Case("constant", PadMode::Constant)
      .Case("reflect", PadMode::Reflect)
      .Case("edge", PadMode::Edge)
      .Case("wrap", PadMode::Wrap)
      .Default(std::nullopt);
}

std::optional<DepthToSpaceMode>
inlay::parseDepthToSpaceMode(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<DepthToSpaceMode>>(name)
      .Case("DCR", DepthToSpaceMode::DCR)
      .Case("CRD", DepthToSpaceMode::CRD)
      .Default(std::nullopt);
}

std::optional<ScatterReduction>
inlay::parseScatterReduction(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ScatterReduction>>(name)
      .Case("none", ScatterReduction::None)
      .Case("add", ScatterReduction::Add)
      .Case("mul", ScatterReduction::Mul)
      .Case("max", ScatterReduction::Max)
      .Case("min", ScatterReduction::Min)
      .Default(std::nullopt);
}

std::optional<GridSampleMode> inlay::parseGridSampleMode(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<GridSampleMode>>(name)
      .Cases("linear", "bilinear", GridSampleMode::Linear)
      .Case("nearest", GridSampleMode::Nearest)
      .Cases("cubic", "bicubic", GridSampleMode::Cubic)
      .Default(std::nullopt);
}

std::optional<GridSamplePadding>
inlay::parseGridSamplePadding(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<GridSamplePadding>>(name)
      .Case("zeros", GridSamplePadding::Zeros)
      .Case("border", GridSamplePadding::Border)
      .Case("reflection", GridSamplePadding::Reflection)
      .Default(std::nullopt);
}

std::optional<LossReduction> inlay::parseLossReduction(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<LossReduction>>(name)
      .Case("none", LossReduction::None)
      .Case("sum", LossReduction::Sum)
      .Case("mean", LossReduction::Mean)
      .Default(std::nullopt);
}

std::optional<MaskedRows> inlay::parseMaskedRows(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<MaskedRows>>(name)
      .Case("zero", MaskedRows::Zero)
      .Case("softmax", MaskedRows::Softmax)
      .Case("nan_to_zero", MaskedRows::NanToZero)
      .Default(std::nullopt);
}
