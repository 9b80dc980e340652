//===- ContractionTemplate.cpp - Products of matrices ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows are of one operand, columns of the other and side by side in the result.
// The columns are packed before anything runs (`ColumnPacker`). Rows come in
// panels, from where they are or from a copy. A block of rows times a tile
// of columns stays in registers for the whole sum: each element is one chain of
// fused products in the order of the sum, whatever the tiles. What follows the
// product is computed from the block while it is in the cache.
//
//===----------------------------------------------------------------------===//

#include "ColumnPacker.h"
#include "ContractionPlan.h"
#include "PlanText.h"
#include "RowPacker.h"
#include "Templates.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace inlay;
using namespace mlir;

/// Turns of the sum over packed rows that are written one after another.
static constexpr int64_t packedUnroll = 4;

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

namespace {
/// A panel of rows times tiles of columns.
class ProductEmitter {
public:
  ProductEmitter(KernelBuilder &builder, const ContractionPlan &plan)
      : builder(builder), plan(plan), memory(plan.panel.getMemory(builder)),
        block(builder.allocate((plan.columns.arePairs ? 2 : 1) *
                               plan.getMostRows() *
                               plan.columns.tiles.getColumns())),
        blockProduct(plan.getProduct(memory, builder.getOther(0))) {
    if (plan.packsRows)
      packedRows = builder.allocate(plan.packedBlocks * plan.getPackedFloats());
    if (plan.numTermParts != 1)
      sums = builder.allocate(plan.getSumFloats());
  }

  bool emit();

private:
  using Block = BlockProduct::Block;

  void emitTurn(Value turn);
  void startPanel(Value number);
  void copyPanel();
  void makeOnce(Value turn, int64_t turns, llvm::function_ref<void()> make);
  /// Where a line begins, or the first of several that are computed at once.
  using Lines = llvm::function_ref<void(Value start, int64_t numLines)>;
  void emitLines(size_t depth, Value start, int64_t atOnce, Lines emit);
  /// A tile of columns, and where its sums are.
  struct ColumnTile : ResultTile {
    Value sums;
  };
  /// A part of the sum.
  struct Terms {
    Value first;
    int64_t count;
    bool areLast;
  };
  /// How many rows of how many lines are in a block.
  struct BlockSize {
    int64_t rows, lines;
  };
  void emitTerms(Value from, Value to);
  Value getBlockSize(Value all, int64_t most, Value &computed);
  void emitRows(const ColumnTile &tile, const Terms &terms);
  void emitRowsOfSize(Value size, ArrayRef<int64_t> sizes,
                      const ColumnTile &tile, const Terms &terms);
  void emitBlocks(Value start, const BlockSize &size, const ColumnTile &tile,
                  const Terms &terms);
  void clearSums(Value from, Value to);
  SmallVector<Value> loadSums(const Block &at, Value place);
  void storeSums(ValueRange values, Value place);
  /// Rows of a line, and where a group of them begins and ends.
  struct RowRange {
    Value begin, end;
  };
  Value getDone();
  Value getRowEnd(unsigned dim) const;
  Value getLineEnd() const;
  Value getColumnEnd() const;
  RowRange getGroup(Value group);
  void packLine(Value start, const RowRange &rows);
  void multiplyLine(const RowRange &rows, Value from, Value to);
  /// A block of a line: its first row, and the first one that is to be
  /// finished, as those in front of it are in another block, too; which block
  /// of the line it is; and so much of how many lines.
  struct RowBlock {
    Value first, from, number;
    int64_t count, lines = 1;
  };
  using Blocks = llvm::function_ref<void(const RowBlock &)>;
  void emitBlocksOf(const RowRange &rows, int64_t count, Blocks emit);
  Value getColumns(Value tile);
  Value getNumber(const RowBlock &block);
  Value getPlaceAhead(const RowBlock &block, Value columns);
  void stopAsking(const RowBlock &block, Block &own);
  Value getPackedPlace(const RowRange &rows, const RowBlock &block);
  void prefetchColumns(Value place, int64_t count);
  SmallVector<Value> multiplyPacked(const Block &at, LoopRange range,
                                    int64_t step, ValueRange sums);
  void storeBlock(ValueRange sums, int64_t vectors, int64_t rowStride,
                  int64_t from);
  SmallVector<Value> multiply(ArrayRef<unsigned> outer, const Block &at,
                              ValueRange sums);
  SmallVector<Value> multiplyBlock(const Block &at);
  void finish(ValueRange sums, const RowBlock &rows, const ResultTile &tile);
  void finishLine(ValueRange sums, const RowBlock &rows,
                  const ResultTile &tile);
  void finishRegisters(ValueRange sums, const RowBlock &rows,
                       const ResultTile &tile);
  void finishRows(const RowBlock &rows, const ResultTile &tile);
  SmallVector<Value> getRow(Value number);

  KernelBuilder &builder;
  const ContractionPlan &plan;
  /// What rows are read from, where the panel begins, and the results of a
  /// block.
  Value memory, panelStart, block;
  BlockProduct blockProduct;
  /// The rows of a block, where they are packed, and sums of some terms.
  Value packedRows, sums;
  /// Which product, its number, and where the panel begins.
  SmallVector<Value> variables;
  Value product;
  /// Which line of the panel.
  Value lineNumber;
  /// By dimension: how much of it another panel computes.
  SmallVector<Value> skipped;
  bool hasCode = true;
};
} // namespace

/// The sum over its dimensions `outer` and what lies side by side.
SmallVector<Value> ProductEmitter::multiply(ArrayRef<unsigned> outer,
                                            const Block &at, ValueRange sums) {
  const Contraction &contraction = plan.contraction;
  if (!outer.empty()) {
    unsigned dim = outer.front();
    ArrayRef<unsigned> inner = outer.drop_front();
    int64_t width = at.vectors * plan.columns.tiles.lanes;
    int64_t apart =
        contraction.getCount(inner) * contraction.getCount(plan.run) * width;
    auto body = [&](Value count, ValueRange carried) {
      Block own = at;
      own.rows =
          builder.add(at.rows, builder.mul(count, plan.panel.getStep(dim)));
      own.columns = builder.add(at.columns, builder.mul(count, apart));
      if (at.ahead)
        own.ahead = builder.add(
            at.ahead, builder.mul(count, apart / width * plan.getAheadStep()));
      return multiply(inner, own, carried);
    };
    return llvm::to_vector(
        builder.loop(builder.number(0),
                     builder.number(contraction.extents[dim]), 1, sums, body));
  }
  return blockProduct.multiply(builder, at, contraction.getCount(plan.run),
                               sums);
}

/// Asks for columns that are needed in a while, as many as are now: rows are in
/// a cache, but columns pass by, and come from farther away than the CPU looks
/// ahead by itself.
void ProductEmitter::prefetchColumns(Value place, int64_t count) {
  int64_t ahead = plan.unit.bytesAhead / sizeof(float);
  if (ahead != 0)
    builder.prefetchFloats(builder.getOther(0),
                           builder.add(place, builder.number(ahead)), count);
}

/// Turns of the sum over packed rows, `step` of them written one after another.
SmallVector<Value> ProductEmitter::multiplyPacked(const Block &at,
                                                  LoopRange range, int64_t step,
                                                  ValueRange sums) {
  int64_t width = at.vectors * plan.columns.tiles.lanes,
          lanes = plan.columns.tiles.lanes;
  int64_t apart = plan.getPackedStep();
  auto multiply = [&](Value k, ValueRange carried) {
    SmallVector<Value> next(carried);
    prefetchColumns(builder.add(at.columns, builder.mul(k, width)),
                    step * width);
    for (int64_t turn = 0; turn < step; ++turn) {
      Value own = builder.add(k, builder.number(turn));
      SmallVector<Value> left;
      for (int64_t row = 0; row < apart; row += lanes)
        left.push_back(builder.loadFloats(
            packedRows,
            builder.add(builder.add(at.rows, builder.mul(own, apart)),
                        builder.number(row)),
            lanes));
      next = blockProduct.multiplyLine(
          builder,
          [&](int64_t i) {
            return builder.create<vector::ExtractOp>(left[i / lanes],
                                                     i % lanes);
          },
          at, builder.add(at.columns, builder.mul(own, width)), next);
    }
    return next;
  };
  return llvm::to_vector(builder.loop(builder.number(range.low),
                                      builder.number(range.high), step, sums,
                                      multiply));
}

/// The sums of a tile, so many vectors a row, as a part of the block, whose
/// rows are so far apart.
void ProductEmitter::storeBlock(ValueRange sums, int64_t vectors,
                                int64_t rowStride, int64_t from) {
  int64_t lanes = plan.columns.tiles.lanes;
  for (auto [i, sum] : llvm::enumerate(sums))
    builder.storeFloats(sum, block,
                        builder.number(int64_t(i) / vectors * rowStride + from +
                                       int64_t(i) % vectors * lanes));
}

/// In registers over the whole sum.
SmallVector<Value> ProductEmitter::multiplyBlock(const Block &at) {
  SmallVector<Value> sums = blockProduct.getZeros(builder, at);
  if (!plan.packsRows)
    return multiply(plan.outerSums, at, sums);
  int64_t depth = plan.getDepth(), whole = depth - depth % packedUnroll;
  if (whole != 0)
    sums = multiplyPacked(at, {0, whole}, packedUnroll, sums);
  if (whole != depth)
    sums = multiplyPacked(at, {whole, depth}, 1, sums);
  return sums;
}

//===----------------------------------------------------------------------===//
// What follows the product
//===----------------------------------------------------------------------===//

/// Where row `number` of a line is.
SmallVector<Value> ProductEmitter::getRow(Value number) {
  SmallVector<Value> own = variables;
  builder.splitCount(plan.resultRows, plan.resultExtents, number, own);
  // Only a part of the outermost dimension is in a panel.
  Value start = builder.number(0);
  for (unsigned dim : plan.getMergedRows())
    start = builder.add(builder.mul(start, plan.contraction.extents[dim]),
                        variables[dim]);
  for (unsigned dim : plan.resultRows)
    own[dim] = builder.add(
        own[dim], dim == plan.resultRows.back() ? start : variables[dim]);
  return own;
}

/// Rows of a block that another one has not.
void ProductEmitter::finishRows(const RowBlock &rows, const ResultTile &tile) {
  Value end = builder.add(rows.first, builder.number(rows.count));
  builder.loop(rows.from, end, 1, [&](Value at) {
    Value from = builder.mul(builder.sub(at, rows.first),
                             tile.vectors * plan.columns.tiles.lanes);
    hasCode &= plan.results.emitRow(builder, plan.columns, getRow(at), block,
                                    from, tile);
  });
}

/// All rows of a block, one after another.
void ProductEmitter::finishRegisters(ValueRange sums, const RowBlock &rows,
                                     const ResultTile &tile) {
  for (int64_t i = 0; i < rows.count; ++i) {
    SmallVector<Value> own(sums.slice(i * tile.vectors, tile.vectors));
    SmallVector<Value> row = getRow(builder.add(rows.first, builder.number(i)));
    hasCode &=
        plan.results.emitTile(builder, plan.columns, row, own, tile.number);
  }
}

/// From registers, or from memory where a part of the block is left out or what
/// follows is much code.
void ProductEmitter::finishLine(ValueRange sums, const RowBlock &rows,
                                const ResultTile &tile) {
  int64_t lanes = plan.columns.tiles.lanes;
  auto finishStored = [&] {
    storeBlock(sums, tile.vectors, tile.vectors * lanes, /*from=*/0);
    finishRows(rows, tile);
  };
  bool areWhole = plan.columns.isWide && tile.columns % lanes == 0;
  if (!plan.isShort || !areWhole)
    return finishStored();
  Value isAll = builder.create<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                              rows.first, rows.from);
  builder.choose(
      isAll, [&] { finishRegisters(sums, rows, tile); }, finishStored);
}

void ProductEmitter::finish(ValueRange sums, const RowBlock &rows,
                            const ResultTile &tile) {
  if (rows.lines == 1)
    return finishLine(sums, rows, tile);
  Value &line = variables[plan.outerRows.back()];
  Value first = line;
  size_t numSums = rows.count * tile.vectors;
  for (int64_t i = 0; i < rows.lines; ++i) {
    line = builder.add(first, builder.number(i));
    finishLine(sums.slice(i * numSums, numSums), rows, tile);
  }
  line = first;
}

/// Where the columns of a tile were packed.
Value ProductEmitter::getColumns(Value tile) {
  Value index =
      builder.add(builder.mul(product, plan.columns.getNumTiles()), tile);
  return builder.mul(index, plan.getTileFloats());
}

/// Rows of a line that another panel computes.
Value ProductEmitter::getDone() {
  if (plan.line.empty())
    return builder.number(0);
  // Dimensions are in a line from the outermost on.
  unsigned outermost = plan.line.front();
  return builder.mul(skipped[outermost],
                     plan.getLineRows() / plan.panel.getChunk(outermost));
}

/// How much of a panel's part of a row's dimension is in front of where a
/// length ends.
Value ProductEmitter::getRowEnd(unsigned dim) const {
  Value all = builder.number(plan.panel.getChunk(dim));
  std::optional<unsigned> length = plan.getLength(dim);
  if (!length)
    return all;
  return builder.min(all,
                     builder.sub(builder.getLength(*length), variables[dim]));
}

/// Where the rows of a line end, of which the last ones may be behind a length.
Value ProductEmitter::getLineEnd() const {
  int64_t all = plan.getLineRows();
  if (plan.line.empty())
    return builder.number(all);
  unsigned outermost = plan.line.front();
  return builder.mul(getRowEnd(outermost),
                     all / plan.panel.getChunk(outermost));
}

/// The number of tiles of columns, of which the last ones may be.
Value ProductEmitter::getColumnEnd() const {
  Value all = builder.number(plan.columns.getNumTiles());
  if (!plan.areColumnsOpen())
    return all;
  Value needed = builder.divideUp(builder.getLength(plan.getOpenLength()),
                                  plan.columns.tiles.getColumns());
  if (plan.columns.arePairs)
    needed = builder.mul(builder.divideUp(needed, 2), 2);
  return builder.min(all, needed);
}

ProductEmitter::RowRange ProductEmitter::getGroup(Value group) {
  int64_t rows = plan.packedBlocks * plan.columns.tiles.rows;
  Value begin = builder.add(getDone(), builder.mul(group, rows));
  Value end =
      builder.min(getLineEnd(), builder.add(begin, builder.number(rows)));
  return {begin, end};
}

/// Blocks of so many rows of a line. The last one of the line ends where that
/// ends: what it has in common with the one before is not finished again, since
/// that may have been written over.
void ProductEmitter::emitBlocksOf(const RowRange &rows, int64_t count,
                                  Blocks emit) {
  Value last = builder.number(plan.getLineRows() - count);
  builder.loop(rows.begin, rows.end, count, [&](Value row) {
    Value number = builder.create<arith::DivUIOp>(builder.sub(row, rows.begin),
                                                  builder.number(count));
    emit({builder.min(row, last), row, number, count});
  });
}

/// Which block of the panel it is.
Value ProductEmitter::getNumber(const RowBlock &block) {
  return builder.add(builder.mul(lineNumber, plan.getLineBlocks()),
                     block.number);
}

/// Which columns are asked for while a block of rows is multiplied; null where
/// none are.
Value ProductEmitter::getPlaceAhead(const RowBlock &block, Value columns) {
  if (plan.getAheadStep() == 0)
    return {};
  Value place = builder.add(columns, builder.number(plan.getAheadDistance()));
  if (!plan.asksForNextTile())
    return place;
  Value number = getNumber(block);
  if (int64_t lines = plan.getAskingLines(); lines > 1)
    number = builder.create<arith::DivUIOp>(number, builder.number(lines));
  return builder.add(place,
                     builder.mul(number, plan.terms * plan.getAheadStep()));
}

/// Blocks behind those that ask for the next tile ask for what they load
/// anyway, which costs nothing.
void ProductEmitter::stopAsking(const RowBlock &block, Block &own) {
  if (!own.ahead || !plan.asksForNextTile() || plan.getAskingLines() > 1 ||
      plan.getAskingBlocks() == plan.countBlocks())
    return;
  Value asks =
      builder.create<arith::CmpIOp>(arith::CmpIPredicate::ult, getNumber(block),
                                    builder.number(plan.getAskingBlocks()));
  own.ahead = builder.create<arith::SelectOp>(asks, own.ahead, own.columns);
  own.aheadStep = builder.create<arith::SelectOp>(
      asks, builder.number(plan.getAheadStep()),
      builder.number(own.vectors * plan.columns.tiles.lanes));
}

/// Of each tile of columns those of the blocks that are there: none where all
/// rows of the panel are behind an open length.
void ProductEmitter::clearSums(Value from, Value to) {
  unsigned lanes = plan.columns.tiles.lanes;
  Value zero = builder.constant(getWide(plan.contraction.element, lanes), 0);
  Value count = builder.number(plan.getTileSums());
  if (plan.areRowsOpen()) {
    Value rows = builder.max(getLineEnd(), builder.number(0));
    count = builder.mul(builder.divideUp(rows, plan.columns.tiles.rows),
                        plan.getBlockSums());
  }
  builder.loop(from, to, 1, [&](Value tile) {
    Value first = builder.mul(builder.sub(tile, from), plan.getTileSums());
    builder.loop(builder.number(0), count, lanes, [&](Value at) {
      builder.storeFloats(zero, sums, builder.add(first, at));
    });
  });
}

SmallVector<Value> ProductEmitter::loadSums(const Block &at, Value place) {
  SmallVector<Value> loaded;
  unsigned lanes = plan.columns.tiles.lanes;
  for (int64_t i = 0; i < at.numRows * at.vectors; ++i)
    loaded.push_back(
        builder.loadFloats(sums, builder.add(place, builder.number(i * lanes)),
                           lanes, plan.contraction.element));
  return loaded;
}

void ProductEmitter::storeSums(ValueRange values, Value place) {
  for (auto [i, value] : llvm::enumerate(values))
    builder.storeFloats(
        value, sums,
        builder.add(place,
                    builder.number(int64_t(i) * plan.columns.tiles.lanes)));
}

/// Rows of lines that are read as they are, for one tile of columns.
void ProductEmitter::emitBlocks(Value start, const BlockSize &size,
                                const ColumnTile &tile, const Terms &terms) {
  int64_t width = tile.vectors * plan.columns.tiles.lanes;
  Value columns =
      builder.add(getColumns(tile.number), builder.mul(terms.first, width));
  // A copy has these terms only.
  bool isSliced = plan.panel.getSliced().has_value();
  Value first =
      isSliced
          ? start
          : builder.add(start, builder.mul(terms.first, plan.getRunStep()));
  RowRange rows = {getDone(), getLineEnd()};
  emitBlocksOf(rows, size.rows, [&](RowBlock block) {
    block.lines = size.lines;
    Value at = builder.add(first, builder.mul(block.first, plan.getLineStep()));
    Block own = {at, columns, size.rows * size.lines, tile.vectors,
                 getPlaceAhead(block, columns)};
    stopAsking(block, own);
    if (size.lines > 1) {
      own.numLines = size.lines;
      own.lineStep = plan.panel.getStep(plan.outerRows.back());
    }
    if (plan.numTermParts == 1)
      return finish(multiplyBlock(own), block, tile);
    Value place = builder.add(
        tile.sums, builder.mul(getNumber(block), plan.getBlockSums()));
    SmallVector<Value> before = loadSums(own, place);
    SmallVector<Value> sums =
        isSliced ? multiply(plan.outerSums, own, before)
                 : blockProduct.multiply(builder, own, terms.count, before);
    if (terms.areLast)
      return finish(sums, block, tile);
    storeSums(sums, place);
  });
}

/// In blocks of the least of the sizes that is enough. Where that leaves room,
/// a block has rows of several lines.
void ProductEmitter::emitRowsOfSize(Value size, ArrayRef<int64_t> sizes,
                                    const ColumnTile &tile,
                                    const Terms &terms) {
  if (sizes.size() == 1) {
    int64_t rows = sizes.front(), lines = plan.getLinesAtOnce(rows);
    return emitLines(0, panelStart, lines, [&](Value start, int64_t count) {
      emitBlocks(start, {rows, count}, tile, terms);
    });
  }
  size_t half = sizes.size() / 2;
  Value isSmall = builder.create<arith::CmpIOp>(
      arith::CmpIPredicate::ule, size, builder.number(sizes[half - 1]));
  builder.choose(
      isSmall,
      [&] { emitRowsOfSize(size, sizes.take_front(half), tile, terms); },
      [&] { emitRowsOfSize(size, sizes.drop_front(half), tile, terms); });
}

/// Of what size blocks of a line are that ends anywhere: all alike, and as few
/// as there can be of `most` rows. How many rows that makes is in `computed`.
Value ProductEmitter::getBlockSize(Value all, int64_t most, Value &computed) {
  Value blocks = builder.divideUp(all, most);
  Value size = builder.create<arith::DivUIOp>(
      builder.sub(builder.add(all, blocks), builder.number(1)), blocks);
  computed = builder.create<arith::MulIOp>(size, blocks);
  return size;
}

/// All rows of the panel for one tile of columns. Where a length ends anywhere,
/// blocks are as large as there can be, or of a tile's size where those make
/// fewer rows.
void ProductEmitter::emitRows(const ColumnTile &tile, const Terms &terms) {
  SmallVector<int64_t> sizes = plan.getBlockSizes();
  if (sizes.size() == 1)
    return emitRowsOfSize(/*size=*/{}, sizes, tile, terms);
  Value all =
      builder.max(builder.sub(getLineEnd(), getDone()), builder.number(1));
  Value large, small;
  Value most = getBlockSize(all, plan.getMostRows(), large),
        usual = getBlockSize(all, plan.columns.tiles.rows, small);
  Value areFew =
      builder.create<arith::CmpIOp>(arith::CmpIPredicate::ule, large, small);
  Value size = builder.create<arith::SelectOp>(areFew, most, usual);
  emitRowsOfSize(size, sizes, tile, terms);
}

/// Where a block of a group was packed.
Value ProductEmitter::getPackedPlace(const RowRange &rows,
                                     const RowBlock &block) {
  return builder.mul(block.number, plan.getPackedFloats());
}

void ProductEmitter::packLine(Value start, const RowRange &rows) {
  RowPacker packer(builder, plan, memory, packedRows);
  emitBlocksOf(rows, plan.columns.tiles.rows, [&](const RowBlock &block) {
    packer.emit(start, block.first, getPackedPlace(rows, block));
  });
}

/// Rows that are packed, times tiles of columns.
void ProductEmitter::multiplyLine(const RowRange &rows, Value from, Value to) {
  int64_t numRows = plan.columns.tiles.rows;
  auto multiplyTile = [&](const RowBlock &block, Value tile, int64_t vectors) {
    return multiplyBlock(
        {getPackedPlace(rows, block), getColumns(tile), block.count, vectors});
  };
  if (plan.columns.arePairs)
    return builder.loop(from, to, 2, [&](Value tile) {
      emitBlocksOf(rows, numRows, [&](const RowBlock &block) {
        int64_t vectors = plan.columns.tiles.vectors,
                width = plan.columns.tiles.getColumns();
        for (int64_t i = 0; i < 2; ++i) {
          Value own = builder.add(tile, builder.number(i));
          storeBlock(multiplyTile(block, own, vectors), vectors, 2 * width,
                     i * width);
        }
        finishRows(block, {tile, 2 * width, 2 * vectors});
      });
    });
  forEachTile(builder, plan.columns, from, to, [&](const ResultTile &tile) {
    emitBlocksOf(rows, numRows, [&](const RowBlock &block) {
      finish(multiplyTile(block, tile.number, tile.vectors), block, tile);
    });
  });
}

/// All lines of the panel, as many at once as wanted, or else one by one.
void ProductEmitter::emitLines(size_t depth, Value start, int64_t atOnce,
                               Lines emit) {
  if (depth == 0)
    lineNumber = builder.number(0);
  if (depth == plan.outerRows.size())
    return emit(start, 1);
  unsigned dim = plan.outerRows[depth];
  bool isLast = depth + 1 == plan.outerRows.size();
  Value first = variables[dim], linesBefore = lineNumber;
  auto emitPart = [&](Value from, Value to, int64_t numLines) {
    builder.loop(from, to, numLines, [&](Value count) {
      variables[dim] = builder.add(first, count);
      lineNumber = builder.add(
          builder.mul(linesBefore, plan.panel.getChunk(dim)), count);
      Value at =
          builder.add(start, builder.mul(count, plan.panel.getStep(dim)));
      if (numLines > 1)
        emit(at, numLines);
      else
        emitLines(depth + 1, at, atOnce, emit);
    });
  };
  Value from = skipped[dim], end = getRowEnd(dim);
  if (isLast && atOnce > 1) {
    Value all = builder.max(builder.sub(end, from), builder.number(0));
    Value rest = builder.create<arith::RemUIOp>(all, builder.number(atOnce));
    Value whole = builder.add(from, builder.sub(all, rest));
    emitPart(from, whole, atOnce);
    from = whole;
  }
  emitPart(from, end, 1);
  variables[dim] = first;
}

/// All rows of the panel times tiles of columns, some terms at a time.
void ProductEmitter::emitTerms(Value from, Value to) {
  auto emitPart = [&](Value part, int64_t count, bool areLast) {
    if (std::optional<unsigned> dim = plan.panel.getSliced()) {
      variables[*dim] = part;
      copyPanel();
      variables[*dim] = builder.number(0);
    }
    Terms terms = {builder.mul(part, plan.terms), count, areLast};
    forEachTile(builder, plan.columns, from, to, [&](const ResultTile &tile) {
      Value number = builder.sub(tile.number, from);
      emitRows({tile, builder.mul(number, plan.getTileSums())}, terms);
    });
  };
  int64_t last = plan.numTermParts - 1,
          rest = plan.getDepth() - last * plan.terms;
  if (last != 0) {
    clearSums(from, to);
    builder.loop(builder.number(0), builder.number(last), 1, [&](Value part) {
      emitPart(part, plan.terms, /*areLast=*/false);
    });
  }
  emitPart(builder.number(last), rest, /*areLast=*/true);
}

/// Panels are of one size: the last one begins earlier, and skips what others
/// compute.
void ProductEmitter::startPanel(Value number) {
  const RowPanel &panel = plan.panel;
  Extents counts = plan.contraction.extents;
  for (unsigned dim : plan.roles.rows)
    counts[dim] = llvm::divideCeil(counts[dim], panel.getChunk(dim));
  builder.splitCount(plan.roles.rows, counts, number, variables);
  skipped.assign(variables.size(), builder.number(0));
  for (unsigned dim : plan.roles.rows) {
    int64_t chunk = panel.getChunk(dim);
    Value wanted = builder.mul(variables[dim], chunk);
    variables[dim] = builder.min(
        wanted, builder.number(plan.contraction.extents[dim] - chunk));
    skipped[dim] = builder.sub(wanted, variables[dim]);
  }
  panelStart = panel.emitStart(builder, variables);
}

/// What is the same for so many turns is made by the first of them that is run.
void ProductEmitter::makeOnce(Value turn, int64_t turns,
                              llvm::function_ref<void()> make) {
  if (turns == 1)
    return make();
  auto areEqual = [&](Value a, Value b) -> Value {
    return builder.create<arith::CmpIOp>(arith::CmpIPredicate::eq, a, b);
  };
  Value number = builder.create<arith::RemUIOp>(turn, builder.number(turns));
  Value isFirst = builder.create<arith::OrIOp>(
      areEqual(number, builder.number(0)), areEqual(turn, builder.getBegin()));
  builder.choose(isFirst, make, [] {});
}

void ProductEmitter::copyPanel() {
  hasCode &=
      plan.panel.emitCopy(builder, variables, memory, plan.columns.tiles.lanes);
}

void ProductEmitter::emitTurn(Value turn) {
  Value rest = turn;
  auto takeOff = [&](int64_t count) {
    Value number = builder.number(count);
    Value own = builder.create<arith::RemUIOp>(rest, number);
    rest = builder.create<arith::DivUIOp>(rest, number);
    return own;
  };
  Value chunk = takeOff(plan.numChunks), group = takeOff(plan.numGroups);
  Value number = takeOff(plan.panel.getNumPanels(plan.roles));
  product = rest;
  variables.assign(plan.contraction.extents.size(), builder.number(0));
  builder.splitCount(plan.roles.batch, plan.contraction.extents, product,
                     variables);
  startPanel(number);
  if (plan.panel.isCopied() && !plan.panel.getSliced())
    makeOnce(turn, plan.numGroups * plan.numChunks, [&] { copyPanel(); });
  int64_t perChunk = plan.getChunkTiles();
  Value from = builder.mul(chunk, perChunk);
  Value to =
      builder.min(getColumnEnd(), builder.add(from, builder.number(perChunk)));
  if (!plan.packsRows)
    return emitTerms(from, to);
  emitLines(0, panelStart, /*atOnce=*/1, [&](Value start, int64_t) {
    RowRange rows = getGroup(group);
    // Another line takes the place of this one.
    makeOnce(turn, plan.outerRows.empty() ? plan.numChunks : 1,
             [&] { packLine(start, rows); });
    multiplyLine(rows, from, to);
  });
}

bool ProductEmitter::emit() {
  builder.loop(builder.getBegin(), builder.getEnd(), 1,
               [&](Value turn) { emitTurn(turn); });
  return hasCode;
}

//===----------------------------------------------------------------------===//
// The template
//===----------------------------------------------------------------------===//

std::optional<KernelCode> inlay::emitContraction(const KernelBody &body,
                                                 const TemplateTarget &target) {
  std::optional<Contraction> found = Contraction::find(body);
  if (!found)
    return std::nullopt;
  ContractionPlan plan(body, std::move(*found), target.unit, target.open);
  if (!plan.make())
    return std::nullopt;
  std::string packName = (target.name + "_pack").str();
  KernelBuilder packing(target.module, packName, body, /*numOthers=*/1);
  KernelBuilder kernel(target.module, target.name, body, /*numOthers=*/1);
  ProductEmitter emitter(kernel, plan);
  ColumnPacker packer(plan.contraction, plan.b, plan.columns, plan.roles);
  if (!packer.emit(packing) || !emitter.emit()) {
    packing.discard();
    kernel.discard();
    return std::nullopt;
  }
  KernelCode::Packing packed{packName, packer.getNumTurns(),
                             packer.getNumBytes(), plan.b.readsConstants(),
                             kernel.getUnusedReads()};
  if (plan.areColumnsOpen() && plan.getNumProducts() == 1)
    packed.open = {plan.columns.tiles.getColumns(), 1, plan.getOpenLength()};
  KernelCode code{target.name.str(), body.reads,
                  body.results,      plan.getNumTurns(),
                  std::move(packed), "contraction",
                  describe(plan),    2 * plan.countProducts()};
  code.open = plan.getOpenTurns();
  if (plan.endsAtLengths())
    code.looksBehind = KernelCode::Behind::None;
  return code;
}
