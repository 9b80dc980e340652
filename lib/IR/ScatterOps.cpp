//===- ScatterOps.cpp - Scatters ------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexTuples.h"
#include "Inference.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Tensor/Modes.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// What they share
//===----------------------------------------------------------------------===//

/// Checks what does not depend on the kind of indices.
static LogicalResult checkScatter(TypeInference &inference, Value data,
                                  Value updates, StringRef reduction) {
  if (!parseScatterReduction(reduction))
    return inference.error(
        "'reduction' must be none, add, mul, max or min, found " + reduction);
  return inference.getSameElementType({data, updates});
}

/// Reports updates that do not have the wanted shape.
static LogicalResult checkUpdates(TypeInference &inference, Value updates,
                                  const MaybeShape &wanted) {
  return wanted ? checkShape(inference, "updates", updates, *wanted)
                : success();
}

//===----------------------------------------------------------------------===//
// ScatterElementsOp
//===----------------------------------------------------------------------===//

LogicalResult ScatterElementsOp::inferTypes(TypeInference &inference) {
  if (failed(
          checkScatter(inference, getData(), getUpdates(), getReduction())) ||
      failed(
          checkElementIndices(inference, getData(), getIndices(), getAxis())) ||
      failed(checkUpdates(inference, getUpdates(), getShape(getIndices()))))
    return failure();
  return inferSameType(*this, inference);
}

AxisMap ScatterElementsOp::getAxisMap() {
  AxisMapBuilder map(*this);
  auto axes = getElementAxes(map, getData(), getIndices(), getAxis());
  if (!axes)
    return AxisMap::opaque();
  // Updates from anywhere along the axis end in one element.
  int64_t axis = *normalizeAxis(getAxis(), axes->data.size());
  map.setKind(axes->indices[axis].front(), AxisKind::Reduced);
  map.bind(getData(), axes->data);
  map.bind(getIndices(), axes->indices);
  map.bind(getUpdates(), axes->indices);
  map.bind(getResult(), axes->data);
  return map.build();
}

FusionClass ScatterElementsOp::getFusionClass() { return FusionClass::Opaque; }

//===----------------------------------------------------------------------===//
// ScatterNDOp
//===----------------------------------------------------------------------===//

LogicalResult ScatterNDOp::inferTypes(TypeInference &inference) {
  if (failed(checkScatter(inference, getData(), getUpdates(), getReduction())))
    return failure();
  auto slices =
      inferTupleShape(inference, getData(), getIndices(), /*batchDims=*/0);
  if (failed(slices) || failed(checkUpdates(inference, getUpdates(), *slices)))
    return failure();
  return inferSameType(*this, inference);
}

AxisMap ScatterNDOp::getAxisMap() {
  AxisMapBuilder map(*this);
  auto axes = getTupleAxes(map, getData(), getIndices(), /*batchDims=*/0);
  if (!axes)
    return AxisMap::opaque();
  for (unsigned axis : axes->tuples)
    map.setKind(axis, AxisKind::Reduced);
  map.bind(getData(), axes->data);
  map.bind(getIndices(), axes->indices);
  map.bind(getUpdates(), axes->slices);
  map.bind(getResult(), axes->data);
  return map.build();
}

FusionClass ScatterNDOp::getFusionClass() { return FusionClass::Opaque; }
