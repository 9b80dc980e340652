//===- Layouts.cpp - Fitting a model to the layouts of a target -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Layouts.h"
#include "inlay/IR/FormKinds.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/IR/OpWords.h"
#include "inlay/Pipeline/LayoutPasses.h"

using namespace inlay;
using namespace mlir;

static OpForms getKnownForms(StringRef onnxType) {
  FormKinds kinds = getFormKinds(onnxType);
  auto has = [onnxType](StringRef word) { return hasWord(onnxType, word); };
  auto canBe = [onnxType](StringRef word, StringRef text) {
    return mayBe(onnxType, word, text);
  };
  return {kinds.combines, kinds.multiplies, kinds.repeats, has, canBe};
}

llvm::Expected<Target> inlay::loadKnownTarget(StringRef nameOrPath) {
  return loadTarget(nameOrPath, getOnnxOpTypes(), getKnownForms);
}

llvm::Expected<Target> inlay::parseKnownTarget(const TargetSource &source) {
  return parseTarget(source.text, source.name, getOnnxOpTypes(), getKnownForms);
}

TargetResult inlay::readKnownTarget(StringRef text) {
  return readTarget(text, getOnnxOpTypes(), getKnownForms);
}

RankOptions::RankOptions(const Target &target) {
  auto getRanks = [&](LayoutClass layoutClass) {
    const RankBounds &bounds = target.getRankBounds(layoutClass);
    return std::array<int64_t, 2>{bounds.min, bounds.max};
  };
  feature = getRanks(LayoutClass::Feature);
  weight = getRanks(LayoutClass::Weight);
  nTensor = getRanks(LayoutClass::NTensor);
  tensor = getRanks(LayoutClass::Tensor);
}

void inlay::addLayoutTransmit(OpPassManager &passes, const RankOptions &ranks) {
  LayoutTransmitOptions options;
  ranks.set(options);
  passes.addNestedPass<func::FuncOp>(createLayoutTransmit(options));
}

void inlay::addStorageChoice(OpPassManager &passes,
                             const LayoutOptions &options, bool onlyIfCheaper) {
  LayoutPresetOptions preset;
  preset.strategy = options.strategy;
  preset.minimize = options.objective;
  preset.ioLayouts = options.ioLayouts;
  preset.onlyIfCheaper = onlyIfCheaper;
  preset.record = true;
  passes.addNestedPass<func::FuncOp>(createLayoutPreset(preset));
  // `optimal` leaves nothing to cancel.
  if (options.strategy != LayoutStrategy::Optimal)
    passes.addPass(createCancelRelayouts());
}

/// Whether the model may stay as it is: no operator and no tensor has to be in
/// another order.
static bool isFreeToKeep(const Target &target, const LayoutOptions &options) {
  return options.strategy == LayoutStrategy::Optimal &&
         options.ioLayouts.empty() && target.getKeyOps().empty();
}

void inlay::addSettleLayouts(OpPassManager &passes, const Target &target,
                             const LayoutOptions &options, bool simplify,
                             int64_t foldLimit, unsigned maxRounds) {
  RankOptions ranks(target);
  SettleLayoutsOptions settle;
  ranks.set(settle);
  settle.strategy = options.strategy;
  settle.minimize = options.objective;
  settle.ioLayouts = options.ioLayouts;
  settle.onlyIfCheaper = isFreeToKeep(target, options);
  settle.maxRounds = maxRounds;
  settle.simplify = simplify;
  settle.foldLimit = foldLimit;
  passes.addPass(createSettleLayouts(settle));
}
