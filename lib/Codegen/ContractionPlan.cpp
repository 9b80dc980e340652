//===- ContractionPlan.cpp - How a contraction is computed ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionPlan.h"

using namespace inlay;
using namespace mlir;

/// Floats of packed rows: they stay in a cache of the second level.
static constexpr int64_t maxPanel = 60 * 1024;
/// Rows that columns are read for at once where rows need no packing.
static constexpr int64_t maxDirectRows = 256;
/// Rows are packed this much farther apart than they are long: lines of a power
/// of two would all fall into the same places of the cache.
static constexpr int64_t panelGap = 16;
/// Parts that a kernel has at least, where it can, so that threads have some.
static constexpr int64_t minParts = 8;

int64_t ContractionPlan::getPitch() const {
  return directPitch.value_or(getDepth() + panelGap);
}

bool ContractionPlan::planResults() {
  const Contraction::Operand &result = contraction.result;
  if (!epilogue.addAll(result.value, result.index))
    return false;
  if (!contraction.added)
    return true;
  std::optional<unsigned> wanted =
      addedReader.want(contraction.added->value, contraction.added->index);
  added = wanted.value_or(0);
  return wanted.has_value();
}

/// Of the dimensions of only one operand, results lie closest along its
/// columns: side by side, but where groups of channels are shuffled.
void ContractionPlan::assignRoles() {
  std::optional<unsigned> inner;
  for (unsigned dim = 0; dim < contraction.extents.size(); ++dim) {
    int64_t stride = epilogue.getStride(dim);
    bool isInBoth = contraction.a.contains(dim) && contraction.b.contains(dim);
    if (stride != 0 && !isInBoth &&
        (!inner || stride < epilogue.getStride(*inner)))
      inner = dim;
  }
  if (inner && contraction.a.contains(*inner))
    std::swap(contraction.a, contraction.b);
  for (unsigned dim = 0; dim < contraction.extents.size(); ++dim) {
    if (contraction.extents[dim] == 1)
      continue;
    bool isInA = contraction.a.contains(dim),
         isInB = contraction.b.contains(dim);
    (contraction.isSummed(dim) ? roles.sums
     : isInA && isInB          ? roles.batch
     : isInA                   ? roles.rows
                               : roles.columns)
        .push_back(dim);
  }
  llvm::sort(roles.columns, [&](unsigned x, unsigned y) {
    return epilogue.getStride(x) > epilogue.getStride(y);
  });
}

/// Columns of several dimensions are one where results allow it; what is left
/// over makes products of their own.
void ContractionPlan::mergeColumns() {
  if (roles.columns.empty())
    return;
  lane = roles.columns.back();
  size_t first = roles.columns.size() - 1;
  for (; first > 0; --first) {
    unsigned outer = roles.columns[first - 1];
    SmallVector<const Linear *> forms = epilogue.getForms();
    llvm::append_range(forms, addedReader.getForms());
    if (!space.merge(outer, lane, forms))
      break;
    epilogue.dropLoop(outer);
    addedReader.dropLoop(outer);
  }
  llvm::append_range(roles.batch, ArrayRef(roles.columns).take_front(first));
  roles.columns.erase(roles.columns.begin(), roles.columns.begin() + first);
}

/// As rows are read: what lies side by side is innermost.
void ContractionPlan::orderSums() {
  llvm::sort(roles.sums, [&](unsigned x, unsigned y) {
    return std::pair(-a.getStride(x), x) < std::pair(-a.getStride(y), y);
  });
}

/// Cycles of one turn of the sum for all rows and columns, about: two products
/// or two loads in each.
static int64_t estimateCost(const Tiles &tiles, int64_t rows, int64_t columns) {
  int64_t blocks = llvm::divideCeil(rows, tiles.rows) *
                   llvm::divideCeil(columns, tiles.getColumns());
  return blocks *
         std::max(tiles.rows * tiles.vectors, tiles.rows + tiles.vectors);
}

/// Rows of a block that fits into the registers, beside a row of columns and
/// what is loaded of rows: one element, or a vector of each.
int64_t ContractionPlan::getMaxRows(int64_t vectors) const {
  int64_t free = unit.registers - vectors;
  return step == 1 ? (free - 1) / vectors : free / (vectors + 1);
}

/// The block that fits into the registers and wastes least.
bool ContractionPlan::chooseTiles() {
  int64_t limit = directPitch ? maxDirectRows : maxPanel / getPitch();
  if (limit == 0)
    return false;
  step = unit.multipliesByLane ? unit.lanes : 1;
  std::optional<int64_t> least;
  for (int64_t vectors : {4, 2, 1}) {
    int64_t most = std::min({getMaxRows(vectors), limit, getNumRows()});
    // All of about the same size: the last one would waste much otherwise.
    int64_t rows =
        llvm::divideCeil(getNumRows(), llvm::divideCeil(getNumRows(), most));
    Tiles own = {rows, vectors, unit.lanes};
    int64_t cost = estimateCost(own, getNumRows(), getNumColumns());
    if (least && cost >= *least)
      continue;
    least = cost;
    tiles = own;
  }
  // Tiles begin at multiples of their columns.
  if (lane != ~0u)
    space.align(lane, tiles.lanes);
  // Whole blocks.
  int64_t most = llvm::alignTo(getNumRows(), tiles.rows);
  panelRows =
      std::max<int64_t>(std::min(limit, most) / tiles.rows, 1) * tiles.rows;
  int64_t numPanels = getNumProducts() * getNumRowTiles();
  numChunks = std::min<int64_t>(
      llvm::divideCeil(minParts, std::min(numPanels, minParts)),
      getNumColumnTiles());
  return true;
}

bool ContractionPlan::make() {
  if (!planResults())
    return false;
  assignRoles();
  mergeColumns();
  if (!a.plan(contraction.a) || !b.plan(contraction.b))
    return false;
  orderSums();
  directPitch = a.getPitch(contraction, roles);
  return chooseTiles();
}
