//===- BufferPlan.h - Where values lie in memory ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph runs step by step: an operation of the graph, or of the body of an
// If, Loop or Scan, is a step; what a group or an operator in a layout consists
// of has no memory of its own. Values whose size is known share one arena. A
// view lies where its operand does. An elementwise operator, or a kernel of
// such, may write its result over an operand that nobody needs any more.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_BUFFERPLAN_H
#define INLAY_ANALYSIS_BUFFERPLAN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// Which memory a value is in.
enum class BufferHome : uint8_t {
  /// The arena, at an offset.
  Arena,
  /// The caller's: graph input or output number `index`.
  Input,
  Output,
  /// A constant's own.
  Constant,
  /// The heap: its size is known when it is computed.
  Heap,
};

struct BufferPlace {
  BufferHome home = BufferHome::Heap;
  unsigned index = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;

  bool isSame(const BufferPlace &other) const {
    return home == other.home && index == other.index &&
           offset == other.offset && home != BufferHome::Heap &&
           home != BufferHome::Constant;
  }
};

struct BufferPlan {
  /// Offsets in the arena are multiples of this.
  static constexpr uint64_t alignment = 64;

  /// Of every value of the graph that steps compute or read.
  llvm::DenseMap<mlir::Value, BufferPlace> places;
  uint64_t arenaBytes = 0;
  /// The most bytes that one step needs: no arena for these views and in-place
  /// operators is smaller.
  uint64_t boundBytes = 0;
  /// Pieces of the arena, values that are views of others, results that are
  /// written over an operand, and values on the heap.
  unsigned numBuffers = 0, numViews = 0, numInPlace = 0, numOnHeap = 0;

  bool isLeast() const { return arenaBytes == boundBytes; }
};

BufferPlan planBuffers(mlir::func::FuncOp graph);

/// Runs the steps on marks instead of numbers, loops twice, and fails where one
/// reads what another has overwritten. Knows nothing of how plans are made.
llvm::Error checkBuffers(mlir::func::FuncOp graph, const BufferPlan &plan);

} // namespace inlay

#endif // INLAY_ANALYSIS_BUFFERPLAN_H
