//===- OpenDims.h - Dimensions of an open length ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library whose inputs have lengths that are known only when it runs has the
// code of the largest ones, and tensors lie as they do for these. What lies
// behind the lengths of a run is anything. So it matters which dimensions of
// values are of a length, and where elements along one of them meet:
//
//   %y = matmul %x, %w     [n, 8], [8, 4] -> [n, 4]  row i of y from row i of x
//   %s = softmax %t        [n, n]         over n     elements of a row meet
//   %z = conv %y, %k       [1, 4, n] -> [1, 8, m]    m = (n + 1) / 2 follows
//
// Which they are is seen by comparing the graph with those of other lengths,
// and by what operators do along axes.
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
  /// One that is open, or one that follows from one in front of it as
  /// (that + add) / divide.
  struct Length {
    int64_t largest = 0;
    unsigned from = 0;
    int64_t add = 0, divide = 0;

    bool isOpen() const { return divide == 0; }
    bool operator==(const Length &other) const = default;
  };

  /// A graph where one of the open lengths is not the largest.
  struct Probe {
    mlir::func::FuncOp graph;
    unsigned length;
    int64_t extent;
  };

  OpenDims() = default;

  /// Of a graph for the largest of some lengths, beside the same one for
  /// shorter ones. An error of exit code 5 says where they differ in more than
  /// that, or which node does not compute what belongs to an element of a
  /// length in a way that is known.
  static llvm::Expected<OpenDims> find(mlir::func::FuncOp graph,
                                       llvm::ArrayRef<int64_t> largest,
                                       llvm::ArrayRef<Probe> probes);

  /// The error that this gives where the graphs differ in more than extents.
  static llvm::Error compare(mlir::func::FuncOp graph, int64_t extent,
                             const Probe &probe);

  /// The open ones come first; none where no dimension is open.
  llvm::ArrayRef<Length> getLengths() const { return lengths; }
  /// Which dimensions of a value are of lengths.
  llvm::ArrayRef<unsigned> get(mlir::Value value) const {
    auto it = dims.find(value);
    return it == dims.end() ? llvm::ArrayRef<unsigned>() : it->second;
  }
  /// The number of the length that one of these is of.
  unsigned getNumber(mlir::Value value, unsigned dim) const {
    return numbers.lookup({value, dim});
  }
  /// By dimension: one more than the number of its length, or 0.
  llvm::SmallVector<uint32_t> getNumbers(mlir::Value value) const;

  /// Whether a result of the operator has more than elements of its operands at
  /// the same place of a length.
  bool meets(mlir::Operation *op) const { return meetings.contains(op); }
  /// The same of the operators of a step.
  llvm::SmallVector<mlir::Operation *> getMeetings(mlir::Operation *step) const;
  /// Whether nothing lies in front of the first dimension of a value that is of
  /// a length: what belongs to an element of it lies side by side.
  bool isOutermost(mlir::Value value) const;

private:
  friend class OpenDimFinder;

  llvm::SmallVector<Length> lengths;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 2>> dims;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, unsigned> numbers;
  llvm::DenseSet<mlir::Operation *> meetings;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_OPENDIMS_H
