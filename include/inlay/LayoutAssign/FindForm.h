//===- FindForm.h - The form that one storage order leads to ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LAYOUTASSIGN_FINDFORM_H
#define INLAY_LAYOUTASSIGN_FINDFORM_H

#include "inlay/IR/StoredForm.h"
#include "mlir/IR/Operation.h"

namespace inlay {

/// The storage orders of all tensors of `op` when one of them, counting the
/// operands and then the results, is stored in `order`, so that all lie in
/// memory along the same axes; nothing where the operator does not admit that.
std::optional<StoredForm> findForm(mlir::Operation *op, unsigned port,
                                   llvm::ArrayRef<Atom> order);

/// The same with all that may be known of the padding of blocked dimensions:
/// the port's as `order` says, those of other operands zero or any. Asked for a
/// result, the padding of the operands is zero.
llvm::SmallVector<StoredForm, 1> findForms(mlir::Operation *op, unsigned port,
                                           llvm::ArrayRef<Atom> order);

/// Pairs of ports of which the second has all axes of the first and more, or
/// more than one element along them: a reduction's result and its input. Also
/// data and result of a convolution, which have channels of their own.
llvm::SmallVector<std::pair<unsigned, unsigned>>
findSilentPorts(mlir::Operation *op);

/// The forms in which `port` is stored in `order`, and axes that this says
/// nothing of stand where `guideOrder` of port `guide` has them: behind what is
/// before them there, or before what is behind. Not for blocks.
llvm::SmallVector<StoredForm, 2>
findFormsBetween(mlir::Operation *op, unsigned port, llvm::ArrayRef<Atom> order,
                 unsigned guide, llvm::ArrayRef<Atom> guideOrder);

/// The form in which an operator of a target's rule works: `form` has the
/// orders that the rule gives, and operands that it says nothing of are blocked
/// as the axes they share are; a weight that cannot be blocked so is row-major.
/// Dimensions that are multiples of their blocks are exactly split. Padding of
/// operands is as `padding` says, that of results too. Nothing where the
/// operator cannot work so.
std::optional<StoredForm> completeRuleForm(mlir::Operation *op, StoredForm form,
                                           Padding padding);

} // namespace inlay

#endif // INLAY_LAYOUTASSIGN_FINDFORM_H
