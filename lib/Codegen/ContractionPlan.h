//===- ContractionPlan.h - How a contraction is computed --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which dimensions are rows, columns and sums, which operand is packed, and how
// many rows and columns are computed at once.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_CONTRACTIONPLAN_H
#define INLAY_LIB_CODEGEN_CONTRACTIONPLAN_H

#include "Epilogue.h"
#include "PackedOperand.h"

namespace inlay {

/// How many rows and columns are computed at once.
struct Tiles {
  int64_t rows, vectors;
  unsigned lanes;

  int64_t getColumns() const { return vectors * lanes; }
};

/// All that is decided before code is made.
class ContractionPlan {
public:
  ContractionPlan(const KernelBody &body, Contraction found,
                  const VectorUnit &unit)
      : contraction(std::move(found)),
        space(LoopPlan::get(contraction.extents),
              PackedOperand::getRanges(contraction)),
        epilogue(body, space), addedReader(body, space), a(body, contraction),
        b(body, contraction), unit(unit) {}

  /// False where another way has to be found.
  bool make();

  int64_t getNumRows() const { return contraction.getCount(roles.rows); }
  int64_t getNumColumns() const { return contraction.getCount(roles.columns); }
  int64_t getDepth() const { return contraction.getCount(roles.sums); }
  int64_t getNumProducts() const { return contraction.getCount(roles.batch); }
  int64_t getNumColumnTiles() const {
    return llvm::divideCeil(getNumColumns(), tiles.getColumns());
  }
  uint64_t countProducts() const {
    return uint64_t(getNumProducts()) * getNumRows() * getNumColumns() *
           getDepth();
  }
  /// How far apart rows are.
  int64_t getPitch() const;
  int64_t getNumRowTiles() const {
    return llvm::divideCeil(getNumRows(), panelRows);
  }

  Contraction contraction;
  LoopSpace space;
  Epilogue epilogue;
  Reader addedReader;
  unsigned added = 0;
  Roles roles;
  /// Rows are read from `a`, columns from `b`.
  PackedOperand a, b;
  Tiles tiles = {1, 1, 1};
  /// Elements of a row that are loaded at once.
  int64_t step = 1;
  /// How far apart rows are in memory, where they are read from there.
  std::optional<int64_t> directPitch;
  /// Rows that are computed for all columns at once, and parts that columns are
  /// cut into.
  int64_t panelRows = 1, numChunks = 1;
  /// The loop along which results lie side by side; none where there is only
  /// one.
  unsigned lane = ~0u;

private:
  bool planResults();
  void assignRoles();
  void mergeColumns();
  void orderSums();
  int64_t getMaxRows(int64_t vectors) const;
  bool chooseTiles();

  const VectorUnit &unit;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_CONTRACTIONPLAN_H
