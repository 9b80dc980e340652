//===- Modes.h - What attributes choose from --------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of attributes that are names. Each `parse` takes ONNX's name of
// one, and gives nothing for any other.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_MODES_H
#define INLAY_TENSOR_MODES_H

#include "inlay/Tensor/SmallFloat.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace inlay {

/// Cast to float8e8m0.
std::optional<PowerRounding> parsePowerRounding(llvm::StringRef name);

enum class PadMode : uint8_t { Constant, Reflect, Edge, Wrap };
std::optional<PadMode> parsePadMode(llvm::StringRef name);

/// Which part of the depth lies outside: the block's or the channels'.
enum class DepthToSpaceMode : uint8_t { DCR, CRD };
std::optional<DepthToSpaceMode> parseDepthToSpaceMode(llvm::StringRef name);

enum class ScatterReduction : uint8_t { None, Add, Mul, Max, Min };
std::optional<ScatterReduction> parseScatterReduction(llvm::StringRef name);

/// The names of opset 16 ("bilinear", "bicubic") and of opset 20.
enum class GridSampleMode : uint8_t { Linear, Nearest, Cubic };
std::optional<GridSampleMode> parseGridSampleMode(llvm::StringRef name);
enum class GridSamplePadding : uint8_t { Zeros, Border, Reflection };
std::optional<GridSamplePadding> parseGridSamplePadding(llvm::StringRef name);

enum class LossReduction : uint8_t { None, Sum, Mean };
std::optional<LossReduction> parseLossReduction(llvm::StringRef name);

/// The step of attention after which the scores are a result, in the order of
/// their numbers in ONNX.
enum class ScoreStep : uint8_t { Product, Softcap, Mask, Softmax };

/// What becomes of a row of scores that are all masked: zeros, what softmax
/// makes of it (masked scores being -inf), or that with 0 for NaN.
enum class MaskedRows : uint8_t { Zero, Softmax, NanToZero };
std::optional<MaskedRows> parseMaskedRows(llvm::StringRef name);

} // namespace inlay

#endif // INLAY_TENSOR_MODES_H
