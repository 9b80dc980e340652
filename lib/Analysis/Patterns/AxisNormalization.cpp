//===- AxisNormalization.cpp - LayerNormalization out of its parts --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/Patterns/AxisNormalization.h"
#include "inlay/Analysis/Patterns/Match.h"
#include "inlay/IR/ConstantExpressions.h"
#include "inlay/IR/Constants.h"

using namespace inlay;
using namespace inlay::patterns;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Scales and biases
//===----------------------------------------------------------------------===//

RankedTensorType patterns::getParameterType(Value x, Dims dims) {
  auto type = dyn_cast<RankedTensorType>(x.getType());
  if (!type || !isa<FloatType>(type.getElementType()))
    return {};
  ArrayRef<int64_t> shape =
      type.getShape().slice(dims.begin, dims.end - dims.begin);
  if (ShapedType::isDynamicShape(shape))
    return {};
  return RankedTensorType::get(shape, type.getElementType());
}

/// Whether `shape`, counted from the end, is one outside of `dims` and what x
/// is inside.
static bool spans(ArrayRef<int64_t> shape, ArrayRef<int64_t> x, Dims dims) {
  int64_t missing = int64_t(x.size()) - int64_t(shape.size());
  if (missing < 0)
    return false;
  for (int64_t dim = 0, rank = x.size(); dim != rank; ++dim) {
    int64_t extent = dim < missing ? 1 : shape[dim - missing];
    bool isInside = dims.begin <= dim && dim < dims.end;
    if (extent != (isInside ? x[dim] : 1))
      return false;
  }
  return true;
}

std::optional<double> patterns::getNumber(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.hasStaticShape() && type.getNumElements() == 1 ? getScalar(value)
                                                             : std::nullopt;
}

static bool canReshape(Attribute constant, RankedTensorType type) {
  return constant && getView(constant, type);
}

bool patterns::isParameter(Value value, Value x, Dims dims) {
  RankedTensorType wanted = getParameterType(x, dims);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!wanted || !type || type.getElementType() != wanted.getElementType())
    return false;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(x.getType()).getShape();
  if (getNumber(value) && type.getRank() <= int64_t(shape.size()))
    return true;
  return spans(type.getShape(), shape, dims) &&
         (type == wanted || canReshape(getConstantValue(value), wanted));
}

//===----------------------------------------------------------------------===//
// d / sqrt(mean(d^2) + e)
//===----------------------------------------------------------------------===//

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

/// The dimensions of x that `axes` are, when these are the last.
static std::optional<Dims> getNormalized(Value x, ArrayRef<int64_t> axes) {
  int64_t rank = cast<RankedTensorType>(x.getType()).getRank();
  int64_t first = rank - int64_t(axes.size());
  bool isLast = llvm::equal(axes, llvm::seq(first, rank));
  return isLast ? std::optional<Dims>({first, rank}) : std::nullopt;
}

static constexpr llvm::StringLiteral
    otherType = "the result is of another type than x",
    usedElsewhere = "what is computed on the way is used elsewhere, or read "
                    "from elsewhere";

static bool hasScale(const Standardized &found, Value x, Dims dims) {
  if (!found.scale)
    return getParameterType(x, dims) != nullptr;
  return found.coefficient == 1 && isParameter(found.scale, x, dims);
}

/// What was found, as a normalisation of `x`.
static std::optional<AxisNormalization> complete(Operation *root,
                                                 const Standardized &found,
                                                 Value x, MatchReason &why) {
  if (!areAlike(x, root->getResult(0)))
    return why.findNothing(otherType);
  std::optional<Dims> dims = getNormalized(x, found.axes);
  if (!dims)
    return why.findNothing("the reduced dimensions are not the last ones");
  auto ops =
      found.scale ? getLeftSide(root, {x, found.scale}) : getLeftSide(root, x);
  if (!ops)
    return why.findNothing(usedElsewhere);
  if (!hasScale(found, x, *dims))
    return why.findNothing("the scale is no parameter of these dimensions");
  return AxisNormalization{x,           *dims, found.epsilon, found.coefficient,
                           found.scale, {},    *ops};
}

static constexpr llvm::StringLiteral notStandardized =
    "it is not d / sqrt(mean(d^2) + e)";

std::optional<AxisNormalization> patterns::readLayerNorm(Operation *root,
                                                         MatchReason &why) {
  std::optional<Standardized> found = getStandardized(root);
  if (!found)
    return why.findNothing(notStandardized);
  Value x = getCentered(found->deviation, found->axes);
  if (!x)
    return why.findNothing("the deviation is not x - mean(x)");
  return complete(root, *found, x, why);
}

std::optional<AxisNormalization> patterns::readRmsNorm(Operation *root,
                                                       MatchReason &why) {
  std::optional<Standardized> found = getStandardized(root);
  if (!found)
    return why.findNothing(notStandardized);
  return complete(root, *found, found->deviation, why);
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

/// Gives `result` the factor's scale and the rest of what was found, where the
/// factor is s / sqrt(mean((x - mean(x))^2) + e).
static bool completeShifted(Operation *root, const Shifted &found,
                            AxisNormalization &result, MatchReason &why) {
  Operation *factor = found.factor.getDefiningOp();
  Product product = factor ? getProduct(factor) : Product();
  why.refuse("the factor is no product of two values");
  return findOrder(product, [&](const Factor &scale, const Factor &inverse) {
    double epsilon = 0;
    std::optional<Reduction> square = getVariance(inverse, epsilon);
    if (!square || scale.exponent != 1 || product.coefficient != 1 ||
        getCentered(square->input, square->axes) != found.x ||
        square->input.getDefiningOp<SubOp>().getRhs() != found.mean)
      return why.refuse("the factor is not s / sqrt(mean(d^2) + e)");
    if (!areAlike(root->getResult(0), found.x))
      return why.refuse(otherType);
    std::optional<Dims> dims = getNormalized(found.x, square->axes);
    auto ops = getLeftSide(root, {found.x, scale.base, found.bias});
    if (!ops)
      return why.refuse(usedElsewhere);
    if (!dims || !isParameter(scale.base, found.x, *dims) ||
        !isParameter(found.bias, found.x, *dims))
      return why.refuse("scale or bias is no parameter of the reduced "
                        "dimensions");
    result = {found.x, *dims, epsilon, 1, scale.base, found.bias, *ops};
    return true;
  });
}

std::optional<AxisNormalization>
patterns::readShiftedLayerNorm(Operation *root, MatchReason &why) {
  AxisNormalization result;
  for (unsigned i : {0, 1})
    if (auto found = getShifted(root->getOperand(i), root->getOperand(1 - i));
        found && completeShifted(root, *found, result, why))
      return result;
  if (!why.hasReason())
    why.refuse("it is not x * m + (b - mean * m)");
  return std::nullopt;
}
