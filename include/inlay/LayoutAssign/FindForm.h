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

} // namespace inlay

#endif // INLAY_LAYOUTASSIGN_FINDFORM_H
