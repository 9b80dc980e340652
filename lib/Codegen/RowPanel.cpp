//===- RowPanel.cpp - Rows of a contraction -------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowPanel.h"
#include "OpenDims.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <numeric>

using namespace inlay;
using namespace mlir;

/// Rows are copied this much farther apart than they are long: lines of a power
/// of two would all fall into the same places of the cache.
static constexpr int64_t gap = 16;
/// Tensors that are put together in front of the product, at most.
static constexpr uint64_t maxPieces = 32;

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

int64_t RowPanel::getNumRows(const Roles &roles) const {
  int64_t count = 1;
  for (unsigned dim : roles.rows)
    count *= chunks[dim];
  return count;
}

int64_t RowPanel::getNumPanels(const Roles &roles) const {
  int64_t count = 1;
  for (unsigned dim : roles.rows)
    count *= llvm::divideCeil(contraction.extents[dim], chunks[dim]);
  return count;
}

/// What lies side by side is innermost.
void RowPanel::orderSums(Roles &roles) const {
  llvm::sort(roles.sums, [&](unsigned x, unsigned y) {
    return std::pair(-std::abs(steps[x]), x) <
           std::pair(-std::abs(steps[y]), y);
  });
}

/// Whether lines of the sum lie in the tensor as they would be copied.
bool RowPanel::isDirect(Roles &roles) {
  const Linear *only = memory.getPlace();
  if (!only)
    return false;
  for (unsigned dim = 0; dim < steps.size(); ++dim)
    steps[dim] = only->getFactor(dim);
  orderSums(roles);
  auto isDense = [&](ArrayRef<unsigned> dims) {
    return !dims.empty() && steps[dims.back()] == 1;
  };
  if (!roles.sums.empty() && !isDense(roles.sums) &&
      !(limits.packsRows && isDense(roles.rows)))
    return false;
  place = only;
  return true;
}

/// Those that change with rows are outermost, so that what is summed lies side
/// by side; the order is that of memory otherwise.
void RowPanel::orderDims(const Roles &roles) {
  const LoopIndex &index = contraction.a.index;
  auto changesWithRows = [&](unsigned dim) {
    return llvm::any_of(roles.rows, [&](unsigned row) {
      return index[dim].getFactor(row) != 0;
    });
  };
  SmallVector<const Linear *> forms = pieces.front()->reader.getForms();
  auto getKey = [&](const CopiedDim &dim) {
    int64_t stride = 0;
    for (const Linear *form : forms)
      stride = std::max(stride, std::abs(form->getFactor(dim.number)));
    // One that is read nowhere else is no loop: it is outermost.
    return std::tuple(!changesWithRows(dim.number), stride != 0, -stride,
                      dim.number);
  };
  llvm::sort(dims, [&](const CopiedDim &x, const CopiedDim &y) {
    return getKey(x) < getKey(y);
  });
}

std::unique_ptr<RowPanel::Piece>
RowPanel::makePiece(const LoopPlan &plan, LoopRange innermost) const {
  SmallVector<LoopRange> ranges =
      LoopPlan::get(getExtents(contraction.a.value)).getRanges();
  if (!dims.empty())
    ranges[dims.back().number] = innermost;
  auto piece = std::make_unique<Piece>(body, plan, ranges);
  std::optional<unsigned> wanted =
      piece->reader.want(contraction.a.value, piece->space.getIndex());
  piece->element = wanted.value_or(0);
  return wanted ? std::move(piece) : nullptr;
}

/// Whether a plan is no other but for cuts of one dimension.
static bool isCutOnly(const LoopPlan &plan, unsigned cut) {
  for (auto [dim, loops] : llvm::enumerate(plan.dims))
    if (loops.size() != 1 || (dim != cut && !loops.front().cuts.empty()))
      return false;
  return true;
}

/// Cuts the innermost dimension where another tensor begins.
bool RowPanel::planPieces() {
  LoopPlan plan = LoopPlan::get(getExtents(contraction.a.value));
  unsigned cut = dims.back().number;
  for (uint64_t round = 0; round < maxPieces; ++round) {
    std::optional<LoopPlan> better;
    for (const std::unique_ptr<Piece> &piece : pieces)
      if (!better)
        better = piece->space.getBetterPlan(maxPieces);
    if (!better || !isCutOnly(*better, cut))
      return true;
    plan = std::move(*better);
    pieces.clear();
    const LoopPlan::Loop &loop = plan.dims[cut].front();
    SmallVector<int64_t> ends(loop.cuts);
    ends.push_back(loop.extent);
    int64_t from = 0;
    for (int64_t end : ends) {
      pieces.push_back(makePiece(plan, {from, end - 1}));
      if (!pieces.back())
        return false;
      from = end;
    }
  }
  return true;
}

/// Which part of the tensor a panel needs, and where it lies.
void RowPanel::placeCopy(const Roles &roles) {
  const LoopIndex &index = contraction.a.index;
  int64_t stride = 1;
  bool isInner = true;
  for (CopiedDim &dim : llvm::reverse(dims)) {
    bool hasRows = false, hasSums = false;
    dim.extent = 1;
    for (auto [own, factor] : index[dim.number].terms) {
      bool isRow = llvm::is_contained(roles.rows, own);
      bool isSum = llvm::is_contained(roles.sums, own) && own != sliced;
      if ((dim.part == CopiedDim::Rows && !isRow) ||
          (dim.part == CopiedDim::Windows && !isSum))
        continue;
      int64_t count = isRow   ? chunks[own]
                      : isSum ? contraction.extents[own]
                              : 1;
      dim.extent += factor / dim.apart * (count - 1);
      hasRows |= isRow;
      hasSums |= isSum;
    }
    if (hasRows && isInner && !hasSums)
      stride += gap;
    isInner &= !hasRows;
    dim.stride = stride;
    stride *= dim.extent;
  }
  numFloats = stride;
  steps.assign(contraction.extents.size(), 0);
  for (const CopiedDim &dim : dims)
    for (auto [own, factor] : index[dim.number].terms) {
      bool isRow = llvm::is_contained(roles.rows, own);
      if (dim.part == CopiedDim::Both || isRow == (dim.part == CopiedDim::Rows))
        steps[own] += factor / dim.apart * dim.stride;
    }
  // Its places are copied to one place.
  if (sliced)
    steps[*sliced] = 0;
}

/// Copies each window for itself: there is room for some of them where there
/// is none for what lies between the taps of a dilated one.
bool RowPanel::splitWindows(const Roles &roles) {
  SmallVector<CopiedDim> outer, windows, inner;
  for (const CopiedDim &dim : dims) {
    CopiedDim rows = dim, taps = dim;
    bool hasRows = false, hasSums = false;
    for (auto [own, factor] : contraction.a.index[dim.number].terms) {
      bool isRow = llvm::is_contained(roles.rows, own);
      (isRow ? rows : taps).apart = factor;
      hasRows |= isRow;
      hasSums |= llvm::is_contained(roles.sums, own);
    }
    bool isSplit = hasRows && hasSums;
    // Of a window's dimension there are rows and taps, and nothing else.
    if (isSplit && contraction.a.index[dim.number].terms.size() != 2)
      return false;
    if (!isSplit) {
      (hasRows ? outer : inner).push_back(dim);
      continue;
    }
    rows.part = CopiedDim::Rows;
    taps.part = CopiedDim::Windows;
    outer.push_back(rows);
    windows.push_back(taps);
  }
  if (inner.empty() || windows.empty())
    return false;
  // What has one element is in front, and no loop.
  dims = std::move(outer);
  llvm::append_range(dims, windows);
  llvm::append_range(dims, inner);
  return true;
}

/// As much of the inner dimensions as fits; parts of about the same size.
bool RowPanel::chooseChunks(const Roles &roles) {
  chunks.assign(contraction.extents.size(), 1);
  auto fits = [&] {
    if (!isCopied())
      return getNumRows(roles) <= limits.directRows;
    placeCopy(roles);
    int64_t rows = getNumRows(roles);
    return numFloats + rows * limits.perRow <= limits.floats &&
           rows <= limits.copiedRows;
  };
  if (!fits())
    return false;
  for (unsigned dim : llvm::reverse(roles.rows)) {
    int64_t extent = contraction.extents[dim], low = 1, high = extent;
    while (low < high) {
      chunks[dim] = low + (high - low + 1) / 2;
      if (fits())
        low = chunks[dim];
      else
        high = chunks[dim] - 1;
    }
    chunks[dim] = llvm::divideCeil(extent, llvm::divideCeil(extent, low));
    if (low != extent)
      break;
  }
  return fits();
}

bool RowPanel::planCopy(const Roles &roles) {
  pieces.push_back(
      makePiece(LoopPlan::get(getExtents(contraction.a.value)), {}));
  if (!pieces.back())
    return false;
  LoopSpace space(LoopPlan::get(contraction.extents));
  for (auto [number, size] : llvm::enumerate(getExtents(contraction.a.value))) {
    LoopRange range = space.getRange(contraction.a.index[number]);
    bool isBounded = range.low < 0 || range.high >= size;
    dims.push_back({unsigned(number), size, isBounded});
  }
  orderDims(roles);
  return planPieces();
}

bool RowPanel::plan(Roles &roles, const PanelLimits &given) {
  limits = given;
  steps.assign(contraction.extents.size(), 0);
  if (!memory.plan(contraction.a))
    return false;
  if (isDirect(roles))
    return chooseChunks(roles);
  if (!planCopy(roles))
    return false;
  if (!chooseChunks(roles) && !(splitWindows(roles) && chooseChunks(roles)))
    return false;
  orderSums(roles);
  return true;
}

/// Of lines that are read for one tap only, those between two rows are not
/// copied.
void RowPanel::skipLines() {
  for (CopiedDim &dim : MutableArrayRef(dims).drop_back()) {
    int64_t apart = 0;
    for (auto [own, factor] : contraction.a.index[dim.number].terms)
      if (own != sliced)
        apart = std::gcd(apart, factor);
    dim.apart = std::max<int64_t>(apart, 1);
  }
}

bool RowPanel::slice(const Roles &roles, int64_t maxRows, int64_t perRow) {
  bool isWhole = llvm::all_of(
      dims, [](const CopiedDim &dim) { return dim.part == CopiedDim::Both; });
  if (!isCopied() || !isWhole || roles.sums.size() < 2)
    return false;
  int64_t before = getNumPanels(roles);
  PanelLimits whole = limits;
  sliced = roles.sums.front();
  limits.copiedRows = maxRows;
  limits.perRow = perRow;
  skipLines();
  if (chooseChunks(roles) && getNumPanels(roles) < before)
    return true;
  sliced.reset();
  limits = whole;
  for (CopiedDim &dim : dims)
    dim.apart = 1;
  chooseChunks(roles);
  return false;
}

void RowPanel::takeAllRows(const Roles &roles) {
  for (unsigned dim : roles.rows)
    chunks[dim] = contraction.extents[dim];
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

/// Whether elements lie side by side along a dimension and not along the
/// innermost one, which is the only one inside of it: images come so.
bool RowPanel::isCopiedAcross(size_t level, unsigned lanes) const {
  const CopiedDim &dim = dims[level], &inner = dims.back();
  bool areOnlyTwo = llvm::all_of(
      ArrayRef(dims).slice(level + 1).drop_back(), [&](const CopiedDim &own) {
        return contraction.a.index[own.number].terms.empty();
      });
  const Reader &reader = pieces.front()->reader;
  auto liesAlong = [&](const CopiedDim &own) {
    return llvm::all_of(reader.getForms(), [&](const Linear *form) {
      return form->getFactor(own.number) == 1;
    });
  };
  return areOnlyTwo && pieces.size() == 1 && dim.apart == 1 &&
         !inner.isBounded && inner.part == CopiedDim::Both && liesAlong(dim) &&
         !liesAlong(inner) && reader.allowsVectors(dim.number) &&
         pieces.front()->space.getCount(dim.number) >= lanes;
}

bool RowPanel::endsAtLengths(const OpenDims &open) const {
  return isCopied() &&
         llvm::all_of(open.get(contraction.a.value), [&](unsigned number) {
           return llvm::any_of(dims, [&](const CopiedDim &dim) {
             return dim.number == number && dim.isBounded &&
                    dim.part == CopiedDim::Both;
           });
         });
}

Value RowPanel::getMemory(KernelBuilder &builder) const {
  return isCopied() ? builder.allocate(numFloats) : memory.getMemory(builder);
}

Value RowPanel::emitStart(KernelBuilder &builder,
                          ArrayRef<Value> variables) const {
  return isCopied() ? builder.number(0) : memory.emitStart(builder, variables);
}

namespace {
/// Where a dimension of the copy begins in the tensor, and which of its places
/// are inside of it.
struct CopiedRange {
  Value start, low, high;
};
} // namespace

class RowPanel::Copier {
public:
  Copier(KernelBuilder &builder, const RowPanel &panel,
         ArrayRef<Value> variables, Value copy, unsigned lanes)
      : builder(builder), panel(panel), variables(variables), copy(copy),
        lanes(lanes), places(panel.dims.size()) {}

  void emit(size_t level, Value to);
  void emitPart(size_t level, Value to);

  bool hasCode = true;

private:
  CopiedRange getRange(const CopiedDim &dim);
  void clear(Value from, Value to);
  void emitLine(const CopiedDim &dim, const CopiedRange &range, Value to);
  void emitPiece(const Piece &piece, Value from, Value end, Value start,
                 Value to);
  void emitAcross(size_t level, const CopiedRange &range, Value to);

  KernelBuilder &builder;
  const RowPanel &panel;
  ArrayRef<Value> variables;
  Value copy;
  unsigned lanes;
  /// By dimension of the tensor.
  SmallVector<Value> places;
};

CopiedRange RowPanel::Copier::getRange(const CopiedDim &dim) {
  const Linear &place = panel.contraction.a.index[dim.number];
  Value start = builder.number(place.constant);
  for (auto [own, factor] : place.terms)
    start = builder.add(start, builder.mul(variables[own], factor));
  Value low = builder.number(0), high = builder.number(dim.extent);
  if (!dim.isBounded)
    return {start, low, high};
  Value zero = low, size = builder.number(dim.size);
  // Behind the length of a run there is nothing but zeros that were put there.
  if (Value length = builder.findLength(panel.contraction.a.value, dim.number))
    size = builder.min(size, length);
  // How many places are in front of one of the tensor.
  auto countTo = [&](Value place) {
    Value way = builder.max(builder.sub(place, start), zero);
    return dim.apart == 1 ? way : builder.divideUp(way, dim.apart);
  };
  low = builder.min(countTo(zero), high);
  high = builder.max(low, builder.min(countTo(size), high));
  return {start, low, high};
}

void RowPanel::Copier::clear(Value from, Value to) {
  Type element = panel.contraction.element;
  builder.loopInVectors(from, to, lanes, [&](Value at, unsigned width) {
    builder.storeFloats(builder.constant(getWide(element, width), 0), copy, at);
  });
}

void RowPanel::Copier::emitPiece(const Piece &piece, Value from, Value end,
                                 Value start, Value to) {
  unsigned lane = panel.dims.back().number;
  bool areVectors =
      piece.reader.allowsVectors(lane) && piece.space.getCount(lane) >= lanes;
  builder.loopInVectors(
      from, end, areVectors ? lanes : 1, [&](Value at, unsigned width) {
        Reader::Scope scope = piece.reader.getScope();
        llvm::copy(places, scope.variables.begin());
        scope.variables[lane] = builder.add(start, at);
        scope.lane = lane;
        scope.width = width;
        hasCode = hasCode && piece.reader.emit(builder, scope);
        if (hasCode)
          builder.storeFloats(
              builder.spread(scope.elements[piece.element], width), copy,
              builder.add(to, at));
      });
}

void RowPanel::Copier::emitLine(const CopiedDim &dim, const CopiedRange &range,
                                Value to) {
  for (const std::unique_ptr<Piece> &piece : panel.pieces) {
    Value from = range.low, end = range.high;
    if (panel.pieces.size() > 1) {
      LoopRange own = piece->space[dim.number].range;
      from =
          builder.max(from, builder.sub(builder.number(own.low), range.start));
      end = builder.min(end,
                        builder.sub(builder.number(own.high + 1), range.start));
      end = builder.max(from, end);
    }
    emitPiece(*piece, from, end, range.start, to);
  }
}

/// A dimension and the innermost one, vectors along the former.
void RowPanel::Copier::emitAcross(size_t level, const CopiedRange &range,
                                  Value to) {
  const CopiedDim &dim = panel.dims[level], &inner = panel.dims.back();
  for (const CopiedDim &one : ArrayRef(panel.dims).slice(level + 1))
    places[one.number] = getRange(one).start;
  const Piece &piece = *panel.pieces.front();
  Value start = getRange(inner).start;
  auto emitVector = [&](Value count, Value at, unsigned width) {
    Reader::Scope scope = piece.reader.getScope();
    llvm::copy(places, scope.variables.begin());
    scope.variables[inner.number] = builder.add(start, count);
    scope.variables[dim.number] = builder.add(range.start, at);
    scope.lane = dim.number;
    scope.width = width;
    hasCode = hasCode && piece.reader.emit(builder, scope);
    if (!hasCode)
      return;
    Value value = builder.spread(scope.elements[piece.element], width);
    Value from =
        builder.add(to, builder.add(builder.mul(at, dim.stride), count));
    for (unsigned i = 0; i < width; ++i) {
      Value own = width == 1
                      ? value
                      : builder.create<vector::ExtractOp>(value, int64_t(i));
      builder.storeFloats(own, copy,
                          builder.add(from, builder.number(i * dim.stride)));
    }
  };
  builder.loop(builder.number(0), builder.number(inner.extent), 1,
               [&](Value count) {
                 builder.loopInVectors(range.low, range.high, lanes,
                                       [&](Value at, unsigned width) {
                                         emitVector(count, at, width);
                                       });
               });
}

/// Rows, or the taps of their windows, each of which is in the tensor or not.
void RowPanel::Copier::emitPart(size_t level, Value to) {
  const CopiedDim &dim = panel.dims[level];
  bool isWindow = dim.part == CopiedDim::Windows;
  Value first = isWindow ? places[dim.number] : getRange(dim).start;
  auto emitAt = [&](Value at) {
    Value place = builder.add(first, builder.mul(at, dim.apart));
    Value from = builder.add(to, builder.mul(at, dim.stride));
    auto emitInside = [&] {
      places[dim.number] = place;
      emit(level + 1, from);
    };
    if (!isWindow || !dim.isBounded)
      return emitInside();
    Value isInside = builder.create<arith::CmpIOp>(
        arith::CmpIPredicate::ult, place, builder.number(dim.size));
    builder.choose(isInside, emitInside, [&] {
      clear(from, builder.add(from, builder.number(dim.stride)));
    });
  };
  builder.loop(builder.number(0), builder.number(dim.extent), 1, emitAt);
  places[dim.number] = first;
}

/// Zeros in front of the tensor, its elements, and zeros behind it.
void RowPanel::Copier::emit(size_t level, Value to) {
  const CopiedDim &dim = panel.dims[level];
  if (dim.part != CopiedDim::Both)
    return emitPart(level, to);
  CopiedRange range = getRange(dim);
  if (dim.isBounded) {
    Value end = builder.add(to, builder.number(dim.extent * dim.stride));
    clear(to, builder.add(to, builder.mul(range.low, dim.stride)));
    clear(builder.add(to, builder.mul(range.high, dim.stride)), end);
  }
  if (level + 1 == panel.dims.size()) {
    emitLine(dim, range, to);
    return;
  }
  if (panel.isCopiedAcross(level, lanes))
    return emitAcross(level, range, to);
  builder.loop(range.low, range.high, 1, [&](Value at) {
    places[dim.number] = builder.add(range.start, builder.mul(at, dim.apart));
    emit(level + 1, builder.add(to, builder.mul(at, dim.stride)));
  });
}

bool RowPanel::emitCopy(KernelBuilder &builder, ArrayRef<Value> variables,
                        Value copy, unsigned lanes) const {
  Copier copier(builder, *this, variables, copy, lanes);
  copier.emit(0, builder.number(0));
  return copier.hasCode;
}
