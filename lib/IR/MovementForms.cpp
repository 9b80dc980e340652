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

namespace {
/// Tensors joined along a dimension that is stored in parts: each has its own
/// number of blocks, of one size.
struct JoinedBlocks {
  AtomSequence whole;
  SmallVector<AtomSequence> parts;
  /// Where the blocks are counted, and their size.
  int64_t position, size;
};
} // namespace

/// `whole` consists of `parts` along `axis`; nothing where these are not stored
/// in blocks of one size, all of them full.
static std::optional<JoinedBlocks>
joinBlocks(StoredTensor whole, ArrayRef<StoredTensor> parts, int64_t axis) {
  auto type = dyn_cast<RankedTensorType>(whole.type);
  std::optional<int64_t> dim =
      type ? normalizeAxis(axis, type.getRank()) : std::nullopt;
  if (!dim || isWhole(whole.order, *dim) || isBlocked(whole.order))
    return std::nullopt;
  JoinedBlocks joined{AtomSequence(whole.order), {}, -1, 1};
  for (auto [i, atom] : llvm::enumerate(whole.order)) {
    if (int64_t(atom.dim) != *dim)
      continue;
    if (atom.factor > 1 || !atom.extent.isKnown())
      return std::nullopt;
    (atom.factor == 1 ? joined.position : joined.size) =
        atom.factor == 1 ? int64_t(i) : atom.extent.getValue();
  }
  for (const StoredTensor &part : parts) {
    auto own = dyn_cast<RankedTensorType>(part.type);
    if (!own || own.getRank() != type.getRank() || own.isDynamicDim(*dim) ||
        own.getDimSize(*dim) == 0 || own.getDimSize(*dim) % joined.size != 0)
      return std::nullopt;
    joined.parts.push_back(joined.whole);
    joined.parts.back()[joined.position].extent =
        AtomExtent::of(own.getDimSize(*dim) / joined.size);
    if (!isViewOf(part.type, part.order, joined.parts.back()))
      return std::nullopt;
  }
  return joined;
}

static std::optional<JoinedBlocks> joinBlocks(ConcatOp op,
                                              const StoredForm &form) {
  SmallVector<StoredTensor> parts;
  for (auto [type, order] :
       llvm::zip_equal(op->getOperandTypes(), form.operands))
    parts.push_back({type, order});
  return joinBlocks({op.getResult().getType(), form.results[0]}, parts,
                    op.getAxis());
}

bool ConcatOp::admitsForm(const StoredForm &form) {
  return admitsAlongAxis(*this, form, getAxis(), getNumOperands()) ||
         joinBlocks(*this, form);
}

LogicalResult ConcatOp::buildStored(StoredOpBuilder &stored) {
  auto joined = joinBlocks(*this, stored.getForm());
  if (!joined)
    return buildAlongAxis(stored, getAxis(), getNumOperands());
  SmallVector<Value> operands;
  for (auto [i, order] : llvm::enumerate(joined->parts)) {
    operands.push_back(stored.viewOperand(i, order));
    if (!operands.back())
      return failure();
  }
  stored.setResults(stored.create(
      operands, {stored.getAttr("axis", stored.getI64(joined->position))}));
  return success();
}

/// The parts have sizes that the operation says, or equal ones.
static std::optional<JoinedBlocks> joinBlocks(SplitOp op,
                                              const StoredForm &form) {
  if (op->getNumOperands() != 1)
    return std::nullopt;
  SmallVector<StoredTensor> parts;
  for (auto [type, order] : llvm::zip_equal(op->getResultTypes(), form.results))
    parts.push_back({type, order});
  auto joined = joinBlocks({op->getOperand(0).getType(), form.operands[0]},
                           parts, op.getAxis());
  bool areEqual = joined && llvm::all_equal(joined->parts);
  return op.getSplit() || areEqual ? joined : std::nullopt;
}

bool SplitOp::admitsForm(const StoredForm &form) {
  return admitsAlongAxis(*this, form, getAxis()) || joinBlocks(*this, form);
}

LogicalResult SplitOp::buildStored(StoredOpBuilder &stored) {
  auto joined = joinBlocks(*this, stored.getForm());
  if (!joined)
    return buildAlongAxis(stored, getAxis());
  Value input = stored.viewOperand(0, joined->whole);
  if (!input)
    return failure();
  SmallVector<NamedAttribute> changed = {
      stored.getAttr("axis", stored.getI64(joined->position))};
  if (getSplit())
    changed.push_back(stored.getAttr(
        "split",
        stored.getInts(llvm::map_to_vector(*getSplit(), [&](int64_t extent) {
          return extent / joined->size;
        }))));
  stored.setResults(stored.create(input, changed));
  return success();
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
