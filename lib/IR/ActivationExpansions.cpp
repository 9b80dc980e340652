//===- ActivationExpansions.cpp - Functions of one element ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is not a number stays so: comparisons with it are false, and the branch
// that is taken then carries it on.
//
//===----------------------------------------------------------------------===//

#include "Term.h"
#include <numbers>

using namespace inlay;
using namespace mlir;

/// Expands OpT, an operator with one operand of floats, by a formula.
template <typename OpT, Term (*formula)(OpT op, Term x)>
static LogicalResult expandFormula(OpT op, Expansion &expansion) {
  if (!isFloatTensor(op.getInput()))
    return failure();
  Term x(expansion, expansion.widen(op.getInput()));
  expansion.set(op.getResult(), formula(op, x));
  return success();
}

/// Makes `formula` the expansion of OpT.
template <typename OpT, Term (*formula)(OpT op, Term x)>
static void attachFormula(MLIRContext &context) {
  attachExpansion<OpT, expandFormula<OpT, formula>>(context);
}

/// The same for operators that are basic nearly everywhere: they are expanded
/// only where somebody asks for it.
template <typename OpT, Term (*formula)(OpT op, Term x)>
static LogicalResult expandRequested(OpT op, Expansion &expansion) {
  return expansion.isRequested() ? expandFormula<OpT, formula>(op, expansion)
                                 : failure();
}

//===----------------------------------------------------------------------===//
// Smooth functions
//===----------------------------------------------------------------------===//

// x / 2 * (1 + erf(x / sqrt(2))), or with the tanh of a polynomial
static Term computeGelu(GeluOp op, Term x) {
  if (op.getApproximate() != "tanh")
    return 0.5 * x * (1.0 + erf(x * (std::numbers::sqrt2 / 2)));
  double factor = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  Term cube = 0.044715 * x * x * x;
  return 0.5 * x * (1.0 + tanh(factor * (x + cube)));
}

// x * sigmoid(alpha * x)
static Term computeSwish(SwishOp op, Term x) {
  float alpha = op.getAlpha().convertToFloat();
  return x * sigmoid(alpha == 1 ? x : double(alpha) * x);
}

// log(1 + exp(x)), where exp does not overflow. What rounding takes from a
// small power is put back, so that only minus infinity gives zero.
static Term computeSoftplus(SoftplusOp op, Term x) {
  Term power = exp(-abs(x));
  Term sum = 1.0 + power;
  Term rounded = sum - 1.0;
  return max(x, 0.0) +
         select(rounded == 0.0, power, log(sum) * (power / rounded));
}

// x * tanh(softplus(x)) as a quotient of powers of e = exp(-|x|), which do not
// overflow; no difference of equal numbers is in it.
//   x < 0: x * (e^2 + 2e) / (e^2 + 2e + 2)
//   else:  x * (2e + 1) / (2e^2 + 2e + 1)
static Term computeMish(MishOp op, Term x) {
  Term power = exp(-abs(x));
  Term square = power * power;
  Term isNegative = x < 0.0;
  Term small = square + 2.0 * power, large = 2.0 * power + 1.0;
  return x * (select(isNegative, small, large) /
              select(isNegative, small + 2.0, 2.0 * square + large));
}

static Term computeSoftsign(SoftsignOp op, Term x) {
  return x / (1.0 + abs(x));
}

static Term computeSigmoid(SigmoidOp op, Term x) {
  return 1.0 / (1.0 + exp(-x));
}

// +-(1 - e) / (1 + e)   [e = exp(-2 |x|), which does not overflow]
static Term computeTanh(TanhOp op, Term x) {
  Term power = exp(-2.0 * abs(x));
  Term size = (1.0 - power) / (1.0 + power);
  return select(x < 0.0, -size, size);
}

//===----------------------------------------------------------------------===//
// Functions in pieces
//===----------------------------------------------------------------------===//

static Term clampToUnit(Term x) { return max(min(x, 1.0), 0.0); }

static Term computeHardSigmoid(HardSigmoidOp op, Term x) {
  return clampToUnit(double(op.getAlpha().convertToFloat()) * x +
                     double(op.getBeta().convertToFloat()));
}

static Term computeHardSwish(HardSwishOp op, Term x) {
  return x * clampToUnit(x / 6.0 + 0.5);
}

static Term computeLeakyRelu(LeakyReluOp op, Term x) {
  return select(x < 0.0, double(op.getAlpha().convertToFloat()) * x, x);
}

static Term computeElu(EluOp op, Term x) {
  Term below = double(op.getAlpha().convertToFloat()) * (exp(x) - 1.0);
  return select(x < 0.0, below, x);
}

static Term computeSelu(SeluOp op, Term x) {
  Term below = double(op.getAlpha().convertToFloat()) * (exp(x) - 1.0);
  return double(op.getGamma().convertToFloat()) * select(x > 0.0, x, below);
}

static Term computeCelu(CeluOp op, Term x) {
  double alpha = op.getAlpha().convertToFloat();
  Term below = alpha * (exp(x / alpha) - 1.0);
  return max(x, 0.0) + min(below, 0.0);
}

static Term computeThresholdedRelu(ThresholdedReluOp op, Term x) {
  return select(x > double(op.getAlpha().convertToFloat()), x, x.getNumber(0));
}

static Term computeShrink(ShrinkOp op, Term x) {
  double bias = op.getBias().convertToFloat();
  double limit = op.getLambd().convertToFloat();
  Term above = select(x > limit, x - bias, x.getNumber(0));
  return select(x < -limit, x + bias, above);
}

//===----------------------------------------------------------------------===//
// Relu and PRelu, which integers have too
//===----------------------------------------------------------------------===//

/// Max and Min of narrow integers are rarer than what is made of them.
static bool hasExtremes(Value value) {
  Type element = inlay::getElementType(value);
  return isFloatTensor(value) ||
         (element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 32);
}

static LogicalResult expandRelu(ReluOp op, Expansion &expansion) {
  if (!hasExtremes(op.getInput()))
    return failure();
  expansion.set(op.getResult(), max(Term(expansion, op.getInput()), 0.0));
  return success();
}

/// Whether a slope of rank one is one per channel, which counts only where it
/// does not broadcast; nothing where extents are unknown.
static std::optional<bool> isPerChannel(ArrayRef<int64_t> x,
                                        ArrayRef<int64_t> slope) {
  if (slope.size() != 1 || x.size() < 2 || slope[0] == 1)
    return false;
  if (ShapedType::isDynamic(slope[0]) || ShapedType::isDynamic(x.back()))
    return std::nullopt;
  return slope[0] != x.back();
}

// x < 0 ? slope * x : x
static LogicalResult expandPRelu(PReluOp op, Expansion &expansion) {
  MaybeShape shape = getShape(op.getInput());
  MaybeShape slopeShape = getShape(op.getSlope());
  if (!shape || !slopeShape)
    return failure();
  std::optional<bool> perChannel = isPerChannel(*shape, *slopeShape);
  if (!perChannel)
    return failure();
  Value slope = op.getSlope();
  if (*perChannel)
    slope = alignToAxis(expansion, slope, 1, shape->size());
  Term x(expansion, op.getInput());
  expansion.set(op.getResult(), select(x < 0.0, Term(expansion, slope) * x, x));
  return success();
}

// min(max(x, low), high)
static LogicalResult expandClip(ClipOp op, Expansion &expansion) {
  if (!hasExtremes(op.getInput()))
    return failure();
  Term x(expansion, op.getInput());
  // No bound is the largest finite number: infinities do not pass.
  auto type = dyn_cast<FloatType>(inlay::getElementType(x));
  auto getLimit = [&](bool isNegative) {
    return llvm::APFloat::getLargest(type.getFloatSemantics(), isNegative)
        .convertToDouble();
  };
  // A bound of rank one must not give its rank to a scalar.
  auto getBound = [&](Value bound) {
    return Term(expansion, getRank(bound) == 0
                               ? bound
                               : createReshape(expansion, bound, {}));
  };
  Term y = x;
  if (op.getMin())
    y = max(y, getBound(op.getMin()));
  else if (type)
    y = max(y, getLimit(true));
  if (op.getMax())
    y = min(y, getBound(op.getMax()));
  else if (type)
    y = min(y, getLimit(false));
  expansion.set(op.getResult(), y);
  return success();
}

void inlay::registerActivationExpansions(MLIRContext &context) {
  attachFormula<GeluOp, computeGelu>(context);
  attachFormula<SwishOp, computeSwish>(context);
  attachFormula<SoftplusOp, computeSoftplus>(context);
  attachFormula<MishOp, computeMish>(context);
  attachFormula<SoftsignOp, computeSoftsign>(context);
  attachFormula<HardSigmoidOp, computeHardSigmoid>(context);
  attachFormula<HardSwishOp, computeHardSwish>(context);
  attachFormula<LeakyReluOp, computeLeakyRelu>(context);
  attachFormula<EluOp, computeElu>(context);
  attachFormula<SeluOp, computeSelu>(context);
  attachFormula<CeluOp, computeCelu>(context);
  attachFormula<ThresholdedReluOp, computeThresholdedRelu>(context);
  attachFormula<ShrinkOp, computeShrink>(context);
  attachExpansion<SigmoidOp, expandRequested<SigmoidOp, computeSigmoid>>(
      context);
  attachExpansion<TanhOp, expandRequested<TanhOp, computeTanh>>(context);
  attachExpansion<ReluOp, expandRelu>(context);
  attachExpansion<PReluOp, expandPRelu>(context);
  attachExpansion<ClipOp, expandClip>(context);
}
