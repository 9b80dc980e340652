//===- KernelBody.h - What a step consists of -------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_KERNELBODY_H
#define INLAY_LIB_CODEGEN_KERNELBODY_H

#include "inlay/IR/InlayOps.h"

namespace inlay {

class OpenDims;

/// A step as a list of plain operators: a kernel's body with operators in
/// layouts opened, or the step itself.
struct KernelBody {
  /// What is read, constants of bodies included but for numbers, and the
  /// results that somebody uses.
  llvm::SmallVector<mlir::Value> reads, results;
  /// In the order in which they compute.
  llvm::SmallVector<mlir::Operation *> ops;
  /// What each result is inside.
  llvm::SmallVector<mlir::Value> yielded;

  /// Where dimensions are open: those of its values, and their lengths.
  const OpenDims *open = nullptr;
  llvm::SmallVector<unsigned> lengths;

  /// Nothing where the step has other regions.
  static std::optional<KernelBody> get(mlir::Operation *step);
  /// A block that returns the results; its arguments are what is read.
  static std::optional<KernelBody> get(mlir::Block &block,
                                       mlir::ValueRange results);

  /// The value that stands for one that has another name inside of a body.
  mlir::Value resolve(mlir::Value value) const;
  bool isRead(mlir::Value value) const { return readNumbers.contains(value); }
  unsigned getReadNumber(mlir::Value value) const {
    return readNumbers.lookup(value);
  }
  /// The place of an operator among `ops`.
  unsigned getPosition(mlir::Operation *op) const {
    return positions.lookup(op);
  }

private:
  bool addOps(mlir::Block &block);
  bool addOp(mlir::Operation &op);
  void addRead(mlir::Value value);

  llvm::DenseMap<mlir::Value, mlir::Value> aliases;
  llvm::DenseMap<mlir::Value, unsigned> readNumbers;
  llvm::DenseMap<mlir::Operation *, unsigned> positions;
};

/// The extents of a ranked tensor.
inline llvm::ArrayRef<int64_t> getExtents(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getShape();
}

/// Whether code can hold the elements of a tensor of static shape: floats of 16
/// bits and more, integers of whole bytes, booleans.
bool hasCodeType(mlir::Value value);

/// Whether a tensor is a constant of one element: code has it as a number.
bool isNumber(mlir::Value value);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_KERNELBODY_H
