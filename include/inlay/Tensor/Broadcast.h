//===- Broadcast.h - Multidirectional broadcasting --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shapes are aligned at their last dimension; a dimension of one, or one that
// is missing, stretches to the other's.
//
//   BroadcastLoop loop(result, {a.getShape(), b.getShape()});
//   loop.forEachRow([&](int64_t at, llvm::ArrayRef<int64_t> from) {
//     for (int64_t i = 0; i < loop.getRowLength(); ++i)
//       out[at + i] = f(a[from[0] + i * loop.getStep(0)],
//                       b[from[1] + i * loop.getStep(1)]);
//   });
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_BROADCAST_H
#define INLAY_TENSOR_BROADCAST_H

#include "inlay/Tensor/HostTensor.h"

namespace inlay {

/// The shape both operands broadcast to. Fails, naming both shapes, when two
/// dimensions differ and neither is one.
llvm::Expected<HostTensor::Shape> broadcastShapes(llvm::ArrayRef<int64_t> a,
                                                  llvm::ArrayRef<int64_t> b);

/// The shape that all operands broadcast to; a scalar's for none.
llvm::Expected<HostTensor::Shape>
broadcastShapes(llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes);

/// Whether `from` stretches to exactly `to`.
bool isBroadcastableTo(llvm::ArrayRef<int64_t> from,
                       llvm::ArrayRef<int64_t> to);

/// Strides, in elements and of the rank of `to`, that read a row-major tensor
/// of shape `from` as one of shape `to`: 0 where a dimension is stretched.
/// `from` must be broadcastable to `to`.
llvm::SmallVector<int64_t, 4> getBroadcastStrides(llvm::ArrayRef<int64_t> from,
                                                  llvm::ArrayRef<int64_t> to);

/// Walks a row-major result together with the operands that broadcast to it,
/// row by row. Neighbouring dimensions that all operands walk alike are merged,
/// so that rows are as long as they can be.
class BroadcastLoop {
public:
  /// Every operand shape must be broadcastable to `result`.
  BroadcastLoop(llvm::ArrayRef<int64_t> result,
                llvm::ArrayRef<llvm::ArrayRef<int64_t>> operands);

  int64_t getNumRows() const { return numRows; }
  /// Elements per row, at least 1 where there are rows.
  int64_t getRowLength() const { return rowLength; }
  /// How far operand `i` moves per element of a row: 0 or 1.
  int64_t getStep(unsigned i) const { return steps[i]; }

  /// Calls fn(resultOffset, operandOffsets) for every row, in order.
  template <typename F> void forEachRow(F fn) const {
    llvm::SmallVector<int64_t, 6> index(extents.size(), 0);
    llvm::SmallVector<int64_t, 3> offsets(steps.size(), 0);
    for (int64_t row = 0; row < numRows; ++row) {
      fn(row * rowLength, llvm::ArrayRef<int64_t>(offsets));
      advance(index, offsets);
    }
  }

private:
  void advance(llvm::MutableArrayRef<int64_t> index,
               llvm::MutableArrayRef<int64_t> offsets) const;

  int64_t numRows = 0;
  int64_t rowLength = 1;
  /// Merged dimensions outside the row, outermost first.
  llvm::SmallVector<int64_t, 6> extents;
  /// Per merged dimension, the stride of each operand.
  llvm::SmallVector<llvm::SmallVector<int64_t, 3>, 6> strides;
  llvm::SmallVector<int64_t, 3> steps;
};

} // namespace inlay

#endif // INLAY_TENSOR_BROADCAST_H
