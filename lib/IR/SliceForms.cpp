//===- SliceForms.cpp - Storage orders of Slice and Pad -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the axes are known, only those must be whole; where they are computed,
// any may be meant.
//
//===----------------------------------------------------------------------===//

#include "StorageForms.h"
#include "StoredParameters.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// What they share
//===----------------------------------------------------------------------===//

/// The dimensions that the entries of a parameter belong to: `axes`, or the
/// first `count`; nothing where they are not known.
static std::optional<SmallVector<int64_t>>
getListedDims(std::optional<ArrayRef<int64_t>> axes, Value axesOperand,
              std::optional<int64_t> count, int64_t rank) {
  if (axesOperand || (!axes && !count))
    return std::nullopt;
  SmallVector<int64_t> dims;
  if (!axes)
    dims = llvm::to_vector(llvm::seq<int64_t>(0, *count));
  else
    for (int64_t axis : *axes)
      dims.push_back(normalizeAxis(axis, rank).value_or(rank));
  bool areDims =
      llvm::all_of(dims, [&](int64_t dim) { return dim >= 0 && dim < rank; });
  return areDims ? std::optional(dims) : std::nullopt;
}

/// Whether all of `dims` are whole in the common order of input and result.
static bool admitsAlongDims(Operation *op, const StoredForm &form,
                            const std::optional<SmallVector<int64_t>> &dims) {
  std::optional<AtomSequence> order = getCommonOrder(op, form);
  return order && dims &&
         llvm::all_of(*dims, [&](int64_t dim) { return isWhole(*order, dim); });
}

/// Builds `op` with `axes` where `dims` lie.
static LogicalResult buildAlongDims(StoredOpBuilder &stored,
                                    ArrayRef<int64_t> dims) {
  Operation *op = stored.getOperation();
  AtomSequence order = *getCommonOrder(op, stored.getForm());
  auto operands = viewOperands(stored, order);
  if (!operands)
    return failure();
  int64_t rank = *getRank(op->getOperand(0));
  SmallVector<int64_t> axes = llvm::map_to_vector(
      dims, [&](int64_t dim) { return getPosition(order, dim, rank); });
  setResultsIn(
      stored,
      stored.create(*operands, {stored.getAttr("axes", stored.getInts(axes))}),
      order);
  return success();
}

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

static std::optional<SmallVector<int64_t>> getSlicedDims(SliceOp op) {
  std::optional<int64_t> rank = getRank(op.getInput()), count;
  if (!rank)
    return std::nullopt;
  if (std::optional<ArrayRef<int64_t>> starts = op.getStarts())
    count = starts->size();
  else if (MaybeShape shape = getShape(op.getStartsOperand());
           shape && shape->size() == 1 &&
           !ShapedType::isDynamic(shape->front()))
    count = shape->front();
  return getListedDims(op.getAxes(), op.getAxesOperand(), count, *rank);
}

/// Whether it is the axes, or how many of the first dimensions are cut, that is
/// computed.
static bool computesAxes(SliceOp op) {
  if (op.getAxesOperand())
    return isList(op.getAxesOperand());
  return !op.getAxes() && op.getStartsOperand() && !getSlicedDims(op) &&
         isList(op.getStartsOperand());
}

bool SliceOp::admitsForm(const StoredForm &form) {
  return computesAxes(*this)
             ? getWholeOrder(*this, form).has_value()
             : admitsAlongDims(*this, form, getSlicedDims(*this));
}

LogicalResult SliceOp::buildStored(StoredOpBuilder &stored) {
  if (!computesAxes(*this))
    return buildAlongDims(stored, *getSlicedDims(*this));
  AtomSequence order = *getWholeOrder(*this, stored.getForm());
  Value input = stored.viewOperand(0, order);
  if (!input)
    return failure();
  Value starts = stored.lookup(getStartsOperand());
  Value axes = stored.lookup(getAxesOperand());
  axes = axes ? gatherPositions(stored, axes, order)
              : takePositions(stored, starts, order);
  auto slice = stored.getBuilder().create<SliceOp>(
      getLoc(), UnrankedTensorType::get(inlay::getElementType(getInput())),
      input, starts, stored.lookup(getEndsOperand()), axes,
      stored.lookup(getStepsOperand()), getStartsAttr(), getEndsAttr(),
      DenseI64ArrayAttr(), getStepsAttr());
  if (failed(refineResultTypes(slice)))
    return failure();
  setResultsIn(stored, slice, order);
  return success();
}

//===----------------------------------------------------------------------===//
// Pad
//===----------------------------------------------------------------------===//

static std::optional<SmallVector<int64_t>> getPaddedDims(PadOp op) {
  std::optional<int64_t> rank = getRank(op.getInput());
  return rank ? getListedDims(op.getAxes(), op.getAxesOperand(), rank, *rank)
              : std::nullopt;
}

/// The first opset whose Pad has `axes`.
static constexpr int64_t padAxesOpset = 18;

namespace {
/// How the pads come to belong to the dimensions as they are stored.
enum class PadChange {
  /// They are said to belong to other axes.
  SetAxes,
  /// The same where the axes are computed.
  GatherAxes,
  /// They are brought into another order.
  PermutePads,
  /// The same where they are computed.
  GatherPads,
};
} // namespace

static PadChange getPadChange(PadOp op) {
  if (op.getAxesOperand())
    return PadChange::GatherAxes;
  if (op.getAxes())
    return PadChange::SetAxes;
  if (op.getPads())
    return PadChange::PermutePads;
  return getOpset(op).value_or(0) >= padAxesOpset ? PadChange::SetAxes
                                                  : PadChange::GatherPads;
}

/// Whether the dimensions that are padded are whole.
static bool admitsPadding(PadOp op, const StoredForm &form) {
  std::optional<SmallVector<int64_t>> dims = getPaddedDims(op);
  ArrayRef<int64_t> pads = *op.getPads();
  if (!dims || pads.size() != 2 * dims->size())
    return false;
  llvm::erase_if(*dims, [&](int64_t dim) {
    return pads[dim] == 0 && pads[pads.size() / 2 + dim] == 0;
  });
  return admitsAlongDims(op, form, dims);
}

bool PadOp::admitsForm(const StoredForm &form) {
  switch (getPadChange(*this)) {
  case PadChange::SetAxes:
    return admitsAlongDims(*this, form, getPaddedDims(*this));
  case PadChange::PermutePads:
    return admitsPadding(*this, form);
  case PadChange::GatherAxes:
    return isList(getAxesOperand()) && getWholeOrder(*this, form);
  case PadChange::GatherPads:
    return isList(getPadsOperand()) && getWholeOrder(*this, form);
  }
  llvm_unreachable("a change of its own");
}

/// Begins and ends, each in the order of the atoms.
static SmallVector<int64_t> permutePads(ArrayRef<Atom> order,
                                        ArrayRef<int64_t> given) {
  SmallVector<int64_t> pads =
      permuteEntries(order, given.take_front(given.size() / 2));
  llvm::append_range(pads,
                     permuteEntries(order, given.drop_front(given.size() / 2)));
  return pads;
}

LogicalResult PadOp::buildStored(StoredOpBuilder &stored) {
  PadChange change = getPadChange(*this);
  if (change == PadChange::SetAxes)
    return buildAlongDims(stored, *getPaddedDims(*this));
  AtomSequence order = *getCommonOrder(*this, stored.getForm());
  auto operands = viewOperands(stored, order);
  if (!operands)
    return failure();
  SmallVector<NamedAttribute> changed;
  if (change == PadChange::PermutePads) {
    changed.push_back(
        stored.getAttr("pads", stored.getInts(permutePads(order, *getPads()))));
  } else if (change == PadChange::GatherAxes) {
    Value &axes = (*operands)[getODSOperandIndexAndLength(3).first];
    axes = gatherPositions(stored, axes, order);
  } else {
    Value &pads = (*operands)[getODSOperandIndexAndLength(1).first];
    pads = gatherEntries(stored, pads, order, /*numRuns=*/2);
  }
  setResultsIn(stored, stored.create(*operands, changed), order);
  return success();
}
