//===- Steps.h - The steps of simplification --------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_SIMPLIFY_STEPS_H
#define INLAY_LIB_TRANSFORMS_SIMPLIFY_STEPS_H

#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace inlay::simplify {

/// What the steps of one run share.
struct State {
  /// Bytes that the model may take, and those of its other functions.
  uint64_t maxBytes = 0, otherBytes = 0;
  /// Whether constants have made the model larger.
  bool hasGrown = false;
  RemovedNodes removed;
  /// Operations whose results have become constants; they are dead.
  llvm::DenseSet<mlir::Operation *> folded;

  /// By how many bytes the function may grow.
  int64_t getGrowth(mlir::func::FuncOp function) const;
};

/// Each step returns whether it changed anything.

/// Refines types, bypasses operations that do nothing, takes known branches.
mlir::FailureOr<bool> foldStructure(mlir::func::FuncOp function, State &state);

/// Replaces what is known at compile time by constants.
bool foldConstants(mlir::func::FuncOp function, State &state);

/// Writes down shapes that are computed from unknown extents where something
/// known says the same, and computes extents once.
bool simplifyExtents(mlir::func::FuncOp function, State &state);

/// Merges operations that compute the same.
bool mergeEqual(mlir::func::FuncOp function, State &state);

/// Removes operations whose results nothing uses.
bool removeDead(mlir::func::FuncOp function, State &state);

/// Gives tensors without a declared shape the rank that what is done with them
/// demands. To be called where nothing is dead: what is not executed demands
/// nothing.
bool inferRanks(mlir::func::FuncOp function);

/// Operations in program order, those in regions right after the one they
/// belong to; without recursion over the graph.
llvm::SmallVector<mlir::Operation *, 0> getProgramOrder(mlir::Region &region);

} // namespace inlay::simplify

#endif // INLAY_LIB_TRANSFORMS_SIMPLIFY_STEPS_H
