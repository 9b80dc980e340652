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

#include "BlockProduct.h"
#include "ProductResults.h"
#include "RowPanel.h"

namespace inlay {

/// All that is decided before code is made.
class ContractionPlan {
public:
  ContractionPlan(const KernelBody &body, Contraction found,
                  const VectorUnit &unit, const OpenDims *openDims = nullptr)
      : body(body), unit(unit), openDims(openDims),
        contraction(std::move(found)),
        space(LoopPlan::get(contraction.extents)),
        results(body, contraction, space), panel(body, contraction),
        b(body, contraction) {}
  ContractionPlan(const ContractionPlan &) = delete;

  /// False where another way has to be found.
  bool make();

  int64_t getDepth() const { return contraction.getCount(roles.sums); }
  int64_t getNumProducts() const { return contraction.getCount(roles.batch); }
  uint64_t countProducts() const;
  /// Turns of the outermost loop.
  int64_t getNumTurns() const {
    return getNumProducts() * panel.getNumPanels(roles) * numGroups * numChunks;
  }
  /// Rows of a line.
  int64_t getLineRows() const;
  /// Floats of one turn of the sum in packed rows: whole vectors.
  int64_t getPackedStep() const {
    return llvm::alignTo(columns.tiles.rows, columns.tiles.lanes);
  }
  /// Floats of a block of them.
  int64_t getPackedFloats() const { return getDepth() * getPackedStep(); }
  /// How far apart its rows are.
  int64_t getLineStep() const {
    return line.empty() ? 0 : panel.getStep(line.back());
  }
  /// Whether what is summed lies side by side.
  bool isRunDense() const {
    return !run.empty() && panel.getStep(run.back()) == 1;
  }
  /// How far apart what is summed is in a row.
  int64_t getRunStep() const {
    return run.empty() ? 1 : panel.getStep(run.back());
  }

  /// The length that a dimension of a result is of, if it is of one.
  std::optional<unsigned> getLength(unsigned dim) const {
    auto it = lengths.find(dim);
    return it == lengths.end() ? std::nullopt : std::optional(it->second);
  }
  /// That of the only such dimension.
  unsigned getOpenLength() const { return *getLength(*open); }
  /// Of what sizes blocks of rows are: where a line ends anywhere, of all.
  llvm::SmallVector<int64_t> getBlockSizes() const;
  /// Rows that a block may have: those of a tile, but where lines end anywhere
  /// as many as registers hold.
  int64_t getMostRows() const;
  /// How many lines a block of so many rows of each is of.
  int64_t getLinesAtOnce(int64_t rows) const;
  /// Whether lines of rows end where a length does.
  bool isLineOpen() const { return !line.empty() && getLength(line.front()); }
  /// Whether rows, or columns, end where an open length does.
  bool areRowsOpen() const {
    return open && roles.rows == llvm::SmallVector<unsigned>{*open};
  }
  bool areColumnsOpen() const {
    return open && roles.columns == llvm::SmallVector<unsigned>{*open};
  }
  /// Whether nothing meets along lengths but what windows copy, which ends
  /// there.
  bool endsAtLengths() const;
  /// The turns of the outermost loop that each block of the length needs.
  KernelCode::OpenTurns getOpenTurns() const;

  /// Floats of a whole tile of columns.
  int64_t getTileFloats() const {
    return getDepth() * columns.tiles.getColumns();
  }
  /// Blocks of rows of a panel, and of a line of it.
  int64_t countBlocks() const;
  int64_t getLineBlocks() const {
    return llvm::divideCeil(getLineRows(), columns.tiles.rows);
  }
  /// Tiles of columns of a turn.
  int64_t getChunkTiles() const;
  /// Sums of a tile of columns, and of a turn, where they are in memory.
  int64_t getTileSums() const { return countBlocks() * getBlockSums(); }
  /// Of a block, of as many rows as one may have.
  int64_t getBlockSums() const {
    return getMostRows() * columns.tiles.getColumns();
  }
  int64_t getSumFloats() const { return getChunkTiles() * getTileSums(); }
  /// Whether the next tile of columns is asked for while this one is multiplied
  /// by all blocks, a part by each.
  bool asksForNextTile() const;
  /// The first blocks of a panel, which do: each for as much.
  int64_t getAskingBlocks() const;
  /// How many lines ask for the same: those of a block of the largest.
  int64_t getAskingLines() const {
    return getLinesAtOnce(std::min(getLineRows(), columns.tiles.rows));
  }
  /// Floats of columns that are asked for in each turn of the sum for a block
  /// of rows; 0 where that does not pay.
  int64_t getAheadStep() const;
  /// How far ahead they are.
  int64_t getAheadDistance() const;

  /// How blocks are multiplied, from rows and packed columns in memory.
  BlockProduct getProduct(mlir::Value rows, mlir::Value packed) const;

  const KernelBody &body;
  const VectorUnit &unit;
  const OpenDims *openDims;
  Contraction contraction;
  LoopSpace space;
  ProductResults results;
  Roles roles;
  /// Rows are read from `a`, columns from `b`.
  RowPanel panel;
  PackedOperand b;
  ResultColumns columns;
  /// Elements of a row that are loaded at once.
  int64_t step = 1;
  /// Whether the rows of a block are packed, the sum's turns one after another,
  /// before they are multiplied by all columns.
  bool packsRows = false;
  /// Blocks that are packed before the first of them is multiplied, and groups
  /// of so many.
  int64_t packedBlocks = 1, numGroups = 1;
  /// Dimensions of rows that blocks are taken from, and those outside of them;
  /// and dimensions of the sum that lie side by side.
  llvm::SmallVector<unsigned> line, outerRows, run, outerSums;
  /// Whether the rows of a line are the same step apart.
  bool isLineEven = true;
  /// By dimension of a line, the part of it that is in a panel.
  Extents lineExtents;
  /// What follows the product may have one dimension for several of a line: the
  /// last of them. These are what is left, and their parts.
  llvm::SmallVector<unsigned> resultRows;
  Extents resultExtents;
  /// Those that are one.
  llvm::ArrayRef<unsigned> getMergedRows() const {
    return llvm::ArrayRef(line).drop_front(
        std::max<size_t>(resultRows.size(), 1) - 1);
  }
  /// By dimension of a result: the length that it is of.
  llvm::SmallDenseMap<unsigned, unsigned> lengths;
  /// The dimension of an open length, if only one is.
  std::optional<unsigned> open;
  /// Parts that columns are cut into.
  int64_t numChunks = 1;
  /// Terms that are multiplied before the next ones are, and parts of the sum
  /// of so many, the last of which may have less. Sums are in memory meanwhile.
  int64_t terms = 0, numTermParts = 1;
  /// Whether what follows is so little code that each row of a block has its
  /// own, and takes what is in registers.
  bool isShort = false;

private:
  bool isConstant(const Contraction::Operand &operand) const;
  bool keepsWeights() const;
  void assignRoles();
  void findOpen();
  void mergeColumns();
  void sliceSums();
  int64_t getSumRoom() const;
  void findRun();
  void findLine();
  bool mayPackRows() const;
  int64_t getMaxPackedRows() const;
  void choosePacking();
  void mergeRows();
  bool areColumnsFar(int64_t nearBytes) const;
  PanelLimits getLimits() const;
  void choosePackedTiles();
  void chooseTiles();
  void chooseTerms();
  void chooseChunks();
  void judgeEpilogue();
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_CONTRACTIONPLAN_H
