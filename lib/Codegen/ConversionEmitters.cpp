//===- ConversionEmitters.cpp - From one element type to another ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "KernelBuilder.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include <limits>

using namespace inlay;
using namespace mlir;

/// As many of a type as there are of `like`.
static Type getLike(Type type, Value like) {
  auto vector = dyn_cast<VectorType>(like.getType());
  return getWide(type, vector ? vector.getNumElements() : 1);
}

/// An integer of the type of `like`.
static Value integer(const Elements &e, Value like, int64_t value) {
  TypedAttr attr = IntegerAttr::get(getElementTypeOrSelf(like), value);
  if (auto vector = dyn_cast<VectorType>(like.getType()))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return e.create<arith::ConstantOp>(attr);
}

//===----------------------------------------------------------------------===//
// Floats to integers
//===----------------------------------------------------------------------===//

/// The integer of 64 bits that is nearest towards zero, the largest or least
/// where there is none; 0 for NaN.
static Value truncateToInt64(const Elements &e, Value x) {
  static constexpr double bound = 0x1p63;
  Value isNan = e.create<arith::CmpFOp>(arith::CmpFPredicate::UNO, x, x);
  Value isAbove =
      e.create<arith::CmpFOp>(arith::CmpFPredicate::OGE, x, e.number(bound));
  Value isBelow =
      e.create<arith::CmpFOp>(arith::CmpFPredicate::OLT, x, e.number(-bound));
  Value isOutside =
      e.create<arith::OrIOp>(isNan, e.create<arith::OrIOp>(isAbove, isBelow));
  Type words = getLike(IntegerType::get(x.getContext(), 64), x);
  Value inside =
      e.create<arith::FPToSIOp>(words, e.select(isOutside, e.number(0), x));
  Value most = integer(e, inside, std::numeric_limits<int64_t>::max());
  Value least = integer(e, inside, std::numeric_limits<int64_t>::min());
  return e.select(isAbove, most, e.select(isBelow, least, inside));
}

/// Up to 2^64; negative numbers wrap.
static Value truncateToUInt64(const Elements &e, Value x) {
  Value half = e.number(0x1p63);
  Value isUpper = e.create<arith::CmpFOp>(arith::CmpFPredicate::OGE, x, half);
  Value isAbove =
      e.create<arith::CmpFOp>(arith::CmpFPredicate::OGE, x, e.number(0x1p64));
  Value lower = truncateToInt64(e, x);
  Value upper = e.create<arith::XOrIOp>(
      truncateToInt64(e, e.create<arith::SubFOp>(x, half)),
      integer(e, lower, std::numeric_limits<int64_t>::min()));
  Value within = e.select(isUpper, upper, lower);
  return e.select(isAbove, integer(e, lower, -1), within);
}

static Value narrow(const Elements &e, Value x, Type element) {
  if (getElementTypeOrSelf(x) == element)
    return x;
  return e.create<arith::TruncIOp>(getLike(element, x), x);
}

//===----------------------------------------------------------------------===//
// Cast
//===----------------------------------------------------------------------===//

/// A fraction is one, too, and so is NaN.
static Value toBoolean(const Elements &e, Value x) {
  if (e.areFloats())
    return e.create<arith::CmpFOp>(arith::CmpFPredicate::UNE, x, e.number(0));
  return e.create<arith::CmpIOp>(arith::CmpIPredicate::ne, x, e.number(0));
}

static Value castInteger(const Elements &e, Value x, bool isUnsigned,
                         Type element) {
  unsigned from = getElementTypeOrSelf(x).getIntOrFloatBitWidth(),
           to = element.getIntOrFloatBitWidth();
  if (from == to)
    return x;
  Type type = getLike(element, x);
  if (from > to)
    return e.create<arith::TruncIOp>(type, x);
  return isUnsigned ? e.create<arith::ExtUIOp>(type, x)
                    : e.create<arith::ExtSIOp>(type, x);
}

static Value toFloat(const Elements &e, Value x, bool isUnsigned,
                     Type element) {
  Type type = getLike(element, x);
  return isUnsigned ? e.create<arith::UIToFPOp>(type, x)
                    : e.create<arith::SIToFPOp>(type, x);
}

static Value castFloat(const Elements &e, Value x, Type element) {
  unsigned from = getElementTypeOrSelf(x).getIntOrFloatBitWidth(),
           to = element.getIntOrFloatBitWidth();
  Type type = getLike(element, x);
  if (from == to)
    return x;
  return from > to ? e.create<arith::TruncFOp>(type, x)
                   : e.create<arith::ExtFOp>(type, x);
}

/// As f32, whose last bit says whether something was cut off: what is rounded
/// once more is rounded as the whole would have been.
static Value roundToOdd(const Elements &e, Value x) {
  MLIRContext *context = x.getContext();
  Type single = getLike(Float32Type::get(context), x);
  Value near = e.create<arith::TruncFOp>(single, x);
  Value back = e.create<arith::ExtFOp>(x.getType(), near);
  Value bits = e.create<arith::BitcastOp>(
      getLike(IntegerType::get(context, 32), x), near);
  Value one = integer(e, bits, 1);
  Value isEven = e.create<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                         e.create<arith::AndIOp>(bits, one),
                                         integer(e, bits, 0));
  Value isInexact = e.create<arith::CmpFOp>(arith::CmpFPredicate::ONE, back, x);
  Value isBeyond = e.create<arith::CmpFOp>(arith::CmpFPredicate::OGT,
                                           e.create<math::AbsFOp>(back),
                                           e.create<math::AbsFOp>(x));
  Value moved = e.select(isBeyond, e.create<arith::SubIOp>(bits, one),
                         e.create<arith::AddIOp>(bits, one));
  Value odd = e.select(e.create<arith::AndIOp>(isEven, isInexact), moved, bits);
  return e.create<arith::BitcastOp>(single, odd);
}

Value inlay::emitCast(const Elements &e, Type from, Type to) {
  Type element = getRegisterType(to);
  bool isUnsigned = from.isUnsignedInteger() || from.isInteger(1);
  bool isNarrow = to.isF16() || to.isBF16();
  if (to.isInteger(1))
    return from.isInteger(1) ? e[0] : toBoolean(e, e[0]);
  if (isNarrow && from.isF64())
    return roundToOdd(e, e[0]);
  if (isa<FloatType>(from) && isa<FloatType>(to))
    return castFloat(e, e[0], element);
  if (isNarrow && from.getIntOrFloatBitWidth() > 32)
    return {};
  if (isNarrow && from.getIntOrFloatBitWidth() > 16)
    return roundToOdd(
        e, toFloat(e, e[0], isUnsigned, Float64Type::get(to.getContext())));
  if (isa<FloatType>(to))
    return toFloat(e, e[0], isUnsigned, element);
  if (isa<IntegerType>(from))
    return castInteger(e, e[0], isUnsigned, element);
  Value wide = to.isUnsignedInteger() ? truncateToUInt64(e, e[0])
                                      : truncateToInt64(e, e[0]);
  return narrow(e, wide, element);
}

static Value emit(CastOp op, const Elements &e) {
  return emitCast(e, getElementTypeOrSelf(op.getInput().getType()),
                  getElementTypeOrSelf(op.getResult().getType()));
}

//===----------------------------------------------------------------------===//
// Quantisation
//===----------------------------------------------------------------------===//

/// The number that all elements are, where code knows it.
static std::optional<double> getKnownNumber(Value value, bool isUnsigned) {
  if (auto spread = value.getDefiningOp<vector::BroadcastOp>())
    value = spread.getSource();
  APFloat number(0.0);
  APInt integer;
  if (matchPattern(value, m_ConstantFloat(&number)))
    return number.convertToDouble();
  if (matchPattern(value, m_ConstantInt(&integer)))
    return integer.roundToDouble(!isUnsigned);
  return std::nullopt;
}

/// Of a scale and its reciprocal no product with a quantised number is
/// denormal, or no number.
static bool isUsualScale(double scale) {
  return scale > 0x1p-60 && scale < 0x1p60;
}

/// x / scale, rounded once, as long as that is of usual size. The product with
/// the reciprocal is two units in the last place off at most, and what is left
/// of x says how far. The first time that leaves one unit, from where the
/// second time gives the nearest number, as the reciprocal is the nearest one,
/// too. Dividing takes longer than all of that.
static Value divideBy(const Elements &e, Value x, float scale) {
  Value inverse = e.number(1 / scale), minus = e.number(-scale);
  Value quotient = e.create<arith::MulFOp>(x, inverse);
  for (int i = 0; i < 2; ++i) {
    Value rest = e.create<math::FmaOp>(quotient, minus, x);
    quotient = e.create<math::FmaOp>(rest, inverse, quotient);
  }
  return quotient;
}

static Value clampNumbers(const Elements &e, Value x, double low, double high) {
  x = e.select(e.less(x, e.number(low)), e.number(low), x);
  return e.select(e.less(e.number(high), x), e.number(high), x);
}

/// The same for a known scale and zero point: x is bounded first, so that it is
/// of usual size. Nothing else is by that, as less than half of a step is lost.
static Value emitQuantized(const Elements &e, double scale, double zeroPoint,
                           double low, double high) {
  Value x = clampNumbers(e, e[0], (low - zeroPoint) * scale,
                         (high - zeroPoint) * scale);
  x = e.create<math::RoundEvenOp>(divideBy(e, x, float(scale)));
  if (zeroPoint != 0)
    x = e.create<arith::AddFOp>(x, e.number(zeroPoint));
  return x;
}

/// round(x / scale) + zero point, within the range of the result.
static Value emit(QuantizeLinearOp op, const Elements &e) {
  Type to = getElementTypeOrSelf(op.getResult().getType());
  bool isPlain = e.areSingle() && getElementTypeOrSelf(e[1]).isF32() &&
                 getElementTypeOrSelf(op.getInput().getType()).isF32() &&
                 getElementTypeOrSelf(op.getScale().getType()).isF32() &&
                 op.getPrecision() == 0 && isa<IntegerType>(to) &&
                 to.getIntOrFloatBitWidth() <= 16;
  if (!isPlain)
    return {};
  bool isUnsigned = to.isUnsignedInteger();
  unsigned bits = to.getIntOrFloatBitWidth();
  double low = isUnsigned ? 0 : -double(int64_t(1) << (bits - 1));
  double high = low + double((int64_t(1) << bits) - 1);
  std::optional<double> scale = getKnownNumber(e[1], /*isUnsigned=*/false),
                        zeroPoint = 0;
  if (op.getZeroPoint())
    zeroPoint = getKnownNumber(e[2], isUnsigned);
  Value x;
  if (scale && zeroPoint && isUsualScale(*scale)) {
    x = emitQuantized(e, *scale, *zeroPoint, low, high);
  } else {
    x = e.create<math::RoundEvenOp>(e.create<arith::DivFOp>(e[0], e[1]));
    if (op.getZeroPoint())
      x = e.create<arith::AddFOp>(
          x, toFloat(e, e[2], isUnsigned, getElementTypeOrSelf(x)));
    x = clampNumbers(e, x, low, high);
  }
  Value isNan = e.create<arith::CmpFOp>(arith::CmpFPredicate::UNO, x, x);
  x = e.select(isNan, e.number(0), x);
  Type words = getLike(IntegerType::get(x.getContext(), 32), x);
  return narrow(e, e.create<arith::FPToSIOp>(words, x), getRegisterType(to));
}

/// (x - zero point) * scale
static Value emit(DequantizeLinearOp op, const Elements &e) {
  Type from = getElementTypeOrSelf(op.getInput().getType()),
       to = getElementTypeOrSelf(op.getResult().getType());
  if (!isa<IntegerType>(from) || from.isInteger(1) || !to.isF32() ||
      !getElementTypeOrSelf(op.getScale().getType()).isF32())
    return {};
  bool isUnsigned = from.isUnsignedInteger();
  // Differences of narrow integers are exact in f32, of others in f64.
  bool isNarrow = from.getIntOrFloatBitWidth() <= 16;
  Type type = isNarrow ? to : Float64Type::get(op.getContext());
  Value x = toFloat(e, e[0], isUnsigned, type);
  if (op.getZeroPoint())
    x = e.create<arith::SubFOp>(x, toFloat(e, e[2], isUnsigned, type));
  Value product = e.create<arith::MulFOp>(x, castFloat(e, e[1], type));
  return castFloat(e, product, to);
}

void inlay::registerConversionCode(MLIRContext &context) {
  attachElement<CastOp, emit>(context);
  attachElement<QuantizeLinearOp, emit>(context);
  attachElement<DequantizeLinearOp, emit>(context);
}
