//===- IndexingForms.cpp - Storage orders of operators that select --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StorageForms.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// The order of the result when those of data and indices are these: the
/// indices stand where the axis stood.
static AtomSequence replaceAxis(ArrayRef<Atom> data, ArrayRef<Atom> indices,
                                unsigned axis, unsigned numIndexDims) {
  AtomSequence result;
  for (Atom atom : data) {
    if (atom.dim == axis) {
      for (Atom index : indices) {
        index.dim += axis;
        result.push_back(index);
      }
      continue;
    }
    if (atom.dim > axis)
      atom.dim += numIndexDims - 1;
    result.push_back(atom);
  }
  return result;
}

/// The order that the data is to be viewed in so that the indices come to stand
/// where the result has them; nothing where there is none.
static std::optional<AtomSequence> getDataOrder(GatherOp op,
                                                const StoredForm &form) {
  std::optional<int64_t> rank = getRank(op.getData());
  std::optional<int64_t> indexRank = getRank(op.getIndices());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(op.getAxis(), *rank) : std::nullopt;
  if (!axis || !indexRank || !isWhole(form.operands[0], *axis))
    return std::nullopt;
  AtomSequence data = writeOut(form.operands[0], op.getData().getType());
  AtomSequence indices = writeOut(form.operands[1], op.getIndices().getType());
  auto fits = [&](const AtomSequence &order) {
    return isViewOf(op.getResult().getType(), form.results[0],
                    replaceAxis(order, indices, *axis, *indexRank));
  };
  Atom own{unsigned(*axis)};
  if (!isUnit(op.getData().getType(), own))
    return fits(data) ? std::optional(data) : std::nullopt;
  // An axis of one element stands anywhere.
  llvm::erase(data, own);
  for (size_t place = 0; place <= data.size(); ++place) {
    AtomSequence order = data;
    order.insert(order.begin() + place, own);
    if (fits(order))
      return order;
  }
  return std::nullopt;
}

bool GatherOp::admitsForm(const StoredForm &form) {
  return getDataOrder(*this, form).has_value();
}

LogicalResult GatherOp::buildStored(StoredOpBuilder &stored) {
  AtomSequence order = *getDataOrder(*this, stored.getForm());
  Value data = stored.viewOperand(0, order);
  if (!data)
    return failure();
  int64_t axis = getPosition(order, getAxis(), *getRank(getData()));
  stored.setResults(
      stored.create({data, stored.getOperands()[1]},
                    {stored.getAttr("axis", stored.getI64(axis))}));
  return success();
}

//===----------------------------------------------------------------------===//
// OneHot
//===----------------------------------------------------------------------===//

/// The order of the indices that a result stored in `order` comes from: without
/// the new dimension.
static AtomSequence dropNewDim(ArrayRef<Atom> order, int64_t axis) {
  AtomSequence kept;
  for (Atom atom : order) {
    if (int64_t(atom.dim) == axis)
      continue;
    atom.dim -= int64_t(atom.dim) > axis;
    kept.push_back(atom);
  }
  return kept;
}

bool OneHotOp::admitsForm(const StoredForm &form) {
  std::optional<int64_t> rank = getRank(getResult());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(getAxis(), *rank) : std::nullopt;
  if (!axis || !areRowMajorFrom(form, 1) || form.isBlocked())
    return false;
  AtomSequence order = writeOut(form.results[0], getResult().getType());
  return isWhole(order, *axis) &&
         isViewOf(getIndices().getType(), form.operands[0],
                  dropNewDim(order, *axis));
}

LogicalResult OneHotOp::buildStored(StoredOpBuilder &stored) {
  AtomSequence order = stored.getResultOrder(0);
  int64_t rank = *getRank(getResult());
  SmallVector<Value> operands(stored.getOperands());
  operands[0] =
      stored.viewOperand(0, dropNewDim(order, *normalizeAxis(getAxis(), rank)));
  if (!operands[0])
    return failure();
  int64_t axis = getPosition(order, getAxis(), rank);
  stored.setResults(
      stored.create(operands, {stored.getAttr("axis", stored.getI64(axis))}));
  return success();
}

//===----------------------------------------------------------------------===//
// Elements along an axis
//===----------------------------------------------------------------------===//

// Updates that meet differ along the axis only, so that they meet in the same
// order however the tensors are stored.

bool GatherElementsOp::admitsForm(const StoredForm &form) {
  return admitsAlongAxis(*this, form, getAxis(), /*numOperands=*/2);
}

LogicalResult GatherElementsOp::buildStored(StoredOpBuilder &stored) {
  return buildAlongAxis(stored, getAxis(), /*numOperands=*/2);
}

bool ScatterElementsOp::admitsForm(const StoredForm &form) {
  return admitsAlongAxis(*this, form, getAxis(), /*numOperands=*/3);
}

LogicalResult ScatterElementsOp::buildStored(StoredOpBuilder &stored) {
  return buildAlongAxis(stored, getAxis(), /*numOperands=*/3);
}
