//===- OpenDims.h - Dimensions of an open length ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library whose inputs have a length that is known only when it runs has the
// code of the largest one, and tensors lie as they do for that. What lies
// behind the length of a run is anything. So it matters which dimensions of
// values are of that length, and where elements along one of them meet:
//
//   %y = matmul %x, %w     [n, 8], [8, 4] -> [n, 4]  row i of y from row i of x
//   %s = softmax %t        [n, n]         over n     elements of a row meet
//
// Which they are is seen by comparing the graph with those of other lengths.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_OPENDIMS_H
#define INLAY_LIB_CODEGEN_OPENDIMS_H

#include "inlay/IR/InlayOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Error.h"

namespace inlay {

class OpenDims {
public:
  OpenDims() = default;

  /// Of a graph for a length, beside the same one for a shorter one. An error
  /// of exit code 5 says where they differ in more than that, or which node
  /// does not compute what belongs to an element of the length in a way that is
  /// known.
  static llvm::Expected<OpenDims> find(mlir::func::FuncOp graph, int64_t length,
                                       mlir::func::FuncOp probe,
                                       int64_t probeLength);

  /// The error that this gives where the graphs differ in more than the length.
  static llvm::Error compare(mlir::func::FuncOp graph, int64_t length,
                             mlir::func::FuncOp probe, int64_t probeLength);

  /// The largest length; 0 where none is open.
  int64_t getLength() const { return length; }
  /// Which dimensions of a value are of it.
  llvm::ArrayRef<unsigned> get(mlir::Value value) const {
    auto it = dims.find(value);
    return it == dims.end() ? llvm::ArrayRef<unsigned>() : it->second;
  }
  /// Whether a result of the operator has more than elements of its operands at
  /// the same place of the length.
  bool meets(mlir::Operation *op) const { return meetings.contains(op); }
  /// The same of any operator of a step.
  bool meetsInside(mlir::Operation *step) const;
  /// Whether nothing lies in front of the only dimension of a value that is of
  /// the length: what belongs to an element of it lies side by side.
  bool isOutermost(mlir::Value value) const;

private:
  friend class OpenDimFinder;

  int64_t length = 0;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 2>> dims;
  llvm::DenseSet<mlir::Operation *> meetings;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_OPENDIMS_H
