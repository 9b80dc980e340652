//===- DetectionOps.cpp - Evaluating what finds and cuts regions ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/NonMaxSuppression.h"
#include "inlay/Tensor/Kernels/RoiAlign.h"

using namespace inlay;
using namespace mlir;

/// The only element of a parameter; an absent one is null.
static llvm::Error checkSingle(const HostTensor *parameter, StringRef name) {
  if (!parameter || parameter->getNumElements() == 1)
    return llvm::Error::success();
  return modelError("'" + name + "' must have one element, but is " +
                    formatShape(parameter->getShape()));
}

static llvm::Error evaluate(NonMaxSuppressionOp op, Evaluation &evaluation) {
  const HostTensor *most = evaluation.lookup(op.getMaxOutputBoxesPerClass());
  const HostTensor *iou = evaluation.lookup(op.getIouThreshold());
  const HostTensor *score = evaluation.lookup(op.getScoreThreshold());
  for (auto [parameter, name] :
       {std::pair(most, "max_output_boxes_per_class"),
        std::pair(iou, "iou_threshold"), std::pair(score, "score_threshold")})
    if (llvm::Error error = checkSingle(parameter, name))
      return error;
  kernels::SuppressionOptions options;
  options.maxPerClass = most ? most->getInt(0) : 0;
  options.iouThreshold = iou ? iou->getDouble(0) : 0;
  if (score)
    options.scoreThreshold = score->getDouble(0);
  options.areCentered = op.getCenterPointBox() != 0;
  return evaluation.set(op.getResult(),
                        kernels::nonMaxSuppression(evaluation[op.getBoxes()],
                                                   evaluation[op.getScores()],
                                                   options));
}

static llvm::Error evaluate(RoiAlignOp op, Evaluation &evaluation) {
  kernels::RoiAlignOptions options;
  options.halfPixel = op.getCoordinateTransformationMode() == "half_pixel";
  options.takesLargest = op.getMode() == "max";
  options.height = op.getOutputHeight();
  options.width = op.getOutputWidth();
  options.samplingRatio = op.getSamplingRatio();
  options.spatialScale = op.getSpatialScale().convertToFloat();
  return evaluation.set(
      op.getResult(),
      kernels::roiAlign(evaluation[op.getX()], evaluation[op.getRois()],
                        evaluation[op.getBatchIndices()], options));
}

void inlay::registerDetectionEvaluation(MLIRContext &context) {
  attachEvaluation<NonMaxSuppressionOp, evaluate>(context);
  attachEvaluation<RoiAlignOp, evaluate>(context);
}
