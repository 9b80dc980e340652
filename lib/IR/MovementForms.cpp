//===- MovementForms.cpp - Storage orders of operators that move ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StorageForms.h"
#include "StoredParameters.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

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

LogicalResult TileOp::buildStored(StoredOpBuilder &stored) {
  AtomSequence order = *getCommonOrder(*this, stored.getForm());
  auto operands = viewOperands(stored, order);
  if (!operands)
    return failure();
  if (!getRepeats()) {
    operands->back() = gatherEntries(stored, operands->back(), order);
    setResultsIn(stored, stored.create(*operands), order);
    return success();
  }
  SmallVector<int64_t> repeats = permuteEntries(order, *getRepeats());
  setResultsIn(
      stored,
      stored.create(*operands,
                    {stored.getAttr("repeats", stored.getInts(repeats))}),
      order);
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
  AtomSequence order = *getMatrixOrder(*this, stored.getForm());
  auto operands = viewOperands(stored, order);
  if (!operands)
    return failure();
  setResultsIn(stored, stored.create(*operands), order);
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
