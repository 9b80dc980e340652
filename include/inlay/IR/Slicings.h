//===- Slicings.h - Tensors that subgraphs see slice by slice ---*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scan takes slices of tensors along one dimension of each and puts slices
// together along one. Which dimension that is, is said by its number: where the
// whole is stored in another order the slices are those along another
// dimension of what lies in memory.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_SLICINGS_H
#define INLAY_IR_SLICINGS_H

#include "inlay/Layout/Layout.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace inlay {

/// A whole and its slices along `axis`, both ranked.
struct Slicing {
  /// What is read: the whole that slices are taken of, or a slice that is
  /// yielded.
  mlir::OpOperand *from;
  /// What it becomes: a slice, or the whole.
  mlir::Value to;
  bool isTaken;
  int64_t axis;
  /// Its place among all of the operation's, ranked or not.
  unsigned number;

  mlir::Value getWhole() const { return isTaken ? from->get() : to; }
  mlir::Value getSlice() const { return isTaken ? to : from->get(); }
};

/// Those whose dimension may be chosen.
llvm::SmallVector<Slicing> getSlicings(mlir::Operation *op);
/// Says along which dimension one of them goes.
void setSlicedAxis(mlir::Operation *op, const Slicing &slicing, int64_t axis);

/// The order of slices of a whole that is stored in `order`: without `axis`.
/// Nothing where dimensions are stored in parts.
std::optional<AtomSequence> getSliceOrder(llvm::ArrayRef<Atom> order,
                                          int64_t axis);

} // namespace inlay

#endif // INLAY_IR_SLICINGS_H
