//===- BuildRelayout.cpp - Relayouts of physical tensors ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildRelayout.h"
#include "PaddedRelayout.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/StoredConstants.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace inlay;
using namespace inlay::layout;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Common pieces
//===----------------------------------------------------------------------===//

namespace {
/// One dimension cut into pieces, and which of them make up each factor of the
/// two orders. All lists are major first.
struct DimPieces {
  SmallVector<int64_t> extents;
  TensorAxes from, to;
};
} // namespace

/// The factors of dimension `dim`, major first.
static SmallVector<AtomExtent> getFactors(ArrayRef<Atom> order, unsigned dim) {
  SmallVector<const Atom *> atoms;
  for (const Atom &atom : order)
    if (atom.dim == dim)
      atoms.push_back(&atom);
  llvm::sort(atoms, [](const Atom *a, const Atom *b) {
    return a->factor > b->factor;
  });
  if (atoms.empty())
    return {AtomExtent::rest()};
  return llvm::map_to_vector(atoms,
                             [](const Atom *atom) { return atom->extent; });
}

static bool isWhole(ArrayRef<AtomExtent> factors) {
  return factors.size() == 1;
}

static SmallVector<int64_t> getValues(ArrayRef<AtomExtent> factors) {
  return llvm::map_to_vector(factors, [](const AtomExtent &extent) {
    return extent.isKnown() ? extent.getValue() : ShapedType::kDynamic;
  });
}

/// Each of `count` factors is one piece.
static TensorAxes getSingles(size_t count) {
  TensorAxes axes;
  for (unsigned i = 0; i < count; ++i)
    axes.push_back({i});
  return axes;
}

/// One factor that is all of `count` pieces.
static TensorAxes getAll(size_t count) {
  DimAxes all;
  for (unsigned i = 0; i < count; ++i)
    all.push_back(i);
  return {all};
}

static std::optional<DimPieces>
cutDim(int64_t extent, ArrayRef<AtomExtent> from, ArrayRef<AtomExtent> to) {
  if (isWhole(from) && isWhole(to))
    return DimPieces{{extent}, getSingles(1), getSingles(1)};
  if (from == to)
    return DimPieces{getValues(from), getSingles(from.size()),
                     getSingles(to.size())};
  if (isWhole(from))
    return DimPieces{getValues(to), getAll(to.size()), getSingles(to.size())};
  if (isWhole(to))
    return DimPieces{getValues(from), getSingles(from.size()),
                     getAll(from.size())};
  SmallVector<int64_t> fromValues = getValues(from), toValues = getValues(to);
  if (llvm::any_of(fromValues, ShapedType::isDynamic) ||
      llvm::any_of(toValues, ShapedType::isDynamic))
    return std::nullopt;
  std::optional<CommonFactors> common = factorShapes(fromValues, toValues);
  if (!common)
    return std::nullopt;
  return DimPieces{SmallVector<int64_t>(common->factors), common->from,
                   common->to};
}

/// The pieces in the order that `order` stores them in, and how many each atom
/// has; `first` are the numbers of the dimensions' first pieces.
static SmallVector<unsigned> getSequence(ArrayRef<Atom> order, size_t rank,
                                         ArrayRef<unsigned> first,
                                         ArrayRef<const TensorAxes *> dims,
                                         SmallVectorImpl<unsigned> &counts) {
  SmallVector<unsigned> sequence;
  auto append = [&](unsigned dim, unsigned major) {
    counts.push_back((*dims[dim])[major].size());
    for (unsigned piece : (*dims[dim])[major])
      sequence.push_back(first[dim] + piece);
  };
  if (order.empty())
    for (unsigned dim = 0; dim < rank; ++dim)
      append(dim, 0);
  for (const Atom &atom : order)
    append(atom.dim, dims[atom.dim]->size() - 1 - atom.factor);
  return sequence;
}

std::optional<RelayoutPlan> layout::planRelayout(ArrayRef<int64_t> shape,
                                                 ArrayRef<Atom> from,
                                                 ArrayRef<Atom> to) {
  SmallVector<DimPieces, 4> dims;
  SmallVector<unsigned> first;
  SmallVector<int64_t> extents;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    std::optional<DimPieces> pieces =
        cutDim(extent, getFactors(from, dim), getFactors(to, dim));
    if (!pieces)
      return std::nullopt;
    first.push_back(extents.size());
    llvm::append_range(extents, pieces->extents);
    dims.push_back(std::move(*pieces));
  }
  SmallVector<const TensorAxes *> fromDims, toDims;
  for (const DimPieces &pieces : dims) {
    fromDims.push_back(&pieces.from);
    toDims.push_back(&pieces.to);
  }
  RelayoutPlan plan;
  SmallVector<unsigned> before =
      getSequence(from, shape.size(), first, fromDims, plan.fromCounts);
  SmallVector<int64_t> positions(before.size());
  for (auto [position, piece] : llvm::enumerate(before)) {
    positions[piece] = position;
    plan.pieces.push_back(extents[piece]);
  }
  for (unsigned piece :
       getSequence(to, shape.size(), first, toDims, plan.toCounts))
    plan.perm.push_back(positions[piece]);
  return plan;
}

bool RelayoutPlan::isView() const {
  int64_t last = -1;
  for (int64_t piece : perm) {
    if (pieces[piece] == 1)
      continue;
    if (piece < last)
      return false;
    last = piece;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// A transpose and a view of a constant, as a constant; null where it cannot
/// be one.
static Value buildConstant(StoredOpBuilder &stored, Value physical,
                           const RelayoutPlan &plan, ArrayRef<int64_t> shape) {
  Attribute value = getConstantValue(physical);
  if (!value)
    return {};
  TypedAttr result;
  if (plan.isView()) {
    result = getStoredAttr(value, Layout::getTensor(), shape);
  } else {
    AtomSequence order;
    for (int64_t piece : plan.perm)
      order.push_back({unsigned(piece)});
    auto layout = Layout::getUnnamed(LayoutClass::Tensor, std::move(order));
    if (!layout) {
      llvm::consumeError(layout.takeError());
      return {};
    }
    if (TypedAttr pieces =
            getStoredAttr(value, Layout::getTensor(), plan.pieces))
      result = getStoredAttr(pieces, *layout, shape);
  }
  if (!result)
    return {};
  OpBuilder &builder = stored.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(physical.getDefiningOp());
  return builder.create<ConstantOp>(builder.getUnknownLoc(), result.getType(),
                                    result);
}

/// Whether `actual` is `wanted` with perhaps more extents known.
static bool isRefinement(ArrayRef<int64_t> actual, ArrayRef<int64_t> wanted) {
  return actual.size() == wanted.size() &&
         llvm::all_of(llvm::zip_equal(actual, wanted), [](auto pair) {
           auto [extent, other] = pair;
           return extent == other || ShapedType::isDynamic(other);
         });
}

static Value buildView(StoredOpBuilder &stored, Value value,
                       ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  return isRefinement(type.getShape(), shape) ? value
                                              : stored.createView(value, shape);
}

static Value buildTranspose(OpBuilder &builder, Location loc, Value value,
                            ArrayRef<int64_t> perm) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : perm)
    shape.push_back(type.getDimSize(dim));
  return builder.create<TransposeOp>(
      loc, RankedTensorType::get(shape, type.getElementType()), value,
      builder.getDenseI64ArrayAttr(perm));
}

/// Whether a reshape from one shape to the other names every unknown extent
/// where it stands. One that is computed beside others fails where they are 0.
static bool namesUnknown(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  size_t common = 0;
  while (common < from.size() && common < to.size() &&
         from[common] == to[common])
    ++common;
  return llvm::count_if(from, ShapedType::isDynamic) < 2 || from == to ||
         llvm::none_of(from.drop_front(common), ShapedType::isDynamic);
}

/// The dimensions that are one piece, then those that are several.
static SmallVector<unsigned> placeCutLast(ArrayRef<unsigned> counts) {
  SmallVector<unsigned> order;
  for (bool isCut : {false, true})
    for (auto [i, count] : llvm::enumerate(counts))
      if ((count != 1) == isCut)
        order.push_back(i);
  return order;
}

/// The pieces of dimensions in `order`; `pieces` are those of all of them.
static SmallVector<int64_t> collectPieces(ArrayRef<unsigned> order,
                                          ArrayRef<unsigned> counts,
                                          ArrayRef<int64_t> pieces) {
  SmallVector<int64_t> collected;
  for (unsigned dim : order) {
    unsigned begin = std::accumulate(counts.begin(), counts.begin() + dim, 0u);
    llvm::append_range(collected, pieces.slice(begin, counts[dim]));
  }
  return collected;
}

static Value buildMove(StoredOpBuilder &stored, Value value,
                       ArrayRef<int64_t> perm) {
  bool isIdentity = llvm::equal(perm, llvm::seq<int64_t>(0, perm.size()));
  return isIdentity
             ? value
             : buildTranspose(stored.getBuilder(),
                              stored.getOperation()->getLoc(), value, perm);
}

/// For dimensions of unknown extent, which a reshape can only name where they
/// stand: what is cut or joined is moved behind them.
static Value buildBehindUnknown(StoredOpBuilder &stored, Value physical,
                                const RelayoutPlan &plan,
                                ArrayRef<int64_t> shape) {
  SmallVector<unsigned> first = placeCutLast(plan.fromCounts);
  Value value = buildMove(stored, physical,
                          SmallVector<int64_t>(first.begin(), first.end()));
  SmallVector<int64_t> all =
      llvm::to_vector(llvm::seq<int64_t>(0, plan.pieces.size()));
  SmallVector<int64_t> pieces = collectPieces(first, plan.fromCounts, all);
  value =
      buildView(stored, value, llvm::map_to_vector(pieces, [&](int64_t piece) {
                  return plan.pieces[piece];
                }));
  if (!value)
    return {};
  SmallVector<unsigned> last = placeCutLast(plan.toCounts);
  SmallVector<int64_t> perm, joined, back(last.size());
  for (int64_t piece : collectPieces(last, plan.toCounts, plan.perm))
    perm.push_back(llvm::find(pieces, piece) - pieces.begin());
  value = buildMove(stored, value, perm);
  for (auto [i, dim] : llvm::enumerate(last)) {
    joined.push_back(shape[dim]);
    back[dim] = i;
  }
  value = buildView(stored, value, joined);
  return value ? buildMove(stored, value, back) : Value();
}

/// For orders that cut a dimension into pieces that have no common ones.
static Value buildThroughRowMajor(StoredOpBuilder &stored, Value physical,
                                  Type from, Type to, bool alwaysTranspose) {
  if (getStorageOrder(from).empty() || getStorageOrder(to).empty())
    return {};
  auto type = cast<RankedTensorType>(to);
  Type plain = RankedTensorType::get(type.getShape(), type.getElementType());
  Value rowMajor =
      buildRelayout(stored, physical, from, plain, alwaysTranspose);
  return rowMajor ? buildRelayout(stored, rowMajor, plain, to, alwaysTranspose)
                  : Value();
}

Value layout::buildRelayout(StoredOpBuilder &stored, Value physical, Type from,
                            Type to, bool alwaysTranspose) {
  auto type = dyn_cast<RankedTensorType>(to);
  ArrayRef<Atom> fromOrder = getStorageOrder(from),
                 toOrder = getStorageOrder(to);
  if (!type || fromOrder == toOrder)
    return physical;
  if (isBlocked(fromOrder) || isBlocked(toOrder))
    return buildPaddedRelayout(stored, physical, from, to, alwaysTranspose);
  std::optional<RelayoutPlan> plan =
      planRelayout(type.getShape(), fromOrder, toOrder);
  if (!plan)
    return buildThroughRowMajor(stored, physical, from, to, alwaysTranspose);
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(getPhysicalType(to)).getShape();
  if (Value constant = buildConstant(stored, physical, *plan, shape))
    return constant;
  if (plan->isView() && !alwaysTranspose)
    return buildView(stored, physical, shape);
  SmallVector<int64_t> permutedShape = llvm::map_to_vector(
      plan->perm, [&](int64_t piece) { return plan->pieces[piece]; });
  ArrayRef<int64_t> given =
      cast<RankedTensorType>(physical.getType()).getShape();
  bool isDirect = canView(given, plan->pieces) && canView(permutedShape, shape);
  if (!isDirect || !namesUnknown(given, plan->pieces) ||
      !namesUnknown(permutedShape, shape))
    if (Value value = buildBehindUnknown(stored, physical, *plan, shape))
      return value;
  if (!isDirect)
    return {};
  Value pieces = buildView(stored, physical, plan->pieces);
  Value permuted = buildTranspose(
      stored.getBuilder(), stored.getOperation()->getLoc(), pieces, plan->perm);
  return buildView(stored, permuted, shape);
}
