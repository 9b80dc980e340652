//===- RowPanel.h - Rows of a contraction -----------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A panel is the rows that are computed for all columns at once: a part of each
// of their dimensions. Their elements are read where they are, or from a copy
// of the part of the tensor that the panel needs, with zeros around it and all
// that is computed in front of the product. Windows overlap in the copy as they
// do in the tensor: an element is copied once, whatever windows it is in.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_ROWPANEL_H
#define INLAY_LIB_CODEGEN_ROWPANEL_H

#include "PackedOperand.h"

namespace inlay {

/// How large panels are: rows that are read from the tensor or copied, and
/// floats of a copy. Rows that are packed need not be side by side along the
/// sum.
struct PanelLimits {
  int64_t directRows, copiedRows, floats;
  bool packsRows = false;
  /// Floats that each copied row takes beside the copy.
  int64_t perRow = 0;
};

class RowPanel {
public:
  RowPanel(const KernelBody &body, const Contraction &contraction)
      : body(body), contraction(contraction), memory(body, contraction) {}

  /// Where rows are read, which part of each dimension is a panel, and in which
  /// order sums are. False where there is no way.
  bool plan(Roles &roles, const PanelLimits &given);
  /// Makes one panel of all rows that are read from the tensor.
  void takeAllRows(const Roles &roles);
  /// Copies what one place of the outermost summed dimension needs at a time,
  /// where that makes fewer panels: at most so many rows in each, and
  /// `perRow` floats fewer for each of them. False where it makes no fewer.
  bool slice(const Roles &roles, int64_t maxRows, int64_t perRow);
  /// That dimension, if copies are so.
  std::optional<unsigned> getSliced() const { return sliced; }

  bool isCopied() const { return !place; }
  /// How far apart elements are along a dimension of the contraction.
  int64_t getStep(unsigned dim) const { return steps[dim]; }
  /// The part of a row's dimension that is in a panel.
  int64_t getChunk(unsigned dim) const { return chunks[dim]; }
  int64_t getNumRows(const Roles &roles) const;
  int64_t getNumPanels(const Roles &roles) const;
  int64_t getNumFloats() const { return numFloats; }
  /// Whether a copy has nothing of what is behind the lengths of a run.
  bool endsAtLengths(const OpenDims &open) const;

  /// What is read: the tensor, or the copy that `makeCopy` fills.
  mlir::Value getMemory(KernelBuilder &builder) const;
  /// Where the first row's sum begins in it, the dimensions being at
  /// `variables`.
  mlir::Value emitStart(KernelBuilder &builder,
                        llvm::ArrayRef<mlir::Value> variables) const;
  /// False where there is no code.
  bool emitCopy(KernelBuilder &builder, llvm::ArrayRef<mlir::Value> variables,
                mlir::Value copy, unsigned lanes) const;

private:
  /// A dimension of the copied tensor.
  struct CopiedDim {
    /// Its number, its length, and whether rows or windows leave it.
    unsigned number;
    int64_t size;
    bool isBounded;
    /// How much of it the copy has, and how far apart in it.
    int64_t extent = 1, stride = 1;
    /// Whether it is only where rows begin, or only their windows, and how far
    /// apart in the tensor what is copied is.
    enum Part : uint8_t { Both, Rows, Windows } part = Both;
    int64_t apart = 1;
  };
  /// A part of the innermost dimension, where another tensor is read.
  struct Piece {
    Piece(const KernelBody &body, const LoopPlan &plan,
          llvm::ArrayRef<LoopRange> ranges)
        : space(plan, ranges), reader(body, space) {}

    LoopSpace space;
    Reader reader;
    unsigned element = 0;
  };
  class Copier;

  bool isDirect(Roles &roles);
  void skipLines();
  void orderSums(Roles &roles) const;
  bool planCopy(const Roles &roles);
  void orderDims(const Roles &roles);
  bool splitWindows(const Roles &roles);
  std::unique_ptr<Piece> makePiece(const LoopPlan &plan,
                                   LoopRange innermost) const;
  bool planPieces();
  bool isCopiedAcross(size_t level, unsigned lanes) const;
  void placeCopy(const Roles &roles);
  bool chooseChunks(const Roles &roles);

  const KernelBody &body;
  const Contraction &contraction;
  PackedOperand memory;
  /// Where elements are in the tensor, where they are read from there.
  const Linear *place = nullptr;
  llvm::SmallVector<int64_t> steps, chunks;
  /// Outermost first.
  llvm::SmallVector<CopiedDim> dims;
  std::vector<std::unique_ptr<Piece>> pieces;
  int64_t numFloats = 0;
  PanelLimits limits = {1, 1, 0};
  std::optional<unsigned> sliced;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_ROWPANEL_H
