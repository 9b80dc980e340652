//===- Computable.h - What can be known at compile time ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_SIMPLIFY_COMPUTABLE_H
#define INLAY_LIB_TRANSFORMS_SIMPLIFY_COMPUTABLE_H

#include "inlay/IR/InlayOps.h"
#include "inlay/Tensor/HostTensor.h"
#include "llvm/ADT/DenseSet.h"

namespace inlay::simplify {

/// Bytes of values that are in memory at a time while constants are computed.
constexpr uint64_t maxLiveBytes = uint64_t(1) << 28;

/// The operations whose results follow from constants and static shapes. Which
/// they are follows from types: nothing is computed to find out, but for
/// extents.
class Computable {
public:
  /// `order` is the program order; what is in `excluded` has failed before.
  Computable(llvm::ArrayRef<mlir::Operation *> order,
             const llvm::DenseSet<mlir::Operation *> &excluded);

  bool contains(mlir::Operation *op) const { return numbers.contains(op); }
  /// All of them, in program order, and the place of one among them.
  llvm::ArrayRef<mlir::Operation *> getOperations() const { return operations; }
  unsigned getNumber(mlir::Operation *op) const { return numbers.at(op); }

  /// The value that follows from shapes alone; null for others.
  const HostTensor *lookup(mlir::Value value) const;
  /// What the value takes in a file.
  uint64_t getBytes(mlir::Value value) const;
  /// Whether a quantised constant is behind the value: the model's choice of
  /// how to store it, which is not undone for the sake of fewer nodes.
  bool isDequantized(mlir::Operation *op) const {
    return dequantized.contains(op);
  }

private:
  bool followsFromOperands(mlir::Operation *op) const;
  bool followsFromShapes(mlir::Operation *op);
  void add(mlir::Operation *op);

  llvm::SmallVector<mlir::Operation *, 0> operations;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  llvm::DenseMap<mlir::Value, HostTensor> extents;
  llvm::DenseSet<mlir::Operation *> dequantized;
};

} // namespace inlay::simplify

#endif // INLAY_LIB_TRANSFORMS_SIMPLIFY_COMPUTABLE_H
