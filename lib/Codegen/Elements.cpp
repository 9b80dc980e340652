//===- Elements.cpp - Arithmetic on numbers and vectors -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

using namespace inlay;
using namespace mlir;

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
