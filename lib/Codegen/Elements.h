//===- Elements.h - Arithmetic on numbers and vectors -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_ELEMENTS_H
#define INLAY_LIB_CODEGEN_ELEMENTS_H

#include "inlay/Codegen/ElementInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace inlay {

/// Arithmetic on numbers or vectors of one type, for one operation.
class Elements {
public:
  Elements(mlir::OpBuilder &builder, mlir::Operation *op,
           mlir::ValueRange operands)
      : builder(builder), op(op), operands(operands) {}

  /// The same for other operands.
  Elements with(mlir::ValueRange others) const { return {builder, op, others}; }
  mlir::Value operator[](unsigned index) const { return operands[index]; }
  size_t size() const { return operands.size(); }
  bool areFloats() const { return mlir::isa<mlir::FloatType>(getElement()); }
  /// Functions are for these.
  bool areSingle() const { return getElement().isF32(); }
  bool areBooleans() const { return getElement().isInteger(1); }
  /// As the model's type says; registers do not.
  bool areUnsigned() const {
    return mlir::getElementTypeOrSelf(op->getOperand(0).getType())
        .isUnsignedInteger();
  }

  template <typename OpT, typename... Args>
  mlir::Value create(Args... args) const {
    return builder.create<OpT>(op->getLoc(), args...);
  }
  /// A number of the type of the first operand.
  mlir::Value number(double value) const;
  mlir::Value compare(mlir::arith::CmpFPredicate floats,
                      mlir::arith::CmpIPredicate integers,
                      mlir::arith::CmpIPredicate unsignedIntegers,
                      mlir::Value a, mlir::Value b) const;
  mlir::Value less(mlir::Value a, mlir::Value b) const {
    return compare(mlir::arith::CmpFPredicate::OLT,
                   mlir::arith::CmpIPredicate::slt,
                   mlir::arith::CmpIPredicate::ult, a, b);
  }
  mlir::Value select(mlir::Value condition, mlir::Value a,
                     mlir::Value b) const {
    return create<mlir::arith::SelectOp>(condition, a, b);
  }

private:
  mlir::Type getElement() const {
    return mlir::getElementTypeOrSelf(operands[0]);
  }

  mlir::OpBuilder &builder;
  mlir::Operation *op;
  mlir::ValueRange operands;
};

/// Lets an operator emit code by a function.
template <typename OpT, mlir::Value (*function)(OpT, const Elements &),
          bool isOfFew = false>
struct ElementModel
    : ElementOpInterface::ExternalModel<ElementModel<OpT, function, isOfFew>,
                                        OpT> {
  mlir::Value emitElement(mlir::Operation *op, mlir::OpBuilder &builder,
                          mlir::ValueRange operands) const {
    return function(mlir::cast<OpT>(op), Elements(builder, op, operands));
  }
  bool isShort(mlir::Operation *) const { return isOfFew; }
};
/// `isOfFew`: instructions, for any element.
template <typename OpT, mlir::Value (*function)(OpT, const Elements &),
          bool isOfFew = false>
void attachElement(mlir::MLIRContext &context) {
  OpT::template attachInterface<ElementModel<OpT, function, isOfFew>>(context);
}

/// Where operators read what they compute with, beside the code for it.
void registerNests(mlir::MLIRContext &context);
void registerIntegerCode(mlir::MLIRContext &context);
void registerConversionCode(mlir::MLIRContext &context);
void registerPowerCode(mlir::MLIRContext &context);

/// The first operand as another type; nothing where there is no code.
mlir::Value emitCast(const Elements &e, mlir::Type from, mlir::Type to);

/// The quotient of integers.
mlir::Value emitIntegerDivision(const Elements &e);

/// Functions of f32, at most 4 units in the last place off, right at zeros,
/// infinities, NaN and denormal numbers.
mlir::Value emitExp(const Elements &e, mlir::Value x);
/// Of what is a number less the largest of some: powers that would be denormal
/// are 0, as nothing of the largest power, 1, is lost by it, and some machines
/// take more than a hundred cycles for products with such numbers.
mlir::Value emitExpBelowMaximum(const Elements &e, mlir::Value x);
/// exp(x) - 1 for x up to 0.
mlir::Value emitExpMinusOne(const Elements &e, mlir::Value x);
mlir::Value emitLog(const Elements &e, mlir::Value x);
mlir::Value emitSigmoid(const Elements &e, mlir::Value x);
mlir::Value emitTanh(const Elements &e, mlir::Value x);
mlir::Value emitErf(const Elements &e, mlir::Value x);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_ELEMENTS_H
