//===- AxisNormalizations.cpp - LayerNormalization and RMSNormalization ---===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x / sqrt(mean(x^2) + e) over the last dimensions is RMSNormalization(x, 1),
// and with x - mean(x) for x it is LayerNormalization(x, 1). The scale and the
// bias behind it, and conversions around it, are equations of their own
// (NormalizationSteps.cpp); a scale that is multiplied with the root first is
// found here.
//
// The statistics must be computed in f32, as the operators do: in f16 a square
// overflows early.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Match.h"
#include "Normalizations.h"

using namespace inlay;
using namespace inlay::rewrites;
using namespace mlir;

namespace {
/// coefficient * scale * deviation / sqrt(mean(deviation^2) + epsilon).
struct Standardized {
  Value deviation;
  SmallVector<int64_t> axes;
  double epsilon = 0;
  double coefficient = 1;
  /// Null for one.
  Value scale;
};
} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// `value` without a conversion around it.
static Value skipCast(Value value) {
  auto cast = value.getDefiningOp<CastOp>();
  return cast ? cast.getInput() : value;
}

/// s of s^-0.5, also where the root of s is converted before it divides.
static Value getInverseRoot(const Factor &factor) {
  if (factor.exponent == -0.5)
    return factor.base;
  auto cast = factor.base.getDefiningOp<CastOp>();
  if (!cast || std::abs(factor.exponent) != 1)
    return {};
  Product root = getProduct(cast.getInput());
  bool isInverse = root.coefficient == 1 && root.factors.size() == 1 &&
                   root.factors[0].exponent * factor.exponent == -0.5;
  return isInverse ? root.factors[0].base : Value();
}

/// d and the axes of mean(d^2).
static std::optional<Reduction> getMeanSquare(const Product &product) {
  std::optional<Reduction> mean = getMean(product);
  if (!mean)
    return std::nullopt;
  Product square = getProduct(mean->input);
  if (square.coefficient != 1 || square.factors.size() != 1 ||
      square.factors[0].exponent != 2)
    return std::nullopt;
  mean->input = square.factors[0].base;
  return mean;
}

/// d and the axes of 1 / sqrt(mean(d^2) + epsilon).
static std::optional<Reduction> getVariance(const Factor &root,
                                            double &epsilon) {
  Value inverse = getInverseRoot(root);
  if (!inverse || !getElementType(inverse).isF32())
    return std::nullopt;
  Sum sum = getSum(inverse);
  epsilon = sum.offset;
  return epsilon > 0 ? getMeanSquare(sum.product) : std::nullopt;
}

/// The factors that are left when `product` is divided by the deviation and by
/// the root are one, the scale, or none.
static std::optional<Standardized> standardize(const Product &product,
                                               const Factor &root) {
  double epsilon = 0;
  std::optional<Reduction> square = getVariance(root, epsilon);
  if (!square)
    return std::nullopt;
  Standardized result{{}, square->axes, epsilon, product.coefficient, {}};
  for (const Factor &factor : product.factors) {
    if (&factor == &root)
      continue;
    bool isDeviation =
        factor.base == square->input || factor.base == skipCast(square->input);
    Value &place = isDeviation ? result.deviation : result.scale;
    if (place || factor.exponent != 1)
      return std::nullopt;
    place = factor.base;
  }
  if (!result.deviation)
    return std::nullopt;
  return result;
}

static std::optional<Standardized> getStandardized(Operation *root) {
  Product product = getProduct(root);
  for (const Factor &factor : product.factors)
    if (auto result = standardize(product, factor))
      return result;
  return std::nullopt;
}

/// x of x - mean(x) along `axes`, else null.
static Value getCentered(Value deviation, ArrayRef<int64_t> axes) {
  auto sub = deviation.getDefiningOp<SubOp>();
  if (!sub)
    return {};
  std::optional<Reduction> mean = getMean(getProduct(sub.getRhs()));
  bool isOwn =
      mean && mean->input == sub.getLhs() && axes == ArrayRef(mean->axes);
  return isOwn ? sub.getLhs() : Value();
}

//===----------------------------------------------------------------------===//
// Replacing
//===----------------------------------------------------------------------===//

static SmallVector<NamedAttribute> getAttrs(OpBuilder &builder, int64_t axis,
                                            double epsilon) {
  return {
      builder.getNamedAttr("axis", builder.getI64IntegerAttr(axis)),
      builder.getNamedAttr("epsilon", builder.getF32FloatAttr(float(epsilon)))};
}

/// The dimensions of x that `axes` are, when these are the last.
static std::optional<Dims> getNormalized(Value x, ArrayRef<int64_t> axes) {
  int64_t rank = cast<RankedTensorType>(x.getType()).getRank();
  int64_t first = rank - int64_t(axes.size());
  bool isLast = llvm::equal(axes, llvm::seq(first, rank));
  return isLast ? std::optional<Dims>({first, rank}) : std::nullopt;
}

/// The scale of what was found, as a tensor over `dims` of x.
static Value createScale(OpBuilder &builder, const Standardized &found, Value x,
                         Dims dims) {
  if (!found.scale)
    return createFilled(builder, found.coefficient, x, dims);
  return found.coefficient == 1 ? createParameter(builder, found.scale, x, dims)
                                : Value();
}

static constexpr llvm::StringLiteral
    notStandardized = "it is not d / sqrt(mean(d^2) + e)",
    otherType = "the result is of another type than x",
    usedElsewhere = "what is computed on the way is used elsewhere, or read "
                    "from elsewhere";

/// Puts OpT over `x` into the place of what was found.
template <typename OpT>
static bool replaceStandardized(Operation *root, RewriteContext &context,
                                const Standardized &found, Value x) {
  if (x.getType() != root->getResult(0).getType())
    return context.refuse(otherType);
  std::optional<Dims> dims = getNormalized(x, found.axes);
  if (!dims)
    return context.refuse("the reduced dimensions are not the last ones");
  auto ops =
      found.scale ? getLeftSide(root, {x, found.scale}) : getLeftSide(root, x);
  if (!ops)
    return context.refuse(usedElsewhere);
  OpBuilder &builder = context.builder;
  Value scale = createScale(builder, found, x, *dims);
  if (!scale)
    return context.refuse("the scale is no parameter of these dimensions");
  replaceByNormalization(
      context, *ops, OpT::getOperationName(), {x, scale},
      getAttrs(builder, dims->begin - dims->end, found.epsilon));
  return true;
}

static bool findLayerNorm(Operation *root, RewriteContext &context) {
  std::optional<Standardized> found = getStandardized(root);
  if (!found)
    return context.refuse(notStandardized);
  Value x = getCentered(found->deviation, found->axes);
  if (!x)
    return context.refuse("the deviation is not x - mean(x)");
  return replaceStandardized<LayerNormalizationOp>(root, context, *found, x);
}

static bool findRmsNorm(Operation *root, RewriteContext &context) {
  std::optional<Standardized> found = getStandardized(root);
  if (!found)
    return context.refuse(notStandardized);
  return replaceStandardized<RMSNormalizationOp>(root, context, *found,
                                                 found->deviation);
}

//===----------------------------------------------------------------------===//
// With the mean multiplied out
//===----------------------------------------------------------------------===//

namespace {
/// x * factor + (bias - mean * factor).
struct Shifted {
  Value x;
  Value mean;
  Value factor;
  Value bias;
};
} // namespace

/// The other operand of a product with `factor`, or null.
static Value getCofactor(Value product, Value factor) {
  auto mul = product.getDefiningOp<MulOp>();
  for (unsigned i : {0, 1})
    if (mul && mul->getOperand(i) == factor)
      return mul->getOperand(1 - i);
  return {};
}

static std::optional<Shifted> getShifted(Value scaled, Value shift) {
  auto mul = scaled.getDefiningOp<MulOp>();
  auto sub = shift.getDefiningOp<SubOp>();
  for (unsigned i : {0, 1}) {
    Value factor = mul ? mul->getOperand(i) : Value();
    Value mean = sub && factor ? getCofactor(sub.getRhs(), factor) : Value();
    if (mean)
      return Shifted{mul->getOperand(1 - i), mean, factor, sub.getLhs()};
  }
  return std::nullopt;
}

/// x * m + (b - mean(x) * m), m = s / sqrt(mean((x - mean(x))^2) + e): what
/// TensorFlow makes of a layer normalisation.
static bool replaceShifted(Operation *root, RewriteContext &context,
                           const Shifted &found) {
  Operation *factor = found.factor.getDefiningOp();
  Product product = factor ? getProduct(factor) : Product();
  double epsilon = 0;
  context.refuse("the factor is no product of two values");
  return findOrder(product, [&](const Factor &scale, const Factor &inverse) {
    std::optional<Reduction> square = getVariance(inverse, epsilon);
    if (!square || scale.exponent != 1 || product.coefficient != 1 ||
        getCentered(square->input, square->axes) != found.x ||
        square->input.getDefiningOp<SubOp>().getRhs() != found.mean)
      return context.refuse("the factor is not s / sqrt(mean(d^2) + e)");
    if (root->getResult(0).getType() != found.x.getType())
      return context.refuse(otherType);
    std::optional<Dims> dims = getNormalized(found.x, square->axes);
    auto ops = getLeftSide(root, {found.x, scale.base, found.bias});
    if (!ops)
      return context.refuse(usedElsewhere);
    if (!dims || !isParameter(scale.base, found.x, *dims) ||
        !isParameter(found.bias, found.x, *dims))
      return context.refuse("scale or bias is no parameter of the reduced "
                            "dimensions");
    OpBuilder &builder = context.builder;
    replaceByNormalization(
        context, *ops, LayerNormalizationOp::getOperationName(),
        {found.x, createParameter(builder, scale.base, found.x, *dims),
         createParameter(builder, found.bias, found.x, *dims)},
        getAttrs(builder, dims->begin - dims->end, epsilon));
    return true;
  });
}

static bool findShiftedLayerNorm(Operation *root, RewriteContext &context) {
  for (unsigned i : {0, 1})
    if (auto found = getShifted(root->getOperand(i), root->getOperand(1 - i));
        found && replaceShifted(root, context, *found))
      return true;
  return context.hasReason()
             ? false
             : context.refuse("it is not x * m + (b - mean * m)");
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr Rewrite table[] = {
    {"layer-norm",
     "d / Sqrt(ReduceMean(d^2) + e) * s = LayerNormalization(x, s), "
     "d = x - ReduceMean(x)",
     "inlay.mul inlay.div", findLayerNorm},
    {"layer-norm-shifted",
     "x * m + (b - ReduceMean(x) * m) = LayerNormalization(x, s, b), "
     "m = s / Sqrt(ReduceMean(d^2) + e), d = x - ReduceMean(x)",
     "inlay.add", findShiftedLayerNorm},
    {"rms-norm", "x / Sqrt(ReduceMean(x^2) + e) * s = RMSNormalization(x, s)",
     "inlay.mul inlay.div", findRmsNorm},
};

llvm::ArrayRef<Rewrite> rewrites::getAxisNormalizations() { return table; }
