//===- BuildRelayout.h - Relayouts of physical tensors ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_LAYOUT_BUILDRELAYOUT_H
#define INLAY_LIB_TRANSFORMS_LAYOUT_BUILDRELAYOUT_H

#include "inlay/IR/InlayOps.h"

namespace inlay::layout {

/// How a tensor comes from one storage order into another: both orders cut
/// into the same pieces, which are then permuted. By example, for the logical
/// shape [1, 3136] from (0,1:1,1:0,1:2) split 1=64*7*7 to row-major:
///
///   [1,7,7,64] --transpose [0,3,1,2]--> [1,64,7,7] --view--> [1,3136]
struct RelayoutPlan {
  /// The tensor before it is permuted, one extent per piece.
  llvm::SmallVector<int64_t> pieces;
  /// Position i of the permuted tensor is piece perm[i].
  llvm::SmallVector<int64_t> perm;
  /// How many pieces make up each dimension of the tensor before and after.
  llvm::SmallVector<unsigned> fromCounts, toCounts;

  /// Whether only pieces of one element move, so that a view is enough.
  bool isView() const;
};

/// The plan for a tensor of logical `shape`; empty orders are row-major.
/// Nothing where a dimension is cut into pieces that have no common ones, or
/// that are not known to.
std::optional<RelayoutPlan> planRelayout(llvm::ArrayRef<int64_t> shape,
                                         llvm::ArrayRef<Atom> from,
                                         llvm::ArrayRef<Atom> to);

/// The tensor `physical`, stored in the order of `from`, in the order of `to`:
/// nothing, a reshape or a transpose between reshapes (two of them for pieces
/// that have no common ones), with padding put in, dropped or made zero where
/// dimensions are blocked; a constant again where it is one. Null where
/// unknown extents keep it from being expressed. `from` and `to` differ in
/// their encodings only. With `alwaysTranspose` no reshape takes the place of a
/// transpose, so that what is built does not depend on the shape.
mlir::Value buildRelayout(StoredOpBuilder &stored, mlir::Value physical,
                          mlir::Type from, mlir::Type to,
                          bool alwaysTranspose = false);

} // namespace inlay::layout

#endif // INLAY_LIB_TRANSFORMS_LAYOUT_BUILDRELAYOUT_H
