//===- FusionFacts.h - What fusion asks of any operation --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_FUSIONFACTS_H
#define INLAY_IR_FUSIONFACTS_H

#include "inlay/IR/FusionClass.h"
#include "mlir/IR/OpDefinition.h"

namespace inlay {

/// Opaque for what does not say.
FusionClass getFusionClass(mlir::Operation *op);

/// The class that the operation has in a kernel: one that is opaque as a whole
/// may consist of operators that are not.
FusionClass getNestClass(mlir::Operation *op);

/// Whether the operation moves elements of the operand to its results and
/// computes nothing from them: it then reads no more of it than it writes.
/// Positions and other parameters are not moved.
bool isMoved(mlir::OpOperand &operand);

} // namespace inlay

#endif // INLAY_IR_FUSIONFACTS_H
