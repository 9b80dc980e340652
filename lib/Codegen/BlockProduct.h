//===- BlockProduct.h - A block of rows times columns -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The innermost loops of products: as many rows and columns as registers take,
// over the whole sum. Each element is one chain of fused products in the order
// of the sum.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_BLOCKPRODUCT_H
#define INLAY_LIB_CODEGEN_BLOCKPRODUCT_H

#include "KernelBuilder.h"

namespace inlay {

/// How many rows and columns are computed at once.
struct Tiles {
  int64_t rows, vectors;
  unsigned lanes;

  int64_t getColumns() const { return vectors * lanes; }
};

/// Elements of a row that are loaded at once, if its sum lies side by side.
inline int64_t getRowStep(const VectorUnit &unit, bool isDense) {
  return unit.multipliesByLane && isDense ? unit.lanes : 1;
}

/// Rows of a block that fits into the registers, beside a row of columns and
/// what is loaded of rows: one element and the next, or a vector of each.
int64_t getMaxRows(const VectorUnit &unit, int64_t vectors, int64_t step);

/// How a block may be chosen. `areNear`: rows were put close together. Of equal
/// blocks the one with the first of `widths`, in vectors, is taken, and others
/// have to take `margin` times fewer cycles.
struct BlockChoice {
  const VectorUnit &unit;
  int64_t step;
  bool areNear;
  llvm::SmallVector<int64_t> widths;
  double margin = 1;

  /// The block that fits into the registers and takes the fewest cycles; all
  /// are of about the same size.
  Tiles choose(int64_t rows, int64_t columns) const;

private:
  double countCycles(const Tiles &tiles, int64_t rows, int64_t columns) const;
};

/// Rows that are read where they are, times columns that are packed.
struct BlockProduct {
  /// Where rows and columns of a block begin, and how many there are: rows of
  /// several lines that lie apart, or of one.
  struct Block {
    mlir::Value rows, columns;
    int64_t numRows, vectors;
    /// Where columns begin that will be needed later, if those are asked for,
    /// and how many of them a turn asks for where that is not the same for all
    /// blocks.
    mlir::Value ahead = {}, aheadStep = {};
    int64_t numLines = 1, lineStep = 0;
  };
  using Values = llvm::SmallVector<mlir::Value>;

  /// The sum over `length` elements that lie `apart` in each row: first `step`
  /// of them at once, each lane of which is multiplied by a row of columns,
  /// then what is left.
  Values multiply(KernelBuilder &builder, const Block &at, int64_t length,
                  mlir::ValueRange sums) const;
  /// The same for as many whole steps as `length` is.
  Values multiply(KernelBuilder &builder, const Block &at, mlir::Value length,
                  mlir::ValueRange sums) const;
  /// One turn of the sum: what each row has there, asked for when it is needed
  /// so that it takes one register, times a row of columns at `place`.
  Values multiplyLine(KernelBuilder &builder,
                      llvm::function_ref<mlir::Value(int64_t)> getLeft,
                      const Block &at, mlir::Value place,
                      mlir::ValueRange sums) const;
  /// Zeros to begin with.
  Values getZeros(KernelBuilder &builder, const Block &at) const;

  mlir::Value rows, columns;
  mlir::Type element;
  unsigned lanes;
  int64_t step, rowStep, apart;
  /// How many floats of later columns are asked for in each turn of the sum.
  int64_t aheadStep = 0;
  /// Turns of the sum that are written one after another, for blocks of so many
  /// sums at most.
  int64_t turnsAtOnce = 1, mostSums = 0;

private:
  int64_t getRowPlace(const Block &at, int64_t row) const {
    int64_t perLine = at.numRows / at.numLines;
    return row / perLine * at.lineStep + row % perLine * rowStep;
  }
  Values multiplyTurn(KernelBuilder &builder, const Block &at, mlir::Value k,
                      int64_t own, mlir::ValueRange sums) const;
  Values multiplyRun(KernelBuilder &builder, const Block &at, mlir::Value from,
                     mlir::Value to, int64_t own, int64_t numTurns,
                     mlir::ValueRange sums) const;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_BLOCKPRODUCT_H
