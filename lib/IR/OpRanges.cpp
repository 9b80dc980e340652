//===- OpRanges.cpp - Between which numbers results lie -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Demands.h"
#include <algorithm>
#include <cmath>

using namespace inlay;
using namespace mlir;

static constexpr double infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Arithmetic of ranges
//===----------------------------------------------------------------------===//

static NumberRange negate(NumberRange x) { return {-x.high, -x.low}; }

static NumberRange add(NumberRange x, NumberRange y) {
  return {x.low + y.low, x.high + y.high};
}

NumberRange inlay::join(NumberRange x, NumberRange y) {
  return {std::min(x.low, y.low), std::max(x.high, y.high)};
}

/// 0 * infinity is 0: the infinity is a bound that no number reaches.
static double multiplyBounds(double a, double b) {
  return a == 0 || b == 0 ? 0 : a * b;
}

static NumberRange multiply(NumberRange x, NumberRange y) {
  auto [low, high] = std::minmax(
      {multiplyBounds(x.low, y.low), multiplyBounds(x.low, y.high),
       multiplyBounds(x.high, y.low), multiplyBounds(x.high, y.high)});
  return {low, high};
}

static NumberRange getMagnitude(NumberRange x) {
  double low = x.low > 0 ? x.low : x.high < 0 ? -x.high : 0;
  return {low, std::max(std::fabs(x.low), std::fabs(x.high))};
}

static NumberRange limit(NumberRange x, double low, double high) {
  return {std::clamp(x.low, low, high), std::clamp(x.high, low, high)};
}

//===----------------------------------------------------------------------===//
// Results that are elements, or means, of operands
//===----------------------------------------------------------------------===//

static NumberRange getFirst(Operation *op, RangeLookup get) {
  return get(op->getOperand(0));
}

static NumberRange getConstant(Operation *op, RangeLookup) {
  return getConstantRange(op->getResult(0)).value_or(NumberRange());
}

/// Conversions between numbers; those to few bits wrap around.
static NumberRange convert(Operation *op, RangeLookup get) {
  NumberRange from = get(op->getOperand(0));
  Type to = getElementType(op->getResult(0));
  bool isWide = to && (isa<Float32Type, Float64Type>(to) || to.isInteger(64));
  return isWide ? NumberRange{std::floor(from.low), std::ceil(from.high)}
                : NumberRange();
}

static NumberRange joinOperands(Operation *op, RangeLookup get) {
  NumberRange range = get(op->getOperand(0));
  for (Value operand : op->getOperands())
    range = join(range, get(operand));
  return range;
}

static NumberRange joinBranches(WhereOp op, RangeLookup get) {
  return join(get(op.getX()), get(op.getY()));
}

/// Both ends of the range of Max and Min, which choose among operands.
template <const double &choose(const double &, const double &)>
static NumberRange getChosen(Operation *op, RangeLookup get) {
  NumberRange range = get(op->getOperand(0));
  for (Value operand : op->getOperands())
    range = {choose(range.low, get(operand).low),
             choose(range.high, get(operand).high)};
  return range;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

// Functions whose values have bounds of their own.
static NumberRange getUnit(Operation *, RangeLookup) { return {0, 1}; }
static NumberRange getSigned(Operation *, RangeLookup) { return {-1, 1}; }
static NumberRange getNotNegative(Operation *, RangeLookup) {
  return {0, infinity};
}

static NumberRange negateOperand(NegOp op, RangeLookup get) {
  return negate(get(op.getInput()));
}

static NumberRange getAbsolute(AbsOp op, RangeLookup get) {
  return getMagnitude(get(op.getInput()));
}

static NumberRange rectify(ReluOp op, RangeLookup get) {
  return limit(get(op.getInput()), 0, infinity);
}

static NumberRange addOperands(AddOp op, RangeLookup get) {
  return add(get(op.getLhs()), get(op.getRhs()));
}

static NumberRange subtract(SubOp op, RangeLookup get) {
  return add(get(op.getLhs()), negate(get(op.getRhs())));
}

static NumberRange multiplyOperands(MulOp op, RangeLookup get) {
  NumberRange x = get(op.getLhs()), size = getMagnitude(x);
  return op.getLhs() == op.getRhs() ? multiply(size, size)
                                    : multiply(x, get(op.getRhs()));
}

static NumberRange divide(DivOp op, RangeLookup get) {
  NumberRange y = get(op.getRhs());
  if (y.low <= 0 && y.high >= 0)
    return {};
  // Integers truncate, which never leaves the range with 0.
  return join(multiply(get(op.getLhs()), {1 / y.high, 1 / y.low}), {0, 0});
}

static NumberRange raise(PowOp op, RangeLookup) {
  std::optional<NumberRange> exponent = getConstantRange(op.getRhs());
  bool isEven = exponent && exponent->low == exponent->high &&
                std::fmod(exponent->low, 2) == 0;
  return isEven ? NumberRange{0, infinity} : NumberRange();
}

static NumberRange clip(ClipOp op, RangeLookup get) {
  NumberRange low = op.getMin() ? get(op.getMin()) : NumberRange();
  NumberRange high = op.getMax() ? get(op.getMax()) : NumberRange();
  return low.low <= high.high ? limit(get(op.getInput()), low.low, high.high)
                              : NumberRange();
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

void inlay::registerRanges(MLIRContext &context) {
  attachRange<getConstant, ConstantOp, ConstantOfShapeOp>(context);
  attachKept<convert, CastOp, CastLikeOp>(context);
  attachKept<getFirst, TransposeOp, SliceOp>(context);
  attachRange<getFirst, SplitOp, ExpandOp, TileOp, GatherOp, GatherElementsOp,
              GatherNDOp, ReduceMeanOp, ReduceMaxOp, ReduceMinOp,
              GlobalMaxPoolOp, GlobalAveragePoolOp>(context);
  attachRange<getUnit, SigmoidOp, SoftmaxOp, HardmaxOp, HardSigmoidOp>(context);
  attachRange<getSigned, TanhOp, ErfOp, SinOp, CosOp, SoftsignOp, SignOp>(
      context);
  attachRange<getNotNegative, ExpOp, SqrtOp, SoftplusOp, ReduceL1Op, ReduceL2Op,
              ReduceSumSquareOp, ShapeOp, SizeOp, NonZeroOp, ArgMaxOp,
              ArgMinOp>(context);
  attachRange<negateOperand, NegOp>(context);
  attachRange<getAbsolute, AbsOp>(context);
  attachRange<rectify, ReluOp>(context);
  attachRange<addOperands, AddOp>(context);
  attachRange<subtract, SubOp>(context);
  attachRange<multiplyOperands, MulOp>(context);
  attachRange<divide, DivOp>(context);
  attachRange<raise, PowOp>(context);
  attachRange<clip, ClipOp>(context);
  attachRange<getChosen<std::max<double>>, MaxOp>(context);
  attachRange<getChosen<std::min<double>>, MinOp>(context);
  attachRange<joinOperands, ConcatOp>(context);
  attachRange<joinBranches, WhereOp>(context);
}
