//===- ElementEmitters.cpp - Elementwise operators as code ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same formulas as the executor's, in the type of the elements: it computes
// in double and rounds once, which is the same for single operations.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "SoftmaxParts.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <limits>

using namespace inlay;
using namespace mlir;

#include "inlay/Codegen/ElementInterface.cpp.inc"

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

template <typename FloatOpT, typename IntOpT>
static Value emitArithmetic(const Elements &e, Value a, Value b) {
  if (e.areBooleans())
    return {};
  return e.areFloats() ? e.create<FloatOpT>(a, b) : e.create<IntOpT>(a, b);
}

static Value emit(AddOp, const Elements &e) {
  return emitArithmetic<arith::AddFOp, arith::AddIOp>(e, e[0], e[1]);
}
static Value emit(SubOp, const Elements &e) {
  return emitArithmetic<arith::SubFOp, arith::SubIOp>(e, e[0], e[1]);
}
static Value emit(MulOp, const Elements &e) {
  return emitArithmetic<arith::MulFOp, arith::MulIOp>(e, e[0], e[1]);
}
static Value emit(DivOp, const Elements &e) {
  if (e.areBooleans())
    return {};
  return e.areFloats() ? e.create<arith::DivFOp>(e[0], e[1])
                       : emitIntegerDivision(e);
}
static Value emit(ReciprocalOp, const Elements &e) {
  return e.areFloats() ? e.create<arith::DivFOp>(e.number(1), e[0]) : Value();
}
static Value emit(SumOp, const Elements &e) {
  Value sum = e[0];
  for (unsigned i = 1; i < e.size() && sum; ++i)
    sum = emitArithmetic<arith::AddFOp, arith::AddIOp>(e, sum, e[i]);
  return sum;
}

//===----------------------------------------------------------------------===//
// The larger and the smaller one
//===----------------------------------------------------------------------===//

/// `a` where it is ahead of `b` or no number.
static Value emitExtreme(const Elements &e, Value a, Value b, bool isMax) {
  Value isAhead = isMax ? e.less(b, a) : e.less(a, b);
  if (e.areFloats())
    isAhead = e.create<arith::OrIOp>(
        isAhead, e.create<arith::CmpFOp>(arith::CmpFPredicate::UNO, a, a));
  return e.select(isAhead, a, b);
}

static Value emitExtremes(const Elements &e, bool isMax) {
  if (e.areBooleans())
    return {};
  Value result = e[0];
  for (unsigned i = 1; i < e.size(); ++i)
    result = emitExtreme(e, result, e[i], isMax);
  return result;
}

static Value emit(MaxOp, const Elements &e) { return emitExtremes(e, true); }
static Value emit(MinOp, const Elements &e) { return emitExtremes(e, false); }

/// The largest finite number of a float type.
static double getLargest(Type element) {
  bool ignored;
  APFloat largest =
      APFloat::getLargest(cast<FloatType>(element).getFloatSemantics());
  largest.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &ignored);
  return largest.convertToDouble();
}

/// Beyond both bounds it is the upper one; NaN stays. Without a bound
/// infinities become finite.
static Value emit(ClipOp op, const Elements &e) {
  Value result = e[0], min, max;
  unsigned next = 1;
  if (e.areFloats()) {
    double largest = getLargest(getElementTypeOrSelf(op.getInput().getType()));
    min = e.number(-largest);
    max = e.number(largest);
  }
  if (op.getMin())
    min = e[next++];
  if (op.getMax())
    max = e[next];
  if (min)
    result = e.select(e.less(result, min), min, result);
  if (max)
    result = e.select(e.less(max, result), max, result);
  return result;
}

static Value emit(ReluOp, const Elements &e) {
  return e.select(e.less(e[0], e.number(0)), e.number(0), e[0]);
}

static Value emitLeaky(const Elements &e, Value slope) {
  return e.select(e.less(e[0], e.number(0)),
                  e.create<arith::MulFOp>(slope, e[0]), e[0]);
}

static Value emit(LeakyReluOp op, const Elements &e) {
  if (!e.areFloats())
    return {};
  return emitLeaky(e, e.number(op.getAlpha().convertToFloat()));
}
static Value emit(PReluOp, const Elements &e) {
  return e.areFloats() ? emitLeaky(e, e[1]) : Value();
}

//===----------------------------------------------------------------------===//
// Signs and integers
//===----------------------------------------------------------------------===//

static Value emit(AbsOp, const Elements &e) {
  if (e.areFloats())
    return e.create<math::AbsFOp>(e[0]);
  return e.areUnsigned()
             ? e[0]
             : e.select(e.less(e[0], e.number(0)),
                        e.create<arith::SubIOp>(e.number(0), e[0]), e[0]);
}
static Value emit(NegOp, const Elements &e) {
  if (e.areFloats())
    return e.create<arith::NegFOp>(e[0]);
  return e.create<arith::SubIOp>(e.number(0), e[0]);
}
static Value emit(FloorOp, const Elements &e) {
  return e.areFloats() ? e.create<math::FloorOp>(e[0]) : Value();
}
static Value emit(CeilOp, const Elements &e) {
  return e.areFloats() ? e.create<math::CeilOp>(e[0]) : Value();
}
static Value emit(RoundOp, const Elements &e) {
  return e.areFloats() ? e.create<math::RoundEvenOp>(e[0]) : Value();
}
static Value emit(SqrtOp, const Elements &e) {
  return e.areFloats() ? e.create<math::SqrtOp>(e[0]) : Value();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

template <Value (*function)(const Elements &, Value)>
static Value emitFunction(const Elements &e) {
  return e.areSingle() ? function(e, e[0]) : Value();
}

/// Functions of f64 are those of the C library.
template <Value (*function)(const Elements &, Value), typename OpT>
static Value emitFunction(const Elements &e) {
  if (!e.areFloats())
    return {};
  return e.areSingle() ? function(e, e[0]) : e.create<OpT>(e[0]);
}

static Value emit(ExpOp op, const Elements &e) {
  return isBelowMaximum(op.getInput())
             ? emitFunction<emitExpBelowMaximum, math::ExpOp>(e)
             : emitFunction<emitExp, math::ExpOp>(e);
}
static Value emit(LogOp, const Elements &e) {
  return emitFunction<emitLog, math::LogOp>(e);
}
static Value emit(SinOp, const Elements &e) {
  return e.areFloats() ? e.create<math::SinOp>(e[0]) : Value();
}
static Value emit(CosOp, const Elements &e) {
  return e.areFloats() ? e.create<math::CosOp>(e[0]) : Value();
}
static Value emit(ErfOp, const Elements &e) {
  return emitFunction<emitErf, math::ErfOp>(e);
}
static Value emit(TanhOp, const Elements &e) {
  return emitFunction<emitTanh, math::TanhOp>(e);
}

/// A function of the C library.
template <typename MathOpT, typename OpT>
static Value emitOfLibrary(OpT, const Elements &e) {
  return e.areFloats() ? e.create<MathOpT>(e[0]) : Value();
}

static Value emit(SigmoidOp, const Elements &e) {
  return emitFunction<emitSigmoid>(e);
}

static Value emit(SwishOp op, const Elements &e) {
  if (!e.areSingle())
    return {};
  Value scaled =
      e.create<arith::MulFOp>(e[0], e.number(op.getAlpha().convertToFloat()));
  return e.create<arith::MulFOp>(e[0], emitSigmoid(e, scaled));
}

static Value emit(EluOp op, const Elements &e) {
  if (!e.areSingle())
    return {};
  Value below = e.create<arith::MulFOp>(
      e.number(op.getAlpha().convertToFloat()), emitExpMinusOne(e, e[0]));
  return e.select(e.less(e[0], e.number(0)), below, e[0]);
}

/// alpha x + beta, between 0 and 1; NaN stays.
static Value emitHardSigmoid(const Elements &e, double alpha, double beta) {
  Value line = e.create<arith::AddFOp>(
      e.create<arith::MulFOp>(e[0], e.number(alpha)), e.number(beta));
  Value raised = e.select(e.less(line, e.number(0)), e.number(0), line);
  return e.select(e.less(e.number(1), raised), e.number(1), raised);
}

static Value emit(HardSigmoidOp op, const Elements &e) {
  if (!e.areFloats())
    return {};
  return emitHardSigmoid(e, op.getAlpha().convertToFloat(),
                         op.getBeta().convertToFloat());
}
static Value emit(HardSwishOp, const Elements &e) {
  if (!e.areFloats())
    return {};
  return e.create<arith::MulFOp>(e[0], emitHardSigmoid(e, 1.0 / 6, 0.5));
}

/// x (1 + erf(x / sqrt 2)) / 2, or with its approximation by tanh.
static Value emit(GeluOp op, const Elements &e) {
  if (!e.areSingle())
    return {};
  auto mul = [&](Value a, Value b) { return e.create<arith::MulFOp>(a, b); };
  Value x = e[0], curve;
  if (op.getApproximate() == "tanh") {
    Value cube = mul(mul(mul(x, x), x), e.number(0.044715));
    curve = emitTanh(e, mul(e.number(0.79788456080286535588),
                            e.create<arith::AddFOp>(x, cube)));
  } else {
    curve = emitErf(e, mul(x, e.number(0.70710678118654752440)));
  }
  Value half = mul(x, e.number(0.5));
  return e.create<math::FmaOp>(half, curve, half);
}

static Value emit(MeanOp, const Elements &e) {
  if (!e.areFloats())
    return {};
  Value sum = e[0];
  for (unsigned i = 1; i < e.size(); ++i)
    sum = e.create<arith::AddFOp>(sum, e[i]);
  return e.create<arith::DivFOp>(sum, e.number(double(e.size())));
}

//===----------------------------------------------------------------------===//
// Comparisons and choices
//===----------------------------------------------------------------------===//

static Value emit(EqualOp, const Elements &e) {
  using enum arith::CmpIPredicate;
  return e.compare(arith::CmpFPredicate::OEQ, eq, eq, e[0], e[1]);
}
static Value emit(LessOp, const Elements &e) { return e.less(e[0], e[1]); }
static Value emit(GreaterOp, const Elements &e) { return e.less(e[1], e[0]); }
static Value emitAtMost(const Elements &e, Value a, Value b) {
  using enum arith::CmpIPredicate;
  return e.compare(arith::CmpFPredicate::OLE, sle, ule, a, b);
}
static Value emit(LessOrEqualOp, const Elements &e) {
  return emitAtMost(e, e[0], e[1]);
}
static Value emit(GreaterOrEqualOp, const Elements &e) {
  return emitAtMost(e, e[1], e[0]);
}
static Value emit(AndOp, const Elements &e) {
  return e.create<arith::AndIOp>(e[0], e[1]);
}
static Value emit(OrOp, const Elements &e) {
  return e.create<arith::OrIOp>(e[0], e[1]);
}
static Value emit(XorOp, const Elements &e) {
  return e.create<arith::XOrIOp>(e[0], e[1]);
}
static Value emit(NotOp, const Elements &e) {
  return e.create<arith::XOrIOp>(e[0], e.number(1));
}
static Value emit(IsNaNOp, const Elements &e) {
  return e.areFloats()
             ? e.create<arith::CmpFOp>(arith::CmpFPredicate::UNO, e[0], e[0])
             : Value();
}
static Value emit(IsInfOp op, const Elements &e) {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!e.areFloats())
    return {};
  auto isNumber = [&](double number, bool isWanted) {
    // No number is NaN.
    double other = isWanted ? number : std::numeric_limits<double>::quiet_NaN();
    return e.create<arith::CmpFOp>(arith::CmpFPredicate::OEQ, e[0],
                                   e.number(other));
  };
  return e.create<arith::OrIOp>(
      isNumber(-infinity, op.getDetectNegative() != 0),
      isNumber(infinity, op.getDetectPositive() != 0));
}
static Value emit(WhereOp, const Elements &e) {
  return e.select(e[0], e[1], e[2]);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

template <typename... OpTs> static void attach(MLIRContext &context) {
  (attachElement<OpTs, emit>(context), ...);
}
template <typename... OpTs> static void attachShort(MLIRContext &context) {
  (attachElement<OpTs, emit, /*isOfFew=*/true>(context), ...);
}

void inlay::registerElementCode(MLIRContext &context) {
  context
      .loadDialect<InlayDialect, arith::ArithDialect, LLVM::LLVMDialect,
                   math::MathDialect, scf::SCFDialect, vector::VectorDialect>();
  registerIntegerCode(context);
  registerConversionCode(context);
  registerPowerCode(context);
  registerNests(context);
  attachShort<AddOp, SubOp, MulOp, MaxOp, MinOp, ClipOp, ReluOp>(context);
  attach<DivOp, ReciprocalOp, SumOp, MeanOp, LeakyReluOp, PReluOp>(context);
  attach<AbsOp, NegOp, FloorOp, CeilOp, RoundOp, SqrtOp>(context);
  attach<ExpOp, LogOp, SinOp, CosOp, ErfOp, TanhOp, SigmoidOp, SwishOp, EluOp,
         HardSigmoidOp, HardSwishOp, GeluOp>(context);
  attachElement<TanOp, emitOfLibrary<math::TanOp>>(context);
  attachElement<AsinOp, emitOfLibrary<math::AsinOp>>(context);
  attachElement<AcosOp, emitOfLibrary<math::AcosOp>>(context);
  attachElement<AtanOp, emitOfLibrary<math::AtanOp>>(context);
  attachElement<SinhOp, emitOfLibrary<math::SinhOp>>(context);
  attachElement<CoshOp, emitOfLibrary<math::CoshOp>>(context);
  attachElement<AsinhOp, emitOfLibrary<math::AsinhOp>>(context);
  attachElement<AcoshOp, emitOfLibrary<math::AcoshOp>>(context);
  attachElement<AtanhOp, emitOfLibrary<math::AtanhOp>>(context);
  attach<EqualOp, LessOp, GreaterOp, LessOrEqualOp, GreaterOrEqualOp>(context);
  attach<AndOp, OrOp, XorOp, NotOp, IsNaNOp, IsInfOp, WhereOp>(context);
}
