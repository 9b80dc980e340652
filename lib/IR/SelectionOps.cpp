//===- SelectionOps.cpp - Running sums and the k best along an axis -------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "StorageForms.h"
#include "StoredParameters.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

/// A scalar parameter from its attribute or what is known of its operand.
static std::optional<int64_t> getKnownInt(std::optional<uint64_t> attribute,
                                          Value operand) {
  if (attribute)
    return int64_t(*attribute);
  MaybeInts ints = operand ? getKnownInts(operand) : std::nullopt;
  if (!ints || ints->size() != 1 || ShapedType::isDynamic(ints->front()))
    return std::nullopt;
  return ints->front();
}

//===----------------------------------------------------------------------===//
// CumSum
//===----------------------------------------------------------------------===//

LogicalResult CumSumOp::inferTypes(TypeInference &inference) {
  if (failed(checkRequired(inference, "axis", getAxis().has_value(),
                           getAxisOperand())) ||
      failed(checkOneElement(inference, "axis", getAxisOperand())))
    return failure();
  std::optional<int64_t> rank = getRank(getInput());
  std::optional<int64_t> axis = getKnownInt(getAxis(), getAxisOperand());
  if (rank && axis && failed(inference.getAxis(*axis, *rank)))
    return failure();
  return inferSameType(*this, inference);
}

AxisMap CumSumOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  std::optional<int64_t> axis = getKnownInt(getAxis(), getAxisOperand());
  if (!rank || (axis && !normalizeAxis(*axis, *rank)))
    return AxisMap::opaque();
  // It may be any where it is computed.
  return getWindowAxisMap(
      *this, axis ? SmallVector<int64_t>{*normalizeAxis(*axis, *rank)}
                  : llvm::to_vector(llvm::seq<int64_t>(0, *rank)));
}

FusionClass CumSumOp::getFusionClass() { return FusionClass::Opaque; }

bool CumSumOp::admitsForm(const StoredForm &form) {
  if (getAxis())
    return admitsAlongAxis(*this, form, *getAxis());
  return getRank(getAxisOperand()) && getWholeOrder(*this, form);
}

LogicalResult CumSumOp::buildStored(StoredOpBuilder &stored) {
  if (getAxis())
    return buildAlongAxis(stored, *getAxis());
  AtomSequence order = *getWholeOrder(*this, stored.getForm());
  auto operands = viewOperands(stored, order);
  if (!operands)
    return failure();
  operands->back() = gatherPositions(stored, operands->back(), order);
  setResultsIn(stored, stored.create(*operands), order);
  return success();
}

//===----------------------------------------------------------------------===//
// TopK
//===----------------------------------------------------------------------===//

LogicalResult TopKOp::inferTypes(TypeInference &inference) {
  if (failed(
          checkRequired(inference, "k", getK().has_value(), getKOperand())) ||
      failed(checkOneElement(inference, "k", getKOperand())))
    return failure();
  std::optional<int64_t> k = getKnownInt(getK(), getKOperand());
  if (k && *k < 0)
    return inference.error("'k' must not be negative but is " + Twine(*k));
  MaybeShape shape = getShape(getInput());
  if (shape) {
    FailureOr<int64_t> axis = inference.getAxis(getAxis(), shape->size());
    if (failed(axis))
      return failure();
    int64_t &extent = (*shape)[*axis];
    if (k && !ShapedType::isDynamic(extent) && *k > extent)
      return inference.error("'k' is " + Twine(*k) + " but axis " +
                             Twine(*axis) + " has " + Twine(extent) +
                             " elements");
    extent = k.value_or(ShapedType::kDynamic);
  }
  inference.set(getValues(), getElementType(getInput()), shape);
  inference.set(getIndices(),
                getMlirElementType(getContext(), ElementType::Int64), shape);
  return success();
}

AxisMap TopKOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(getAxis(), *rank) : std::nullopt;
  if (!axis)
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  TensorAxes dims = map.axesOf(getInput());
  map.setKind(dims[*axis].front(), AxisKind::Indexed);
  map.bind(getInput(), dims);
  map.bind(getValues(), dims);
  map.bind(getIndices(), dims);
  return map.build();
}

FusionClass TopKOp::getFusionClass() { return FusionClass::Opaque; }

bool TopKOp::admitsForm(const StoredForm &form) {
  return admitsAlongAxis(*this, form, getAxis());
}

LogicalResult TopKOp::buildStored(StoredOpBuilder &stored) {
  return buildAlongAxis(stored, getAxis());
}
