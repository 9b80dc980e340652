//===- ConstantExpressions.h - Constants computed when used -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A weight that changes is not computed but written down as what it is:
// `#inlay.stored` (in another storage order, StoredConstants.h) or
// `#inlay.scaled` (times factors, ScaledConstants.h) of another constant, which
// may be an expression itself.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_CONSTANTEXPRESSIONS_H
#define INLAY_IR_CONSTANTEXPRESSIONS_H

#include "inlay/IR/InlayDialect.h"
#include "inlay/Tensor/ComputedElements.h"

namespace inlay {

/// How many expressions may lie in each other; it bounds what reading one
/// element can cost.
constexpr unsigned maxExpressionDepth = 16;

/// Whether the constant is computed when it is used.
bool isExpression(mlir::Attribute value);

/// An error unless `base` is a constant that an expression can be over.
llvm::Error checkExpressionBase(mlir::TypedAttr base);
/// An error unless `type` is a tensor of static shape that has no strings.
llvm::Error checkExpressionType(mlir::Type type, llvm::StringRef what);

/// The elements of an expression, which are computed when they are asked for.
llvm::Expected<std::unique_ptr<ComputedElements>>
readExpression(mlir::Attribute value);

/// The elements of a constant of floats in f64, as they are before an
/// expression rounds them to its type; of other constants, the elements.
llvm::Expected<HostTensor> getExactTensor(mlir::Attribute value);

/// The same elements in another shape of equally many, or with another
/// encoding; null where `value` is no constant of a tensor.
mlir::TypedAttr getView(mlir::Attribute value, mlir::RankedTensorType type);

/// The value of an expression when it is small and rounding changes nothing,
/// else the expression. A file that cannot be read is reported when its
/// elements are needed.
mlir::TypedAttr evaluateSmall(mlir::TypedAttr value);

} // namespace inlay

#endif // INLAY_IR_CONSTANTEXPRESSIONS_H
