//===- NormalSpelling.h - One spelling of equal operations ------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that compute the same may be spelled in several ways: axis -1 of
// rank 4 is axis 3, a Squeeze of known shape is a Reshape. Files keep what the
// model says; who asks whether two operations are equal compares these.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_NORMALSPELLING_H
#define INLAY_IR_NORMALSPELLING_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/OwningOpRef.h"

namespace inlay {

/// What `op` computes, spelled as in all operations that are equal to it, as an
/// operation that is in no block; null where `op` is spelled so itself.
mlir::OwningOpRef<mlir::Operation *> spellNormally(mlir::Operation *op);

} // namespace inlay

#endif // INLAY_IR_NORMALSPELLING_H
