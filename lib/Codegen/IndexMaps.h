//===- IndexMaps.h - Where moved elements come from -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_INDEXMAPS_H
#define INLAY_LIB_CODEGEN_INDEXMAPS_H

#include "LoopIndex.h"
#include "mlir/IR/Operation.h"

namespace inlay {

/// Where an element may come from.
struct IndexPiece {
  /// The operand, or null: the element is zero.
  mlir::Value value;
  LoopIndex index;
  struct Bound {
    Linear value;
    LoopRange range;
  };
  /// It comes from there if all of these hold.
  llvm::SmallVector<Bound, 1> bounds;
};

using IndexPieces = llvm::SmallVector<IndexPiece, 1>;

/// Where the element at `index` of a moving operator's result comes from: the
/// first of the pieces whose bounds hold, and the last has none. Bounds that
/// are known to hold are left out, and pieces whose bounds never do. Nothing
/// where the operator does more than to move elements, or says only at run time
/// where to.
std::optional<IndexPieces> getPieces(mlir::OpResult result,
                                     const LoopIndex &index, LoopSpace &space);

/// Whether there are such places at all.
bool hasPieces(mlir::Operation *op);

/// The operand that says where a gather reads or a scatter writes, and the
/// extents of what its numbers are places in, one after another.
struct IndexOperand {
  mlir::Value indices;
  llvm::SmallVector<int64_t, 1> extents;
};
std::optional<IndexOperand> getIndexOperand(mlir::Operation *op);

/// Where an operand that is aligned at the end, and repeated along dimensions
/// in which it has one element, is read; nothing where it does not fit.
std::optional<LoopIndex> getAlignedIndex(mlir::OpOperand &operand,
                                         const LoopIndex &index);

/// Where the operand of an elementwise operator is read for the result's
/// element at `index`; nothing where it does not fit.
std::optional<LoopIndex> getOperandIndex(mlir::OpOperand &operand,
                                         const LoopIndex &index,
                                         LoopSpace &space);

/// Where the element at `index` of the operand of a transpose or view is in the
/// result; nothing for other operators.
std::optional<LoopIndex>
getResultIndex(mlir::Operation *op, const LoopIndex &index, LoopSpace &space);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_INDEXMAPS_H
