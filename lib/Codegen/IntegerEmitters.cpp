//===- IntegerEmitters.cpp - Arithmetic of integers as code ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two's complement that never traps: what the machine leaves open is said here
// as the executor says it, alike on all machines.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace inlay;
using namespace mlir;

static Value isEqual(const Elements &e, Value a, Value b) {
  return e.create<arith::CmpIOp>(arith::CmpIPredicate::eq, a, b);
}

namespace {
/// A divisor that the machine takes, and where it is not the one meant.
struct Divisor {
  Value safe, isZero, isMinusOne;
};
} // namespace

static Divisor getDivisor(const Elements &e) {
  Divisor divisor;
  divisor.isZero = isEqual(e, e[1], e.number(0));
  Value isOdd = divisor.isZero;
  if (!e.areUnsigned()) {
    divisor.isMinusOne = isEqual(e, e[1], e.number(-1));
    isOdd = e.create<arith::OrIOp>(isOdd, divisor.isMinusOne);
  }
  divisor.safe = e.select(isOdd, e.number(1), e[1]);
  return divisor;
}

/// By zero it is zero.
Value inlay::emitIntegerDivision(const Elements &e) {
  Divisor divisor = getDivisor(e);
  Value quotient = e.areUnsigned()
                       ? e.create<arith::DivUIOp>(e[0], divisor.safe)
                       : e.create<arith::DivSIOp>(e[0], divisor.safe);
  if (divisor.isMinusOne)
    quotient = e.select(divisor.isMinusOne,
                        e.create<arith::SubIOp>(e.number(0), e[0]), quotient);
  return e.select(divisor.isZero, e.number(0), quotient);
}

/// By zero it is zero; a divisor of one has no rest.
static Value emitRest(const Elements &e) {
  Divisor divisor = getDivisor(e);
  Value rest = e.areUnsigned() ? e.create<arith::RemUIOp>(e[0], divisor.safe)
                               : e.create<arith::RemSIOp>(e[0], divisor.safe);
  return e.select(divisor.isZero, e.number(0), rest);
}

/// Of the sign of the divisor, unless `fmod` says otherwise.
static Value emit(ModOp op, const Elements &e) {
  if (e.areBooleans())
    return {};
  bool isFloat = e.areFloats();
  Value rest = isFloat ? e.create<arith::RemFOp>(e[0], e[1]) : emitRest(e);
  if (op.getFmod() || (!isFloat && e.areUnsigned()))
    return rest;
  Value zero = e.number(0);
  Value isDifferent =
      e.create<arith::XOrIOp>(e.less(rest, zero), e.less(e[1], zero));
  using enum arith::CmpIPredicate;
  Value isRest = e.compare(arith::CmpFPredicate::UNE, ne, ne, rest, zero);
  Value moved = isFloat ? e.create<arith::AddFOp>(rest, e[1])
                        : e.create<arith::AddIOp>(rest, e[1]);
  return e.select(e.create<arith::AndIOp>(isRest, isDifferent), moved, rest);
}

/// Shifts beyond the width leave nothing.
static Value emit(BitShiftOp op, const Elements &e) {
  if (e.areFloats() || e.areBooleans() || !e.areUnsigned())
    return {};
  unsigned width = getElementTypeOrSelf(e[0]).getIntOrFloatBitWidth();
  Value isWithin =
      e.create<arith::CmpIOp>(arith::CmpIPredicate::ult, e[1], e.number(width));
  Value safe = e.select(isWithin, e[1], e.number(0));
  Value shifted = op.getDirection() == "LEFT"
                      ? e.create<arith::ShLIOp>(e[0], safe)
                      : e.create<arith::ShRUIOp>(e[0], safe);
  return e.select(isWithin, shifted, e.number(0));
}

template <typename OpT> static Value emitBits(const Elements &e) {
  return e.areFloats() ? Value() : e.create<OpT>(e[0], e[1]);
}
static Value emit(BitwiseAndOp, const Elements &e) {
  return emitBits<arith::AndIOp>(e);
}
static Value emit(BitwiseOrOp, const Elements &e) {
  return emitBits<arith::OrIOp>(e);
}
static Value emit(BitwiseXorOp, const Elements &e) {
  return emitBits<arith::XOrIOp>(e);
}
static Value emit(BitwiseNotOp, const Elements &e) {
  return e.areFloats() ? Value() : e.create<arith::XOrIOp>(e[0], e.number(-1));
}

/// Zeros and NaN stay.
static Value emit(SignOp, const Elements &e) {
  if (e.areBooleans())
    return {};
  Value zero = e.number(0);
  Value upper = e.select(e.less(zero, e[0]), e.number(1), e[0]);
  if (!e.areFloats() && e.areUnsigned())
    return upper;
  return e.select(e.less(e[0], zero), e.number(-1), upper);
}

void inlay::registerIntegerCode(MLIRContext &context) {
  attachElement<ModOp, emit>(context);
  attachElement<BitShiftOp, emit>(context);
  attachElement<BitwiseAndOp, emit>(context);
  attachElement<BitwiseOrOp, emit>(context);
  attachElement<BitwiseXorOp, emit>(context);
  attachElement<BitwiseNotOp, emit>(context);
  attachElement<SignOp, emit>(context);
}
