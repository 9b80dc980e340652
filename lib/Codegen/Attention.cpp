//===- Attention.cpp - Two products with a softmax between them -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include "PackedOperand.h"
#include "mlir/IR/TypeUtilities.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Parts of a body
//===----------------------------------------------------------------------===//

namespace {
/// The two products of a body and the softmax, in this order.
struct Parts {
  SmallVector<Contraction, 2> products;
  SoftmaxOp softmax;
};
} // namespace

/// Whether a softmax goes along the last dimension.
static bool isAlongRows(SoftmaxOp op) {
  Value input = op.getInput();
  if (!hasCodeType(input) || !getElementTypeOrSelf(input.getType()).isF32())
    return false;
  int64_t rank = getExtents(input).size(), axis = op.getAxis();
  return rank != 0 && (axis < 0 ? axis + rank : axis) == rank - 1;
}

static std::optional<Parts> findParts(const KernelBody &body) {
  Parts parts;
  for (Operation *op : body.ops) {
    if (auto softmax = dyn_cast<SoftmaxOp>(op)) {
      if (parts.softmax || parts.products.size() != 1 || !isAlongRows(softmax))
        return std::nullopt;
      parts.softmax = softmax;
    }
    if (std::optional<Contraction> own = Contraction::get(op)) {
      if (parts.products.size() == 2 || !own->element.isF32())
        return std::nullopt;
      parts.products.push_back(std::move(*own));
    }
  }
  if (parts.products.size() != 2 || !parts.softmax)
    return std::nullopt;
  return parts;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static LoopSpace getSpace(const Contraction &contraction) {
  return LoopSpace(LoopPlan::get(contraction.extents));
}

/// Which dimensions of a product lead from one row to the next, if an element
/// of the scores is at `place` of them: all but `along`, and no element twice.
static bool orderRows(ScoreRows &rows, const Linear &place, unsigned along) {
  const Contraction &contraction = rows.contraction;
  SmallVector<std::pair<int64_t, unsigned>> outer;
  for (auto [dim, factor] : place.terms) {
    if (dim >= contraction.extents.size())
      return false;
    if (dim != along)
      outer.push_back({factor, dim});
  }
  if (place.constant != 0 || place.getFactor(along) != 1)
    return false;
  llvm::sort(outer);
  int64_t next = contraction.extents[along];
  for (auto [factor, dim] : outer) {
    if (factor != next)
      return false;
    next *= contraction.extents[dim];
    rows.roles.batch.insert(rows.roles.batch.begin(), dim);
  }
  rows.along = along;
  // Rows of one product have the same columns.
  if (outer.empty() || contraction.b.contains(rows.roles.batch.back()))
    return true;
  rows.roles.rows = {rows.roles.batch.pop_back_val()};
  return true;
}

/// What is in no row of the scores: sums, which are in both operands, and
/// columns, which only one of them has.
static bool findRest(ScoreRows &rows) {
  const Contraction &contraction = rows.contraction;
  for (unsigned dim = 0; dim < contraction.extents.size(); ++dim) {
    if (contraction.extents[dim] == 1 || dim == rows.along ||
        llvm::is_contained(rows.roles.batch, dim) ||
        llvm::is_contained(rows.roles.rows, dim))
      continue;
    bool isSummed = contraction.isSummed(dim);
    if (isSummed != contraction.a.contains(dim) || !contraction.b.contains(dim))
      return false;
    (isSummed ? rows.roles.sums : rows.roles.columns).push_back(dim);
  }
  return true;
}

Roles ScoreRows::getColumnRoles() const {
  Roles own = roles;
  llvm::erase_if(own.batch,
                 [&](unsigned dim) { return !contraction.b.contains(dim); });
  return own;
}

/// Queries times keys: the scores' last dimension is one of the keys alone.
static std::optional<ScoreRows> readFirst(const KernelBody &body,
                                          Contraction product, Value scores) {
  LoopSpace space = getSpace(product);
  ResultPlaces places(body, space, product.result.value, product.result.index);
  places.set(product.result.value, product.result.index);
  places.follow();
  std::optional<LoopIndex> index = places.get(scores);
  const Linear &last = product.result.index.back();
  bool isPlain =
      product.factor == 1 && !product.added && index && last.terms.size() == 1;
  if (!isPlain)
    return std::nullopt;
  unsigned along = last.terms.front().first;
  if (product.a.contains(along))
    std::swap(product.a, product.b);
  if (product.a.contains(along))
    return std::nullopt;
  ScoreRows rows{std::move(product), {}, {}};
  Linear place = space.recombine(getOffset(*index, getExtents(scores)));
  if (!orderRows(rows, place, along) || !findRest(rows) ||
      !rows.roles.columns.empty())
    return std::nullopt;
  rows.roles.columns = {along};
  return rows;
}

/// Where an element of `value` is in `source`, which it is moved from; nothing
/// where it comes from elsewhere.
static std::optional<LoopIndex> findSource(const KernelBody &body, Value value,
                                           LoopIndex index, LoopSpace &space,
                                           Value source) {
  for (value = body.resolve(value); value != source;) {
    auto result = dyn_cast<OpResult>(value);
    if (!result || body.isRead(value) || !hasCodeType(value))
      return std::nullopt;
    std::optional<IndexPieces> pieces = getPieces(result, index, space);
    if (!pieces || pieces->size() != 1 || !pieces->front().value ||
        !pieces->front().bounds.empty())
      return std::nullopt;
    value = body.resolve(pieces->front().value);
    index = std::move(pieces->front().index);
  }
  return index;
}

/// Weights times values: what is summed is the weights' last dimension.
static std::optional<ScoreRows> readSecond(const KernelBody &body,
                                           Contraction product, Value weights) {
  LoopSpace space = getSpace(product);
  std::optional<LoopIndex> index;
  for (bool isSwapped : {false, true}) {
    if (isSwapped)
      std::swap(product.a, product.b);
    index = findSource(body, product.a.value, product.a.index, space, weights);
    if (index)
      break;
  }
  if (!index || index->back().terms.size() != 1)
    return std::nullopt;
  unsigned along = index->back().terms.front().first;
  if (along >= product.extents.size() || !product.isSummed(along) ||
      !product.b.contains(along))
    return std::nullopt;
  ScoreRows rows{std::move(product), {}, {}};
  Linear place = space.recombine(getOffset(*index, getExtents(weights)));
  if (!orderRows(rows, place, along) || !findRest(rows) ||
      !rows.roles.sums.empty() || rows.roles.columns.size() > 1 ||
      llvm::any_of(rows.roles.batch, [&](unsigned dim) {
        return rows.contraction.isSummed(dim);
      }))
    return std::nullopt;
  rows.roles.sums = {along};
  return rows;
}

std::optional<Attention> Attention::find(const KernelBody &body) {
  std::optional<Parts> parts = findParts(body);
  if (!parts)
    return std::nullopt;
  Value scores = body.resolve(parts->softmax.getInput()),
        weights = parts->softmax.getResult();
  if (!hasCodeType(scores) || getExtents(scores).back() == 1)
    return std::nullopt;
  auto first = readFirst(body, std::move(parts->products[0]), scores);
  auto second = readSecond(body, std::move(parts->products[1]), weights);
  if (!first || !second || first->getNumRows() != second->getNumRows())
    return std::nullopt;
  // All of them are computed, and each once.
  int64_t numRows = first->getNumProducts() * first->getNumRows(),
          length = getExtents(scores).back();
  bool isWhole =
      numRows == second->getNumProducts() * second->getNumRows() &&
      numRows * length ==
          cast<RankedTensorType>(scores.getType()).getNumElements() &&
      first->contraction.extents[first->along] == length &&
      second->contraction.extents[second->along] == length;
  if (!isWhole)
    return std::nullopt;
  return Attention{std::move(*first), std::move(*second), scores, weights};
}
