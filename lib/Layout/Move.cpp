//===- Move.cpp - What a copy into another order moves --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Both orders are cut into pieces that they have in common.
// 2. Pieces that follow each other in both are joined.
// 3. The most that stay as they are are a longest rising sequence of places.
//
//===----------------------------------------------------------------------===//

#include "inlay/Layout/Move.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace inlay;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// An order and the extents of the factors of its dimensions, major first.
struct FactoredOrder {
  FactoredOrder(ArrayRef<Atom> given, ArrayRef<int64_t> shape);

  AtomSequence atoms;
  SmallVector<SmallVector<int64_t, 2>> factors;
};

/// The pieces of a tensor, numbered, in one order and the other.
struct CommonPieces {
  SmallVector<int64_t> extents;
  SmallVector<unsigned> from, to;
};
} // namespace

FactoredOrder::FactoredOrder(ArrayRef<Atom> given, ArrayRef<int64_t> shape)
    : atoms(given), factors(shape.size()) {
  for (unsigned dim = 0; given.empty() && dim < shape.size(); ++dim)
    atoms.push_back({dim});
  SmallVector<int64_t> padded = getPaddedShape(atoms, shape);
  if (auto exact = resolveBlocks(atoms, padded))
    atoms = *exact;
  for (const Atom &atom : atoms) {
    SmallVector<int64_t, 2> &own = factors[atom.dim];
    own.resize(std::max<size_t>(own.size(), atom.factor + 1), dynamicExtent);
    own[atom.factor] = atom.extent.getValue();
  }
  for (auto [own, extent] : llvm::zip_equal(factors, padded)) {
    if (own.size() == 1)
      own[0] = extent;
    std::reverse(own.begin(), own.end());
  }
}

static TensorAxes getSingles(size_t count) {
  TensorAxes dims;
  for (unsigned i = 0; i < count; ++i)
    dims.push_back({i});
  return dims;
}

/// The factors that both cuts of one dimension have in common. A dimension that
/// is whole in one order is cut as in the other, whatever padding that has.
static std::optional<CommonFactors> findCommon(ArrayRef<int64_t> from,
                                               ArrayRef<int64_t> to) {
  if (from.size() > 1 && to.size() > 1)
    return factorShapes(from, to);
  ArrayRef<int64_t> finer = from.size() > 1 ? from : to;
  DimAxes all(finer.size());
  std::iota(all.begin(), all.end(), 0);
  CommonFactors common;
  common.factors.assign(finer.begin(), finer.end());
  common.from = from.size() > 1 ? getSingles(from.size()) : TensorAxes{all};
  common.to = to.size() > 1 ? getSingles(to.size()) : TensorAxes{all};
  return common;
}

/// Nothing where a dimension is cut in ways that have no common pieces.
static std::optional<CommonPieces> findPieces(const FactoredOrder &from,
                                              const FactoredOrder &to) {
  CommonPieces pieces;
  SmallVector<CommonFactors, 0> common;
  SmallVector<unsigned> first;
  for (auto [a, b] : llvm::zip_equal(from.factors, to.factors)) {
    auto factors = findCommon(a, b);
    if (!factors)
      return std::nullopt;
    first.push_back(pieces.extents.size());
    llvm::append_range(pieces.extents, factors->factors);
    common.push_back(std::move(*factors));
  }
  auto list = [&](const FactoredOrder &order, TensorAxes CommonFactors::*dims,
                  SmallVector<unsigned> &numbers) {
    for (const Atom &atom : order.atoms) {
      const TensorAxes &cut = common[atom.dim].*dims;
      for (unsigned factor : cut[cut.size() - 1 - atom.factor])
        if (pieces.extents[first[atom.dim] + factor] != 1)
          numbers.push_back(first[atom.dim] + factor);
    }
  };
  list(from, &CommonFactors::from, pieces.from);
  list(to, &CommonFactors::to, pieces.to);
  return pieces;
}

static unsigned getLongestRise(ArrayRef<size_t> places) {
  SmallVector<unsigned> longest;
  for (size_t i = 0; i < places.size(); ++i) {
    longest.push_back(1);
    for (size_t j = 0; j < i; ++j)
      if (places[j] < places[i])
        longest[i] = std::max(longest[i], longest[j] + 1);
  }
  return longest.empty() ? 0 : *llvm::max_element(longest);
}

Move inlay::findMove(ArrayRef<Atom> from, ArrayRef<Atom> to,
                     ArrayRef<int64_t> shape) {
  constexpr Move worst{2, 1};
  auto pieces =
      findPieces(FactoredOrder(from, shape), FactoredOrder(to, shape));
  if (!pieces)
    return worst;
  // Where each group of pieces that stay together stands.
  SmallVector<size_t> places;
  size_t last = 0;
  Move move;
  for (unsigned piece : pieces->from) {
    size_t place = llvm::find(pieces->to, piece) - pieces->to.begin();
    if (places.empty() || place != last + 1) {
      places.push_back(place);
      move.run = 1;
    }
    last = place;
    if (__builtin_mul_overflow(move.run, pieces->extents[piece], &move.run))
      move.run = INT64_MAX;
  }
  if (!places.empty() && last + 1 != pieces->to.size())
    move.run = 1;
  move.numMoved = places.size() - getLongestRise(places);
  return move;
}
