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
#include "mlir/Analysis/TopologicalSortUtils.h"
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

/// Nodes between two tensors that both graphs have that are evaluated at most.
static constexpr size_t maxTried = 16;

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

  /// The layer to blame, and whether it was tried and is wrong by itself.
  struct Finding {
    size_t layer;
    bool isProven;
  };
  Finding find(size_t first) const;

private:
  using Tensors = DenseMap<Value, HostTensor>;

  Stretch getStretch(size_t index) const;
  bool readBorders(ArrayRef<Value> borders, Tensors &tensors) const;
  std::optional<bool> computesTheSame(size_t index,
                                      const Stretch &stretch) const;
  std::optional<size_t> findDoubtful(ArrayRef<Value> borders) const;

  const std::vector<Layer> &layers;
  const Lockstep &lockstep;
  const JudgedGraph &b;
  CompareOptions options;
  DenseMap<Value, size_t> byValue;
};
} // namespace

/// The nodes of the second graph since tensors that both have.
Stretch Blame::getStretch(size_t index) const {
  return findStretch(layers[index].b,
                     [&](Value value) { return byValue.contains(value); });
}

/// What the second graph's values should be; false where nobody knows.
bool Blame::readBorders(ArrayRef<Value> borders, Tensors &tensors) const {
  for (Value value : borders) {
    auto it = byValue.find(value);
    HostTensor tensor;
    if (auto argument = dyn_cast<BlockArgument>(value))
      tensor = b.inputs[argument.getArgNumber()];
    else if (it != byValue.end())
      tensor = lockstep.kept.lookup(it->second);
    if (!tensor)
      return false;
    tensors[value] = widen(tensor);
  }
  return true;
}

/// The tensor of a constant as the graph computes with it, or none.
static HostTensor readConstant(Value value) {
  Attribute constant = getConstantValue(value);
  if (!constant)
    return HostTensor();
  auto exact = getElementType(value).isF32() ? getExactTensor(constant)
                                             : getHostTensor(constant);
  if (exact)
    return widen(*exact);
  llvm::consumeError(exact.takeError());
  return HostTensor();
}

/// Evaluates a node on tensors and adds its results; false where it cannot.
static bool evaluate(Operation *node, DenseMap<Value, HostTensor> &tensors) {
  auto op = dyn_cast<EvaluateOpInterface>(node);
  if (!op || op->getNumRegions() != 0)
    return false;
  SmallVector<HostTensor> operands;
  for (Value operand : op->getOperands()) {
    HostTensor tensor = tensors.lookup(operand);
    operands.push_back(tensor ? tensor : readConstant(operand));
    if (!operands.back())
      return false;
  }
  auto results = evaluateWide(op, operands, nullptr);
  if (!results) {
    llvm::consumeError(results.takeError());
    return false;
  }
  for (auto [value, tensor] : llvm::zip_equal(op->getResults(), *results))
    tensors[value] = tensor;
  return true;
}

/// Whether the second graph gives what the first one has, when it reads what
/// the first one has; nothing where that cannot be tried.
std::optional<bool> Blame::computesTheSame(size_t index,
                                           const Stretch &stretch) const {
  Tensors tensors;
  if (stretch.ops.size() > maxTried || !readBorders(stretch.borders, tensors))
    return std::nullopt;
  llvm::SetVector<Operation *> ops(stretch.ops.begin(), stretch.ops.end());
  for (Operation *op : topologicalSort(ops))
    if (!evaluate(op, tensors))
      return std::nullopt;
  HostTensor found = tensors.lookup(layers[index].b);
  HostTensor expected = widen(lockstep.kept.lookup(index));
  if (!found || !expected)
    return std::nullopt;
  return compareTensors("", expected, found, options).isEqual;
}

/// The earliest tensor of these that is not as it was.
std::optional<size_t> Blame::findDoubtful(ArrayRef<Value> borders) const {
  std::optional<size_t> earliest;
  for (Value border : borders) {
    auto it = byValue.find(border);
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

Blame::Finding Blame::find(size_t first) const {
  size_t current = first;
  while (true) {
    Stretch stretch = getStretch(current);
    std::optional<size_t> doubtful = findDoubtful(stretch.borders);
    // What is in front comes first, so that this ends.
    if (!doubtful || *doubtful >= current)
      return {current, false};
    std::optional<bool> isSame = computesTheSame(current, stretch);
    if (!isSame.value_or(false))
      return {current, isSame.has_value()};
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
  if (first != result.layers.end()) {
    Blame blame(result.layers, *lockstep, b, options.tolerance);
    Blame::Finding found = blame.find(first - result.layers.begin());
    result.first = found.layer;
    result.isProven = found.isProven;
  }
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
    if ((!layer.isReordered || comparison.isProven) &&
        (layer.verdict == LayerVerdict::Equal ||
         layer.verdict == LayerVerdict::Close))
      settled.insert(layer.a);
  return findStretch(comparison.layers[*comparison.first].a,
                     [&](Value value) { return settled.contains(value); });
}
