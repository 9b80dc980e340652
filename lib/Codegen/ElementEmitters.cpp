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

#include "inlay/Codegen/ElementInterface.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace inlay;
using namespace mlir;

#include "inlay/Codegen/ElementInterface.cpp.inc"

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

namespace {
/// Arithmetic on numbers or vectors of one type, for one operation.
class Elements {
public:
  Elements(OpBuilder &builder, Operation *op, ValueRange operands)
      : builder(builder), op(op), operands(operands) {}

  Value operator[](unsigned index) const { return operands[index]; }
  size_t size() const { return operands.size(); }
  bool areFloats() const { return isa<FloatType>(getElement()); }
  bool areBooleans() const { return getElement().isInteger(1); }
  /// As the model's type says; registers do not.
  bool areUnsigned() const {
    return getElementTypeOrSelf(op->getOperand(0).getType())
        .isUnsignedInteger();
  }

  template <typename OpT, typename... Args> Value create(Args... args) const {
    return builder.create<OpT>(op->getLoc(), args...);
  }
  /// A number of the type of the first operand.
  Value number(double value) const;
  Value compare(arith::CmpFPredicate floats, arith::CmpIPredicate integers,
                arith::CmpIPredicate unsignedIntegers, Value a, Value b) const;
  Value less(Value a, Value b) const {
    return compare(arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt,
                   arith::CmpIPredicate::ult, a, b);
  }
  Value select(Value condition, Value a, Value b) const {
    return create<arith::SelectOp>(condition, a, b);
  }

private:
  Type getElement() const { return getElementTypeOrSelf(operands[0]); }

  OpBuilder &builder;
  Operation *op;
  ValueRange operands;
};
} // namespace

Value Elements::number(double value) const {
  Type type = operands[0].getType();
  TypedAttr attr = areFloats()
                       ? TypedAttr(builder.getFloatAttr(getElement(), value))
                       : TypedAttr(builder.getIntegerAttr(getElement(), value));
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return create<arith::ConstantOp>(attr);
}

Value Elements::compare(arith::CmpFPredicate floats,
                        arith::CmpIPredicate integers,
                        arith::CmpIPredicate unsignedIntegers, Value a,
                        Value b) const {
  if (areFloats())
    return create<arith::CmpFOp>(floats, a, b);
  return create<arith::CmpIOp>(areUnsigned() ? unsignedIntegers : integers, a,
                               b);
}

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
/// Integers by zero are not the machine's.
static Value emit(DivOp, const Elements &e) {
  return e.areFloats() ? e.create<arith::DivFOp>(e[0], e[1]) : Value();
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

/// Beyond both bounds it is the upper one; NaN stays.
static Value emit(ClipOp op, const Elements &e) {
  Value result = e[0];
  unsigned next = 1;
  if (op.getMin()) {
    Value min = e[next++];
    result = e.select(e.less(result, min), min, result);
  }
  if (op.getMax()) {
    Value max = e[next];
    result = e.select(e.less(max, result), max, result);
  }
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
  return e.areFloats() ? e.create<math::AbsFOp>(e[0]) : Value();
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
static Value emit(WhereOp, const Elements &e) {
  return e.select(e[0], e[1], e[2]);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {
template <typename OpT>
struct ElementModel
    : ElementOpInterface::ExternalModel<ElementModel<OpT>, OpT> {
  Value emitElement(Operation *op, OpBuilder &builder,
                    ValueRange operands) const {
    return emit(cast<OpT>(op), Elements(builder, op, operands));
  }
};
} // namespace

template <typename... OpTs> static void attach(MLIRContext &context) {
  (OpTs::template attachInterface<ElementModel<OpTs>>(context), ...);
}

void inlay::registerElementCode(MLIRContext &context) {
  context
      .loadDialect<InlayDialect, arith::ArithDialect, LLVM::LLVMDialect,
                   math::MathDialect, scf::SCFDialect, vector::VectorDialect>();
  attach<AddOp, SubOp, MulOp, DivOp, ReciprocalOp, SumOp>(context);
  attach<MaxOp, MinOp, ClipOp, ReluOp, LeakyReluOp, PReluOp>(context);
  attach<AbsOp, NegOp, FloorOp, CeilOp, RoundOp, SqrtOp>(context);
  attach<EqualOp, LessOp, GreaterOp, LessOrEqualOp, GreaterOrEqualOp>(context);
  attach<AndOp, OrOp, XorOp, NotOp, WhereOp>(context);
}
