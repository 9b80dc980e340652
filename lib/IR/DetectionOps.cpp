//===- DetectionOps.cpp - Boxes and regions of images ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Inference.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// NonMaxSuppression
//===----------------------------------------------------------------------===//

LogicalResult NonMaxSuppressionOp::inferTypes(TypeInference &inference) {
  if (getCenterPointBox() > 1)
    return inference.error("'center_point_box' must be 0 or 1 but is " +
                           Twine(int64_t(getCenterPointBox())));
  constexpr int64_t unknown = ShapedType::kDynamic;
  int64_t batch = unknown, boxes = unknown;
  if (failed(checkShape(inference, "boxes", getBoxes(), {batch, boxes, 4})))
    return failure();
  if (MaybeShape shape = getShape(getBoxes()))
    std::tie(batch, boxes) = std::pair((*shape)[0], (*shape)[1]);
  if (failed(checkShape(inference, "scores", getScores(),
                        {batch, unknown, boxes})))
    return failure();
  for (auto [name, value] :
       {std::pair<StringRef, Value>("max_output_boxes_per_class",
                                    getMaxOutputBoxesPerClass()),
        {"iou_threshold", getIouThreshold()},
        {"score_threshold", getScoreThreshold()}})
    if (failed(checkOneElement(inference, name, value)))
      return failure();
  inference.set(getResult(), IntegerType::get(getContext(), 64),
                SmallVector<int64_t>{unknown, 3});
  return success();
}

/// The result has the numbers of boxes and classes: no dimension may move.
AxisMap NonMaxSuppressionOp::getAxisMap() { return AxisMap::opaque(); }

FusionClass NonMaxSuppressionOp::getFusionClass() {
  return FusionClass::Opaque;
}

//===----------------------------------------------------------------------===//
// RoiAlign
//===----------------------------------------------------------------------===//

static LogicalResult checkAttributes(RoiAlignOp op, TypeInference &inference) {
  StringRef coordinates = op.getCoordinateTransformationMode();
  if (coordinates != "half_pixel" && coordinates != "output_half_pixel")
    return inference.error("'coordinate_transformation_mode' must be "
                           "half_pixel or output_half_pixel but is '" +
                           coordinates + "'");
  if (op.getMode() != "avg" && op.getMode() != "max")
    return inference.error("'mode' must be avg or max but is '" + op.getMode() +
                           "'");
  for (auto [name, value] :
       {std::pair<StringRef, int64_t>("output_height", op.getOutputHeight()),
        {"output_width", op.getOutputWidth()}})
    if (value <= 0)
      return inference.error("'" + name + "' must be positive but is " +
                             Twine(value));
  if (auto ratio = int64_t(op.getSamplingRatio()); ratio < 0)
    return inference.error("'sampling_ratio' must not be negative but is " +
                           Twine(ratio));
  return success();
}

LogicalResult RoiAlignOp::inferTypes(TypeInference &inference) {
  constexpr int64_t unknown = ShapedType::kDynamic;
  if (failed(checkAttributes(*this, inference)) ||
      failed(checkRank(inference, "x", getX(), 4)) ||
      failed(checkShape(inference, "rois", getRois(), {unknown, 4})))
    return failure();
  auto element = inference.getSameElementType({getX(), getRois()});
  if (failed(element))
    return failure();
  MaybeShape x = getShape(getX()), rois = getShape(getRois());
  int64_t regions = rois ? rois->front() : unknown;
  if (failed(
          checkShape(inference, "batch_indices", getBatchIndices(), {regions})))
    return failure();
  if (MaybeShape images = getShape(getBatchIndices()))
    regions = meetExtents(regions, images->front());
  inference.set(getResult(), *element,
                SmallVector<int64_t>{regions, x ? (*x)[1] : unknown,
                                     int64_t(getOutputHeight()),
                                     int64_t(getOutputWidth())});
  return success();
}

AxisMap RoiAlignOp::getAxisMap() {
  if (getRank(getX()) != 4 || getRank(getRois()) != 2 ||
      getRank(getBatchIndices()) != 1 || getRank(getResult()) != 4)
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  TensorAxes x = map.axesOf(getX());
  for (unsigned dim : {0, 2, 3})
    map.setKind(x[dim].front(), AxisKind::Indexed);
  DimAxes regions{map.axis(AxisKind::Parallel, getShape(getRois())->front())};
  DimAxes corners{map.axis(AxisKind::Indexed, 4)};
  DimAxes rows{map.axis(AxisKind::Created, getOutputHeight())};
  DimAxes columns{map.axis(AxisKind::Created, getOutputWidth())};
  map.bind(getX(), x);
  map.bind(getRois(), {regions, corners});
  map.bind(getBatchIndices(), {regions});
  map.bind(getResult(), {regions, x[1], rows, columns});
  return map.build();
}

FusionClass RoiAlignOp::getFusionClass() { return FusionClass::Opaque; }
