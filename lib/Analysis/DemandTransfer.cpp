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
#include "inlay/IR/InlayOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

static ValueDemand withoutExact(ValueDemand demand) {
  demand.exact.clear();
  return demand;
}

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
static void transferConcat(ConcatOp op, const ValueDemand &demand,
                           DemandSink sink) {
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
    sink(input, part);
  }
}

/// The data operand of what moves or converts elements.
static void transferMove(OpResult result, const ValueDemand &demand,
                         DemandSink sink) {
  Value data = result.getOwner()->getOperand(0);
  std::optional<int64_t> from = countElements(data), to = countElements(result);
  sink(data, from && from == to ? demand : withoutExact(demand));
}

static void transferCast(OpResult result, const ValueDemand &demand,
                         DemandSink sink) {
  ValueDemand before = demand;
  Type to = getElementType(result);
  // Truth values have no range.
  if (to && to.isInteger(1))
    before = ValueDemand::masked(demand.mask);
  else if (to && to.isInteger())
    before.isWhole = true;
  transferMove(result, before, sink);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static void transferSum(OpResult result, Value input, const ValueDemand &demand,
                        DemandSink sink) {
  std::optional<int64_t> from = countElements(input),
                         to = countElements(result);
  bool isKnown = from && to && *from > 0 && *to > 0;
  int64_t count = isKnown ? std::max<int64_t>(*from / *to, 1) : 1;
  if (isKnown || !demand.isBounded())
    sink(input, getShare(demand, count));
}

/// Running sums: the last has all elements of the dimension.
static void transferCumSum(CumSumOp op, const ValueDemand &demand,
                           DemandSink sink) {
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
  sink(op.getInput(),
       getShare(demand, std::max<int64_t>((*shape)[*normal], 1)));
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
    std::optional<ConstantRange> range = getConstantRange(op->getOperand(i));
    if (range && range->low == range->high)
      return Comparison{op->getOperand(1 - i), range->low, i == 0};
  }
  return std::nullopt;
}

static bool holds(Operation *op, double x, double y) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](EqualOp) { return x == y; })
      .Case([&](LessOp) { return x < y; })
      .Case([&](LessOrEqualOp) { return x <= y; })
      .Case([&](GreaterOp) { return x > y; })
      .Default([&](Operation *) { return x >= y; });
}

/// Of a comparison that tells 0 from 1 the other operand is a mask; floats
/// have other uses for their sign.
static void transferComparison(Operation *op, const ValueDemand &demand,
                               DemandSink sink) {
  std::optional<Comparison> found = getComparison(op);
  Type element = getElementType(op->getOperand(0));
  if (demand.mask == MaskKind::None || !found || !element ||
      (isa<FloatType>(element) && !isa<EqualOp>(op)))
    return;
  auto test = [&](double x) {
    return found->isSwapped ? holds(op, found->constant, x)
                            : holds(op, x, found->constant);
  };
  if (test(0) == test(1))
    return;
  sink(found->value,
       ValueDemand::masked(test(1) ? demand.mask : invert(demand.mask)));
}

/// Positions below a length: no length is zero, or nothing counts.
static void transferLength(Operation *op, const ValueDemand &demand,
                           DemandSink sink) {
  if (demand.mask != MaskKind::OneCounts)
    return;
  bool isBelow = isa<LessOp, LessOrEqualOp>(op);
  Value length = op->getOperand(isBelow ? 1 : 0);
  Type element = getElementType(length);
  if (element && element.isInteger() && !element.isInteger(1))
    sink(length, ValueDemand::atLeast(1));
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static bool movesElements(Operation *op) {
  auto classified = dyn_cast<FusionOpInterface>(op);
  if (!classified || op->getNumOperands() == 0 || isa<ConstantOfShapeOp>(op))
    return false;
  FusionClass own = classified.getFusionClass();
  // Pools and what resamples choose or average.
  return own == FusionClass::View || own == FusionClass::Transform ||
         own == FusionClass::Broadcast || own == FusionClass::Window ||
         isa<GatherOp, GatherElementsOp, GatherNDOp, ScatterElementsOp,
             ScatterNDOp, TopKOp, ResizeOp, DropoutOp, GlobalMaxPoolOp,
             GlobalAveragePoolOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp,
             FloorOp, CeilOp, RoundOp>(op);
}

static bool transferTruth(OpResult result, const ValueDemand &demand,
                          DemandSink sink) {
  return llvm::TypeSwitch<Operation *, bool>(result.getOwner())
      .Case([&](NotOp op) {
        sink(op.getInput(), ValueDemand::masked(invert(demand.mask)));
        return true;
      })
      .Case<AndOp, OrOp>([&](auto op) {
        sink(op.getLhs(), demand);
        sink(op.getRhs(), demand);
        return true;
      })
      .Case<EqualOp, LessOp, LessOrEqualOp, GreaterOp, GreaterOrEqualOp>(
          [&](auto op) {
            transferComparison(op, demand, sink);
            if (!isa<EqualOp>(op))
              transferLength(op, demand, sink);
            return true;
          })
      .Case([&](WhereOp op) {
        sink(op.getX(), withoutExact(demand));
        sink(op.getY(), withoutExact(demand));
        return true;
      })
      .Default(false);
}

void inlay::transferDemand(OpResult result, const ValueDemand &demand,
                           const ValueRanges &ranges, DemandSink sink) {
  Operation *op = result.getOwner();
  if (transferTruth(result, demand, sink) ||
      transferArithmetic(result, demand, ranges, sink))
    return;
  if (auto concat = dyn_cast<ConcatOp>(op))
    return transferConcat(concat, demand, sink);
  if (isa<CastOp, CastLikeOp>(op))
    return transferCast(result, demand, sink);
  if (auto sums = dyn_cast<CumSumOp>(op))
    return transferCumSum(sums, demand, sink);
  if (auto sum = dyn_cast<ReduceSumOp>(op))
    return transferSum(result, sum.getInput(), demand, sink);
  if (isa<SumOp, MeanOp>(op)) {
    int64_t count = isa<SumOp>(op) ? op->getNumOperands() : 1;
    for (Value input : op->getOperands())
      sink(input, getShare(demand, count));
    return;
  }
  // Positions are no elements.
  bool isIndices = isa<TopKOp, MaxPoolOp>(op) && result.getResultNumber() == 1;
  if (movesElements(op) && !isIndices)
    transferMove(result, demand, sink);
  if (isa<ScatterElementsOp, ScatterNDOp>(op))
    sink(op->getOperand(2), withoutExact(demand));
}
