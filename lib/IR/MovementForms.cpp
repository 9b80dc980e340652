//===- MovementForms.cpp - Storage orders of operators that move ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StorageForms.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

/// Entry i of `entries` belongs to dimension i; each atom gets that of its
/// dimension.
static SmallVector<int64_t> permuteEntries(ArrayRef<Atom> order,
                                           ArrayRef<int64_t> entries) {
  return llvm::map_to_vector(
      order, [&](const Atom &atom) { return entries[atom.dim]; });
}

//===----------------------------------------------------------------------===//
// Expand and Tile
//===----------------------------------------------------------------------===//

/// The entries of `shape`, one per dimension of the result. Where the extent is
/// known not to change the entry is one, so that it holds for parts too.
static SmallVector<int64_t> getExpandEntries(ExpandOp op) {
  auto from = cast<RankedTensorType>(op.getInput().getType());
  auto to = cast<RankedTensorType>(op.getResult().getType());
  ArrayRef<int64_t> given = *op.getShape();
  SmallVector<int64_t> entries(to.getRank(), 1);
  llvm::copy(given, entries.end() - given.size());
  int64_t shift = to.getRank() - from.getRank();
  for (auto [i, extent] : llvm::enumerate(from.getShape()))
    if (extent != 1 && !ShapedType::isDynamic(extent))
      entries[shift + i] = 1;
  return entries;
}

bool ExpandOp::admitsForm(const StoredForm &form) {
  if (getAxisMap().isOpaque() || !getShape() || !areRowMajorFrom(form, 1))
    return false;
  for (auto [dim, entry] : llvm::enumerate(getExpandEntries(*this)))
    if (entry != 1 && !isWhole(form.results[0], dim))
      return false;
  Type input = getInput().getType();
  return isViewOf(input, form.operands[0],
                  alignAtoms(input, form.operands[0], getResult().getType(),
                             form.results[0]));
}

LogicalResult ExpandOp::buildStored(StoredOpBuilder &stored) {
  Value input = stored.alignOperand(0, getResult().getType(),
                                    stored.getForm().results[0]);
  if (!input)
    return failure();
  SmallVector<int64_t> shape =
      permuteEntries(stored.getResultOrder(0), getExpandEntries(*this));
  stored.setResults(
      stored.create(input, {stored.getAttr("shape", stored.getInts(shape))}));
  return success();
}

bool TileOp::admitsForm(const StoredForm &form) {
  std::optional<AtomSequence> order = getCommonOrder(*this, form);
  if (getAxisMap().isOpaque() || !order)
    return false;
  // Repeats that are computed may be any.
  for (unsigned dim = 0; dim < *getRank(getInput()); ++dim)
    if ((!getRepeats() || (*getRepeats())[dim] != 1) && !isWhole(*order, dim))
      return false;
  return true;
}

/// Entry i of `entries`, one per dimension and computed, for each atom.
static Value gatherEntries(StoredOpBuilder &stored, Value entries,
                           ArrayRef<Atom> order) {
  SmallVector<int64_t> dims = llvm::map_to_vector(
      order, [](const Atom &atom) { return int64_t(atom.dim); });
  OpBuilder &builder = stored.getBuilder();
  Location loc = stored.getOperation()->getLoc();
  TypedAttr indices =
      getConstantAttr(builder.getContext(), HostTensor::getInts(dims));
  auto constant = builder.create<ConstantOp>(loc, indices.getType(), indices);
  return builder.create<GatherOp>(loc, entries.getType(), entries, constant,
                                  IntegerAttr());
}

LogicalResult TileOp::buildStored(StoredOpBuilder &stored) {
  AtomSequence order = *getCommonOrder(*this, stored.getForm());
  auto operands = viewOperands(stored, order);
  if (!operands)
    return failure();
  if (!getRepeats()) {
    operands->back() = gatherEntries(stored, operands->back(), order);
    stored.setResults(stored.create(*operands));
    return success();
  }
  SmallVector<int64_t> repeats = permuteEntries(order, *getRepeats());
  stored.setResults(stored.create(
      *operands, {stored.getAttr("repeats", stored.getInts(repeats))}));
  return success();
}

//===----------------------------------------------------------------------===//
// Concat and Split
//===----------------------------------------------------------------------===//

bool ConcatOp::admitsForm(const StoredForm &form) {
  return admitsAlongAxis(*this, form, getAxis(), getNumOperands());
}

LogicalResult ConcatOp::buildStored(StoredOpBuilder &stored) {
  return buildAlongAxis(stored, getAxis(), getNumOperands());
}

bool SplitOp::admitsForm(const StoredForm &form) {
  return admitsAlongAxis(*this, form, getAxis());
}

LogicalResult SplitOp::buildStored(StoredOpBuilder &stored) {
  return buildAlongAxis(stored, getAxis());
}

//===----------------------------------------------------------------------===//
// Slice and Pad
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
  stored.setResults(
      stored.create(*operands, {stored.getAttr("axes", stored.getInts(axes))}));
  return success();
}

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

bool SliceOp::admitsForm(const StoredForm &form) {
  return admitsAlongDims(*this, form, getSlicedDims(*this));
}

LogicalResult SliceOp::buildStored(StoredOpBuilder &stored) {
  return buildAlongDims(stored, *getSlicedDims(*this));
}

static std::optional<SmallVector<int64_t>> getPaddedDims(PadOp op) {
  std::optional<int64_t> rank = getRank(op.getInput());
  return rank ? getListedDims(op.getAxes(), op.getAxesOperand(), rank, *rank)
              : std::nullopt;
}

/// The first opset whose Pad has `axes`.
static constexpr int64_t padAxesOpset = 18;

/// Whether the pads are to be brought into another order, rather than said to
/// belong to other axes.
static bool permutesPads(PadOp op) { return op.getPads() && !op.getAxes(); }

bool PadOp::admitsForm(const StoredForm &form) {
  std::optional<SmallVector<int64_t>> dims = getPaddedDims(*this);
  if (!dims || !permutesPads(*this))
    return (getAxes() || getOpset(*this).value_or(0) >= padAxesOpset) &&
           admitsAlongDims(*this, form, dims);
  if (getPads()->size() != 2 * dims->size())
    return false;
  llvm::erase_if(*dims, [&](int64_t dim) {
    return (*getPads())[dim] == 0 &&
           (*getPads())[getPads()->size() / 2 + dim] == 0;
  });
  return admitsAlongDims(*this, form, dims);
}

LogicalResult PadOp::buildStored(StoredOpBuilder &stored) {
  if (!permutesPads(*this))
    return buildAlongDims(stored, *getPaddedDims(*this));
  AtomSequence order = *getCommonOrder(*this, stored.getForm());
  auto operands = viewOperands(stored, order);
  if (!operands)
    return failure();
  ArrayRef<int64_t> given = *getPads();
  SmallVector<int64_t> pads =
      permuteEntries(order, given.take_front(given.size() / 2));
  llvm::append_range(pads,
                     permuteEntries(order, given.drop_front(given.size() / 2)));
  stored.setResults(
      stored.create(*operands, {stored.getAttr("pads", stored.getInts(pads))}));
  return success();
}

//===----------------------------------------------------------------------===//
// Trilu
//===----------------------------------------------------------------------===//

/// The order with the matrices' dimensions last; nothing where there is none.
static std::optional<AtomSequence> getMatrixOrder(TriluOp op,
                                                  const StoredForm &form) {
  std::optional<AtomSequence> order = getCommonOrder(op, form);
  unsigned rank = getRank(op.getInput()).value_or(0);
  if (!order || rank < 2)
    return std::nullopt;
  AtomSequence wanted;
  for (const Atom &atom : *order)
    if (atom.dim + 2 < rank)
      wanted.push_back(atom);
  wanted.push_back({rank - 2});
  wanted.push_back({rank - 1});
  bool isStored = isViewOf(op.getInput().getType(), *order, wanted);
  return isStored ? std::optional(wanted) : std::nullopt;
}

bool TriluOp::admitsForm(const StoredForm &form) {
  return getMatrixOrder(*this, form).has_value();
}

LogicalResult TriluOp::buildStored(StoredOpBuilder &stored) {
  auto operands =
      viewOperands(stored, *getMatrixOrder(*this, stored.getForm()));
  if (!operands)
    return failure();
  stored.setResults(stored.create(*operands));
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

bool ShapeOp::followsAxes() { return false; }

bool ShapeOp::admitsFactors() { return false; }

bool ShapeOp::admitsForm(const StoredForm &form) {
  return isa<RankedTensorType>(getInput().getType()) && !form.isFactored() &&
         form.results[0].empty();
}

LogicalResult ShapeOp::buildStored(StoredOpBuilder &stored) {
  AtomSequence order = stored.getOperandOrder(0);
  auto [start, end] = getRange();
  SmallVector<int64_t> positions;
  for (int64_t dim = start; dim < end; ++dim)
    positions.push_back(getPosition(order, dim, order.size()));
  if (llvm::equal(positions, llvm::seq<int64_t>(start, end))) {
    stored.setResults(stored.create(stored.getOperands()));
    return success();
  }
  OpBuilder &builder = stored.getBuilder();
  auto shape = builder.create<ShapeOp>(
      getLoc(),
      RankedTensorType::get(int64_t(order.size()), builder.getI64Type()),
      stored.getOperands()[0], IntegerAttr(), IntegerAttr());
  TypedAttr indices =
      getConstantAttr(getContext(), HostTensor::getInts(positions));
  auto constant =
      builder.create<ConstantOp>(getLoc(), indices.getType(), indices);
  stored.setResult(0, builder.create<GatherOp>(getLoc(),
                                               getPhysicalType(getType()),
                                               shape, constant, IntegerAttr()));
  return success();
}

bool SizeOp::admitsForm(const StoredForm &form) {
  // Padding does not count.
  return isa<RankedTensorType>(getInput().getType()) && !form.isBlocked();
}

LogicalResult SizeOp::buildStored(StoredOpBuilder &stored) {
  stored.setResults(stored.create(stored.getOperands()));
  return success();
}

bool ConstantOfShapeOp::admitsForm(const StoredForm &form) {
  return getShape() && !form.isFactored();
}

LogicalResult ConstantOfShapeOp::buildStored(StoredOpBuilder &stored) {
  SmallVector<int64_t> shape =
      permuteEntries(stored.getResultOrder(0), *getShape());
  stored.setResults(stored.create(
      stored.getOperands(), {stored.getAttr("shape", stored.getInts(shape))}));
  return success();
}
