//===- ArithmeticTransfer.cpp - Demands on sums, products and bounds ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Demands.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

static constexpr double infinity = std::numeric_limits<double>::infinity();

ValueDemand inlay::relax(const ValueDemand &demand, NumberRange range) {
  ValueDemand rest = demand;
  if (range.low >= demand.low)
    rest.low = -std::numeric_limits<double>::infinity();
  if (range.high <= demand.high)
    rest.high = std::numeric_limits<double>::infinity();
  return rest;
}

ValueDemand inlay::getShare(const ValueDemand &demand, int64_t count) {
  double low = demand.low / double(count), high = demand.high / double(count);
  // Of whole numbers one may be smaller than its share.
  ValueDemand share = demand.isWhole ? ValueDemand::range(std::floor(low), high)
                                     : ValueDemand::range(low, high);
  share.isWhole = demand.isWhole;
  return share;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// x + c of a mask is one where c is -1 (0 and -1 there, 1 counting here).
static MaskKind getMaskBeforeAdding(MaskKind mask, NumberRange constant) {
  bool isShift = constant.low == -1 && constant.high == -1;
  return isShift && mask == MaskKind::ZeroCounts ? MaskKind::OneCounts
                                                 : MaskKind::None;
}

static void transferAdd(AddOp op, const ResultDemand &asked) {
  const ValueDemand &demand = asked.demand;
  for (auto [x, y] : {std::pair(op.getLhs(), op.getRhs()),
                      std::pair(op.getRhs(), op.getLhs())}) {
    std::optional<NumberRange> constant = getConstantRange(y);
    if (!constant) {
      asked.sink(x, getShare(demand, 2));
      continue;
    }
    ValueDemand before = demand.beforeAdding(constant->low, constant->high);
    before.mask = getMaskBeforeAdding(demand.mask, *constant);
    asked.sink(x, before);
  }
}

static void transferSub(SubOp op, const ResultDemand &asked) {
  const ValueDemand &demand = asked.demand;
  if (auto constant = getConstantRange(op.getRhs())) {
    ValueDemand before = demand.beforeAdding(-constant->high, -constant->low);
    before.mask =
        getMaskBeforeAdding(demand.mask, {-constant->high, -constant->low});
    asked.sink(op.getLhs(), before);
  } else if (auto constant = getConstantRange(op.getLhs())) {
    ValueDemand before =
        demand.beforeAdding(constant->low, constant->high).beforeNegation();
    if (constant->low == 1 && constant->high == 1)
      before.mask = invert(demand.mask);
    asked.sink(op.getRhs(), before);
  }
}

static ValueDemand getBeforeScaling(const ValueDemand &demand,
                                    NumberRange factor) {
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

/// What is asked of x where |x| is to lie between `low` and `high`: both signs
/// do, or the one that x has.
static ValueDemand demandMagnitude(double low, double high, NumberRange x) {
  if (low > high || high < 0)
    return {};
  if (low <= 0)
    return ValueDemand::range(-high, high);
  return x.high >= low ? ValueDemand::range(low, high)
                       : ValueDemand::range(-high, -low);
}

static void transferMul(MulOp op, const ResultDemand &asked) {
  const ValueDemand &demand = asked.demand;
  if (op.getLhs() == op.getRhs()) {
    ValueDemand root =
        demandMagnitude(std::sqrt(std::max(demand.low, 0.0)),
                        demand.high < 0 ? -1 : std::sqrt(demand.high),
                        asked.ranges(op.getLhs()));
    root.isWhole = demand.isWhole;
    return asked.sink(op.getLhs(), root);
  }
  for (auto [x, y] : {std::pair(op.getLhs(), op.getRhs()),
                      std::pair(op.getRhs(), op.getLhs())}) {
    std::optional<NumberRange> factor = getConstantRange(y);
    asked.sink(x, factor ? getBeforeScaling(demand, *factor) : getRoot(demand));
  }
}

static void transferDiv(DivOp op, const ResultDemand &asked) {
  const ValueDemand &demand = asked.demand;
  std::optional<NumberRange> divisor = getConstantRange(op.getRhs());
  if (!divisor) {
    // The divisor is positive: the sign is the dividend's.
    if (demand.low >= 0)
      asked.sink(op.getLhs(), ValueDemand::atLeast(demand.low));
    return;
  }
  if (divisor->low > 0 || divisor->high < 0)
    asked.sink(op.getLhs(),
               getBeforeScaling(demand, {1 / divisor->high, 1 / divisor->low}));
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

static void transferClip(ClipOp op, const ResultDemand &asked) {
  const ValueDemand &demand = asked.demand;
  std::optional<NumberRange> min, max;
  if (op.getMin())
    min = getConstantRange(op.getMin());
  if (op.getMax())
    max = getConstantRange(op.getMax());
  asked.sink(op.getInput(),
             relax(withoutExact(demand),
                   {min ? min->low : -infinity, max ? max->high : infinity}));
}

/// The largest (smallest) of operands: one constant may be enough for a bound.
template <bool isMax>
static void transferExtreme(Operation *op, const ResultDemand &asked) {
  double low = -infinity, high = infinity;
  for (Value input : op->getOperands()) {
    std::optional<NumberRange> range = getConstantRange(input);
    if (range && isMax)
      low = std::max(low, range->low);
    else if (range)
      high = std::min(high, range->high);
  }
  for (Value input : op->getOperands())
    asked.sink(input, relax(withoutExact(asked.demand), {low, high}));
}

/// Functions that grow with their operand and keep its sign.
static void transferSign(Operation *op, const ResultDemand &asked) {
  double low = asked.demand.low;
  if (low >= 0)
    asked.sink(op->getOperand(0),
               ValueDemand::atLeast(low > 0 ? leastPositive : 0));
}

static void transferAbs(AbsOp op, const ResultDemand &asked) {
  const ValueDemand &demand = asked.demand;
  ValueDemand before =
      demandMagnitude(demand.low, demand.high, asked.ranges(op.getInput()));
  before.isWhole = demand.isWhole;
  asked.sink(op.getInput(), before);
}

/// The number whose power is `value`, of the same sign.
static double getSignedRoot(double value, double exponent) {
  return std::copysign(std::pow(std::fabs(value), 1 / exponent), value);
}

static void transferPow(PowOp op, const ResultDemand &asked) {
  const ValueDemand &demand = asked.demand;
  std::optional<NumberRange> exponent = getConstantRange(op.getRhs());
  if (!exponent || exponent->low != exponent->high || exponent->low <= 0)
    return transferSign(op, asked);
  double low = getSignedRoot(demand.low, exponent->low),
         high = getSignedRoot(demand.high, exponent->low);
  bool isEven = std::fmod(exponent->low, 2) == 0;
  asked.sink(op.getLhs(),
             isEven ? demandMagnitude(low, high, asked.ranges(op.getLhs()))
                    : ValueDemand::range(low, high));
}

static void transferSqrt(SqrtOp op, const ResultDemand &asked) {
  const ValueDemand &demand = asked.demand;
  double low = std::max(demand.low, 0.0);
  asked.sink(op.getInput(),
             ValueDemand::range(low * low, demand.high > 0
                                               ? demand.high * demand.high
                                               : infinity));
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static void transferNeg(NegOp op, const ResultDemand &asked) {
  asked.sink(op.getInput(), asked.demand.beforeNegation());
}

static void transferRelu(ReluOp op, const ResultDemand &asked) {
  asked.sink(op.getInput(), relax(withoutExact(asked.demand), {0, infinity}));
}

void inlay::registerArithmeticTransfers(MLIRContext &context) {
  attachTransfer<transferAdd, AddOp>(context);
  attachTransfer<transferSub, SubOp>(context);
  attachTransfer<transferMul, MulOp>(context);
  attachTransfer<transferDiv, DivOp>(context);
  attachTransfer<transferPow, PowOp>(context);
  attachTransfer<transferSqrt, SqrtOp>(context);
  attachTransfer<transferAbs, AbsOp>(context);
  attachTransfer<transferNeg, NegOp>(context);
  attachTransfer<transferClip, ClipOp>(context);
  attachTransfer<transferRelu, ReluOp>(context);
  attachTransfer<transferExtreme</*isMax=*/true>, MaxOp>(context);
  attachTransfer<transferExtreme</*isMax=*/false>, MinOp>(context);
  attachTransfer<transferSign, TanhOp, ErfOp, AtanOp, SinhOp, AsinhOp,
                 LeakyReluOp, EluOp>(context);
}
