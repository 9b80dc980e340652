//===- RowPlan.h - How reductions of rows are computed ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which reductions a kernel has, in which order they are computed, and along
// which loop vectors lie.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_ROWPLAN_H
#define INLAY_LIB_CODEGEN_ROWPLAN_H

#include "Epilogue.h"
#include "Reductions.h"

namespace inlay {

/// The reductions of a body, all over the same dimensions of one shape.
struct Rows {
  llvm::SmallVector<Reduction> reductions;
  /// How many others each has to wait for, one behind another.
  llvm::SmallVector<unsigned> levels;

  llvm::ArrayRef<int64_t> getShape() const {
    return getExtents(reductions.front().getOperand());
  }
  llvm::ArrayRef<int64_t> getDims() const {
    return reductions.front().getDims();
  }
};

/// Nothing where a body has none, or some over other dimensions or shapes.
std::optional<Rows> matchRows(const KernelBody &body);

/// A walk along the row for some reductions.
struct RowPass {
  RowPass(const KernelBody &body, LoopSpace &space) : reader(body, space) {}

  Reader reader;
  llvm::SmallVector<unsigned> reductions;
  /// The element that each reduction takes, and where it is in the row.
  llvm::SmallVector<unsigned> elements;
  llvm::SmallVector<Linear> positions;
};

/// All loops of a kernel over rows.
struct RowPlan {
  /// Sums along the row, whatever the machine.
  static constexpr unsigned numSums = 16;

  /// Null where there is no way to all elements.
  static std::unique_ptr<RowPlan> make(const KernelBody &body,
                                       const Rows &rows);

  RowPlan(const KernelBody &body, const LoopPlan &plan,
          llvm::ArrayRef<LoopRange> ranges)
      : space(plan, ranges), perRow(body, space), perElement(body, space) {}

  LoopSpace space;
  std::vector<std::unique_ptr<RowPass>> passes;
  /// What is stored once per row, and for each of its elements.
  Epilogue perRow, perElement;
  bool storesRows = false, storesElements = false;
  /// Whether there is a way to all elements.
  bool isComplete = false;
  /// Outermost first. The innermost of one of the two are vectors.
  llvm::SmallVector<unsigned> kept, reduced;
  unsigned lane = ~0u;
  bool isAcross = false;
  /// Of loops that are reduced, the lengths that they end at; and whether all
  /// do that have one.
  llvm::DenseMap<unsigned, unsigned> lengths;
  bool endsAtLengths = false;
  /// The reduction of the last pass whose operand the results are computed of:
  /// a row of it is kept. The number of its element among theirs.
  std::optional<unsigned> remembered;
  unsigned rememberedElement = 0;

  int64_t getRowLength() const;
  llvm::SmallVector<const Linear *> getForms() const;
  bool merge(unsigned outer, unsigned inner);
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_ROWPLAN_H
