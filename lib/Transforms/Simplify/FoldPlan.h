//===- FoldPlan.h - Which values become constants ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A constant is paid for by what it replaces: the nodes that computed it and
// the constants that nothing else uses. The cone in front of a value counts as
// a whole, however large the values inside are; so do all cones over the same
// weights (three slices of one weight replace it). What does not pay for itself
// is paid for by what the model may still grow, the most nodes for a byte
// first. Where even that does not suffice, the operation stays, and what it
// reads is judged in its place.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_SIMPLIFY_FOLDPLAN_H
#define INLAY_LIB_TRANSFORMS_SIMPLIFY_FOLDPLAN_H

#include "Computable.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace inlay::simplify {

/// What the function takes in a file: constants, each once, and nodes.
uint64_t estimateFileBytes(mlir::func::FuncOp function);

class FoldPlan {
public:
  /// `growth` is by how many bytes the file may grow; below zero, by how many
  /// it has to shrink before anything may.
  FoldPlan(const Computable &computable, int64_t growth);

  /// Operations whose results become constants, in program order.
  llvm::SmallVector<mlir::Operation *, 0> getChosen() const;
  /// Whether the value is used by something that stays.
  bool isNeeded(mlir::Value value) const;
  /// Whether the operation goes with its results.
  bool isSuperfluous(mlir::Operation *op) const {
    return computable.contains(op) && !kept.contains(op);
  }

  /// Whether something was chosen that does not pay for itself.
  bool spendsGrowth() const { return isSpent; }

private:
  struct Candidate {
    mlir::Operation *op;
    /// What the file grows by, and the nodes that it loses.
    int64_t growth, nodes;
  };
  using Operations = llvm::SmallVector<mlir::Operation *, 0>;

  bool isAnyNeeded(mlir::Operation *op) const;
  int64_t getCost(mlir::Operation *op) const;
  void chooseTogether(llvm::ArrayRef<mlir::Operation *> roots);
  void chooseEach(Operations roots);
  Candidate judge(mlir::Operation *root) const;
  bool isBetter(const Candidate &a, const Candidate &b) const;
  bool isAffordable(const Candidate &candidate) const;
  void choose(mlir::Operation *op, int64_t growth);
  void keep(mlir::Operation *op, llvm::SetVector<mlir::Operation *> &exposed);

  const Computable &computable;
  int64_t growth;
  uint64_t heldBytes = 0;
  bool isSpent = false;
  llvm::DenseSet<mlir::Operation *> chosen, kept;
};

} // namespace inlay::simplify

#endif // INLAY_LIB_TRANSFORMS_SIMPLIFY_FOLDPLAN_H
