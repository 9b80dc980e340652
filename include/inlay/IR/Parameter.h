//===- Parameter.h - Operands that are attributes when known ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_PARAMETER_H
#define INLAY_IR_PARAMETER_H

#include "inlay/Tensor/HostTensor.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"

namespace inlay {

/// What a parameter holds, and the tensor it is as an operand.
enum class ParameterKind : uint8_t {
  Ints,    ///< int64[n]
  Floats,  ///< float[n]
  Int,     ///< int64
  IntList, ///< one int64, as int64[1]
  Float,   ///< float
  Bool,    ///< bool; as an attribute, an integer
};

/// A parameter of an operator: an attribute `name` when it is known, the
/// operand at place `operand` (as the operator's definition counts, optional
/// ones included) when it is computed.
struct Parameter {
  unsigned operand;
  llvm::StringLiteral name;
  ParameterKind kind;
};

/// The attribute that says what `tensor` says, or null when none can.
mlir::Attribute getParameterAttr(mlir::MLIRContext *context, ParameterKind kind,
                                 const HostTensor &tensor);

/// The tensor that says what the attribute says.
HostTensor getParameterTensor(ParameterKind kind, mlir::Attribute attribute);

/// Turns parameters of `op` whose operands are constants into attributes.
/// Returns whether there were any.
bool absorbConstantParameters(mlir::Operation *op);

/// The axes of reductions.
llvm::ArrayRef<Parameter> getReduceParameters();

} // namespace inlay

#endif // INLAY_IR_PARAMETER_H
