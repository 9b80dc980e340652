//===- Match.cpp - Reading expressions backwards --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/Patterns/Match.h"
#include "inlay/IR/ConstantExpressions.h"
#include "inlay/IR/Constants.h"
#include "inlay/Tensor/Dispatch.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>

using namespace inlay;
using namespace inlay::patterns;
using namespace mlir;

/// Operations that one product may be made of, and a left side.
static constexpr unsigned maxProduct = 16;
static constexpr unsigned maxLeftSide = 32;

bool patterns::areAlike(Value a, Value b) {
  auto first = dyn_cast<RankedTensorType>(a.getType());
  auto second = dyn_cast<RankedTensorType>(b.getType());
  if (!first || !second)
    return a.getType() == b.getType();
  return first.getElementType() == second.getElementType() &&
         first.getShape() == second.getShape();
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static double toDouble(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

/// The number that every element of a small expression is.
static std::optional<double> getComputedScalar(Attribute value) {
  if (!isExpression(value) || getByteSize(value) > maxInlineBytes)
    return std::nullopt;
  auto tensor = getExactTensor(value);
  if (!tensor) {
    llvm::consumeError(tensor.takeError());
    return std::nullopt;
  }
  std::vector<double> numbers = toDoubles(*tensor);
  if (numbers.empty() || !llvm::all_equal(numbers))
    return std::nullopt;
  return numbers.front();
}

std::optional<double> patterns::getScalar(Value value) {
  Attribute constant = getConstantValue(value);
  if (constant && isExpression(constant))
    return getComputedScalar(constant);
  // Attributes that repeat one element know it; larger constants are not read.
  auto dense = dyn_cast_if_present<DenseElementsAttr>(constant);
  if (!dense || !dense.isSplat())
    return std::nullopt;
  if (isa<FloatType>(dense.getElementType()))
    return toDouble(dense.getSplatValue<APFloat>());
  if (dense.getElementType().isSignlessInteger())
    return double(dense.getSplatValue<APInt>().getSExtValue());
  return std::nullopt;
}

static bool isWithin(double tolerance, double found, double wanted) {
  return std::abs(found - wanted) <= tolerance * std::abs(wanted);
}

bool patterns::isRounded(double found, double wanted, Type elementType) {
  auto type = dyn_cast<FloatType>(elementType);
  int digits = type ? int(type.getFPMantissaWidth()) : 53;
  return isWithin(std::ldexp(2.0, -digits), found, wanted);
}

bool patterns::isNear(double found, double wanted, Type elementType) {
  return isWithin(1e-5, found, wanted) || isRounded(found, wanted, elementType);
}

std::optional<double> patterns::getScalarOperand(Operation *op, unsigned i) {
  Value operand = op->getOperand(i), other = op->getOperand(1 - i);
  std::optional<double> scalar = getScalar(operand);
  if (!scalar || !areAlike(op->getResult(0), other))
    return std::nullopt;
  auto type = cast<RankedTensorType>(operand.getType());
  auto result = dyn_cast<RankedTensorType>(other.getType());
  bool fits = result && type.getNumElements() == 1
                  ? type.getRank() <= result.getRank()
                  : result && result.hasStaticShape();
  return fits || type.getRank() == 0 ? scalar : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

bool Product::isPower(Value base, double exponent) const {
  return factors.size() == 1 && factors[0].base == base &&
         factors[0].exponent == exponent;
}

Value Product::getSingle() const {
  return factors.size() == 1 && factors[0].exponent == 1 ? factors[0].base
                                                         : Value();
}

static bool isWhole(double exponent) {
  return exponent == std::trunc(exponent);
}

namespace {
/// Takes products apart. Roots are taken of single values only: the square root
/// of x * x is not x.
class ProductReader {
public:
  Product read(Value value, bool isRoot);

private:
  bool unfold(const Factor &factor);
  bool unfoldMul(MulOp op, double exponent);
  bool unfoldDiv(DivOp op, double exponent);
  bool unfoldPow(PowOp op, double exponent);
  void multiply(const Factor &factor);
  void multiply(double scalar, double exponent) {
    product.coefficient *= std::pow(scalar, exponent);
  }

  Product product;
  SmallVector<Factor> work;
};
} // namespace

bool ProductReader::unfoldMul(MulOp op, double exponent) {
  if (!isWhole(exponent))
    return false;
  for (unsigned i : {0, 1}) {
    if (std::optional<double> scalar = getScalarOperand(op, i)) {
      multiply(*scalar, exponent);
      work.push_back({op->getOperand(1 - i), exponent});
      return true;
    }
  }
  work.push_back({op.getRhs(), exponent});
  work.push_back({op.getLhs(), exponent});
  return true;
}

bool ProductReader::unfoldDiv(DivOp op, double exponent) {
  std::optional<double> dividend = getScalarOperand(op, 0);
  if (!isWhole(exponent) && dividend != 1.0)
    return false;
  if (dividend) {
    multiply(*dividend, exponent);
    work.push_back({op.getRhs(), -exponent});
    return true;
  }
  if (std::optional<double> divisor = getScalarOperand(op, 1))
    multiply(*divisor, -exponent);
  else
    work.push_back({op.getRhs(), -exponent});
  work.push_back({op.getLhs(), exponent});
  return true;
}

bool ProductReader::unfoldPow(PowOp op, double exponent) {
  std::optional<double> power = getScalarOperand(op, 1);
  if (!power || std::abs(exponent) != 1 ||
      !(isWhole(*power) || std::abs(*power) == 0.5))
    return false;
  work.push_back({op.getLhs(), *power * exponent});
  return true;
}

bool ProductReader::unfold(const Factor &factor) {
  auto [value, exponent] = factor;
  Operation *op = value.getDefiningOp();
  if (auto mul = dyn_cast_if_present<MulOp>(op))
    return unfoldMul(mul, exponent);
  if (auto div = dyn_cast_if_present<DivOp>(op))
    return unfoldDiv(div, exponent);
  if (auto pow = dyn_cast_if_present<PowOp>(op))
    return unfoldPow(pow, exponent);
  if (auto reciprocal = dyn_cast_if_present<ReciprocalOp>(op)) {
    work.push_back({reciprocal.getInput(), -exponent});
    return true;
  }
  if (auto root = dyn_cast_if_present<SqrtOp>(op);
      root && std::abs(exponent) == 1) {
    work.push_back({root.getInput(), exponent / 2});
    return true;
  }
  if (auto neg = dyn_cast_if_present<NegOp>(op); neg && isWhole(exponent)) {
    multiply(-1, exponent);
    work.push_back({neg.getInput(), exponent});
    return true;
  }
  return false;
}

/// A square root times itself is not what it is the root of, where that is
/// negative: only whole exponents are added.
void ProductReader::multiply(const Factor &factor) {
  if (isWhole(factor.exponent))
    for (Factor &other : product.factors)
      if (other.base == factor.base && isWhole(other.exponent)) {
        other.exponent += factor.exponent;
        return;
      }
  product.factors.push_back(factor);
}

Product ProductReader::read(Value value, bool isRoot) {
  work.push_back({value, 1});
  for (unsigned i = 0; !work.empty(); ++i) {
    Factor factor = work.pop_back_val();
    bool isInside = factor.base.hasOneUse() || (isRoot && i == 0);
    if (!isInside || i >= maxProduct || !unfold(factor))
      multiply(factor);
  }
  return product;
}

Product patterns::getProduct(Operation *root) {
  return ProductReader().read(root->getResult(0), /*isRoot=*/true);
}

Product patterns::getProduct(Value value) {
  return ProductReader().read(value, /*isRoot=*/false);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

Sum patterns::getSum(Value value) {
  Sum sum;
  sum.term = value;
  Operation *op = value.hasOneUse() ? value.getDefiningOp() : nullptr;
  if (isa_and_present<AddOp, SubOp>(op)) {
    for (unsigned i : {0, 1}) {
      std::optional<double> scalar = getScalarOperand(op, i);
      if (!scalar)
        continue;
      bool isSub = isa<SubOp>(op);
      sum.offset = isSub && i == 1 ? -*scalar : *scalar;
      sum.sign = isSub && i == 0 ? -1 : 1;
      sum.term = op->getOperand(1 - i);
      break;
    }
  }
  sum.product = getProduct(sum.term);
  sum.product.coefficient *= sum.sign;
  return sum;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

std::optional<Reduction>
patterns::readReduction(Value input, std::optional<ArrayRef<int64_t>> axes,
                        Value axesOperand, bool keepsDims, bool isNoop) {
  std::optional<int64_t> rank = getRank(input);
  if (!rank || !keepsDims)
    return std::nullopt;
  Reduction reduction{input, {}};
  MaybeInts known;
  if (axes)
    known.emplace(*axes);
  else if (axesOperand)
    known = getKnownInts(axesOperand);
  else
    known.emplace();
  if (!known)
    return std::nullopt;
  if (known->empty() && !isNoop)
    llvm::append_range(reduction.axes, llvm::seq<int64_t>(0, *rank));
  for (int64_t axis : *known) {
    std::optional<int64_t> normalized = normalizeAxis(axis, *rank);
    if (!normalized)
      return std::nullopt;
    reduction.axes.push_back(*normalized);
  }
  llvm::sort(reduction.axes);
  if (reduction.axes.empty())
    return std::nullopt;
  return reduction;
}

/// The number of elements that one element of the result comes from.
static std::optional<double> countReduced(const Reduction &reduction) {
  auto type = cast<RankedTensorType>(reduction.input.getType());
  double count = 1;
  for (int64_t axis : reduction.axes) {
    if (type.isDynamicDim(axis))
      return std::nullopt;
    count *= double(type.getDimSize(axis));
  }
  return count;
}

std::optional<Reduction> patterns::getMean(const Product &product) {
  Value value = product.getSingle();
  auto mean = getReduction<ReduceMeanOp>(value);
  if (mean && product.coefficient == 1)
    return mean;
  auto sum = getReduction<ReduceSumOp>(value);
  std::optional<double> count = sum ? countReduced(*sum) : std::nullopt;
  Type element = value ? getElementType(value) : Type();
  if (count && *count > 0 &&
      isRounded(product.coefficient, 1 / *count, element))
    return sum;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The left side
//===----------------------------------------------------------------------===//

std::optional<SmallVector<Operation *>>
patterns::getLeftSide(Operation *root, ArrayRef<Value> inputs) {
  llvm::SmallSetVector<Operation *, 16> ops;
  ops.insert(root);
  for (unsigned i = 0; i < ops.size(); ++i) {
    for (Value operand : ops[i]->getOperands()) {
      if (llvm::is_contained(inputs, operand) || getConstantValue(operand))
        continue;
      Operation *producer = operand.getDefiningOp();
      if (!producer || producer->getBlock() != root->getBlock() ||
          ops.size() == maxLeftSide)
        return std::nullopt;
      ops.insert(producer);
    }
  }
  auto isInside = [&](Operation *user) { return ops.contains(user); };
  for (Operation *op : llvm::drop_begin(ops))
    if (!llvm::all_of(op->getUsers(), isInside))
      return std::nullopt;
  return SmallVector<Operation *>(ops.begin(), ops.end());
}
