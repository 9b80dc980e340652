//===- QuantizedProductExpansions.cpp - Products of quantised tensors -----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of 8-bit integers are those of the 32-bit integers that are left
// when zero points are taken away. Around a convolution there are zeros of
// these then, as there have to be. Whoever makes code of them asks; ONNX has no
// convolution of such integers.
//
//===----------------------------------------------------------------------===//

#include "Term.h"
#include "inlay/Tensor/Broadcast.h"
#include <cmath>
#include <limits>

using namespace inlay;
using namespace mlir;

/// The largest product of two bytes without their zero points.
static constexpr int64_t maxProduct = 255 * 255;

/// Whether sums of so many products fit 32 bits, whatever they are of.
static bool isExact(ArrayRef<int64_t> summed) {
  int64_t most = std::numeric_limits<int32_t>::max() / maxProduct, count = 1;
  for (int64_t extent : summed) {
    if (extent > most)
      return false;
    count *= extent;
    if (count > most)
      return false;
  }
  return true;
}

static bool isByte(Value value) {
  Type element = inlay::getElementType(value);
  return element && element.isInteger(8);
}

namespace {
/// A scale or zero point: one number, or one for each line of a tensor, in
/// front of `trailing` dimensions.
struct Granule {
  Value value;
  int64_t trailing = 0;

  /// As it broadcasts to `shape`, in another element type; null where it does
  /// not, or is not known well enough.
  Value align(Expansion &expansion, Type element,
              ArrayRef<int64_t> shape) const;
};
} // namespace

Value Granule::align(Expansion &expansion, Type element,
                     ArrayRef<int64_t> shape) const {
  MaybeShape own = getStaticShape(value);
  if (!own || llvm::is_contained(*own, 0))
    return {};
  bool isOne = llvm::all_of(*own, [](int64_t extent) { return extent == 1; });
  bool isVector = !isOne && own->size() == 1;
  SmallVector<int64_t> to = isOne ? SmallVector<int64_t>() : *own;
  if (isVector)
    to.append(trailing, 1);
  if (!isBroadcastableTo(to, shape))
    return {};
  Value wide = expansion.createCast(value, element);
  if (isOne)
    return own->empty() ? wide : createReshape(expansion, wide, {});
  return isVector ? createUnsqueeze(expansion, wide, getRange(1, trailing + 1))
                  : wide;
}

/// x - zero point as 32-bit integers; null where that is not known.
static Value center(Expansion &expansion, Value x, const Granule &zeroPoint) {
  MaybeShape shape = getStaticShape(x);
  if (!expansion.isRequested() || !shape || !isByte(x))
    return {};
  Type wide = IntegerType::get(x.getContext(), 32);
  Value zero;
  if (zeroPoint.value) {
    if (inlay::getElementType(zeroPoint.value) != inlay::getElementType(x))
      return {};
    zero = zeroPoint.align(expansion, wide, *shape);
    if (!zero)
      return {};
  }
  Term own(expansion, expansion.createCast(x, wide));
  return zero ? own - Term(expansion, zero) : own;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static Value createMatMul(Expansion &expansion, Value a, Value aZeroPoint,
                          Value b, Value bZeroPoint) {
  Value left = center(expansion, a, {aZeroPoint, /*trailing=*/1});
  Value right = left ? center(expansion, b, {bZeroPoint}) : Value();
  return right ? expansion.create<MatMulOp>(left, right) : Value();
}

template <typename OpT>
static Value createConv(Expansion &expansion, OpT op, Value xZeroPoint,
                        Value wZeroPoint) {
  MaybeShape w = getStaticShape(op.getW());
  Value data = w ? center(expansion, op.getX(), {xZeroPoint}) : Value();
  Value weight =
      data ? center(expansion, op.getW(), {wZeroPoint, int64_t(w->size()) - 1})
           : Value();
  if (!weight)
    return {};
  return expansion.create<ConvIntegerOp>(
      data, weight, Value(), Value(), op.getAutoPadAttr(),
      op.getDilationsAttr(), op.getGroupAttr(), op.getKernelShapeAttr(),
      op.getPadsAttr(), op.getStridesAttr());
}

static LogicalResult expandMatMulInteger(MatMulIntegerOp op,
                                         Expansion &expansion) {
  Value product = createMatMul(expansion, op.getA(), op.getAZeroPoint(),
                               op.getB(), op.getBZeroPoint());
  if (!product)
    return failure();
  expansion.set(op.getResult(), product);
  return success();
}

static LogicalResult expandConvInteger(ConvIntegerOp op, Expansion &expansion) {
  Value sums =
      createConv(expansion, op, op.getXZeroPoint(), op.getWZeroPoint());
  if (!sums)
    return failure();
  expansion.set(op.getResult(), sums);
  return success();
}

//===----------------------------------------------------------------------===//
// Integers of a scale
//===----------------------------------------------------------------------===//

namespace {
/// The scales of both operands and what the result is quantised by.
struct Requantization {
  Granule a, b, y, zeroPoint;
};
} // namespace

/// saturate(round(sums * a * b / y) + zero point), in single precision.
static LogicalResult requantize(Expansion &expansion, Value result, Value sums,
                                const Requantization &by) {
  MaybeShape shape = getStaticShape(result);
  std::optional<ElementType> type =
      getOnnxElementType(inlay::getElementType(by.zeroPoint.value));
  if (!shape || !type || !isInteger(*type) || getBitWidth(*type) > 16)
    return failure();
  Type single = Float32Type::get(result.getContext());
  SmallVector<Term> numbers;
  for (const Granule &own : {by.a, by.b, by.y, by.zeroPoint}) {
    Value aligned = own.align(expansion, single, *shape);
    if (!aligned)
      return failure();
    numbers.push_back(Term(expansion, aligned));
  }
  Term scale = numbers[0] * numbers[1] / numbers[2];
  Term sum(expansion, expansion.createCast(sums, single));
  Term y = round(sum * scale) + numbers[3];
  int bits = getBitWidth(*type);
  double low = isSignedInteger(*type) ? -std::ldexp(1.0, bits - 1) : 0;
  expansion.set(result, min(max(y, low), low + std::ldexp(1.0, bits) - 1));
  return success();
}

static LogicalResult expandQLinearMatMul(QLinearMatMulOp op,
                                         Expansion &expansion) {
  MaybeShape a = getStaticShape(op.getA());
  if (!a || a->empty() || !isExact(a->back()))
    return failure();
  Value sums = createMatMul(expansion, op.getA(), op.getAZeroPoint(), op.getB(),
                            op.getBZeroPoint());
  if (!sums)
    return failure();
  return requantize(expansion, op.getResult(), sums,
                    {{op.getAScale(), 1},
                     {op.getBScale()},
                     {op.getYScale(), 1},
                     {op.getYZeroPoint(), 1}});
}

static LogicalResult expandQLinearConv(QLinearConvOp op, Expansion &expansion) {
  MaybeShape w = getStaticShape(op.getW());
  if (!w || w->size() < 3 || !isExact(ArrayRef(*w).drop_front()))
    return failure();
  Value sums =
      createConv(expansion, op, op.getXZeroPoint(), op.getWZeroPoint());
  if (!sums)
    return failure();
  int64_t numSpatial = int64_t(w->size()) - 2;
  if (Value bias = op.getB()) {
    // The sum of both need not fit 32 bits.
    Type wide = Float64Type::get(op.getContext());
    if (!inlay::getElementType(bias).isInteger(32))
      return failure();
    Term term(expansion,
              alignToAxis(expansion, expansion.createCast(bias, wide), 1,
                          numSpatial + 2));
    sums = Term(expansion, expansion.createCast(sums, wide)) + term;
  }
  return requantize(expansion, op.getResult(), sums,
                    {{op.getXScale()},
                     {op.getWScale(), numSpatial},
                     {op.getYScale()},
                     {op.getYZeroPoint()}});
}

void inlay::registerQuantizedProductExpansions(MLIRContext &context) {
  attachExpansion<MatMulIntegerOp, expandMatMulInteger>(context);
  attachExpansion<ConvIntegerOp, expandConvInteger>(context);
  attachExpansion<QLinearMatMulOp, expandQLinearMatMul>(context);
  attachExpansion<QLinearConvOp, expandQLinearConv>(context);
}
