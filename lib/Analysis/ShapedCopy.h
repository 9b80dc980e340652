//===- ShapedCopy.h - A graph with other input shapes -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ANALYSIS_SHAPEDCOPY_H
#define INLAY_LIB_ANALYSIS_SHAPEDCOPY_H

#include "inlay/IR/TypeInference.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseSet.h"

namespace inlay {

/// A copy of a graph whose types follow from the shapes of its inputs.
class ShapedCopy {
public:
  explicit ShapedCopy(mlir::func::FuncOp graph);

  /// Infers all types; returns the number of the first operator that does not
  /// suit these shapes, or the number of operators where all do.
  size_t infer(llvm::ArrayRef<MaybeShape> shapes);

  size_t getNumOperations() const { return operations.size(); }
  mlir::OwningOpRef<mlir::func::FuncOp> take() { return std::move(copy); }

private:
  void setInputs(llvm::ArrayRef<MaybeShape> shapes);
  bool inferOperation(mlir::Operation *original, mlir::Operation *op);

  mlir::func::FuncOp graph;
  mlir::OwningOpRef<mlir::func::FuncOp> copy;
  /// Each operation of the graph and its copy, those of subgraphs first.
  std::vector<std::pair<mlir::Operation *, mlir::Operation *>> operations;
  /// Those that no shapes suit: what they are in the graph is not held against
  /// extents.
  llvm::DenseSet<mlir::Operation *> exempt;
};

} // namespace inlay

#endif // INLAY_LIB_ANALYSIS_SHAPEDCOPY_H
