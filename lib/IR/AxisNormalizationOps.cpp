//===- AxisNormalizationOps.cpp - Normalisations along axes ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

/// `input` normalised over its dimensions from `axis` on, with parameters that
/// broadcast to it; all other results have extent one there. An opaque map
/// where the axis is not known.
static AxisMap getTrailingAxisMap(Operation *op, int64_t axis) {
  Value input = op->getOperand(0);
  std::optional<int64_t> rank = getRank(input);
  std::optional<int64_t> first =
      rank ? normalizeAxis(axis, *rank) : std::nullopt;
  if (!first)
    return AxisMap::opaque();
  AxisMapBuilder map(op);
  TensorAxes dims = map.axesOf(input), outer = dims;
  for (int64_t i = *first; i < *rank; ++i) {
    map.setKind(dims[i].front(), AxisKind::Window);
    outer[i].clear();
  }
  map.bind(input, dims);
  map.bind(op->getResult(0), dims);
  for (Value parameter : llvm::drop_begin(op->getOperands()))
    map.bind(parameter, map.broadcastTo(parameter, input, dims));
  for (Value statistic : llvm::drop_begin(op->getResults()))
    map.bind(statistic, outer);
  return map.build();
}

//===----------------------------------------------------------------------===//
// LayerNormalization
//===----------------------------------------------------------------------===//

LogicalResult LayerNormalizationOp::inferTypes(TypeInference &inference) {
  FailureOr<ElementType> stash =
      checkElementType(inference, "stash_type", getStashType());
  if (failed(stash))
    return failure();
  if (!isFloat(*stash))
    return inference.error("'stash_type' must be a float type but is " +
                           getName(*stash));
  MaybeShape outer = getShape(getInput());
  if (outer) {
    FailureOr<int64_t> axis = inference.getAxis(getAxis(), outer->size());
    if (failed(axis))
      return failure();
    std::fill(outer->begin() + *axis, outer->end(), 1);
  }
  if (failed(checkBroadcastsTo(inference, "scale", getScale(), getInput())) ||
      failed(checkBroadcastsTo(inference, "bias", getBias(), getInput())))
    return failure();
  Type element = getMlirElementType(getContext(), *stash);
  inference.set(getMean(), element, outer);
  inference.set(getInvStdDev(), element, outer);
  return inferSameType(*this, inference);
}

AxisMap LayerNormalizationOp::getAxisMap() {
  return getTrailingAxisMap(*this, getAxis());
}

FusionClass LayerNormalizationOp::getFusionClass() {
  return FusionClass::Opaque;
}

//===----------------------------------------------------------------------===//
// RMSNormalization
//===----------------------------------------------------------------------===//

LogicalResult RMSNormalizationOp::inferTypes(TypeInference &inference) {
  std::optional<int64_t> rank = getRank(getInput());
  if (rank && failed(inference.getAxis(getAxis(), *rank)))
    return failure();
  if (failed(checkBroadcastsTo(inference, "scale", getScale(), getInput())))
    return failure();
  return inferSameType(*this, inference);
}

AxisMap RMSNormalizationOp::getAxisMap() {
  return getTrailingAxisMap(*this, getAxis());
}

FusionClass RMSNormalizationOp::getFusionClass() { return FusionClass::Opaque; }

//===----------------------------------------------------------------------===//
// LpNormalization
//===----------------------------------------------------------------------===//

LogicalResult LpNormalizationOp::inferTypes(TypeInference &inference) {
  int64_t p = getP();
  if (p != 1 && p != 2)
    return inference.error("'p' must be 1 or 2 but is " + Twine(p));
  std::optional<int64_t> rank = getRank(getInput());
  if (rank && failed(inference.getAxis(getAxis(), *rank)))
    return failure();
  return inferSameType(*this, inference);
}

AxisMap LpNormalizationOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(getAxis(), *rank) : std::nullopt;
  return axis ? getWindowAxisMap(*this, {*axis}) : AxisMap::opaque();
}

FusionClass LpNormalizationOp::getFusionClass() { return FusionClass::Opaque; }

//===----------------------------------------------------------------------===//
// MeanVarianceNormalization
//===----------------------------------------------------------------------===//

SmallVector<int64_t> MeanVarianceNormalizationOp::getAxesOrDefault() {
  if (std::optional<ArrayRef<int64_t>> axes = getAxes())
    return SmallVector<int64_t>(*axes);
  return {0, 2, 3};
}

LogicalResult
MeanVarianceNormalizationOp::inferTypes(TypeInference &inference) {
  std::optional<int64_t> rank = getRank(getInput());
  if (rank && failed(inference.getAxes(getAxesOrDefault(), *rank)))
    return failure();
  return inferSameType(*this, inference);
}

AxisMap MeanVarianceNormalizationOp::getAxisMap() {
  std::optional<int64_t> rank = getRank(getInput());
  if (!rank)
    return AxisMap::opaque();
  SmallVector<int64_t> axes;
  for (int64_t axis : getAxesOrDefault())
    axes.push_back(normalizeAxis(axis, *rank).value_or(-1));
  return getWindowAxisMap(*this, axes);
}

FusionClass MeanVarianceNormalizationOp::getFusionClass() {
  return FusionClass::Opaque;
}
