//===- Layouts.cpp - Fitting a model to the layouts of a target -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Layouts.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/IR/StoredForm.h"
#include "inlay/Pipeline/Passes.h"
#include "inlay/Support/Error.h"
#include "inlay/Transforms/Layout/Passes.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Layouts of inputs and outputs
//===----------------------------------------------------------------------===//

/// The input or output of a graph with this name.
static Value findPort(func::FuncOp graph, StringRef name) {
  for (BlockArgument argument : graph.getArguments())
    if (getInputName(graph, argument.getArgNumber()) == name)
      return argument;
  Operation *end = graph.getBody().front().getTerminator();
  for (OpOperand &operand : end->getOpOperands())
    if (getOutputName(graph, operand.getOperandNumber()) == name)
      return operand.get();
  return {};
}

static llvm::Error addIoLayout(func::FuncOp graph, StringRef spec,
                               LayoutGraphOptions &options) {
  auto [name, text] = spec.rsplit(':');
  if (name.empty() || text.empty())
    return usageError("--io-layout '" + spec +
                      "': expected NAME:LAYOUT, such as x:NHWC");
  Value port = findPort(graph, name);
  if (!port)
    return usageError("--io-layout '" + spec +
                      "': the model has no input or output '" + name + "'");
  auto type = dyn_cast<RankedTensorType>(port.getType());
  unsigned rank = type ? type.getRank() : 0;
  if (!type || text.size() != rank)
    return usageError("--io-layout '" + spec + "': '" + text + "' names " +
                      Twine(text.size()) + " axes, '" + name + "' has " +
                      (type ? Twine(rank) : Twine("an unknown number")) +
                      " of them");
  auto order = getRuleOrder(getDataAxes(rank).value_or(""), text);
  if (!order)
    return usageError("--io-layout '" + spec + "': '" + text +
                      "' is not an order of the axes " +
                      getDataAxes(rank).value_or(""));
  options.ioOrders[name] = *order;
  return llvm::Error::success();
}

llvm::Expected<PresetOptions>
inlay::getPresetOptions(func::FuncOp graph, const LayoutOptions &options) {
  PresetOptions preset;
  preset.strategy = options.strategy;
  preset.graph.objective = options.objective;
  for (const std::string &spec : options.ioLayouts)
    if (llvm::Error error = addIoLayout(graph, spec, preset.graph))
      return error;
  return preset;
}

//===----------------------------------------------------------------------===//
// Targets and passes
//===----------------------------------------------------------------------===//

llvm::Expected<Target> inlay::loadKnownTarget(StringRef nameOrPath) {
  return loadTarget(nameOrPath, getOnnxOpTypes());
}

llvm::Error inlay::transmitLayouts(ModuleOp module, const Target &target) {
  auto getRanks = [&](LayoutClass layoutClass) {
    const RankBounds &bounds = target.getRankBounds(layoutClass);
    return std::array<int64_t, 2>{bounds.min, bounds.max};
  };
  auto feature = getRanks(LayoutClass::Feature);
  auto weight = getRanks(LayoutClass::Weight);
  auto nTensor = getRanks(LayoutClass::NTensor);
  auto tensor = getRanks(LayoutClass::Tensor);
  LayoutTransmitOptions options;
  options.featureRanks = feature;
  options.weightRanks = weight;
  options.nTensorRanks = nTensor;
  options.tensorRanks = tensor;
  PassManager passes(module->getName());
  // It changes encodings only; the module is verified once they are shapes.
  passes.enableVerifier(false);
  passes.addNestedPass<func::FuncOp>(createLayoutTransmit(options));
  return runPasses(module, passes);
}

static llvm::Error removeCancelling(ModuleOp module) {
  PassManager passes(module->getName());
  passes.addPass(createCancelRelayouts());
  return runPasses(module, passes);
}

llvm::Error inlay::materializeLayouts(ModuleOp module, const Target &target) {
  PassManager passes(module->getName());
  MaterializeLayoutsOptions options;
  options.target = target.name;
  passes.addPass(createMaterializeLayouts(options));
  return runPasses(module, passes);
}

static llvm::Expected<PresetResult>
chooseLayoutsIf(ModuleOp module, const Target &target,
                const LayoutOptions &options, bool onlyIfCheaper) {
  auto graph = getGraph(module);
  if (!graph)
    return graph.takeError();
  auto preset = getPresetOptions(*graph, options);
  if (!preset)
    return preset.takeError();
  preset->onlyIfCheaper = onlyIfCheaper;
  if (llvm::Error error = transmitLayouts(module, target))
    return error;
  auto result = presetLayouts(*graph, target, *preset);
  if (!result)
    return result.takeError();
  // `optimal` leaves nothing to cancel.
  if (options.strategy != LayoutStrategy::Optimal)
    if (llvm::Error error = removeCancelling(module))
      return error;
  return result;
}

llvm::Expected<PresetResult>
inlay::chooseLayouts(ModuleOp module, const Target &target,
                     const LayoutOptions &options) {
  auto result =
      chooseLayoutsIf(module, target, options, /*onlyIfCheaper=*/false);
  if (result)
    result->isOnlyRound = true;
  return result;
}

llvm::Expected<PresetResult>
inlay::assignLayouts(ModuleOp module, const Target &target,
                     const LayoutOptions &options) {
  auto result = chooseLayouts(module, target, options);
  if (!result)
    return result.takeError();
  if (llvm::Error error = materializeLayouts(module, target))
    return error;
  return result;
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

/// Operators that are neither constants nor transposes, those of bodies in
/// other layouts aside. Storing tensors otherwise leaves as many, unless
/// something merges, cancels or is taken apart.
static size_t countOperators(ModuleOp module) {
  size_t count = 0;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    count += !op->hasTrait<OpTrait::ConstantLike>() && !isa<TransposeOp>(op);
    return isFinished(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return count;
}

static Cost getLess(Cost a, Cost b) {
  return {std::min(a.bytes, b.bytes), std::min(a.count, b.count)};
}

static Cost subtract(Cost a, Cost b) {
  Cost common = getLess(a, b);
  return {a.bytes - common.bytes, a.count - common.count};
}

/// The ledger of rounds of which the last has left `out`.
static TransposeLedger joinLedgers(const TransposeLedger &before, Cost out) {
  TransposeLedger joined;
  joined.in = before.in;
  joined.kept = getLess(before.kept, out);
  joined.moved = getLess(before.moved, subtract(out, joined.kept));
  joined.added = subtract(subtract(out, joined.kept), joined.moved);
  joined.removed = subtract(subtract(joined.in, joined.kept), joined.moved);
  return joined;
}

/// Takes over what a later round found. Where it changed nothing, what it found
/// there is what is left: a relayout may have come out as a view.
static void addRound(PresetResult &total, const PresetResult &later,
                     unsigned round) {
  total.round = round;
  total.certificate = later.certificate;
  if (later.isApplied) {
    total.cost = later.cost;
    total.numReorderedSums += later.numReorderedSums;
  } else {
    total.cost = later.ledger.in;
    total.certificate->best = total.cost;
  }
  total.ledger = joinLedgers(
      total.ledger, later.isApplied ? later.ledger.getOut() : later.ledger.in);
}

llvm::Expected<PresetResult> inlay::settleLayouts(
    ModuleOp module, const Target &target, const LayoutOptions &options,
    llvm::function_ref<llvm::Error(ModuleOp)> simplify, unsigned maxRounds) {
  std::optional<PresetResult> total;
  LayoutOptions again = options;
  for (unsigned round = 1; round <= maxRounds; ++round) {
    size_t numBefore = countOperators(module);
    auto found = chooseLayoutsIf(module, target, again,
                                 /*onlyIfCheaper=*/total.has_value());
    if (!found)
      return found.takeError();
    if (llvm::Error error = materializeLayouts(module, target))
      return error;
    if (llvm::Error error = simplify(module))
      return error;
    // A product or reduction over other dimensions may admit other orders.
    bool hasOtherSums = found->numReorderedSums != 0;
    bool isApplied = found->isApplied;
    if (total)
      addRound(*total, *found, round);
    else
      total = std::move(*found);
    total->isUnsettled =
        isApplied && total->cost.bytes != 0 &&
        (round > 1 || hasOtherSums || countOperators(module) != numBefore);
    if (!total->isUnsettled || options.strategy != LayoutStrategy::Optimal)
      return std::move(*total);
    // Inputs and outputs are stored as asked by now.
    again.ioLayouts.clear();
  }
  total->certificate->bound = {};
  return std::move(*total);
}
