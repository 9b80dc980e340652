//===- StoredConstants.h - Constants in another storage order ---*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_STOREDCONSTANTS_H
#define INLAY_IR_STOREDCONSTANTS_H

#include "inlay/IR/ConstantExpressions.h"

namespace inlay {

/// The constant `base`, a row-major tensor, in the storage order of `layout`
/// and read as a row-major tensor of `shape`: computed when small, else an
/// expression over `base`, the shortest there is. Null when that is impossible:
/// `layout` does not take the base's shape or has extents that are symbols,
/// `shape` has another number of elements than the layout stores, strings would
/// change their order, or `base` is nested as deep as it can be.
mlir::TypedAttr getStoredAttr(mlir::Attribute base, const Layout &layout,
                              llvm::ArrayRef<int64_t> shape);

/// The same, shaped as the layout says.
mlir::TypedAttr getStoredAttr(mlir::Attribute base, const Layout &layout);

/// Where the elements of a tensor of `shape` in the storage order `layout` lie
/// in the row-major one. The layout takes the shape and has no symbols.
Rearrangement getRearrangement(const Layout &layout,
                               llvm::ArrayRef<int64_t> shape);

} // namespace inlay

#endif // INLAY_IR_STOREDCONSTANTS_H
