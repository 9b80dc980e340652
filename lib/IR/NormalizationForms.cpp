//===- NormalizationForms.cpp - Storage orders of normalisations ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StorageForms.h"
#include "inlay/IR/InlayOps.h"
#include "llvm/ADT/SmallSet.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// LayerNormalization and RMSNormalization
//===----------------------------------------------------------------------===//

namespace {
/// The order of a tensor that is normalised over its last dimensions, and how
/// many atoms stand before those.
struct TrailingOrder {
  AtomSequence atoms;
  int64_t numOuter = 0;
};
} // namespace

/// The order with the normalised dimensions last, in any order among
/// themselves; nothing where the input is stored otherwise. Dimensions of one
/// element come first on their side.
static std::optional<TrailingOrder>
getTrailingOrder(Type type, ArrayRef<Atom> order, int64_t axis) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  std::optional<int64_t> first =
      ranked ? normalizeAxis(axis, ranked.getRank()) : std::nullopt;
  if (!first)
    return std::nullopt;
  TrailingOrder trailing;
  AtomSequence written = writeOut(order, type);
  auto append = [&](bool isOuter, bool isOne) {
    for (const Atom &atom : written)
      if ((int64_t(atom.dim) < *first) == isOuter &&
          isUnit(type, atom) == isOne)
        trailing.atoms.push_back(atom);
  };
  append(/*isOuter=*/true, /*isOne=*/true);
  append(/*isOuter=*/true, /*isOne=*/false);
  trailing.numOuter = trailing.atoms.size();
  append(/*isOuter=*/false, /*isOne=*/true);
  append(/*isOuter=*/false, /*isOne=*/false);
  bool isStored = isViewOf(type, order, trailing.atoms);
  return isStored ? std::optional(trailing) : std::nullopt;
}

/// Whether parameters and results are stored as the input is.
static bool admitsTrailing(Operation *op, const StoredForm &form,
                           int64_t axis) {
  Type input = op->getOperand(0).getType();
  auto order = getTrailingOrder(input, form.operands[0], axis);
  if (!order || form.isBlocked())
    return false;
  for (unsigned i = 1; i < op->getNumOperands(); ++i) {
    auto type = dyn_cast<RankedTensorType>(op->getOperand(i).getType());
    if (!type || type.getRank() > cast<RankedTensorType>(input).getRank() ||
        !isViewOf(type, form.operands[i],
                  alignAtoms(type, form.operands[i], input, order->atoms)))
      return false;
  }
  // The statistics have one element in the normalised dimensions.
  ArrayRef<Atom> atoms = order->atoms;
  for (OpResult result : op->getResults()) {
    unsigned i = result.getResultNumber();
    if (!isViewOf(result.getType(), form.results[i],
                  i == 0 ? atoms : atoms.take_front(order->numOuter)))
      return false;
  }
  return true;
}

static LogicalResult buildTrailing(StoredOpBuilder &stored, int64_t axis) {
  Operation *op = stored.getOperation();
  Type input = op->getOperand(0).getType();
  auto order = *getTrailingOrder(input, stored.getForm().operands[0], axis);
  SmallVector<Value> operands{stored.viewOperand(0, order.atoms)};
  for (unsigned i = 1; i < op->getNumOperands(); ++i)
    operands.push_back(stored.alignOperand(i, input, order.atoms));
  if (llvm::is_contained(operands, Value()))
    return failure();
  stored.setResults(stored.create(
      operands, {stored.getAttr("axis", stored.getI64(order.numOuter))}));
  return success();
}

bool LayerNormalizationOp::admitsForm(const StoredForm &form) {
  return admitsTrailing(*this, form, getAxis());
}

LogicalResult LayerNormalizationOp::buildStored(StoredOpBuilder &stored) {
  return buildTrailing(stored, getAxis());
}

bool RMSNormalizationOp::admitsForm(const StoredForm &form) {
  return admitsTrailing(*this, form, getAxis());
}

LogicalResult RMSNormalizationOp::buildStored(StoredOpBuilder &stored) {
  return buildTrailing(stored, getAxis());
}

//===----------------------------------------------------------------------===//
// Along given axes
//===----------------------------------------------------------------------===//

bool LpNormalizationOp::admitsForm(const StoredForm &form) {
  return admitsAlongAxis(*this, form, getAxis());
}

LogicalResult LpNormalizationOp::buildStored(StoredOpBuilder &stored) {
  return buildAlongAxis(stored, getAxis());
}

bool MeanVarianceNormalizationOp::admitsForm(const StoredForm &form) {
  std::optional<AtomSequence> order = getCommonOrder(*this, form);
  return order && !form.isBlocked();
}

LogicalResult
MeanVarianceNormalizationOp::buildStored(StoredOpBuilder &stored) {
  AtomSequence order = *getCommonOrder(*this, stored.getForm());
  auto operands = viewOperands(stored, order);
  if (!operands)
    return failure();
  int64_t rank = *getRank(getInput());
  llvm::SmallSet<unsigned, 4> dims;
  for (int64_t axis : getAxesOrDefault())
    dims.insert(axis < 0 ? axis + rank : axis);
  SmallVector<int64_t> axes;
  for (auto [i, atom] : llvm::enumerate(order))
    if (dims.contains(atom.dim))
      axes.push_back(i);
  setResultsIn(
      stored,
      stored.create(*operands, {stored.getAttr("axes", stored.getInts(axes))}),
      order);
  return success();
}
