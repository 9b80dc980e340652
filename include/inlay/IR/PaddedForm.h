//===- PaddedForm.h - Operations on tensors with padding --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A blocked dimension whose extent is no multiple of the block has padding in
// its last block: zeros, or anything. What an operation computes must not
// depend on it:
//
//   * along a blocked axis elements may not meet (reduce, softmax, concat and
//     others), unless they are multiplied and summed and the padding of both is
//     zero;
//   * the padding of a result is zero where the operation makes zeros of zeros,
//     which it is asked for by evaluating it: relu does, exp and x / x do not.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_PADDEDFORM_H
#define INLAY_IR_PADDEDFORM_H

#include "inlay/IR/StoredForm.h"
#include "mlir/IR/Operation.h"

namespace inlay {

/// Whether `op` can build itself over physical tensors in `form`, and leaves
/// the padding of its results as `form` says. Of blocked dimensions it says
/// more than StorageOpInterface::admitsForm, otherwise the same.
bool admitsStored(mlir::Operation *op, const StoredForm &form);

/// Whether `op` can work in `form` inside of inlay.in_layout: on tensors whose
/// dimensions are as long as their blocks.
bool admitsWrapped(mlir::Operation *op, const StoredForm &form);

/// Whether the blocks and factors of a tensor stored in `order` can be made of
/// its dimensions and joined again: unknown extents may keep that from being
/// expressed.
bool canCutBlocks(mlir::Type type, llvm::ArrayRef<Atom> order);

/// What `op` leaves in the padding of each result, the padding of its operands
/// being as `form` says.
llvm::SmallVector<Padding, 1> getResultPadding(mlir::Operation *op,
                                               const StoredForm &form);

/// The type of a tensor with its padding: dimensions as long as their blocks,
/// which are then exactly split. Types that are not blocked stay the same.
mlir::Type getPaddedType(mlir::Type type);

/// Creates `op` over row-major tensors that have the padding of `form`, and
/// infers its types. Null where it does not take them.
mlir::Operation *createPadded(mlir::OpBuilder &builder, mlir::Operation *op,
                              const StoredForm &form,
                              mlir::ValueRange operands);

} // namespace inlay

#endif // INLAY_IR_PADDEDFORM_H
