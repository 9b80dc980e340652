//===- NormalizationOps.cpp - The softmax family --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "StorageForms.h"
#include "inlay/IR/AxisParameters.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/Builders.h"

using namespace inlay;
using namespace mlir;

static LogicalResult inferSoftmaxType(Operation *op, TypeInference &inference,
                                      int64_t axis, bool coerce2D) {
  std::optional<int64_t> rank = getRank(op->getOperand(0));
  if (rank && !normalizeSoftmaxAxis(axis, *rank, coerce2D))
    return inference.error("axis " + Twine(axis) +
                           " is out of range for rank " + Twine(*rank));
  return inferSameType(op, inference);
}

static AxisMap getSoftmaxAxisMap(Operation *op, int64_t axis, bool coerce2D) {
  std::optional<int64_t> rank = getRank(op->getOperand(0));
  if (!rank)
    return AxisMap::opaque();
  std::optional<int64_t> first = normalizeSoftmaxAxis(axis, *rank, coerce2D);
  if (!first)
    return AxisMap::opaque();
  int64_t end = coerce2D ? *rank : *first + 1;
  return getWindowAxisMap(op, llvm::to_vector(llvm::seq(*first, end)));
}

/// The order of a softmax over all dimensions from `axis` on: these last. Only
/// Hardmax, which takes the first of equal elements, needs them as they are;
/// nothing where they are stored otherwise.
static std::optional<AtomSequence>
getCoercedOrder(Operation *op, const StoredForm &form, int64_t axis) {
  Type type = op->getOperand(0).getType();
  std::optional<AtomSequence> order = getCommonOrder(op, form);
  if (!order)
    return std::nullopt;
  AtomSequence wanted, last;
  for (const Atom &atom : *order)
    (int64_t(atom.dim) < axis ? wanted : last).push_back(atom);
  if (isa<HardmaxOp>(op)) {
    last.clear();
    for (unsigned dim = axis; dim < cast<RankedTensorType>(type).getRank();
         ++dim)
      last.push_back({dim});
  }
  wanted.append(last);
  return isViewOf(type, *order, wanted) ? std::optional(wanted) : std::nullopt;
}

static bool admitsSoftmax(Operation *op, const StoredForm &form, int64_t axis,
                          bool coerce2D) {
  std::optional<int64_t> rank = getRank(op->getOperand(0));
  std::optional<int64_t> first =
      rank ? normalizeSoftmaxAxis(axis, *rank, coerce2D) : std::nullopt;
  if (!first)
    return false;
  return coerce2D ? getCoercedOrder(op, form, *first).has_value()
                  : admitsAlongAxis(op, form, axis);
}

static LogicalResult buildSoftmax(StoredOpBuilder &stored, int64_t axis,
                                  bool coerce2D) {
  if (!coerce2D)
    return buildAlongAxis(stored, axis);
  Operation *op = stored.getOperation();
  int64_t rank = *getRank(op->getOperand(0));
  int64_t first = *normalizeSoftmaxAxis(axis, rank, coerce2D);
  AtomSequence order = *getCoercedOrder(op, stored.getForm(), first);
  auto operands = viewOperands(stored, order);
  if (!operands)
    return failure();
  // The dimensions before `axis` may be more than they were.
  int64_t position = llvm::count_if(
      order, [&](const Atom &atom) { return int64_t(atom.dim) < first; });
  setResultsIn(stored,
               stored.create(*operands,
                             {stored.getAttr("axis", stored.getI64(position))}),
               order);
  return success();
}

#define GET_OP_CLASSES
#include "inlay/IR/NormalizationOps.cpp.inc"
