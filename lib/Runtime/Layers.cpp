//===- Layers.cpp - Every tensor that two graphs share --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Runtime/Layers.h"
#include "Lockstep.h"
#include "Widening.h"
#include "inlay/IR/ConstantExpressions.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Support/Error.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace inlay;
using namespace mlir;

unsigned LayerComparison::count(LayerVerdict verdict) const {
  return llvm::count_if(
      layers, [&](const Layer &layer) { return layer.verdict == verdict; });
}

//===----------------------------------------------------------------------===//
// Whose fault it is
//===----------------------------------------------------------------------===//

namespace {
/// Goes from a tensor that differs to the one that is wrong.
class Blame {
public:
  Blame(const std::vector<Layer> &layers, const Lockstep &lockstep,
        const JudgedGraph &b, double tolerance)
      : layers(layers), lockstep(lockstep), b(b) {
    options.tolerance = tolerance;
    for (auto [i, layer] : llvm::enumerate(layers))
      byValue[layer.b] = i;
  }

  size_t find(size_t first) const;

private:
  std::optional<HostTensor> getOperand(Value value) const;
  bool computesTheSame(size_t index) const;
  std::optional<size_t> findDoubtful(Operation *op) const;

  const std::vector<Layer> &layers;
  const Lockstep &lockstep;
  const JudgedGraph &b;
  CompareOptions options;
  DenseMap<Value, size_t> byValue;
};
} // namespace

/// What the second graph's value should be; nothing where nobody knows.
std::optional<HostTensor> Blame::getOperand(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    const HostTensor &given = b.inputs[argument.getArgNumber()];
    return given ? std::optional(given) : std::nullopt;
  }
  auto it = byValue.find(value);
  if (it == byValue.end() || !lockstep.kept.contains(it->second))
    return std::nullopt;
  return lockstep.kept.lookup(it->second);
}

/// Whether the node of the second graph gives what the first one has, when it
/// reads what the first one has.
bool Blame::computesTheSame(size_t index) const {
  Value value = layers[index].b;
  auto op = dyn_cast<EvaluateOpInterface>(value.getDefiningOp());
  if (!op || op->getNumRegions() != 0)
    return false;
  SmallVector<HostTensor> operands;
  for (Value operand : op->getOperands()) {
    if (Attribute constant = getConstantValue(operand)) {
      bool isSingle = getElementType(operand).isF32();
      auto exact =
          isSingle ? getExactTensor(constant) : getHostTensor(constant);
      if (!exact) {
        llvm::consumeError(exact.takeError());
        return false;
      }
      operands.push_back(widen(*exact));
      continue;
    }
    std::optional<HostTensor> tensor = getOperand(operand);
    if (!tensor)
      return false;
    operands.push_back(widen(*tensor));
  }
  auto results = evaluateWide(op, operands, nullptr);
  if (!results) {
    llvm::consumeError(results.takeError());
    return false;
  }
  const HostTensor &found = (*results)[cast<OpResult>(value).getResultNumber()];
  HostTensor expected = widen(lockstep.kept.lookup(index));
  return found && expected &&
         compareTensors("", expected, found, options).isEqual;
}

/// The earliest tensor that a node reads and that is not as it was.
std::optional<size_t> Blame::findDoubtful(Operation *op) const {
  std::optional<size_t> earliest;
  for (Value operand : op->getOperands()) {
    auto it = byValue.find(operand);
    if (it == byValue.end())
      continue;
    const Layer &layer = layers[it->second];
    bool isDoubtful =
        layer.isReordered || layer.verdict == LayerVerdict::NotCompared;
    if (isDoubtful && (!earliest || it->second < *earliest))
      earliest = it->second;
  }
  return earliest;
}

size_t Blame::find(size_t first) const {
  size_t current = first;
  while (true) {
    std::optional<size_t> doubtful =
        findDoubtful(layers[current].b.getDefiningOp());
    // What is in front comes first, so that this ends.
    if (!doubtful || *doubtful >= current || !computesTheSame(current))
      return current;
    current = *doubtful;
  }
}

//===----------------------------------------------------------------------===//
// All tensors
//===----------------------------------------------------------------------===//

static LayerVerdict getVerdict(const LockstepTensor &tensor, double tolerance) {
  if (!tensor.comparison)
    return LayerVerdict::NotCompared;
  if (tensor.comparison->isEqual)
    return LayerVerdict::Equal;
  bool isClose = isFloat(tensor.comparison->type) &&
                 tensor.comparison->relativeError <= tolerance;
  return isClose ? LayerVerdict::Close : LayerVerdict::Differs;
}

static Layer toLayer(const LockstepTensor &tensor, double tolerance) {
  Layer layer;
  layer.name = tensor.value.name;
  layer.a = tensor.value.a;
  layer.b = tensor.value.b;
  layer.verdict = getVerdict(tensor, tolerance);
  layer.comparison.name = layer.name;
  if (tensor.comparison)
    layer.comparison = *tensor.comparison;
  else if (tensor.mismatch)
    layer.comparison = *tensor.mismatch;
  layer.blank = tensor.blank.str();
  layer.isReordered = tensor.isReordered;
  return layer;
}

/// An output is what its name says in the order that it has.
static void judgeOutputs(func::FuncOp graph, std::vector<Layer> &layers) {
  Operation *terminator = graph.getBody().front().getTerminator();
  DenseSet<Value> outputs(terminator->operand_begin(),
                          terminator->operand_end());
  for (Layer &layer : layers) {
    bool isElse =
        layer.isReordered || (layer.verdict == LayerVerdict::NotCompared &&
                              !layer.comparison.reason.empty());
    if (!isElse || !outputs.contains(layer.a))
      continue;
    layer.verdict = LayerVerdict::Differs;
    layer.comparison.isEqual = false;
    if (layer.comparison.reason.empty())
      layer.comparison.reason = "in another order of dimensions";
  }
}

/// What nodes compute and is used, in the graph itself and in groups.
static uint64_t countComputed(func::FuncOp graph) {
  uint64_t count = 0;
  graph.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isGroup = isa<GroupOp>(op);
    if (!isa<ConstantOp>(op) && !isGroup)
      count += llvm::count_if(op->getResults(),
                              [](Value value) { return !value.use_empty(); });
    return op->getNumRegions() != 0 && !isGroup ? WalkResult::skip()
                                                : WalkResult::advance();
  });
  return count;
}

llvm::Expected<LayerComparison>
inlay::compareLayers(const JudgedGraph &a, const JudgedGraph &b,
                     const CompareOptions &options) {
  auto graph = getGraph(a.module);
  if (!graph)
    return graph.takeError();
  CompareOptions wideOptions;
  wideOptions.tolerance = wideTolerance;
  auto lockstep = runInLockstep(a, b, wideOptions, /*isWide=*/true,
                                /*keepsTensors=*/true);
  if (!lockstep)
    return lockstep.takeError();
  LayerComparison result;
  for (const LockstepTensor &tensor : lockstep->tensors)
    result.layers.push_back(toLayer(tensor, options.tolerance));
  judgeOutputs(*graph, result.layers);
  uint64_t computed = countComputed(*graph);
  result.numUnshared =
      computed - std::min<uint64_t>(computed, result.layers.size());
  auto first = llvm::find_if(result.layers, [](const Layer &layer) {
    return layer.verdict == LayerVerdict::Differs;
  });
  if (first != result.layers.end())
    result.first = Blame(result.layers, *lockstep, b, options.tolerance)
                       .find(first - result.layers.begin());
  return result;
}

std::optional<OrderedComparison>
inlay::compareInAnyOrder(StringRef name, const HostTensor &a,
                         const HostTensor &b, const CompareOptions &options) {
  return matchTensors(name, a, b, options);
}

//===----------------------------------------------------------------------===//
// Stretches
//===----------------------------------------------------------------------===//

Stretch inlay::findStretch(Value value,
                           llvm::function_ref<bool(Value)> isSettled) {
  Stretch stretch;
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<Value> needed, borders;
  needed.insert(value);
  for (size_t i = 0; i < needed.size(); ++i) {
    Operation *op = needed[i].getDefiningOp();
    if (op && isa<ConstantOp>(op))
      continue;
    if (!op || (i != 0 && isSettled(needed[i]))) {
      borders.insert(needed[i]);
      continue;
    }
    if (!ops.insert(op))
      continue;
    needed.insert(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), needed);
  }
  stretch.ops = ops.takeVector();
  stretch.borders = borders.takeVector();
  return stretch;
}

Stretch inlay::findStretch(const LayerComparison &comparison) {
  DenseSet<Value> settled;
  for (const Layer &layer : comparison.layers)
    if (!layer.isReordered && (layer.verdict == LayerVerdict::Equal ||
                               layer.verdict == LayerVerdict::Close))
      settled.insert(layer.a);
  return findStretch(comparison.layers[*comparison.first].a,
                     [&](Value value) { return settled.contains(value); });
}
