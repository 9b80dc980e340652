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
// Arithmetic
//===----------------------------------------------------------------------===//

/// Half of what is asked of x + y, or the n-th part of what is asked of a sum.
static ValueDemand getShare(const ValueDemand &demand, int64_t count) {
  double low = demand.low / double(count), high = demand.high / double(count);
  // Of whole numbers one may be smaller than its share.
  ValueDemand share = demand.isWhole ? ValueDemand::range(std::floor(low), high)
                                     : ValueDemand::range(low, high);
  share.isWhole = demand.isWhole;
  return share;
}

/// x + c of a mask is one where c is -1 (0 and -1 there, 1 counting here).
static MaskKind getMaskBeforeAdding(MaskKind mask, ConstantRange constant) {
  bool isShift = constant.low == -1 && constant.high == -1;
  return isShift && mask == MaskKind::ZeroCounts ? MaskKind::OneCounts
                                                 : MaskKind::None;
}

static void transferAdd(AddOp op, const ValueDemand &demand, DemandSink sink) {
  for (auto [x, y] : {std::pair(op.getLhs(), op.getRhs()),
                      std::pair(op.getRhs(), op.getLhs())}) {
    std::optional<ConstantRange> constant = getConstantRange(y);
    if (!constant) {
      sink(x, getShare(demand, 2));
      continue;
    }
    ValueDemand before = demand.beforeAdding(constant->low, constant->high);
    before.mask = getMaskBeforeAdding(demand.mask, *constant);
    sink(x, before);
  }
}

static void transferSub(SubOp op, const ValueDemand &demand, DemandSink sink) {
  if (auto constant = getConstantRange(op.getRhs())) {
    ValueDemand before = demand.beforeAdding(-constant->high, -constant->low);
    before.mask =
        getMaskBeforeAdding(demand.mask, {-constant->high, -constant->low});
    sink(op.getLhs(), before);
  } else if (auto constant = getConstantRange(op.getLhs())) {
    ValueDemand before =
        demand.beforeAdding(constant->low, constant->high).beforeNegation();
    if (constant->low == 1 && constant->high == 1)
      before.mask = invert(demand.mask);
    sink(op.getRhs(), before);
  }
}

static ValueDemand getBeforeScaling(const ValueDemand &demand,
                                    ConstantRange factor) {
  if (factor.high < 0)
    return demand.beforeNegation().beforeScaling(-factor.high, -factor.low);
  return demand.beforeScaling(factor.low, factor.high);
}

/// What is asked of both factors: nothing where one is to be negative, or the
/// product is free to be.
static ValueDemand getRoot(const ValueDemand &demand) {
  if (demand.high < 0 || (demand.low < 0 && !std::isfinite(demand.high)))
    return {};
  ValueDemand root = ValueDemand::range(std::sqrt(std::max(demand.low, 0.0)),
                                        std::sqrt(std::max(demand.high, 0.0)));
  root.isWhole = demand.isWhole;
  return root;
}

static void transferMul(MulOp op, const ValueDemand &demand, DemandSink sink) {
  // A square is not negative anyway.
  if (op.getLhs() == op.getRhs() && demand.low <= 0 &&
      !std::isfinite(demand.high))
    return;
  for (auto [x, y] : {std::pair(op.getLhs(), op.getRhs()),
                      std::pair(op.getRhs(), op.getLhs())}) {
    std::optional<ConstantRange> factor = getConstantRange(y);
    sink(x, factor ? getBeforeScaling(demand, *factor) : getRoot(demand));
  }
}

static void transferDiv(DivOp op, const ValueDemand &demand, DemandSink sink) {
  std::optional<ConstantRange> divisor = getConstantRange(op.getRhs());
  if (!divisor) {
    // The divisor is positive: the sign is the dividend's.
    if (demand.low >= 0)
      sink(op.getLhs(), ValueDemand::atLeast(demand.low));
    return;
  }
  if (divisor->low > 0 || divisor->high < 0)
    sink(op.getLhs(),
         getBeforeScaling(demand, {1 / divisor->high, 1 / divisor->low}));
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// What is left to ask where a result is at least `low` and at most `high`
/// whatever the operand is.
static ValueDemand relax(const ValueDemand &demand, double low, double high) {
  ValueDemand rest = withoutExact(demand);
  if (low >= demand.low)
    rest.low = -std::numeric_limits<double>::infinity();
  if (high <= demand.high)
    rest.high = std::numeric_limits<double>::infinity();
  return rest;
}

static constexpr double infinity = std::numeric_limits<double>::infinity();

static void transferClip(ClipOp op, const ValueDemand &demand,
                         DemandSink sink) {
  std::optional<ConstantRange> min, max;
  if (op.getMin())
    min = getConstantRange(op.getMin());
  if (op.getMax())
    max = getConstantRange(op.getMax());
  sink(op.getInput(),
       relax(demand, min ? min->low : -infinity, max ? max->high : infinity));
}

/// The largest (smallest) of operands: one constant may be enough for a bound.
template <typename Op>
static void transferExtreme(Op op, const ValueDemand &demand, DemandSink sink,
                            bool isMax) {
  double low = -infinity, high = infinity;
  for (Value input : op.getInputs()) {
    std::optional<ConstantRange> range = getConstantRange(input);
    if (range && isMax)
      low = std::max(low, range->low);
    else if (range)
      high = std::min(high, range->high);
  }
  for (Value input : op.getInputs())
    sink(input, relax(demand, low, high));
}

/// Functions that grow with their operand and keep its sign.
static void transferSign(Value input, const ValueDemand &demand,
                         DemandSink sink) {
  if (demand.low >= 0)
    sink(input, ValueDemand::atLeast(demand.low > 0 ? leastPositive : 0));
}

static void transferAbs(AbsOp op, const ValueDemand &demand, DemandSink sink) {
  if (demand.low > 0)
    sink(op.getInput(), withoutExact(demand));
  else if (std::isfinite(demand.high))
    sink(op.getInput(), ValueDemand::range(-demand.high, demand.high));
}

static void transferPow(PowOp op, const ValueDemand &demand, DemandSink sink) {
  std::optional<ConstantRange> exponent = getConstantRange(op.getRhs());
  bool isEven = exponent && exponent->low == exponent->high &&
                std::fmod(exponent->low, 2) == 0;
  if (!isEven || demand.low > 0)
    transferSign(op.getLhs(), demand, sink);
}

static void transferSqrt(SqrtOp op, const ValueDemand &demand,
                         DemandSink sink) {
  double low = std::max(demand.low, 0.0);
  sink(op.getInput(),
       ValueDemand::range(low * low, demand.high > 0 ? demand.high * demand.high
                                                     : infinity));
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

static bool transferArithmetic(OpResult result, const ValueDemand &demand,
                               DemandSink sink) {
  auto apply = [&](auto transfer) {
    return [&, transfer](auto op) {
      transfer(op, demand, sink);
      return true;
    };
  };
  return llvm::TypeSwitch<Operation *, bool>(result.getOwner())
      .Case<AddOp>(apply(transferAdd))
      .Case<SubOp>(apply(transferSub))
      .Case<MulOp>(apply(transferMul))
      .Case<DivOp>(apply(transferDiv))
      .Case<PowOp>(apply(transferPow))
      .Case<SqrtOp>(apply(transferSqrt))
      .Case<AbsOp>(apply(transferAbs))
      .Case<ClipOp>(apply(transferClip))
      .Case<CumSumOp>(apply(transferCumSum))
      .Case([&](NegOp op) {
        sink(op.getInput(), demand.beforeNegation());
        return true;
      })
      .Case([&](ReluOp op) {
        sink(op.getInput(), relax(demand, 0, infinity));
        return true;
      })
      .Case<TanhOp, ErfOp, AtanOp, SinhOp, AsinhOp, LeakyReluOp, EluOp>(
          [&](auto op) {
            transferSign(op.getInput(), demand, sink);
            return true;
          })
      .Case([&](MaxOp op) {
        transferExtreme(op, demand, sink, /*isMax=*/true);
        return true;
      })
      .Case([&](MinOp op) {
        transferExtreme(op, demand, sink, /*isMax=*/false);
        return true;
      })
      .Default(false);
}

void inlay::transferDemand(OpResult result, const ValueDemand &demand,
                           DemandSink sink) {
  Operation *op = result.getOwner();
  if (transferTruth(result, demand, sink) ||
      transferArithmetic(result, demand, sink))
    return;
  if (auto concat = dyn_cast<ConcatOp>(op))
    return transferConcat(concat, demand, sink);
  if (isa<CastOp, CastLikeOp>(op))
    return transferCast(result, demand, sink);
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
