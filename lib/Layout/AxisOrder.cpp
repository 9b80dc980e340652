//===- AxisOrder.cpp - Storage orders through axis maps -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Layout/AxisOrder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <numeric>

using namespace inlay;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Lifting
//===----------------------------------------------------------------------===//

namespace {
/// The pieces that each factor of one dimension consists of, major first.
/// Index 0 is the minor factor.
using FactorPieces = SmallVector<SmallVector<AxisPiece, 2>, 2>;
} // namespace

static FactorPieces wholeAxes(ArrayRef<unsigned> axes) {
  FactorPieces pieces(1);
  for (unsigned axis : axes)
    pieces[0].push_back({axis});
  return pieces;
}

/// Every factor is a factor of the only axis.
static FactorPieces refineAxis(unsigned axis, ArrayRef<AtomExtent> factors) {
  FactorPieces pieces;
  for (auto [i, extent] : llvm::enumerate(factors))
    pieces.push_back({{axis, unsigned(i), extent}});
  return pieces;
}

/// Matches factors and axes by their extents, from the minor end.
static std::optional<FactorPieces>
refineByExtent(const AxisMap &map, ArrayRef<unsigned> axes,
               ArrayRef<AtomExtent> factors) {
  FactorPieces pieces(factors.size());
  size_t factor = 0;
  int64_t factorRest = factors[0].getValue();
  for (unsigned axis : llvm::reverse(axes)) {
    int64_t axisRest = map.getAxes()[axis].extent;
    if (axisRest == dynamicExtent || axisRest <= 0)
      return std::nullopt;
    SmallVector<std::pair<size_t, int64_t>, 2> taken; // factor, extent
    while (axisRest > 1) {
      while (factorRest == 1 && ++factor < factors.size())
        factorRest = factors[factor].getValue();
      if (factor == factors.size() || factorRest == dynamicExtent ||
          factorRest <= 0)
        return std::nullopt;
      int64_t common = std::min(axisRest, factorRest);
      if (axisRest % common != 0 || factorRest % common != 0)
        return std::nullopt;
      taken.emplace_back(factor, common);
      axisRest /= common;
      factorRest /= common;
    }
    for (auto [i, entry] : llvm::enumerate(taken)) {
      AtomExtent extent =
          taken.size() == 1 ? AtomExtent::rest() : AtomExtent::of(entry.second);
      pieces[entry.first].insert(pieces[entry.first].begin(),
                                 AxisPiece{axis, unsigned(i), extent});
    }
    if (taken.empty()) // A unit axis lies anywhere.
      pieces[std::min(factor, factors.size() - 1)].insert(
          pieces[std::min(factor, factors.size() - 1)].begin(),
          AxisPiece{axis});
  }
  bool allTaken =
      factorRest == 1 &&
      llvm::all_of(
          factors.drop_front(std::min(factor + 1, factors.size())),
          [](const AtomExtent &extent) { return extent.getValue() == 1; });
  if (!allTaken)
    return std::nullopt;
  return pieces;
}

/// `factors` are those of one dimension, minor first.
static std::optional<FactorPieces> matchFactors(const AxisMap &map,
                                                ArrayRef<unsigned> axes,
                                                ArrayRef<AtomExtent> factors) {
  if (factors.size() == 1)
    return wholeAxes(axes);
  if (axes.size() == 1)
    return refineAxis(axes.front(), factors);
  return refineByExtent(map, axes, factors);
}

std::optional<AxisOrder> inlay::liftOrder(const AxisMap &map,
                                          const TensorAxes &dims,
                                          ArrayRef<Atom> order) {
  AxisOrder lifted;
  if (order.empty()) {
    for (const DimAxes &dim : dims)
      for (unsigned axis : dim)
        lifted.push_back({axis});
    return lifted;
  }
  SmallVector<SmallVector<AtomExtent, 2>> factors(dims.size());
  for (const Atom &atom : order) {
    auto &ofDim = factors[atom.dim];
    ofDim.resize(std::max<size_t>(ofDim.size(), atom.factor + 1),
                 AtomExtent::rest());
    ofDim[atom.factor] = atom.extent;
  }
  SmallVector<FactorPieces> pieces;
  for (auto [axes, ofDim] : llvm::zip_equal(dims, factors)) {
    auto matched = matchFactors(map, axes, ofDim);
    if (!matched)
      return std::nullopt;
    pieces.push_back(std::move(*matched));
  }
  for (const Atom &atom : order)
    llvm::append_range(lifted, pieces[atom.dim][atom.factor]);
  return lifted;
}

//===----------------------------------------------------------------------===//
// Completing
//===----------------------------------------------------------------------===//

static bool hasAxis(const AxisOrder &order, unsigned axis) {
  return llvm::any_of(
      order, [&](const AxisPiece &piece) { return piece.axis == axis; });
}

/// Where `axis` goes beside an axis that it shares a dimension with, so that
/// the dimension stays whole; nothing when there is none in the order.
static std::optional<size_t> findPlaceInDim(const DimAxes &dim, unsigned axis,
                                            const AxisOrder &order) {
  const unsigned *own = llvm::find(dim, axis);
  if (own == dim.end())
    return std::nullopt;
  for (const unsigned *after = own + 1; after < dim.end(); ++after)
    for (size_t i = 0; i < order.size(); ++i)
      if (order[i].axis == *after)
        return i;
  for (const unsigned *before = own; before != dim.begin();) {
    --before;
    for (size_t i = order.size(); i > 0; --i)
      if (order[i - 1].axis == *before)
        return i;
  }
  return std::nullopt;
}

/// Where `axis` goes behind its predecessor (or before its successor) in one
/// tensor; nothing when the tensor says neither.
static std::optional<size_t> findPlace(const TensorAxes &dims, unsigned axis,
                                       const AxisOrder &order) {
  SmallVector<unsigned> flat;
  for (const DimAxes &dim : dims)
    llvm::append_range(flat, dim);
  const unsigned *own = llvm::find(flat, axis);
  if (own == flat.end())
    return std::nullopt;
  auto isOf = [](unsigned wanted) {
    return [wanted](const AxisPiece &piece) { return piece.axis == wanted; };
  };
  for (const unsigned *before = own; before != flat.begin();) {
    --before;
    for (size_t i = order.size(); i > 0; --i)
      if (order[i - 1].axis == *before)
        return i;
  }
  for (const unsigned *after = own + 1; after < flat.end(); ++after)
    if (const AxisPiece *piece = llvm::find_if(order, isOf(*after));
        piece != order.end())
      return piece - order.begin();
  return std::nullopt;
}

/// The axes that have leaders and are not in `given`, in the order of these.
static AxisOrder alignToLeaders(const AxisMap &map, const AxisOrder &given,
                                AxisOrder order) {
  SmallVector<unsigned> places, axes;
  for (auto [place, piece] : llvm::enumerate(order))
    if (map.getAxes()[piece.axis].leader != Axis::none &&
        !hasAxis(given, piece.axis)) {
      places.push_back(place);
      axes.push_back(piece.axis);
    }
  auto getPlace = [&](unsigned axis) {
    unsigned leader = map.getAxes()[axis].leader;
    return llvm::find_if(
        order, [&](const AxisPiece &piece) { return piece.axis == leader; });
  };
  llvm::sort(axes,
             [&](unsigned a, unsigned b) { return getPlace(a) < getPlace(b); });
  AxisOrder aligned = order;
  for (auto [place, axis] : llvm::zip_equal(places, axes))
    aligned[place] = AxisPiece{axis};
  return aligned;
}

AxisOrder inlay::completeOrder(const AxisMap &map, AxisOrder order) {
  AxisOrder given = order;
  for (unsigned axis = 0; axis < map.getAxes().size(); ++axis) {
    if (hasAxis(order, axis))
      continue;
    std::optional<size_t> place;
    for (auto tensors : {map.getOperands(), map.getResults()})
      for (const std::optional<TensorAxes> &dims : tensors)
        for (const DimAxes &dim : dims ? *dims : TensorAxes())
          if (!place)
            place = findPlaceInDim(dim, axis, order);
    for (auto tensors : {map.getOperands(), map.getResults()})
      for (const std::optional<TensorAxes> &dims : tensors)
        if (dims && !place)
          place = findPlace(*dims, axis, order);
    order.insert(order.begin() + place.value_or(order.size()), AxisPiece{axis});
  }
  return alignToLeaders(map, given, std::move(order));
}

SmallVector<AxisOrder, 0> inlay::enumerateCompletions(const AxisMap &map,
                                                      const AxisOrder &order) {
  AxisOrder missing;
  for (unsigned axis = 0; axis < map.getAxes().size(); ++axis)
    if (!hasAxis(order, axis))
      missing.push_back(AxisPiece{axis});
  SmallVector<AxisOrder, 0> completions;
  if (missing.empty())
    return completions;
  for (size_t place = 0; place <= order.size(); ++place) {
    completions.push_back(order);
    completions.back().insert(completions.back().begin() + place,
                              missing.begin(), missing.end());
    completions.back() =
        alignToLeaders(map, order, std::move(completions.back()));
  }
  return completions;
}

//===----------------------------------------------------------------------===//
// Projecting
//===----------------------------------------------------------------------===//

namespace {
/// A run of adjacent factors of one dimension, on its way to become an atom.
struct Run {
  unsigned dim;
  /// The minor and the number of the factors it joins, counted from the minor
  /// end of the dimension.
  unsigned low, count;
  /// Where it lies, for sorting.
  size_t place;
  SmallVector<AtomExtent, 2> extents;
  /// It counts the blocks of an axis: with what is in them it is not one,
  /// since there may be padding.
  bool isOfBlocks = false;
};
} // namespace

/// The factor of `axis` in a dimension, and how many factors the dimension has,
/// when each of its axes is cut as `numPieces` says.
static unsigned countFactorsBelow(ArrayRef<unsigned> axes, size_t position,
                                  ArrayRef<unsigned> numPieces) {
  unsigned below = 0;
  for (size_t i = position + 1; i < axes.size(); ++i)
    below += numPieces[axes[i]];
  return below;
}

/// The product of extents, or nothing where it is not a number or one symbol.
static std::optional<AtomExtent> multiply(ArrayRef<AtomExtent> extents) {
  if (extents.size() == 1)
    return extents[0].isRest() ? std::nullopt : std::optional(extents[0]);
  int64_t product = 1;
  for (const AtomExtent &extent : extents) {
    if (!extent.isKnown() ||
        __builtin_mul_overflow(product, extent.getValue(), &product))
      return std::nullopt;
  }
  return AtomExtent::of(product);
}

static SmallVector<Run> collectRuns(const AxisMap &map, const AxisOrder &order,
                                    const TensorAxes &dims) {
  SmallVector<unsigned> numPieces(map.getAxes().size(), 0);
  for (const AxisPiece &piece : order)
    ++numPieces[piece.axis];
  SmallVector<Run> runs;
  for (auto [place, piece] : llvm::enumerate(order)) {
    for (auto [dim, axes] : llvm::enumerate(dims)) {
      const unsigned *own = llvm::find(axes, piece.axis);
      if (own == axes.end())
        continue;
      unsigned factor =
          piece.factor + countFactorsBelow(axes, own - axes.begin(), numPieces);
      int64_t whole = map.getAxes()[piece.axis].extent;
      AtomExtent extent = piece.extent;
      bool isOfBlocks = numPieces[piece.axis] > 1 && extent.isRest();
      if (!isOfBlocks && extent.isRest() && whole != dynamicExtent)
        extent = AtomExtent::of(whole);
      if (!runs.empty() && runs.back().dim == dim && !isOfBlocks &&
          !runs.back().isOfBlocks && runs.back().low == factor + 1) {
        runs.back().low = factor;
        ++runs.back().count;
        runs.back().extents.push_back(extent);
        continue;
      }
      runs.push_back(
          {unsigned(dim), factor, 1, 2 * place, {extent}, isOfBlocks});
    }
  }
  return runs;
}

/// Places the dimensions that have no axis.
static void placeUnitDims(const AxisOrder &order, const TensorAxes &dims,
                          const TensorAxes *reference,
                          llvm::SmallVectorImpl<Run> &runs) {
  auto findAxis = [&](unsigned axis) -> std::optional<size_t> {
    for (auto [place, piece] : llvm::enumerate(order))
      if (piece.axis == axis)
        return 2 * place;
    return std::nullopt;
  };
  size_t last = 0;
  for (auto [dim, axes] : llvm::enumerate(dims)) {
    if (!axes.empty()) {
      for (const Run &run : runs)
        if (run.dim == dim)
          last = run.place + 1;
      continue;
    }
    size_t fromEnd = dims.size() - dim;
    if (reference && fromEnd <= reference->size())
      if (const DimAxes &aligned = (*reference)[reference->size() - fromEnd];
          !aligned.empty())
        last = findAxis(aligned.front()).value_or(last);
    runs.push_back({unsigned(dim), 0, 1, last, {AtomExtent::of(1)}});
  }
  llvm::sort(runs, [](const Run &a, const Run &b) {
    return std::pair(a.place, a.dim) < std::pair(b.place, b.dim);
  });
}

static bool isRowMajor(ArrayRef<Atom> atoms) {
  for (auto [i, atom] : llvm::enumerate(atoms))
    if (atom.dim != i || atom.factor != 0)
      return false;
  return true;
}

std::optional<AtomSequence> inlay::projectOrder(const AxisMap &map,
                                                const AxisOrder &order,
                                                const TensorAxes &dims,
                                                const TensorAxes *reference) {
  SmallVector<Run> runs = collectRuns(map, order, dims);
  placeUnitDims(order, dims, reference, runs);
  SmallVector<unsigned> numRuns(dims.size(), 0);
  for (const Run &run : runs)
    ++numRuns[run.dim];
  AtomSequence atoms;
  for (const Run &run : runs) {
    if (numRuns[run.dim] == 1) {
      atoms.push_back({run.dim});
      continue;
    }
    // Only a dimension that is one axis can be blocked.
    bool isBlocks = run.isOfBlocks && dims[run.dim].size() == 1;
    std::optional<AtomExtent> extent =
        isBlocks ? run.extents.front() : multiply(run.extents);
    if (!extent)
      return std::nullopt;
    unsigned factor = llvm::count_if(runs, [&](const Run &other) {
      return other.dim == run.dim && other.low < run.low;
    });
    atoms.push_back({run.dim, factor, *extent});
  }
  if (isRowMajor(atoms))
    atoms.clear();
  return atoms;
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// The atoms of more than one element.
static AtomSequence dropUnits(ArrayRef<Atom> order, ArrayRef<int64_t> shape) {
  AtomSequence kept;
  if (order.empty())
    for (auto [dim, extent] : llvm::enumerate(shape))
      if (extent != 1)
        kept.push_back({unsigned(dim)});
  for (const Atom &atom : order) {
    bool isWhole = atom.extent.isRest() && atom.factor == 0;
    if ((isWhole ? shape[atom.dim] : atom.extent.getValue()) != 1)
      kept.push_back(atom);
  }
  return kept;
}

/// The number of factors of the same dimension below `atom`.
static unsigned countBelow(ArrayRef<Atom> atoms, const Atom &atom) {
  return llvm::count_if(atoms, [&](const Atom &other) {
    return other.dim == atom.dim && other.factor < atom.factor;
  });
}

/// The factors of dimension `dim`, major first; none where it is whole.
static SmallVector<int64_t> getFactors(ArrayRef<Atom> order, unsigned dim) {
  SmallVector<Atom> atoms;
  for (const Atom &atom : order)
    if (atom.dim == dim)
      atoms.push_back(atom);
  llvm::sort(atoms,
             [](const Atom &a, const Atom &b) { return a.factor > b.factor; });
  SmallVector<int64_t> factors;
  for (const Atom &atom : atoms)
    factors.push_back(atom.extent.isKnown() ? atom.extent.getValue()
                                            : dynamicExtent);
  return factors.size() < 2 ? SmallVector<int64_t>() : factors;
}

bool inlay::areOneMoveApart(ArrayRef<Atom> a, ArrayRef<Atom> b, unsigned rank) {
  return llvm::all_of(llvm::seq<unsigned>(0, rank), [&](unsigned dim) {
    SmallVector<int64_t> from = getFactors(a, dim);
    SmallVector<int64_t> to = getFactors(b, dim);
    return from.empty() || to.empty() || from == to || factorShapes(from, to);
  });
}

AtomSequence inlay::getStorageKey(ArrayRef<Atom> order,
                                  ArrayRef<int64_t> shape) {
  // Blocks that hold a dimension exactly are factors of it.
  std::optional<AtomSequence> exact = resolveBlocks(order, shape);
  AtomSequence kept = dropUnits(exact ? ArrayRef<Atom>(*exact) : order, shape);
  SmallVector<unsigned> factors;
  for (const Atom &atom : kept)
    factors.push_back(countBelow(kept, atom));
  // Join neighbours; the numbers keep their gaps until all are joined.
  AtomSequence key;
  for (auto [atom, factor] : llvm::zip_equal(kept, factors)) {
    if (!key.empty() && key.back().dim == atom.dim &&
        key.back().factor == factor + 1)
      if (auto product = multiply({key.back().extent, atom.extent})) {
        key.back() = {atom.dim, factor, *product};
        continue;
      }
    key.push_back({atom.dim, factor, atom.extent});
  }
  AtomSequence joined = key;
  for (Atom &atom : key) {
    atom.factor = countBelow(joined, atom);
    bool isAlone = llvm::count_if(joined, [&](const Atom &other) {
                     return other.dim == atom.dim;
                   }) == 1;
    if (isAlone)
      atom.extent = AtomExtent::rest();
  }
  return key;
}
