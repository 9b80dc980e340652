//===- ViewForms.cpp - Storage orders of operators that keep the elements -===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transpose, Reshape and their like move nothing where their input and result
// are stored with the axes in one order: the result is a view of the input.
//
//===----------------------------------------------------------------------===//

#include "StorageForms.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Layout/AxisOrder.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The extent of a piece, where it is a number.
static int64_t getExtent(const AxisMap &map, const AxisPiece &piece) {
  bool isWholeAxis = piece.factor == 0 && piece.extent.isRest();
  return isWholeAxis ? map.getAxes()[piece.axis].extent
                     : piece.extent.getValue();
}

/// Joins neighbours that are neighbours in their axis too.
static AxisOrder joinPieces(const AxisOrder &order) {
  AxisOrder joined;
  for (const AxisPiece &piece : order) {
    AxisPiece *last = joined.empty() ? nullptr : &joined.back();
    bool continues = last && last->axis == piece.axis &&
                     last->factor == piece.factor + 1 &&
                     last->extent.isKnown() && piece.extent.isKnown();
    if (!continues) {
      joined.push_back(piece);
      continue;
    }
    last->factor = piece.factor;
    last->extent =
        AtomExtent::of(last->extent.getValue() * piece.extent.getValue());
  }
  return joined;
}

/// Numbers the pieces of each axis without gaps.
static void renumber(AxisOrder &order) {
  AxisOrder old = order;
  for (AxisPiece &piece : order) {
    unsigned below = 0, all = 0;
    for (const AxisPiece &other : old) {
      all += other.axis == piece.axis;
      below += other.axis == piece.axis && other.factor < piece.factor;
    }
    piece.factor = below;
    if (all == 1)
      piece.extent = AtomExtent::rest();
  }
}

/// The order in which the axes of a tensor lie in memory, in one notation;
/// nothing where it does not follow.
static std::optional<AxisOrder>
getMemoryOrder(const AxisMap &map, const std::optional<TensorAxes> &dims,
               ArrayRef<Atom> order) {
  auto lifted = dims ? liftOrder(map, *dims, order) : std::nullopt;
  if (!lifted)
    return std::nullopt;
  llvm::erase_if(*lifted, [&](const AxisPiece &piece) {
    return getExtent(map, piece) == 1;
  });
  AxisOrder joined = joinPieces(*lifted);
  renumber(joined);
  return joined;
}

/// Whether result 0 has the elements of operand 0 in the same order in memory,
/// and can be said to be a view of it.
static bool admitsView(Operation *op, const StoredForm &form) {
  AxisMap map = cast<AxisMapOpInterface>(op).getAxisMap();
  if (map.isOpaque() || !areRowMajorFrom(form, 1))
    return false;
  auto from = getMemoryOrder(map, map.getOperands()[0], form.operands[0]);
  auto to = getMemoryOrder(map, map.getResults()[0], form.results[0]);
  return from && from == to &&
         canView(
             getPhysicalShape(op->getOperand(0).getType(), form.operands[0]),
             getPhysicalShape(op->getResult(0).getType(), form.results[0]));
}

static LogicalResult buildView(StoredOpBuilder &stored) {
  Type type = getPhysicalType(stored.getOperation()->getResult(0).getType());
  Value view = stored.createView(stored.getOperands()[0],
                                 cast<RankedTensorType>(type).getShape());
  if (!view)
    return failure();
  stored.setResult(0, view);
  return success();
}

bool TransposeOp::admitsForm(const StoredForm &form) {
  return admitsView(*this, form);
}

bool TransposeOp::admitsRowMajor() { return false; }

LogicalResult TransposeOp::buildStored(StoredOpBuilder &stored) {
  return buildView(stored);
}

bool ReshapeOp::admitsForm(const StoredForm &form) {
  return admitsView(*this, form);
}

LogicalResult ReshapeOp::buildStored(StoredOpBuilder &stored) {
  return buildView(stored);
}

bool FlattenOp::admitsForm(const StoredForm &form) {
  return admitsView(*this, form);
}

LogicalResult FlattenOp::buildStored(StoredOpBuilder &stored) {
  return buildView(stored);
}

//===----------------------------------------------------------------------===//
// Squeeze and Unsqueeze
//===----------------------------------------------------------------------===//

// They can be said whatever extents are unknown.

/// The dimensions of `value` that have no axis in the operation's map.
static SmallVector<int64_t> getDimsWithoutAxis(const TensorAxes &dims) {
  SmallVector<int64_t> without;
  for (auto [i, dim] : llvm::enumerate(dims))
    if (dim.empty())
      without.push_back(i);
  return without;
}

/// `order` without the dimensions `dropped`, as an order of the others.
static AtomSequence dropDims(ArrayRef<Atom> order, ArrayRef<int64_t> dropped) {
  AtomSequence kept;
  for (Atom atom : order) {
    if (llvm::is_contained(dropped, int64_t(atom.dim)))
      continue;
    atom.dim -= llvm::count_if(
        dropped, [&](int64_t dim) { return dim < int64_t(atom.dim); });
    kept.push_back(atom);
  }
  return kept;
}

static SmallVector<int64_t> getPositions(ArrayRef<Atom> order,
                                         ArrayRef<int64_t> dims) {
  SmallVector<int64_t> positions;
  for (auto [i, atom] : llvm::enumerate(order))
    if (llvm::is_contained(dims, int64_t(atom.dim)))
      positions.push_back(i);
  return positions;
}

bool SqueezeOp::admitsForm(const StoredForm &form) {
  AxisMap map = getAxisMap();
  if (map.isOpaque() || !areRowMajorFrom(form, 1))
    return false;
  AtomSequence order = writeOut(form.operands[0], getInput().getType());
  return isViewOf(getResult().getType(), form.results[0],
                  dropDims(order, getDimsWithoutAxis(*map.getOperands()[0])));
}

LogicalResult SqueezeOp::buildStored(StoredOpBuilder &stored) {
  AxisMap map = getAxisMap();
  SmallVector<int64_t> dims = getDimsWithoutAxis(*map.getOperands()[0]);
  // Without axes all unit dimensions would go.
  if (dims.empty()) {
    stored.setResult(0, stored.getOperands()[0]);
    return success(stored.getResults()[0] != nullptr);
  }
  SmallVector<int64_t> axes = getPositions(stored.getOperandOrder(0), dims);
  stored.setResults(stored.create(
      stored.getOperands(), {stored.getAttr("axes", stored.getInts(axes))}));
  return success();
}

bool UnsqueezeOp::admitsForm(const StoredForm &form) {
  AxisMap map = getAxisMap();
  if (map.isOpaque() || !areRowMajorFrom(form, 1))
    return false;
  AtomSequence order = writeOut(form.results[0], getResult().getType());
  return isViewOf(getInput().getType(), form.operands[0],
                  dropDims(order, getDimsWithoutAxis(*map.getResults()[0])));
}

LogicalResult UnsqueezeOp::buildStored(StoredOpBuilder &stored) {
  AxisMap map = getAxisMap();
  SmallVector<int64_t> dims = getDimsWithoutAxis(*map.getResults()[0]);
  AtomSequence order = stored.getResultOrder(0);
  Value input = stored.viewOperand(0, dropDims(order, dims));
  if (!input)
    return failure();
  stored.setResults(stored.create(
      input,
      {stored.getAttr("axes", stored.getInts(getPositions(order, dims)))}));
  return success();
}
