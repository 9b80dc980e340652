//===- ColumnPacker.h - Columns of products, arranged -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Columns are multiplied from tiles of as many as registers take: what those
// of a tile have at one place of the sum is a line, zeros behind the last
// column, and lines are in the order of the sum. The last tile has only the
// vectors that it needs.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_COLUMNPACKER_H
#define INLAY_LIB_CODEGEN_COLUMNPACKER_H

#include "PackedOperand.h"
#include "ProductResults.h"

namespace inlay {

/// The function that packs; each turn of its outermost loop is a tile of a
/// product.
class ColumnPacker {
public:
  /// Of `roles`, those of `operand`: products, columns and sums.
  ColumnPacker(const Contraction &contraction, const PackedOperand &operand,
               const ResultColumns &columns, const Roles &roles)
      : contraction(contraction), operand(operand), columns(columns),
        roles(roles) {}

  /// Turns, and bytes of all that is packed.
  int64_t getNumTurns() const {
    return contraction.getCount(roles.batch) * columns.getNumTiles();
  }
  uint64_t getNumBytes() const {
    return sizeof(float) * getNumTurns() * getTileFloats();
  }
  /// Of a turn.
  int64_t getTileFloats() const {
    return getDepth() * columns.tiles.getColumns();
  }

  /// False where there is no code.
  bool emit(KernelBuilder &builder) const;
  /// The same for some turns, to `start` and what is behind it.
  bool emit(KernelBuilder &builder, mlir::Value from, mlir::Value to,
            int64_t start) const;

  /// Columns, or terms of the sum, from that number on are left out, and with
  /// them whole tiles. Terms up to the next multiple of `step` are zero.
  void endColumnsAt(mlir::Value count) { columnEnd = count; }
  void endSumsAt(mlir::Value count, int64_t step) {
    sumEnd = count;
    sumStep = step;
  }

private:
  int64_t getDepth() const { return contraction.getCount(roles.sums); }
  bool emitTile(KernelBuilder &builder, mlir::Value turn, int64_t origin) const;
  /// The first column of a tile, how many it has and how many there are, and
  /// where it is packed.
  struct Tile {
    mlir::Value first, width, count, start;
  };
  bool emitLines(KernelBuilder &builder, llvm::ArrayRef<mlir::Value> outer,
                 const Tile &tile) const;
  /// A line of a tile, from a column of it on.
  bool emitLine(KernelBuilder &builder, llvm::ArrayRef<mlir::Value> outer,
                const Tile &tile, mlir::Value from, mlir::Value to) const;
  bool isAcross() const;
  bool emitSquares(KernelBuilder &builder, llvm::ArrayRef<mlir::Value> outer,
                   const Tile &tile, mlir::Value end,
                   mlir::Value columns) const;
  mlir::Value emitElements(KernelBuilder &builder,
                           llvm::ArrayRef<mlir::Value> variables, unsigned lane,
                           unsigned width) const;

  const Contraction &contraction;
  const PackedOperand &operand;
  const ResultColumns &columns;
  const Roles &roles;
  mlir::Value columnEnd, sumEnd;
  int64_t sumStep = 1;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_COLUMNPACKER_H
