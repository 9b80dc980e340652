//===- ReduceExpansions.cpp - Reductions and global pools -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Term.h"
#include <limits>

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Reductions that are a sum in between
//===----------------------------------------------------------------------===//

/// The sum of `value` over the axes of `op`, whatever they are.
template <typename OpT> static Term sumLike(OpT op, Term value) {
  Expansion &expansion = value.getExpansion();
  return {expansion, expansion.create<ReduceSumOp>(
                         value, op.getAxesOperand(), op.getAxesAttr(),
                         op.getKeepdimsAttr(), op.getNoopWithEmptyAxesAttr())};
}

// sum(|x|)
static LogicalResult expandReduceL1(ReduceL1Op op, Expansion &expansion) {
  Term x(expansion, expansion.widen(op.getInput()));
  expansion.set(op.getResult(), sumLike(op, abs(x)));
  return success();
}

// sum(x * x)
static LogicalResult expandReduceSumSquare(ReduceSumSquareOp op,
                                           Expansion &expansion) {
  Term x(expansion, expansion.widen(op.getInput()));
  expansion.set(op.getResult(), sumLike(op, x * x));
  return success();
}

// sqrt(sum(x * x)); the root of integers is not one of integers.
static LogicalResult expandReduceL2(ReduceL2Op op, Expansion &expansion) {
  if (!isFloatTensor(op.getInput()))
    return failure();
  Term x(expansion, expansion.widen(op.getInput()));
  expansion.set(op.getResult(), sqrt(sumLike(op, x * x)));
  return success();
}

// log(sum(x))
static LogicalResult expandReduceLogSum(ReduceLogSumOp op,
                                        Expansion &expansion) {
  if (!isFloatTensor(op.getInput()))
    return failure();
  Term x(expansion, expansion.widen(op.getInput()));
  expansion.set(op.getResult(), log(sumLike(op, x)));
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions that need to know their axes
//===----------------------------------------------------------------------===//

/// The axes that are reduced, if they are known.
template <typename OpT>
static std::optional<SmallVector<int64_t>> getReducedAxes(OpT op) {
  std::optional<int64_t> rank = getRank(op.getInput());
  if (!rank || op.getAxesOperand())
    return std::nullopt;
  ArrayRef<int64_t> given = op.getAxes().value_or(ArrayRef<int64_t>());
  if (given.empty())
    return op.getNoopWithEmptyAxes() ? SmallVector<int64_t>()
                                     : getRange(0, *rank);
  SmallVector<int64_t> axes;
  for (int64_t axis : given)
    axes.push_back(normalizeAxis(axis, *rank).value_or(0));
  return axes;
}

/// How many elements of `value` make up one over `axes`, in the element type
/// that `like` has.
static Term countElements(Value value, ArrayRef<int64_t> axes, Term like) {
  Expansion &expansion = like.getExpansion();
  MaybeShape shape = getShape(value);
  int64_t count = 1;
  for (int64_t axis : axes)
    count = mulExtents(count, (*shape)[axis]);
  if (!isUnknown(count))
    return like.getNumber(double(count));
  Value extents =
      expansion.create<ShapeOp>(value, IntegerAttr(), IntegerAttr());
  Value taken = expansion.create<GatherOp>(extents, expansion.createInts(axes),
                                           IntegerAttr());
  Value product = reduceAll<ReduceProdOp>(expansion, taken);
  return {expansion,
          expansion.createCast(product, inlay::getElementType(like))};
}

// sum(x) / count; integers truncate.
static LogicalResult expandReduceMean(ReduceMeanOp op, Expansion &expansion) {
  std::optional<SmallVector<int64_t>> axes = getReducedAxes(op);
  Type element = inlay::getElementType(op.getInput());
  // The mean of nothing is not defined; runtimes differ.
  if (!axes || !element || llvm::is_contained(*getShape(op.getInput()), 0))
    return failure();
  if (axes->empty()) {
    expansion.set(op.getResult(), op.getInput());
    return success();
  }
  Term sum = sumLike(op, Term(expansion, expansion.widen(op.getInput())));
  expansion.set(op.getResult(), sum / countElements(op.getInput(), *axes, sum));
  return success();
}

// log(sum(exp(x - shift))) + shift
//   [shift = the largest element; 0 where that is infinite, as infinity minus
//    itself is not a number]
static LogicalResult expandReduceLogSumExp(ReduceLogSumExpOp op,
                                           Expansion &expansion) {
  std::optional<SmallVector<int64_t>> axes = getReducedAxes(op);
  if (!axes || !isFloatTensor(op.getInput()))
    return failure();
  Term x(expansion, expansion.widen(op.getInput()));
  Term largest = x.reduce<ReduceMaxOp>(*axes);
  Term isFinite = abs(largest) < std::numeric_limits<double>::infinity();
  Term shift = select(isFinite, largest, largest.getNumber(0));
  Term sum = exp(x - shift).reduce<ReduceSumOp>(*axes);
  Value y = log(sum) + shift;
  expansion.set(op.getResult(),
                op.getKeepdims() ? y : createSqueeze(expansion, y, *axes));
  return success();
}

//===----------------------------------------------------------------------===//
// Global pools
//===----------------------------------------------------------------------===//

/// The spatial dimensions of (N, C, spatial...). What is pooled of nothing is
/// not what is reduced of it.
static std::optional<SmallVector<int64_t>> getSpatialAxes(Value input) {
  MaybeShape shape = getShape(input);
  if (!shape || shape->size() < 2 || llvm::is_contained(*shape, 0))
    return std::nullopt;
  return getRange(2, shape->size());
}

template <typename OpT, typename ReduceT>
static LogicalResult expandGlobalPool(OpT op, Expansion &expansion) {
  std::optional<SmallVector<int64_t>> axes = getSpatialAxes(op.getInput());
  if (!axes)
    return failure();
  expansion.set(op.getResult(),
                reduce<ReduceT>(expansion, op.getInput(), *axes));
  return success();
}

// sum(|x|^p)^(1/p)
static LogicalResult expandGlobalLpPool(GlobalLpPoolOp op,
                                        Expansion &expansion) {
  std::optional<SmallVector<int64_t>> axes = getSpatialAxes(op.getInput());
  if (!axes || !isFloatTensor(op.getInput()))
    return failure();
  Term x(expansion, expansion.widen(op.getInput()));
  int64_t p = op.getP();
  Term powers = p == 1 ? abs(x) : p == 2 ? x * x : pow(abs(x), double(p));
  Term sum = powers.reduce<ReduceSumOp>(*axes);
  expansion.set(op.getResult(), p == 1   ? sum
                                : p == 2 ? sqrt(sum)
                                         : pow(sum, 1.0 / double(p)));
  return success();
}

void inlay::registerReduceExpansions(MLIRContext &context) {
  attachExpansion<ReduceL1Op, expandReduceL1>(context);
  attachExpansion<ReduceL2Op, expandReduceL2>(context);
  attachExpansion<ReduceSumSquareOp, expandReduceSumSquare>(context);
  attachExpansion<ReduceLogSumOp, expandReduceLogSum>(context);
  attachExpansion<ReduceLogSumExpOp, expandReduceLogSumExp>(context);
  attachExpansion<ReduceMeanOp, expandReduceMean>(context);
  attachExpansion<GlobalAveragePoolOp,
                  expandGlobalPool<GlobalAveragePoolOp, ReduceMeanOp>>(context);
  attachExpansion<GlobalMaxPoolOp,
                  expandGlobalPool<GlobalMaxPoolOp, ReduceMaxOp>>(context);
  attachExpansion<GlobalLpPoolOp, expandGlobalLpPool>(context);
}
