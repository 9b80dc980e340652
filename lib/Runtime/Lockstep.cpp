//===- Lockstep.cpp - Two graphs, tensor by tensor ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lockstep.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Runtime/Executor.h"
#include "inlay/Tensor/Kernels/Movement.h"
#include <cmath>
#include <numeric>

using namespace inlay;
using namespace mlir;

/// Bytes of the first graph's tensors that are kept; later ones are not
/// compared.
static constexpr uint64_t maxKeptBytes = uint64_t(4) << 30;
/// Dimensions of tensors of which all orders are tried.
static constexpr int64_t maxOrderedRank = 5;

using Order = SmallVector<int64_t>;

//===----------------------------------------------------------------------===//
// Two tensors
//===----------------------------------------------------------------------===//

static bool isOrderOf(ArrayRef<int64_t> order, ArrayRef<int64_t> from,
                      ArrayRef<int64_t> to) {
  for (auto [i, dim] : llvm::enumerate(order))
    if (from[dim] != to[i])
      return false;
  return true;
}

/// The other orders of dimensions in which a tensor of shape `from` has the
/// shape `to`; the order that it has is not among them.
static std::vector<Order> findOrders(ArrayRef<int64_t> from,
                                     ArrayRef<int64_t> to) {
  std::vector<Order> orders;
  if (from.size() != to.size() || int64_t(from.size()) > maxOrderedRank)
    return orders;
  Order order(from.size());
  std::iota(order.begin(), order.end(), 0);
  while (std::next_permutation(order.begin(), order.end()))
    if (isOrderOf(order, from, to))
      orders.push_back(order);
  return orders;
}

namespace {
struct Match {
  std::optional<TensorComparison> comparison;
  /// The first tensor in the order of the second one.
  HostTensor ordered;
  bool isReordered = false;
};
} // namespace

/// Layouts store what a name stands for in other orders of dimensions.
static Match match(StringRef name, const HostTensor &a, const HostTensor &b,
                   const CompareOptions &options) {
  Match result;
  if (a.getType() != b.getType())
    return result;
  if (a.getShape() == b.getShape()) {
    result.comparison = compareTensors(name, a, b, options);
    result.ordered = a;
    if (result.comparison->isEqual)
      return result;
  }
  for (const Order &order : findOrders(a.getShape(), b.getShape())) {
    auto ordered = kernels::transpose(a, order);
    if (!ordered) {
      llvm::consumeError(ordered.takeError());
      continue;
    }
    TensorComparison comparison = compareTensors(name, *ordered, b, options);
    if (comparison.isEqual || !result.comparison)
      result = {comparison, std::move(*ordered), /*isReordered=*/true};
    if (comparison.isEqual)
      return result;
  }
  return result;
}

std::optional<OrderedComparison>
inlay::matchTensors(StringRef name, const HostTensor &a, const HostTensor &b,
                    const CompareOptions &options) {
  Match matched = match(name, a, b, options);
  if (!matched.comparison)
    return std::nullopt;
  return OrderedComparison{*matched.comparison, matched.isReordered};
}

/// The magnitude of the smaller elements: a tenth of those that are not zero
/// are below it.
static double getSmallMagnitude(const HostTensor &tensor) {
  std::vector<double> magnitudes;
  for (int64_t i = 0, e = tensor.getNumElements(); i != e; ++i)
    if (double value = std::fabs(tensor.getDouble(i));
        value > 0 && std::isfinite(value))
      magnitudes.push_back(value);
  if (magnitudes.empty())
    return 0;
  auto place = magnitudes.begin() + magnitudes.size() / 10;
  std::nth_element(magnitudes.begin(), place, magnitudes.end());
  return *place;
}

/// How far rounding may have moved an element, as a part of its magnitude.
static double getRounding(ElementType type) {
  switch (type) {
  case ElementType::Double:
    return wideTolerance;
  case ElementType::Float16:
    return 0x1p-9;
  case ElementType::BFloat16:
    return 0x1p-6;
  default:
    return 0;
  }
}

/// Whether every element of `b` is that of `a`, but for rounding. The range of
/// a tensor is no measure for that: what a mask makes very large would hide all
/// others.
static bool isSameBesideRounding(const HostTensor &a, const HostTensor &b) {
  if (!isFloat(a.getType()))
    return true;
  double floor = getSmallMagnitude(a), rounding = getRounding(a.getType());
  for (int64_t i = 0, e = a.getNumElements(); i != e; ++i) {
    double x = a.getDouble(i), y = b.getDouble(i);
    bool isSame = x == y || (std::isnan(x) && std::isnan(y)) ||
                  std::fabs(x - y) <= rounding * std::max(std::fabs(x), floor);
    if (!isSame)
      return false;
  }
  return true;
}

/// Whether the first graph quantises floats and the second one computes the
/// same in integers: from quantised operands, by their scales.
static bool isComputedInIntegers(const SharedValue &shared) {
  Operation *op = shared.b.getDefiningOp();
  auto hasType = [op](auto isOfType) {
    return llvm::any_of(op->getOperandTypes(), [&](Type type) {
      auto tensor = dyn_cast<TensorType>(type);
      return tensor && isOfType(tensor.getElementType());
    });
  };
  return shared.a.getDefiningOp<QuantizeLinearOp>() &&
         !isa<QuantizeLinearOp>(op) &&
         hasType([](Type type) { return type.isInteger(8); }) &&
         hasType([](Type type) { return isa<FloatType>(type); });
}

//===----------------------------------------------------------------------===//
// Two graphs
//===----------------------------------------------------------------------===//

namespace {
class Runner {
public:
  Runner(const CompareOptions &options, bool isWide, bool keepsTensors)
      : options(options), isWide(isWide), keepsTensors(keepsTensors) {}

  llvm::Expected<Lockstep> run(const JudgedGraph &a, const JudgedGraph &b);

private:
  llvm::Expected<SmallVector<HostTensor>>
  execute(const JudgedGraph &graph,
          std::function<void(Value, HostTensor &)> visit) const;
  void keep(Value value, const HostTensor &tensor);
  void compare(Value value, HostTensor &tensor);

  const CompareOptions &options;
  bool isWide, keepsTensors;
  Lockstep result;
  DenseMap<Value, unsigned> indicesA, indicesB;
  DenseMap<unsigned, HostTensor> kept;
  uint64_t keptBytes = 0;
};
} // namespace

llvm::Expected<SmallVector<HostTensor>>
Runner::execute(const JudgedGraph &graph,
                std::function<void(Value, HostTensor &)> visit) const {
  ExecuteOptions executeOptions;
  executeOptions.progress = graph.progress;
  executeOptions.visit = std::move(visit);
  executeOptions.isWide = isWide;
  executeOptions.isPartial = graph.isPartial;
  return inlay::execute(graph.module, graph.inputs, executeOptions);
}

void Runner::keep(Value value, const HostTensor &tensor) {
  auto it = indicesA.find(value);
  uint64_t bytes = tensor.getBytes().size();
  if (it == indicesA.end() || keptBytes + bytes > maxKeptBytes)
    return;
  keptBytes += bytes;
  kept[it->second] = tensor;
}

void Runner::compare(Value value, HostTensor &tensor) {
  auto it = indicesB.find(value);
  auto other = it == indicesB.end() ? kept.end() : kept.find(it->second);
  if (other == kept.end())
    return;
  LockstepTensor &shared = result.tensors[it->second];
  CompareOptions own = options;
  own.steps = isWide && isComputedInIntegers(shared.value) ? 1 : 0;
  Match matched = match(shared.value.name, other->second, tensor, own);
  shared.comparison = matched.comparison;
  if (!matched.comparison) {
    shared.mismatch =
        compareTensors(shared.value.name, other->second, tensor, own);
    return;
  }
  shared.blank = findBlank(other->second);
  shared.isReordered = matched.isReordered;
  if (isWide && matched.comparison->isEqual &&
      isSameBesideRounding(matched.ordered, tensor)) {
    shared.isOneStepOff = own.steps > 0 && matched.comparison->maxAbsError > 0;
    tensor = matched.ordered;
  }
}

llvm::Expected<Lockstep> Runner::run(const JudgedGraph &a,
                                     const JudgedGraph &b) {
  auto graphA = getGraph(a.module), graphB = getGraph(b.module);
  if (!graphA || !graphB)
    return llvm::joinErrors(graphA.takeError(), graphB.takeError());
  for (SharedValue &shared : findSharedValues(*graphA, *graphB)) {
    indicesA[shared.a] = indicesB[shared.b] = result.tensors.size();
    result.tensors.push_back({std::move(shared), std::nullopt});
  }
  auto outputsA = execute(
      a, [this](Value value, HostTensor &tensor) { keep(value, tensor); });
  if (!outputsA)
    return outputsA.takeError();
  auto outputsB = execute(
      b, [this](Value value, HostTensor &tensor) { compare(value, tensor); });
  if (!outputsB)
    return outputsB.takeError();
  result.outputsA = std::move(*outputsA);
  result.outputsB = std::move(*outputsB);
  if (keepsTensors)
    result.kept = std::move(kept);
  return std::move(result);
}

llvm::Expected<Lockstep> inlay::runInLockstep(const JudgedGraph &a,
                                              const JudgedGraph &b,
                                              const CompareOptions &options,
                                              bool isWide, bool keepsTensors) {
  return Runner(options, isWide, keepsTensors).run(a, b);
}
