//===- SliceExpansions.cpp - Parts and borders that are computed ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slices and pads of known extents whose starts and the like are computed: the
// places that are read, one dimension after another.
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Term.h"

using namespace inlay;
using namespace mlir;

/// The elements of `input` at `places` of a dimension.
static Term takePlaces(Term input, Term places, int64_t dim) {
  Expansion &expansion = input.getExpansion();
  return {expansion,
          expansion.create<GatherOp>(input, places, expansion.getI64(dim))};
}

/// A parameter as i64, attribute or operand; nothing where it is neither.
static std::optional<Term>
getParameter(Expansion &expansion, std::optional<ArrayRef<int64_t>> attribute,
             Value operand) {
  Type wide = IntegerType::get(expansion.getOperation()->getContext(), 64);
  if (attribute)
    return Term(expansion, expansion.createInts(*attribute));
  if (!operand)
    return std::nullopt;
  return Term(expansion, expansion.createCast(operand, wide));
}

static Term getEntry(Term list, int64_t entry) {
  return {list.getExpansion(),
          createSlice(list.getExpansion(), list, 0, entry, entry + 1)};
}

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

namespace {
/// The entries of a slice, each of a dimension that may be computed.
struct SliceEntries {
  Term starts, steps, axes;
  /// Where axes are known.
  MaybeInts knownAxes;

  /// Where a dimension begins and how it goes on, of one element each; nothing
  /// where all of it stays.
  std::optional<std::pair<Term, Term>> get(int64_t dim) const;
};
} // namespace

std::optional<std::pair<Term, Term>> SliceEntries::get(int64_t dim) const {
  if (!knownAxes) {
    Term isOwn = axes == double(dim);
    Term zero = starts.getNumber(0);
    Term step = select(isOwn, steps - 1.0, zero);
    return std::pair(select(isOwn, starts, zero).reduce<ReduceSumOp>({0}),
                     step.reduce<ReduceSumOp>({0}) + 1.0);
  }
  const auto *entry = llvm::find(*knownAxes, dim);
  if (entry == knownAxes->end())
    return std::nullopt;
  int64_t number = entry - knownAxes->begin();
  return std::pair(getEntry(starts, number), getEntry(steps, number));
}

/// Axes from the front.
static MaybeInts getKnownAxes(SliceOp op, int64_t count, int64_t rank) {
  if (op.getAxesOperand())
    return std::nullopt;
  SmallVector<int64_t> axes = getRange(0, count);
  if (op.getAxes())
    axes.assign(op.getAxes()->begin(), op.getAxes()->end());
  for (int64_t &axis : axes)
    axis += axis < 0 ? rank : 0;
  return axes;
}

static std::optional<SliceEntries> getEntries(SliceOp op, Expansion &expansion,
                                              ArrayRef<int64_t> shape) {
  auto starts = getParameter(expansion, op.getStarts(), op.getStartsOperand());
  MaybeShape list = starts ? getStaticShape(*starts) : std::nullopt;
  if (!list || list->size() != 1)
    return std::nullopt;
  int64_t count = list->front();
  MaybeInts known = getKnownAxes(op, count, shape.size());
  auto steps = getParameter(expansion, op.getSteps(), op.getStepsOperand());
  if (!steps)
    steps =
        Term(expansion, expansion.createInts(SmallVector<int64_t>(count, 1)));
  std::optional<Term> axes =
      known ? Term(expansion, expansion.createInts(*known))
            : getParameter(expansion, std::nullopt, op.getAxesOperand());
  if (!known)
    axes = select(*axes < 0.0, *axes + double(shape.size()), *axes);
  // As clampSlice has it.
  Term extents =
      takePlaces(Term(expansion, expansion.createInts(shape)), *axes, 0);
  Term high = select(*steps < 0.0, extents - 1.0, extents);
  Term start = select(*starts < 0.0, *starts + extents, *starts);
  start = min(max(start, min(high, 0.0)), high);
  return SliceEntries{start, *steps, *axes, known};
}

/// A slice of which all is known is what others consist of.
static LogicalResult expandSlice(SliceOp op, Expansion &expansion) {
  MaybeShape from = getStaticShape(op.getInput()),
             to = getStaticShape(op.getResult());
  bool isComputed = op->getNumOperands() > 1;
  if (!expansion.isRequested() || !isComputed || !from || !to ||
      llvm::is_contained(*to, 0))
    return failure();
  auto entries = getEntries(op, expansion, *from);
  if (!entries)
    return failure();
  Term value(expansion, op.getInput());
  for (auto [dim, extent] : llvm::enumerate(*to))
    if (auto own = entries->get(dim)) {
      Term count(expansion, createCount(expansion, extent));
      value = takePlaces(value, own->first + count * own->second, dim);
    }
  expansion.set(op.getResult(), value);
  return success();
}

//===----------------------------------------------------------------------===//
// Pad
//===----------------------------------------------------------------------===//

static Term modulo(Term a, Term b) {
  Expansion &expansion = a.getExpansion();
  return {expansion, expansion.create<ModOp>(a, b, IntegerAttr())};
}

/// The place of what cropping leaves that `place`, counted from there, stands
/// for.
static Term mapPlace(Term place, Term kept, StringRef mode) {
  if (mode == "wrap")
    return modulo(place, kept);
  if (mode != "reflect")
    return min(max(place, 0.0), max(kept - 1.0, 0.0));
  Term period = (kept - 1.0) * 2.0;
  Term folded = modulo(place, period);
  return min(folded, period - folded);
}

/// One dimension; `fill` is a scalar.
static Term padDim(Term value, int64_t dim, std::pair<Term, Term> pads,
                   int64_t from, int64_t to, StringRef mode, Term fill) {
  Expansion &expansion = value.getExpansion();
  auto [begin, end] = pads;
  Term first = max(-begin, 0.0);
  Term kept = min(end, 0.0) - first + double(from);
  Term place = Term(expansion, createCount(expansion, to)) - max(begin, 0.0);
  Term read = min(first + mapPlace(place, kept, mode), double(from - 1));
  Term moved = takePlaces(value, read, dim);
  if (mode != "constant")
    return moved;
  auto align = [&](Term condition) {
    return Term(expansion,
                alignToAxis(expansion, condition, dim, *getRank(Value(value))));
  };
  Term isBefore = align(place < 0.0), isBehind = align(place < kept);
  return select(isBefore, fill, select(isBehind, moved, fill));
}

static LogicalResult expandPad(PadOp op, Expansion &expansion) {
  MaybeShape from = getStaticShape(op.getInput()),
             to = getStaticShape(op.getResult());
  auto pads = getParameter(expansion, op.getPads(), op.getPadsOperand());
  if (!expansion.isRequested() || !from || !to || !pads ||
      op.getAxesOperand() || llvm::is_contained(*from, 0) ||
      llvm::is_contained(*to, 0))
    return failure();
  SmallVector<int64_t> axes = getRange(0, from->size());
  if (op.getAxes())
    axes.assign(op.getAxes()->begin(), op.getAxes()->end());
  Term value(expansion, op.getInput()), fill = value.getNumber(0);
  if (op.getConstantValue())
    fill = Term(expansion, createReshape(expansion, op.getConstantValue(), {}));
  for (auto [i, axis] : llvm::enumerate(axes)) {
    int64_t dim = *normalizeAxis(axis, from->size());
    bool isKnown = op.getPads() && (*op.getPads())[i] == 0 &&
                   (*op.getPads())[axes.size() + i] == 0;
    if (!isKnown)
      value = padDim(
          value, dim,
          {getEntry(*pads, i), getEntry(*pads, int64_t(axes.size() + i))},
          (*from)[dim], (*to)[dim], op.getMode(), fill);
  }
  expansion.set(op.getResult(), value);
  return success();
}

void inlay::registerSliceExpansions(MLIRContext &context) {
  attachExpansion<SliceOp, expandSlice>(context);
  attachExpansion<PadOp, expandPad>(context);
}
