//===- DataDependence.h - What depends on the inputs' elements --*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_RUNTIME_DATADEPENDENCE_H
#define INLAY_LIB_RUNTIME_DATADEPENDENCE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace inlay {

/// The values of a graph that depend on the elements of its inputs, and not on
/// constants and extents alone. What a body of control flow takes or gives is
/// among them in any case.
class DataDependence {
public:
  explicit DataDependence(mlir::func::FuncOp graph);

  bool contains(mlir::Value value) const { return values.contains(value); }
  /// Whether the operation computes with such values.
  bool isReadBy(mlir::Operation *op) const;

private:
  void add(mlir::Operation *op);

  llvm::DenseSet<mlir::Value> values;
};

} // namespace inlay

#endif // INLAY_LIB_RUNTIME_DATADEPENDENCE_H
