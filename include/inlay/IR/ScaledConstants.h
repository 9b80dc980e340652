//===- ScaledConstants.h - Constants times factors --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_SCALEDCONSTANTS_H
#define INLAY_IR_SCALEDCONSTANTS_H

#include "inlay/IR/ConstantExpressions.h"

namespace inlay {

/// The constant `base` times `factors`, float64 and of the base's rank, which
/// stretches to its shape: computed when small and nothing is rounded, else an
/// expression over `base`, the shortest there is. Null when that is impossible:
/// `base` holds no floats of at least 16 bits, the shapes do not fit, or `base`
/// is nested as deep as it can be.
mlir::TypedAttr getScaledAttr(mlir::Attribute base, const HostTensor &factors);

/// The numbers of `exact`, float64, in a type of floats of at least 16 bits: a
/// constant where that holds them all, else an expression that still knows
/// them. What is computed from it is then rounded once, however often.
mlir::TypedAttr getRoundedAttr(mlir::MLIRContext *context,
                               const HostTensor &exact, mlir::Type element);

/// `value` in the storage order `layout`, read as a tensor of `shape`, as a
/// product of the reordered base and reordered factors; null where the factors
/// would not stretch any more. The layout takes the value's shape and stores as
/// many elements as `shape` has.
mlir::TypedAttr moveOrderInside(ScaledAttr value, const Layout &layout,
                                llvm::ArrayRef<int64_t> shape);

} // namespace inlay

#endif // INLAY_IR_SCALEDCONSTANTS_H
