//===- ValueRanges.cpp - Between which numbers values lie -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueRanges.h"
#include "Demands.h"
#include "inlay/IR/InlayOps.h"
#include "llvm/ADT/TypeSwitch.h"
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

static NumberRange join(NumberRange x, NumberRange y) {
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
// Operators
//===----------------------------------------------------------------------===//

/// Functions whose values have bounds of their own.
static NumberRange getCodomain(Operation *op) {
  return llvm::TypeSwitch<Operation *, NumberRange>(op)
      .Case<SigmoidOp, SoftmaxOp, HardmaxOp, HardSigmoidOp>(
          [](auto) { return NumberRange{0, 1}; })
      .Case<TanhOp, ErfOp, SinOp, CosOp, SoftsignOp, SignOp>(
          [](auto) { return NumberRange{-1, 1}; })
      .Case<ExpOp, SqrtOp, SoftplusOp, ReduceL1Op, ReduceL2Op,
            ReduceSumSquareOp, ShapeOp, SizeOp, NonZeroOp, ArgMaxOp, ArgMinOp>(
          [](auto) { return NumberRange{0, infinity}; })
      .Default([](Operation *) { return NumberRange(); });
}

static bool isTruth(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && tensor.getElementType().isInteger(1);
}

/// Operators whose results are elements, or means, of the first operand.
static bool keepsRange(Operation *op) {
  auto classified = dyn_cast<FusionOpInterface>(op);
  FusionClass own =
      classified ? classified.getFusionClass() : FusionClass::Opaque;
  return op->getNumOperands() != 0 &&
         (own == FusionClass::View ||
          isa<TransposeOp, SliceOp, SplitOp, ExpandOp, TileOp, GatherOp,
              GatherElementsOp, GatherNDOp, ReduceMeanOp, ReduceMaxOp,
              ReduceMinOp, GlobalMaxPoolOp, GlobalAveragePoolOp>(op));
}

/// Conversions between numbers; those to few bits wrap around.
static NumberRange convert(Operation *op, NumberRange from) {
  Type to = getElementType(op->getResult(0));
  bool isWide = to && (isa<Float32Type, Float64Type>(to) || to.isInteger(64));
  return isWide ? NumberRange{std::floor(from.low), std::ceil(from.high)}
                : NumberRange();
}

NumberRange ValueRanges::inferArithmetic(Operation *op) const {
  auto x = [&] { return get(op->getOperand(0)); };
  auto y = [&] { return get(op->getOperand(1)); };
  return llvm::TypeSwitch<Operation *, NumberRange>(op)
      .Case([&](NegOp) { return negate(x()); })
      .Case([&](AbsOp) { return getMagnitude(x()); })
      .Case([&](ReluOp) { return limit(x(), 0, infinity); })
      .Case([&](AddOp) { return add(x(), y()); })
      .Case([&](SubOp) { return add(x(), negate(y())); })
      .Case([&](MulOp) {
        NumberRange size = getMagnitude(x());
        return op->getOperand(0) == op->getOperand(1) ? multiply(size, size)
                                                      : multiply(x(), y());
      })
      .Case([&](DivOp) {
        // Integers truncate, which never leaves the range with 0.
        bool hasSign = y().low > 0 || y().high < 0;
        NumberRange quotient = multiply(x(), {1 / y().high, 1 / y().low});
        return hasSign ? join(quotient, {0, 0}) : NumberRange();
      })
      .Case([&](PowOp power) {
        std::optional<ConstantRange> exponent =
            getConstantRange(power.getRhs());
        bool isEven = exponent && exponent->low == exponent->high &&
                      std::fmod(exponent->low, 2) == 0;
        return isEven ? NumberRange{0, infinity} : NumberRange();
      })
      .Case([&](ClipOp clip) {
        NumberRange low = clip.getMin() ? get(clip.getMin()) : NumberRange();
        NumberRange high = clip.getMax() ? get(clip.getMax()) : NumberRange();
        return low.low <= high.high ? limit(x(), low.low, high.high)
                                    : NumberRange();
      })
      .Case([&](MaxOp) {
        NumberRange range = x();
        for (Value operand : op->getOperands())
          range = {std::max(range.low, get(operand).low),
                   std::max(range.high, get(operand).high)};
        return range;
      })
      .Case([&](MinOp) {
        NumberRange range = x();
        for (Value operand : op->getOperands())
          range = {std::min(range.low, get(operand).low),
                   std::min(range.high, get(operand).high)};
        return range;
      })
      .Case([&](ConcatOp) {
        NumberRange range = x();
        for (Value operand : op->getOperands())
          range = join(range, get(operand));
        return range;
      })
      .Case([&](WhereOp where) {
        return join(get(where.getX()), get(where.getY()));
      })
      .Default([&](Operation *) { return NumberRange(); });
}

/// What a subgraph yields, or what passes it by.
NumberRange ValueRanges::joinFlows(OpResult result) const {
  auto interface = dyn_cast<LayoutTransmitOpInterface>(result.getOwner());
  if (!interface)
    return {};
  std::optional<NumberRange> range;
  ControlFlow flow = interface.getControlFlow();
  for (const ValueFlow &each : flow.leaving)
    if (each.to == result) {
      NumberRange from = get(each.from->get());
      range = range ? join(*range, from) : from;
    }
  return range.value_or(NumberRange());
}

NumberRange ValueRanges::infer(OpResult result) const {
  Operation *op = result.getOwner();
  if (isTruth(result.getType()))
    return {0, 1};
  if (isa<ConstantOp, ConstantOfShapeOp>(op)) {
    std::optional<ConstantRange> constant = getConstantRange(result);
    return constant ? NumberRange{constant->low, constant->high}
                    : NumberRange();
  }
  if (op->getNumRegions() != 0)
    return joinFlows(result);
  if (isa<CastOp, CastLikeOp>(op))
    return convert(op, get(op->getOperand(0)));
  if (keepsRange(op))
    return get(op->getOperand(0));
  NumberRange codomain = getCodomain(op);
  return codomain.isUnknown() ? inferArithmetic(op) : codomain;
}

ValueRanges::ValueRanges(func::FuncOp graph) {
  for (BlockArgument input : graph.getArguments())
    if (isTruth(input.getType()))
      ranges[input] = {0, 1};
  graph.getBody().walk([&](Operation *op) {
    for (OpResult result : op->getResults())
      if (NumberRange range = infer(result); !range.isUnknown() &&
                                             !std::isnan(range.low) &&
                                             !std::isnan(range.high))
        ranges[result] = range;
  });
}
