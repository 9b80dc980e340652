//===- IndexTuples.cpp - Places given by indices --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexTuples.h"
#include "Extents.h"
#include "Inference.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Indices of elements
//===----------------------------------------------------------------------===//

LogicalResult inlay::checkElementIndices(TypeInference &inference, Value data,
                                         Value indices, int64_t axis) {
  MaybeShape dataShape = getShape(data), shape = getShape(indices);
  if (dataShape && failed(inference.getAxis(axis, dataShape->size())))
    return failure();
  if (!dataShape || !shape)
    return success();
  if (failed(checkRank(inference, "indices", indices, dataShape->size())))
    return failure();
  int64_t normal = *normalizeAxis(axis, dataShape->size());
  for (auto [i, extent] : llvm::enumerate(*shape)) {
    int64_t available = (*dataShape)[i];
    if (int64_t(i) != normal && areAllKnown({extent, available}) &&
        extent > available)
      return inference.error("indices have extent " + Twine(extent) +
                             " in dimension " + Twine(i) + ", data has " +
                             Twine(available));
  }
  return success();
}

std::optional<ElementAxes> inlay::getElementAxes(AxisMapBuilder &map,
                                                 Value data, Value indices,
                                                 int64_t axis) {
  MaybeShape dataShape = getShape(data), shape = getShape(indices);
  if (!dataShape || !shape || dataShape->size() != shape->size())
    return std::nullopt;
  std::optional<int64_t> normal = normalizeAxis(axis, shape->size());
  if (!normal)
    return std::nullopt;
  ElementAxes axes;
  for (auto [i, extent] : llvm::enumerate(*dataShape)) {
    bool isAxis = int64_t(i) == *normal;
    bool isWhole = !isAxis && !isUnknown(extent) && extent == (*shape)[i];
    DimAxes dim{
        map.axis(isWhole ? AxisKind::Parallel : AxisKind::Indexed, extent)};
    axes.data.push_back(dim);
    axes.indices.push_back(
        isAxis ? DimAxes{map.axis(AxisKind::Parallel, (*shape)[i])} : dim);
  }
  return axes;
}

//===----------------------------------------------------------------------===//
// Tuples of indices
//===----------------------------------------------------------------------===//

static LogicalResult checkBatchDims(TypeInference &inference, Value data,
                                    Value indices, int64_t batchDims) {
  MaybeShape dataShape = getShape(data), shape = getShape(indices);
  if (shape && shape->empty())
    return inference.error("indices must have at least 1 dimension");
  for (const MaybeShape *each : {&dataShape, &shape})
    if (batchDims < 0 || (*each && batchDims >= int64_t((*each)->size())))
      return inference.error(
          "'batch_dims' must be below the ranks of data and indices, found " +
          Twine(batchDims));
  if (!dataShape || !shape)
    return success();
  for (int64_t i = 0; i < batchDims; ++i)
    if (!areCompatibleExtents((*dataShape)[i], (*shape)[i]))
      return inference.error(
          "data and indices have extents " + Twine((*dataShape)[i]) + " and " +
          Twine((*shape)[i]) + " in batch dimension " + Twine(i));
  return success();
}

FailureOr<MaybeShape> inlay::inferTupleShape(TypeInference &inference,
                                             Value data, Value indices,
                                             int64_t batchDims) {
  if (failed(checkBatchDims(inference, data, indices, batchDims)))
    return failure();
  MaybeShape dataShape = getShape(data), shape = getShape(indices);
  if (!dataShape || !shape || isUnknown(shape->back()))
    return MaybeShape();
  int64_t width = shape->pop_back_val();
  if (width < 1 || width > int64_t(dataShape->size()) - batchDims)
    return inference.error("tuples of " + Twine(width) +
                           " indices do not fit into data of rank " +
                           Twine(dataShape->size()) + " with " +
                           Twine(batchDims) + " batch dimensions");
  for (int64_t i = 0; i < batchDims; ++i)
    (*shape)[i] = meetExtents((*shape)[i], (*dataShape)[i]);
  shape->append(dataShape->begin() + batchDims + width, dataShape->end());
  return shape;
}

std::optional<TupleAxes> inlay::getTupleAxes(AxisMapBuilder &map, Value data,
                                             Value indices, int64_t batchDims) {
  MaybeShape dataShape = getShape(data), shape = getShape(indices);
  if (!dataShape || !shape || shape->empty() || isUnknown(shape->back()))
    return std::nullopt;
  int64_t width = shape->back(), numTuples = shape->size() - 1;
  int64_t rank = dataShape->size();
  if (batchDims < 0 || batchDims > numTuples || width < 1 ||
      width > rank - batchDims)
    return std::nullopt;
  TupleAxes axes;
  axes.data = map.axesOf(data);
  for (int64_t i = batchDims; i < batchDims + width; ++i)
    map.setKind(axes.data[i].front(), AxisKind::Indexed);
  axes.indices.append(axes.data.begin(), axes.data.begin() + batchDims);
  for (int64_t i = batchDims; i < numTuples; ++i) {
    axes.tuples.push_back(map.axis(AxisKind::Parallel, (*shape)[i]));
    axes.indices.push_back({axes.tuples.back()});
  }
  axes.slices = axes.indices;
  axes.slices.append(axes.data.begin() + batchDims + width, axes.data.end());
  axes.indices.push_back({map.axis(AxisKind::Indexed, width)});
  return axes;
}
