//===- ResizeParameters.cpp - What a Resize asks for ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/ResizeParameters.h"
#include "inlay/Support/Error.h"

using namespace inlay;
using namespace mlir;

llvm::Expected<ResizeParams> inlay::getResizeModes(ResizeOp op) {
  auto unknown = [](StringRef attribute, StringRef value) {
    return modelError("'" + attribute + "' has the unknown value '" + value +
                      "'");
  };
  ResizeParams params;
  auto mode = parseResizeMode(op.getMode());
  if (!mode)
    return unknown("mode", op.getMode());
  auto nearest = parseNearestMode(op.getNearestMode());
  if (!nearest)
    return unknown("nearest_mode", op.getNearestMode());
  auto coordinates =
      parseCoordinateTransformation(op.getCoordinateTransformationMode());
  if (!coordinates)
    return unknown("coordinate_transformation_mode",
                   op.getCoordinateTransformationMode());
  auto policy = parseAspectRatioPolicy(op.getKeepAspectRatioPolicy());
  if (!policy)
    return unknown("keep_aspect_ratio_policy", op.getKeepAspectRatioPolicy());
  params.mode = *mode;
  params.nearest = *nearest;
  params.coordinates = *coordinates;
  params.aspectRatio = *policy;
  params.cubicCoeffA = op.getCubicCoeffA().convertToFloat();
  params.extrapolationValue = op.getExtrapolationValue().convertToFloat();
  params.excludeOutside = op.getExcludeOutside() != 0;
  params.antialias = op.getAntialias() != 0;
  return params;
}

MaybeInts inlay::getEntryDims(ResizeOp op) {
  MaybeShape shape = getShape(op.getInput());
  if (!shape)
    return std::nullopt;
  TypeInference inference(op, /*reportErrors=*/false);
  auto axes = inference.getAxes(op.getAxes().value_or(ArrayRef<int64_t>()),
                                shape->size());
  if (failed(axes))
    return std::nullopt;
  if (axes->empty())
    axes = llvm::to_vector(llvm::seq<int64_t>(0, shape->size()));
  return *axes;
}
