//===- GraphComparison.h - A graph beside smaller ones ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_GRAPHCOMPARISON_H
#define INLAY_LIB_CODEGEN_GRAPHCOMPARISON_H

#include "OpenDims.h"

namespace inlay {

/// Whether the same is computed for other lengths: both graphs have the same
/// operations, one by one, and types that differ in extents. Constants are the
/// same, or begin alike along such dimensions; attributes are the same but for
/// those that say no more than a type does.
class GraphComparison {
public:
  /// `largest`: of the length that the probe has another extent of.
  llvm::Error compare(mlir::func::FuncOp graph, int64_t largest,
                      const OpenDims::Probe &probe);

  /// Which dimensions of a value differ for some probe, ascending.
  llvm::ArrayRef<unsigned> getDims(mlir::Value value) const {
    auto it = dims.find(value);
    return it == dims.end() ? llvm::ArrayRef<unsigned>() : it->second;
  }
  /// The extents of a dimension in the probes, in their order.
  llvm::SmallVector<int64_t> getExtentsOf(mlir::Value value,
                                          unsigned dim) const;

private:
  llvm::Error compareBodies(mlir::Block &graph, mlir::Block &probe);
  llvm::Error compareOps(mlir::Operation *own, mlir::Operation *other);
  llvm::Error compareOperands(mlir::Operation *own, mlir::Operation *other);
  llvm::Error compareValues(mlir::Value own, mlir::Value other,
                            mlir::Operation *where);
  llvm::Error compareConstants(ConstantOp own, ConstantOp other);
  llvm::Error differs(mlir::Operation *op, const llvm::Twine &what) const;

  /// Of the length that is being compared: the largest, and another one.
  int64_t largest = 0, other = 0;
  size_t numProbes = 0;
  llvm::DenseMap<mlir::Value, mlir::Value> matched;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 2>> dims;
  /// By value, where they differ from its own: number of the probe and shape.
  llvm::DenseMap<mlir::Value,
                 llvm::SmallVector<std::pair<size_t, llvm::ArrayRef<int64_t>>>>
      shapes;
};

/// Whether an operation has elements of its operand in the same order, in
/// another shape.
bool isView(mlir::Operation *op);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_GRAPHCOMPARISON_H
