//===- Normalizations.h - Operators that normalise --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operators that normalise, n(x, s) or n(x, s, b), differ in what they
// normalise over and in which dimensions of x have a scale and a bias of their
// own. In a decomposition these broadcast to x and have ones for the other
// dimensions; the operator takes them without.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_REWRITE_NORMALIZATIONS_H
#define INLAY_LIB_TRANSFORMS_REWRITE_NORMALIZATIONS_H

#include "inlay/Analysis/Patterns/AxisNormalization.h"
#include "inlay/Transforms/Rewrite/Rewrite.h"

namespace inlay::rewrites {

using patterns::Dims;

//===----------------------------------------------------------------------===//
// Scales and biases
//===----------------------------------------------------------------------===//

/// `value` as a tensor over `dims` of x alone; null where it is no parameter.
mlir::Value createParameter(mlir::OpBuilder &builder, mlir::Value value,
                            mlir::Value x, Dims dims);

/// A constant over `dims` of x, in the element type of x; null where their
/// extents are not known.
mlir::Value createFilled(mlir::OpBuilder &builder, double element,
                         mlir::Value x, Dims dims);

/// Whether `value` was converted from `narrow`, or is a constant that is one
/// number which that type can hold.
bool canNarrow(mlir::Value value, mlir::Type narrow);
/// What it was converted from, or the constant in that type.
mlir::Value createNarrow(mlir::OpBuilder &builder, mlir::Value value,
                         mlir::Type narrow);

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// Whether `op` is n(x, s) or n(x, s, b), gives nothing but its first result
/// and gives that to one user.
bool isNormalization(mlir::Operation *op);

/// The dimensions that have a scale and a bias of their own, or nothing where
/// these are not known.
std::optional<Dims> getParameterDims(mlir::Operation *op);

/// Puts n with these operands and attributes, in the place of `ops`, into that
/// of the root, which is the first of them. `name` is n's.
void replaceByNormalization(RewriteContext &context,
                            llvm::ArrayRef<mlir::Operation *> ops,
                            llvm::StringRef name, mlir::ValueRange operands,
                            llvm::ArrayRef<mlir::NamedAttribute> attributes);

} // namespace inlay::rewrites

#endif // INLAY_LIB_TRANSFORMS_REWRITE_NORMALIZATIONS_H
