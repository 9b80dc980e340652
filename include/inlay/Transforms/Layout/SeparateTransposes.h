//===- SeparateTransposes.h - One transpose for each use --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transpose whose input and result are stored alike costs nothing, so that
// each of its uses may as well have one of its own: its result can then be
// taken from whatever order the input exists in, not from one of them only.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_LAYOUT_SEPARATETRANSPOSES_H
#define INLAY_TRANSFORMS_LAYOUT_SEPARATETRANSPOSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay {

/// What each copy is a copy of.
struct TransposeCopies {
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> originals;
  /// Every use has its own.
  bool isComplete = true;
};

/// Gives each use of a transpose a copy of it, of the same origin. No more
/// copies than the function has operations, or a few thousand.
TransposeCopies separateTransposes(mlir::func::FuncOp function);

/// Merges transposes and relayouts of the same value to the same type, those
/// that were separated among them.
void mergeMoves(mlir::func::FuncOp function);

} // namespace inlay

#endif // INLAY_TRANSFORMS_LAYOUT_SEPARATETRANSPOSES_H
