//===- StoredParameters.h - Parameters of permuted tensors ------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters that speak of dimensions (axes, pads, repeats, sizes), where the
// tensor is stored in another order. What is computed at run time is brought
// into it by a Gather of as many numbers.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_IR_STOREDPARAMETERS_H
#define INLAY_LIB_IR_STOREDPARAMETERS_H

#include "inlay/IR/StoredForm.h"

namespace inlay {

/// Entry i of `entries` belongs to dimension i; each atom gets that of its
/// dimension.
llvm::SmallVector<int64_t> permuteEntries(llvm::ArrayRef<Atom> order,
                                          llvm::ArrayRef<int64_t> entries);

/// Whether a computed parameter is known to be a list.
bool isList(mlir::Value parameter);

/// `entries` holds one entry per dimension, `numRuns` times (the begins of all
/// dimensions, then the ends): each run in `order`, in which every dimension is
/// whole.
mlir::Value gatherEntries(StoredOpBuilder &stored, mlir::Value entries,
                          llvm::ArrayRef<Atom> order, unsigned numRuns = 1);

/// The positions in `order`, in which every dimension is whole, of the
/// dimensions that `axes` names; negative ones count from the end. They have
/// the element type of `axes`.
mlir::Value gatherPositions(StoredOpBuilder &stored, mlir::Value axes,
                            llvm::ArrayRef<Atom> order);

/// The positions in `order` of the first dimensions, as many as `entries` (of
/// rank 1) has elements, in its element type.
mlir::Value takePositions(StoredOpBuilder &stored, mlir::Value entries,
                          llvm::ArrayRef<Atom> order);

} // namespace inlay

#endif // INLAY_LIB_IR_STOREDPARAMETERS_H
