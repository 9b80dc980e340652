//===- PowerEmitters.cpp - Powers as code ---------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace inlay;
using namespace mlir;

/// Squares are products.
static bool isSquare(PowOp op) {
  DenseElementsAttr exponent;
  if (auto constant = op.getRhs().getDefiningOp<ConstantOp>())
    exponent = dyn_cast<DenseElementsAttr>(constant.getValue());
  return exponent && exponent.isSplat() &&
         isa<FloatType>(exponent.getElementType()) &&
         exponent.getSplatValue<APFloat>().isExactlyValue(2);
}

/// In double, as the executor does, and then in the type of the base.
static Value emitMixed(const Elements &e, Type base, Type exponent) {
  Type wide = Float64Type::get(base.getContext());
  Value x = emitCast(e.with(e[0]), base, wide);
  Value y = emitCast(e.with(e[1]), exponent, wide);
  if (!x || !y)
    return {};
  Value power = e.create<math::PowFOp>(x, y);
  return emitCast(e.with(power), wide, base);
}

/// The exponent's bits, one after another; `one` is of its type.
static Value emitBits(const Elements &e, Value exponent, unsigned numBits) {
  Elements own = e.with(exponent);
  Value result = e.number(1), square = e.with(e[0])[0];
  for (unsigned bit = 0; bit < numBits; ++bit) {
    Value isSet = e.create<arith::CmpIOp>(
        arith::CmpIPredicate::ne,
        e.create<arith::AndIOp>(
            e.create<arith::ShRUIOp>(exponent, own.number(bit)), own.number(1)),
        own.number(0));
    result = e.select(isSet, e.create<arith::MulIOp>(result, square), result);
    square = e.create<arith::MulIOp>(square, square);
  }
  return result;
}

/// Negative exponents leave 1, -1 or nothing.
static Value emitIntegers(const Elements &e, Type base, Type exponent) {
  unsigned numBits = exponent.getIntOrFloatBitWidth();
  Value y = e[1], power = emitBits(e, y, numBits);
  // As the executor reads it, 64 bits of no sign wrap.
  if (exponent.isUnsignedInteger() && numBits < 64)
    return power;
  Elements own = e.with(y);
  Value isNegative =
      e.create<arith::CmpIOp>(arith::CmpIPredicate::slt, y, own.number(0));
  auto isBase = [&](int64_t number) {
    return e.create<arith::CmpIOp>(arith::CmpIPredicate::eq, e[0],
                                   e.number(number));
  };
  Value inverse = e.select(isBase(1), e.number(1), e.number(0));
  if (!base.isUnsignedInteger()) {
    Value isOdd = e.create<arith::CmpIOp>(
        arith::CmpIPredicate::ne, e.create<arith::AndIOp>(y, own.number(1)),
        own.number(0));
    inverse = e.select(isBase(-1), e.select(isOdd, e.number(-1), e.number(1)),
                       inverse);
  }
  return e.select(isNegative, inverse, power);
}

static Value emit(PowOp op, const Elements &e) {
  Type base = getElementTypeOrSelf(op.getLhs().getType()),
       exponent = getElementTypeOrSelf(op.getRhs().getType());
  if (e.areBooleans() || exponent.isInteger(1))
    return {};
  if (isa<IntegerType>(base) && isa<IntegerType>(exponent))
    return emitIntegers(e, base, exponent);
  if (!e.areFloats() || e[0].getType() != e[1].getType())
    return emitMixed(e, base, exponent);
  return isSquare(op) ? e.create<arith::MulFOp>(e[0], e[0])
                      : e.create<math::PowFOp>(e[0], e[1]);
}

void inlay::registerPowerCode(MLIRContext &context) {
  attachElement<PowOp, emit>(context);
}
