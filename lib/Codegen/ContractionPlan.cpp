//===- ContractionPlan.cpp - How a contraction is computed ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionPlan.h"
#include "OpenDims.h"
#include "WindowDims.h"
#include "inlay/Codegen/ElementInterface.h"

using namespace inlay;
using namespace mlir;

/// Operators behind the product for which each row has code of its own.
static constexpr size_t maxShort = 4;
/// Terms of a sum that take much longer than to write its result alone.
static constexpr int64_t minScatteredDepth = 256;
/// Parts that a kernel has at least, where it can, so that threads have some.
static constexpr int64_t minParts = 8;
/// Panels of copied rows where columns come from far away for each of them.
static constexpr int64_t fewParts = 2;
/// Turns that a kernel has at least, where there are columns for that: threads
/// are done at about the same time only if the last turn of one is short.
static constexpr int64_t minTurns = 32;
/// Rows of a panel that is read from the tensor, and floats of them, beyond the
/// fewest: they stay in a cache of the first level for all columns.
static constexpr int64_t minDirectRows = 20, maxDirectRows = 256,
                         maxDirectFloats = 4096;
/// Rows of a panel that is copied, and floats of the copy: they stay in a cache
/// of the second level.
static constexpr int64_t maxCopiedRows = 512, maxFloats = 60 * 1024;
/// Rows that are packed at once, fewer where they are long, and floats of all
/// that are packed.
static constexpr int64_t packedRows = 12, maxPackedDepth = 3750,
                         fewPackedRows = 8, maxFewDepth = 5000,
                         maxPackedFloats = 57 * 1024;
/// Columns that are mostly still in a cache when the next rows need them; more
/// where rows are copied, as there are fewer of them then.
static constexpr int64_t maxNearBytes = 1 << 20, maxNearCopied = 3 << 20;
/// A tile that is asked for as a whole has at most so many floats, as it shares
/// the second cache with the one before; of larger ones, and where no block
/// would follow, what is so far ahead.
static constexpr int64_t maxFloatsAhead = 160 * 1024, floatsAhead = 4096;
/// Rows for which it takes about as long to multiply as columns take to come.
static constexpr int64_t fewRows = 1024;
/// What blocks of fewer vectors take more than their products and loads do,
/// where rows are loaded as vectors.
static constexpr double narrowCost = 1.1;
/// Taps that a window is copied for one after another, and room for sums of a
/// row beside the copy: of a tile of four vectors, or of one vector in blocks
/// that are half empty.
static constexpr int64_t maxSlices = 8, floatsOfSums = 64;
/// What rows that end anywhere are often a multiple of.
static constexpr int64_t usualRows = 64;
/// Vectors of a tile where rows or columns end where an open length does.
static constexpr int64_t maxOpenVectors = 2;
/// Sums of a block, in vectors, that products do not wait for.
static constexpr int64_t enoughSums = 16;
/// Registers that are no sums where several turns of one are written one after
/// another: with fewer of them LLVM spills sums.
static constexpr int64_t freeRegisters = 5;
/// Vectors of columns beside them.
static constexpr int64_t packedVectors = 2;
/// With fewer columns packing a row takes longer than it saves, and with
/// shorter rows, and where there are few of them.
static constexpr int64_t minPackedColumns = 96, minPackedDepth = 48,
                         minPackedRows = 6;

uint64_t ContractionPlan::countProducts() const {
  uint64_t rows = contraction.getCount(roles.rows);
  return rows * getNumProducts() * columns.count * getDepth();
}

int64_t ContractionPlan::getLineRows() const {
  int64_t count = 1;
  for (unsigned dim : line)
    count *= panel.getChunk(dim);
  return count;
}

int64_t ContractionPlan::getAheadDistance() const {
  return asksForNextTile() ? getTileFloats() : floatsAhead;
}

BlockProduct ContractionPlan::getProduct(Value rows, Value packed) const {
  return {rows,
          packed,
          contraction.element,
          columns.tiles.lanes,
          step,
          getLineStep(),
          getRunStep(),
          getAheadStep(),
          unit.turnsAtOnce,
          int64_t(unit.registers) - freeRegisters};
}

int64_t ContractionPlan::countBlocks() const {
  int64_t count = getLineBlocks();
  for (unsigned dim : outerRows)
    count *= panel.getChunk(dim);
  return count;
}

int64_t ContractionPlan::getAskingBlocks() const {
  int64_t count = llvm::divideCeil(countBlocks(), getAskingLines());
  // There may be few where rows end anywhere, so that each asks for a line of
  // the cache in every turn of the sum.
  return areRowsOpen() ? std::min(count, columns.tiles.vectors) : count;
}

bool ContractionPlan::asksForNextTile() const {
  return countBlocks() > 1 && getTileFloats() <= maxFloatsAhead;
}

/// So many in each turn that all of the next tile has been asked for when the
/// last block of rows is done; none where columns come from memory once for
/// many rows.
int64_t ContractionPlan::getAheadStep() const {
  bool areNear = contraction.getCount(roles.rows) > fewRows &&
                 !areColumnsFar(maxNearBytes);
  if (packsRows || areNear || countBlocks() > unit.blocksAhead)
    return 0;
  return llvm::divideCeil(columns.tiles.getColumns(),
                          asksForNextTile() ? getAskingBlocks() : 1);
}

/// Weights are packed once, data in each run.
bool ContractionPlan::isConstant(const Contraction::Operand &operand) const {
  PackedOperand own(body, contraction);
  return own.plan(operand) && own.readsConstants();
}

/// Whether columns are those of the weights, although results lie side by side
/// along the data: one result after another is written then.
bool ContractionPlan::keepsWeights() const {
  return contraction.getCount(roles.sums) >= minScatteredDepth &&
         isConstant(contraction.b) && !isConstant(contraction.a);
}

/// Of the dimensions of only one operand, results lie closest along its
/// columns: side by side, but where groups of channels are shuffled, or where
/// that would take longer.
void ContractionPlan::assignRoles() {
  std::optional<unsigned> inner;
  for (unsigned dim = 0; dim < contraction.extents.size(); ++dim) {
    int64_t stride = results.getStride(dim);
    bool isInBoth = contraction.a.contains(dim) && contraction.b.contains(dim);
    if (stride != 0 && !isInBoth &&
        (!inner || stride < results.getStride(*inner)))
      inner = dim;
  }
  for (unsigned dim = 0; dim < contraction.extents.size(); ++dim)
    if (contraction.extents[dim] != 1 && contraction.isSummed(dim))
      roles.sums.push_back(dim);
  if (inner && contraction.a.contains(*inner) && !keepsWeights())
    std::swap(contraction.a, contraction.b);
  for (unsigned dim = 0; dim < contraction.extents.size(); ++dim) {
    if (contraction.extents[dim] == 1 || contraction.isSummed(dim))
      continue;
    bool isInA = contraction.a.contains(dim),
         isInB = contraction.b.contains(dim);
    (isInA && isInB ? roles.batch
     : isInA        ? roles.rows
                    : roles.columns)
        .push_back(dim);
  }
  llvm::sort(roles.columns, [&](unsigned x, unsigned y) {
    return results.getStride(x) > results.getStride(y);
  });
}

/// The dimensions that a result has lengths along.
void ContractionPlan::findOpen() {
  if (!openDims)
    return;
  const Contraction::Operand &result = contraction.result;
  ArrayRef<unsigned> dims = openDims->get(result.value);
  for (unsigned dim : dims) {
    const Linear &place = result.index[dim];
    if (place.terms.size() == 1 && place.constant == 0 &&
        place.terms.front().second == 1)
      lengths[place.terms.front().first] =
          openDims->getNumber(result.value, dim);
  }
  if (dims.size() == 1 && lengths.size() == 1)
    open = lengths.begin()->first;
}

bool ContractionPlan::endsAtLengths() const {
  auto meetsInWindows = [&](Operation *op) {
    return !openDims->meets(op) || getWindowDims(op).has_value();
  };
  return openDims && openDims->get(contraction.b.value).empty() &&
         llvm::all_of(body.ops, meetsInWindows) &&
         panel.endsAtLengths(*openDims);
}

/// Panels behind the length of the outermost dimension of rows are left out.
KernelCode::OpenTurns ContractionPlan::getOpenTurns() const {
  if (roles.rows.empty() || getNumProducts() != 1)
    return {};
  std::optional<unsigned> length = getLength(roles.rows.front());
  if (!length)
    return {};
  int64_t turns = numGroups * numChunks;
  for (unsigned dim : ArrayRef(roles.rows).drop_front())
    turns *= llvm::divideCeil(contraction.extents[dim], panel.getChunk(dim));
  return {panel.getChunk(roles.rows.front()), turns, *length};
}

/// Columns of several dimensions are one where results allow it; what is left
/// over makes products of their own.
void ContractionPlan::mergeColumns() {
  if (roles.columns.empty())
    return;
  unsigned lane = columns.lane = roles.columns.back();
  size_t first = roles.columns.size() - 1;
  for (; first > 0; --first)
    if (!results.merge(roles.columns[first - 1], lane))
      break;
  llvm::append_range(roles.batch, ArrayRef(roles.columns).take_front(first));
  roles.columns.erase(roles.columns.begin(), roles.columns.begin() + first);
  columns.count = contraction.getCount(roles.columns);
}

/// Moves the innermost dimensions that lie `step` apart, of `counts`, from
/// `outer` to `inner`.
static void moveEven(SmallVector<unsigned> &outer, SmallVector<unsigned> &inner,
                     const RowPanel &panel,
                     llvm::function_ref<int64_t(unsigned)> getCount) {
  int64_t next = 0;
  while (!outer.empty()) {
    unsigned dim = outer.back();
    if (!inner.empty() && panel.getStep(dim) != next)
      return;
    next = panel.getStep(dim) * getCount(dim);
    inner.insert(inner.begin(), dim);
    outer.pop_back();
  }
}

/// Columns that come from far away for each panel are read less often where
/// copies for some taps at a time make fewer of these.
void ContractionPlan::sliceSums() {
  if (unit.termsAtOnce != 0 && !roles.sums.empty() &&
      contraction.extents[roles.sums.front()] <= maxSlices &&
      areColumnsFar(maxNearBytes))
    panel.slice(roles, maxCopiedRows, floatsOfSums);
}

void ContractionPlan::findRun() {
  outerSums = roles.sums;
  if (panel.getSliced())
    llvm::erase(outerSums, *panel.getSliced());
  moveEven(outerSums, run, panel,
           [&](unsigned dim) { return contraction.extents[dim]; });
}

void ContractionPlan::findLine() {
  outerRows.clear();
  line.clear();
  for (unsigned dim : roles.rows)
    if (panel.getChunk(dim) != 1)
      outerRows.push_back(dim);
  moveEven(outerRows, line, panel,
           [&](unsigned dim) { return panel.getChunk(dim); });
  // Each line of a picture ends where its width does.
  if (line.size() > 1 && getLength(line.back())) {
    outerRows.append(line.begin(), line.end() - 1);
    line.erase(line.begin(), line.end() - 1);
  }
}

/// Rows that are read where they are need no panels to be packed, and whole
/// rows may be packed from anywhere: then all are one line.
void ContractionPlan::choosePacking() {
  bool areSideBySide = getLineStep() == 1 && getLineRows() >= minPackedRows;
  packsRows = mayPackRows() && (isRunDense() || areSideBySide);
  if (!packsRows)
    return;
  if (!panel.isCopied()) {
    panel.takeAllRows(roles);
    findLine();
  }
  if (!isRunDense())
    return;
  isLineEven = outerRows.empty();
  line.insert(line.begin(), outerRows.begin(), outerRows.end());
  outerRows.clear();
}

/// One dimension of all rows is not divided by anything.
void ContractionPlan::mergeRows() {
  lineExtents = contraction.extents;
  for (unsigned dim : line)
    lineExtents[dim] = panel.getChunk(dim);
  resultRows = line;
  resultExtents = lineExtents;
  while (resultRows.size() > 1) {
    unsigned inner = resultRows.back(), outer = resultRows.end()[-2];
    if (!results.merge(outer, inner))
      return;
    resultExtents[inner] *= resultExtents[outer];
    resultRows.erase(resultRows.end() - 2);
  }
}

/// Where a vector is multiplied by a lane of another, a block of 12 x 2 vectors
/// takes 5 loads for 24 products, one of 5 x 4 in rows as they are takes 5.25
/// for 20.
bool ContractionPlan::mayPackRows() const {
  return unit.multipliesByLane && unit.lanes == 4 &&
         contraction.element.isF32() && columns.count >= minPackedColumns &&
         getDepth() >= minPackedDepth && getDepth() <= maxFewDepth &&
         contraction.getCount(roles.rows) >= minPackedRows;
}

/// Whether columns come from far away each time: then several blocks of rows
/// are multiplied by a tile of them.
bool ContractionPlan::areColumnsFar(int64_t nearBytes) const {
  return int64_t(sizeof(float)) * getDepth() * columns.count > nearBytes;
}

int64_t ContractionPlan::getMaxPackedRows() const {
  return getDepth() <= maxPackedDepth ? packedRows : fewPackedRows;
}

/// Panels that are copied are so for all columns: they are small enough for
/// there to be several.
PanelLimits ContractionPlan::getLimits() const {
  int64_t all = getNumProducts() * contraction.getCount(roles.rows);
  // Measured only where rows are read in place.
  bool areFar = unit.blocksAhead != 0 && areColumnsFar(maxNearBytes);
  int64_t part = llvm::divideCeil(all, areFar ? fewParts : minParts);
  int64_t copied = std::clamp(part, packedRows, maxCopiedRows);
  // Measured only where rows are multiplied by lanes.
  int64_t direct = maxDirectRows;
  if (unit.multipliesByLane)
    direct = std::clamp(maxDirectFloats / std::max<int64_t>(getDepth(), 1),
                        minDirectRows, maxDirectRows);
  if (!mayPackRows())
    return {direct, copied, maxFloats};
  return {direct, copied, maxFloats - getDepth() * getMaxPackedRows(),
          /*packsRows=*/true};
}

/// Blocks and groups of about the same size.
void ContractionPlan::choosePackedTiles() {
  int64_t all = getLineRows(), most = getMaxPackedRows();
  int64_t numBlocks = llvm::divideCeil(all, most);
  int64_t rows = llvm::divideCeil(all, numBlocks);
  columns.tiles = {rows, packedVectors, unit.lanes};
  if (areColumnsFar(panel.isCopied() ? maxNearCopied : maxNearBytes)) {
    int64_t room = maxFloats - (panel.isCopied() ? panel.getNumFloats() : 0);
    packedBlocks = std::clamp<int64_t>(
        std::min(room, maxPackedFloats) / getPackedFloats(), 1, numBlocks);
  }
  numGroups = llvm::divideCeil(numBlocks, packedBlocks);
  packedBlocks = llvm::divideCeil(numBlocks, numGroups);
}

int64_t ContractionPlan::getSumRoom() const {
  return maxFloats - panel.getNumFloats();
}

/// The block that fits into the registers and wastes least, with room for sums
/// where these are in memory beside a copy.
void ContractionPlan::chooseTiles() {
  if (packsRows)
    return choosePackedTiles();
  step = getRowStep(unit, isRunDense());
  // Rows as vectors take registers, so that wide tiles hold more; otherwise
  // narrow ones read columns for more rows at once.
  bool areVectors = step != 1;
  SmallVector<int64_t> widths = {2, 4, 1};
  if (areVectors)
    widths = {4, 2, 1};
  else if (unit.countsLoads())
    widths = {2, 3, 4, 1};
  bool areFewOpen = areColumnsOpen() || (areRowsOpen() && !unit.countsLoads());
  if (areFewOpen)
    llvm::erase_if(widths, [](int64_t own) { return own > maxOpenVectors; });
  BlockChoice choice = {unit, step, panel.isCopied(), std::move(widths),
                        areVectors ? narrowCost : 1};
  int64_t rows = getLineRows();
  if (areRowsOpen() && unit.countsLoads())
    rows = std::min(rows, usualRows);
  // Blocks may have rows of several lines.
  if (isLineOpen() && !outerRows.empty() && rows > 0)
    rows *= std::max<int64_t>(
        getMaxRows(unit, choice.widths.front(), step) / rows, 1);
  columns.tiles = choice.choose(rows, columns.count);
  while (panel.getSliced() && columns.tiles.vectors > 1 &&
         getTileSums() > getSumRoom()) {
    llvm::erase_if(choice.widths,
                   [&](int64_t own) { return own >= columns.tiles.vectors; });
    columns.tiles = choice.choose(rows, columns.count);
  }
}

int64_t ContractionPlan::getMostRows() const {
  int64_t rows = columns.tiles.rows;
  return isLineOpen() && !packsRows
             ? std::max(rows, getMaxRows(unit, columns.tiles.vectors, step))
             : rows;
}

SmallVector<int64_t> ContractionPlan::getBlockSizes() const {
  if (!isLineOpen() || packsRows)
    return {columns.tiles.rows};
  int64_t most = std::min(getMostRows(), getLineRows());
  // Pictures are hardly ever of one element.
  SmallVector<int64_t> sizes;
  for (int64_t size = outerRows.empty() ? 1 : 2; size < most; ++size)
    sizes.push_back(size);
  sizes.push_back(most);
  return sizes;
}

/// A line that is not longer than half of a block is one of these; as few as
/// products have enough to do with, so that what is left over has, too.
int64_t ContractionPlan::getLinesAtOnce(int64_t rows) const {
  if (!isLineOpen() || packsRows || outerRows.empty())
    return 1;
  int64_t enough = llvm::divideCeil(enoughSums, rows * columns.tiles.vectors);
  return std::max<int64_t>(std::min({getMostRows() / rows,
                                     panel.getChunk(outerRows.back()), enough}),
                           1);
}

/// Those of a copy; or parts of about the same size, where rows are read in
/// place, what is summed lies side by side, and columns are multiplied more
/// than once.
void ContractionPlan::chooseTerms() {
  terms = getDepth();
  if (std::optional<unsigned> dim = panel.getSliced()) {
    numTermParts = contraction.extents[*dim];
    terms /= numTermParts;
    return;
  }
  if (unit.termsAtOnce == 0 || packsRows || panel.isCopied() ||
      !outerSums.empty() || run.empty() || countBlocks() == 1)
    return;
  numTermParts = llvm::divideCeil(terms, unit.termsAtOnce);
  terms = llvm::divideCeil(terms, numTermParts);
  numTermParts = llvm::divideCeil(getDepth(), terms);
}

int64_t ContractionPlan::getChunkTiles() const {
  return llvm::alignTo(llvm::divideCeil(columns.getNumTiles(), numChunks),
                       columns.arePairs ? 2 : 1);
}

/// Sums of a turn have to have room where they are in memory; fewer turns read
/// rows less often then.
void ContractionPlan::chooseChunks() {
  int64_t numParts = getNumProducts() * panel.getNumPanels(roles) * numGroups;
  int64_t least = numTermParts == 1 ? minTurns : minParts;
  int64_t wanted = llvm::divideCeil(least, std::min(numParts, least));
  if (numTermParts != 1) {
    int64_t most = std::max<int64_t>(getSumRoom() / getTileSums(), 1);
    wanted = std::max(wanted,
                      int64_t(llvm::divideCeil(columns.getNumTiles(), most)));
  }
  // None of them is empty.
  numChunks = std::min(wanted, columns.getNumTiles());
  numChunks = llvm::divideCeil(columns.getNumTiles(), getChunkTiles());
}

void ContractionPlan::judgeEpilogue() {
  SmallVector<Operation *> ops = results.getComputing();
  bool areSideBySide =
      columns.lane == ~0u || results.getStride(columns.lane) == 1;
  isShort = areSideBySide && ops.size() <= maxShort &&
            llvm::all_of(ops, [](Operation *op) {
              auto element = dyn_cast<ElementOpInterface>(op);
              return element && element.isShort();
            });
}

bool ContractionPlan::make() {
  if (!results.plan())
    return false;
  assignRoles();
  findOpen();
  mergeColumns();
  if (!panel.plan(roles, getLimits()) || !b.plan(contraction.b))
    return false;
  sliceSums();
  findRun();
  findLine();
  choosePacking();
  mergeRows();
  chooseTiles();
  chooseTerms();
  judgeEpilogue();
  if (!packsRows || isShort || !results.alignPairs(columns))
    results.align(columns);
  chooseChunks();
  return true;
}
