//===- DemandTransfer.cpp - Demands on results become ones on operands ----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What follows is enough for the demand, not always needed for it: of a sum
// that is not to be negative, neither operand is. Where nothing simple is
// enough (differences, contractions), nothing is asked.
//
//===----------------------------------------------------------------------===//

#include "Demands.h"
#include <functional>

using namespace inlay;
using namespace mlir;

static std::optional<int64_t> countElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  return type.getNumElements();
}

//===----------------------------------------------------------------------===//
// Elements that move
//===----------------------------------------------------------------------===//

/// Each operand gets its part of the elements.
static void transferConcat(ConcatOp op, const ResultDemand &asked) {
  const ValueDemand &demand = asked.demand;
  bool isVector = getRank(op.getResult()) == 1;
  size_t begin = 0;
  for (Value input : op.getInputs()) {
    ValueDemand part = withoutExact(demand);
    std::optional<int64_t> count = countElements(input);
    if (isVector && count && begin + *count <= demand.exact.size())
      part.exact.assign(demand.exact.begin() + begin,
                        demand.exact.begin() + begin + *count);
    begin += count.value_or(0);
    isVector &= count.has_value();
    asked.sink(input, part);
  }
}

void inlay::transferMove(Operation *op, const ResultDemand &asked) {
  Value data = op->getOperand(0);
  std::optional<int64_t> from = countElements(data),
                         to = countElements(asked.result);
  asked.sink(data,
             from && from == to ? asked.demand : withoutExact(asked.demand));
}

/// Of further results nothing follows: positions are no elements.
static void transferFirst(Operation *op, const ResultDemand &asked) {
  if (asked.result.getResultNumber() == 0)
    transferMove(op, asked);
}

/// Elements of the data or of the updates.
static void transferScatter(Operation *op, const ResultDemand &asked) {
  transferMove(op, asked);
  asked.sink(op->getOperand(2), withoutExact(asked.demand));
}

/// It has no data.
static void transferNothing(Operation *, const ResultDemand &) {}

static void transferCast(Operation *op, const ResultDemand &asked) {
  ValueDemand before = asked.demand;
  Type to = getElementType(asked.result);
  // Truth values have no range.
  if (to && to.isInteger(1))
    before = ValueDemand::masked(asked.demand.mask);
  else if (to && to.isInteger())
    before.isWhole = true;
  transferMove(op, {asked.result, before, asked.ranges, asked.sink});
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static void transferReduced(ReduceSumOp op, const ResultDemand &asked) {
  std::optional<int64_t> from = countElements(op.getInput()),
                         to = countElements(op.getResult());
  bool isKnown = from && to && *from > 0 && *to > 0;
  int64_t count = isKnown ? std::max<int64_t>(*from / *to, 1) : 1;
  if (isKnown || !asked.demand.isBounded())
    asked.sink(op.getInput(), getShare(asked.demand, count));
}

static void transferSum(SumOp op, const ResultDemand &asked) {
  for (Value input : op->getOperands())
    asked.sink(input, getShare(asked.demand, op->getNumOperands()));
}

static void transferMean(MeanOp op, const ResultDemand &asked) {
  for (Value input : op->getOperands())
    asked.sink(input, getShare(asked.demand, 1));
}

/// Running sums: the last has all elements of the dimension.
static void transferCumSum(CumSumOp op, const ResultDemand &asked) {
  MaybeShape shape = getShape(op.getInput());
  MaybeInts axis =
      op.getAxis() ? MaybeInts({int64_t(*op.getAxis())})
                   : (op.getAxisOperand() ? getKnownInts(op.getAxisOperand())
                                          : std::nullopt);
  std::optional<int64_t> normal =
      shape && axis && axis->size() == 1
          ? normalizeAxis(axis->front(), shape->size())
          : std::nullopt;
  if (!normal || ShapedType::isDynamic((*shape)[*normal]))
    return;
  asked.sink(op.getInput(),
             getShare(asked.demand, std::max<int64_t>((*shape)[*normal], 1)));
}

//===----------------------------------------------------------------------===//
// Truth values
//===----------------------------------------------------------------------===//

namespace {
/// A comparison of the result of some computation with a constant.
struct Comparison {
  Value value;
  double constant;
  bool isSwapped;
};
} // namespace

static std::optional<Comparison> getComparison(Operation *op) {
  for (unsigned i : {0u, 1u}) {
    std::optional<NumberRange> range = getConstantRange(op->getOperand(i));
    if (range && range->low == range->high)
      return Comparison{op->getOperand(1 - i), range->low, i == 0};
  }
  return std::nullopt;
}

/// Of a comparison that tells 0 from 1 the other operand is a mask; floats
/// have other uses for their sign.
template <typename Compare>
static void transferMask(Operation *op, const ResultDemand &asked,
                         bool takesFloats) {
  std::optional<Comparison> found = getComparison(op);
  Type element = getElementType(op->getOperand(0));
  MaskKind mask = asked.demand.mask;
  if (mask == MaskKind::None || !found || !element ||
      (isa<FloatType>(element) && !takesFloats))
    return;
  auto test = [&](double x) {
    return found->isSwapped ? Compare()(found->constant, x)
                            : Compare()(x, found->constant);
  };
  if (test(0) == test(1))
    return;
  asked.sink(found->value, ValueDemand::masked(test(1) ? mask : invert(mask)));
}

static void transferEqual(EqualOp op, const ResultDemand &asked) {
  transferMask<std::equal_to<double>>(op, asked, /*takesFloats=*/true);
}

/// Positions below a length, operand `index`: no length is zero, or nothing
/// counts.
template <typename Compare, unsigned index>
static void transferOrder(Operation *op, const ResultDemand &asked) {
  transferMask<Compare>(op, asked, /*takesFloats=*/false);
  if (asked.demand.mask != MaskKind::OneCounts)
    return;
  Value length = op->getOperand(index);
  Type element = getElementType(length);
  if (element && element.isInteger() && !element.isInteger(1))
    asked.sink(length, ValueDemand::atLeast(1));
}

static void transferNot(NotOp op, const ResultDemand &asked) {
  asked.sink(op.getInput(), ValueDemand::masked(invert(asked.demand.mask)));
}

static void transferBoth(Operation *op, const ResultDemand &asked) {
  asked.sink(op->getOperand(0), asked.demand);
  asked.sink(op->getOperand(1), asked.demand);
}

static void transferWhere(WhereOp op, const ResultDemand &asked) {
  asked.sink(op.getX(), withoutExact(asked.demand));
  asked.sink(op.getY(), withoutExact(asked.demand));
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

void inlay::registerDemandTransfers(MLIRContext &context) {
  attachTransfer<transferNot, NotOp>(context);
  attachTransfer<transferBoth, AndOp, OrOp>(context);
  attachTransfer<transferEqual, EqualOp>(context);
  attachTransfer<transferOrder<std::less<double>, 1>, LessOp>(context);
  attachTransfer<transferOrder<std::less_equal<double>, 1>, LessOrEqualOp>(
      context);
  attachTransfer<transferOrder<std::greater<double>, 0>, GreaterOp>(context);
  attachTransfer<transferOrder<std::greater_equal<double>, 0>,
                 GreaterOrEqualOp>(context);
  attachTransfer<transferWhere, WhereOp>(context);
  attachTransfer<transferConcat, ConcatOp>(context);
  attachTransfer<transferCast, CastOp, CastLikeOp>(context);
  attachTransfer<transferCumSum, CumSumOp>(context);
  attachTransfer<transferReduced, ReduceSumOp>(context);
  attachTransfer<transferSum, SumOp>(context);
  attachTransfer<transferMean, MeanOp>(context);
  attachTransfer<transferNothing, ConstantOfShapeOp>(context);
  attachTransfer<transferFirst, TopKOp, MaxPoolOp>(context);
  attachTransfer<transferScatter, ScatterElementsOp, ScatterNDOp>(context);
  // Pools and what resamples choose or average.
  attachTransfer<transferMove, GatherOp, GatherElementsOp, GatherNDOp, ResizeOp,
                 DropoutOp, GlobalMaxPoolOp, GlobalAveragePoolOp, ReduceMeanOp,
                 ReduceMaxOp, ReduceMinOp, FloorOp, CeilOp, RoundOp>(context);
}
