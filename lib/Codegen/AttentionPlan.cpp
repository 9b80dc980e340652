//===- AttentionPlan.cpp - How an attention is computed -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionPlan.h"

using namespace inlay;
using namespace mlir;

/// Floats of rows that are in memory at once: beyond the first cache only where
/// that is so little that keys would be read for a few rows each time. What a
/// kernel may have of its own is a little more than the latter.
static constexpr int64_t nearFloats = 8 * 1024, maxFloats = 52 * 1024;
/// Tiles of rows that are multiplied by a tile of keys at least.
static constexpr int64_t minTiles = 2;
/// With fewer rows in memory keys come from far away too often.
static constexpr int64_t minRows = 4;

AttentionPlan::AttentionPlan(const KernelBody &body, Attention found,
                             const VectorUnit &unit, const OpenDims *openDims)
    : unit(unit), body(body), openDims(openDims), attention(std::move(found)),
      scoreSpace(LoopPlan::get(attention.first.contraction.extents)),
      resultSpace(LoopPlan::get(attention.second.contraction.extents)),
      scores(body, scoreSpace),
      results(body, attention.second.contraction, resultSpace),
      queries(body, attention.first.contraction),
      keys(body, attention.first.contraction),
      values(body, attention.second.contraction),
      keyRoles(attention.first.getColumnRoles()),
      valueRoles(attention.second.getColumnRoles()) {}

uint64_t AttentionPlan::countProducts() const {
  uint64_t perRow = getNumKeys() * (getDepth() + valueColumns.count);
  return getNumProducts() * getNumRows() * perRow;
}

/// Along which dimensions of a product an open length is, which is the one that
/// `length` already has, if it has one; nothing where these are not its
/// dimensions, or several lengths.
static std::optional<SmallVector<unsigned>>
findOpenDims(const Contraction &product, const OpenDims &open,
             std::optional<unsigned> &length) {
  SmallVector<unsigned> dims;
  for (const Contraction::Operand *own :
       {&product.a, &product.b, &product.result})
    for (unsigned dim : open.get(own->value)) {
      const Linear &place = own->index[dim];
      unsigned number = open.getNumber(own->value, dim);
      if (length.value_or(number) != number)
        return std::nullopt;
      length = number;
      if (place.terms.size() != 1 || place.constant != 0 ||
          place.terms.front().second != 1)
        return std::nullopt;
      unsigned found = place.terms.front().first;
      if (!llvm::is_contained(dims, found))
        dims.push_back(found);
    }
  return dims;
}

/// False where elements of an open length meet elsewhere than in the softmax
/// and the products.
bool AttentionPlan::findOpen() {
  if (!openDims)
    return true;
  Operation *softmax = attention.weights.getDefiningOp(),
            *second = attention.second.contraction.result.value.getDefiningOp();
  for (Operation *op : body.ops)
    if (openDims->meets(op) && op != softmax && op != second)
      return false;
  std::optional<unsigned> length;
  for (const ScoreRows *own : {&attention.first, &attention.second}) {
    auto dims = findOpenDims(own->contraction, *openDims, length);
    if (!dims)
      return false;
    for (unsigned dim : *dims)
      if (dim == own->along)
        areKeysOpen = true;
      else if (llvm::is_contained(own->roles.rows, dim))
        areRowsOpen = true;
      else
        return false;
  }
  openLength = length.value_or(0);
  return true;
}

bool AttentionPlan::readScores() {
  const Contraction &product = attention.first.contraction;
  ResultPlaces places(body, scoreSpace, product.result.value,
                      product.result.index);
  places.set(product.result.value, product.result.index);
  places.follow();
  scores.define(product.result.value, product.result.index);
  std::optional<LoopIndex> index = places.get(attention.scores);
  std::optional<unsigned> wanted =
      index ? scores.want(attention.scores, *index) : std::nullopt;
  score = wanted.value_or(0);
  return wanted.has_value();
}

/// Of equal ones that for which columns are read for more rows at once.
Tiles AttentionPlan::chooseTiles(int64_t rows, int64_t count) const {
  SmallVector<int64_t> widths = {2, 4, 1};
  if (unit.countsLoads())
    widths = {2, 3, 4, 1};
  return BlockChoice{unit, getStep(), /*areNear=*/true, widths}.choose(rows,
                                                                       count);
}

/// Blocks of whole tiles and of about the same size.
bool AttentionPlan::chooseRows() {
  int64_t all = getNumRows(), most = maxFloats / (rowStride + getDepth());
  if (most < std::min(all, minRows))
    return false;
  keyColumns.tiles = chooseTiles(all, getNumKeys());
  if (keyColumns.tiles.rows > most)
    keyColumns.tiles = chooseTiles(most, getNumKeys());
  int64_t rows = keyColumns.tiles.rows;
  int64_t near = std::max(nearFloats / (rows * rowStride), minTiles);
  int64_t perBlock = std::clamp<int64_t>(most / rows, 1, near);
  int64_t numTiles = llvm::divideCeil(all, rows);
  int64_t numBlocks = llvm::divideCeil(numTiles, perBlock);
  blockRows =
      std::min<int64_t>(all, llvm::divideCeil(numTiles, numBlocks) * rows);
  return true;
}

bool AttentionPlan::make() {
  const ScoreRows &first = attention.first, &second = attention.second;
  if (!findOpen() || !readScores() || !results.plan() ||
      !queries.plan(first.contraction.a) || !keys.plan(first.contraction.b) ||
      !values.plan(second.contraction.b))
    return false;
  rowStride = llvm::alignTo(getNumKeys(), vectorWidth) + vectorWidth;
  scoreSpace.align(first.along, vectorWidth);
  keyColumns.lane = first.along;
  keyColumns.count = getNumKeys();
  if (!second.roles.columns.empty())
    valueColumns.lane = second.roles.columns.front();
  valueColumns.count = second.contraction.getCount(second.roles.columns);
  if (!chooseRows())
    return false;
  valueColumns.tiles = chooseTiles(blockRows, valueColumns.count);
  results.align(valueColumns);
  return true;
}
