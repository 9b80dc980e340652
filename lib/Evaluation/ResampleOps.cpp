//===- ResampleOps.cpp - Evaluating Resize and GridSample -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/IR/ResizeParameters.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/GridSample.h"
#include "inlay/Tensor/Kernels/Resize.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

static SmallVector<float> toFloats(ArrayRef<double> values) {
  return SmallVector<float>(values.begin(), values.end());
}

static llvm::Error evaluate(ResizeOp op, Evaluation &evaluation) {
  const HostTensor &x = evaluation[op.getInput()];
  auto params = getResizeModes(op);
  if (!params)
    return params.takeError();
  auto axes = Evaluation::getAxes(op.getAxes().value_or(ArrayRef<int64_t>()),
                                  x.getRank());
  if (!axes)
    return axes.takeError();
  auto sizes = evaluation.getInts(op.getSizes(), op.getSizesOperand());
  auto scales = evaluation.getDoubles(op.getScales(), op.getScalesOperand());
  auto roi = evaluation.getDoubles(op.getRoi(), op.getRoiOperand());
  SmallVector<float> scaleFloats =
      toFloats(scales.value_or(SmallVector<double>()));
  SmallVector<float> roiFloats = toFloats(roi.value_or(SmallVector<double>()));
  params->axes = *axes;
  params->scales = scaleFloats;
  if (sizes)
    params->sizes = *sizes;
  if (params->coordinates == CoordinateTransformation::TfCropAndResize)
    params->roi = roiFloats;
  return evaluation.set(op.getResult(), kernels::resize(x, *params));
}

static bool isUnambiguous(ResizeOp op) {
  if (!op.getScales())
    return op.getSizes() && op.getKeepAspectRatioPolicy() == "stretch";
  MaybeInts axes = getEntryDims(op);
  if (!axes || axes->size() != op.getScales()->size())
    return false;
  StringRef coordinates = op.getCoordinateTransformationMode();
  bool countsCorners =
      coordinates == "align_corners" || coordinates == "tf_crop_and_resize";
  MaybeShape shape = getShape(op.getInput());
  return llvm::all_of(llvm::zip(*axes, *op.getScales()), [&](auto entry) {
    auto [axis, scale] = entry;
    float extent = (*shape)[axis], width = extent * scale;
    bool isWhole = width == std::floor(width);
    return isWhole || (!countsCorners && std::floor(width) != extent);
  });
}

namespace {
struct ResizeModel : EvaluateOpInterface::ExternalModel<ResizeModel, ResizeOp> {
  llvm::Error evaluate(Operation *op, Evaluation &evaluation) const {
    return ::evaluate(cast<ResizeOp>(op), evaluation);
  }
  bool isUnambiguous(Operation *op) const {
    return ::isUnambiguous(cast<ResizeOp>(op));
  }
};
} // namespace

static llvm::Error evaluate(GridSampleOp op, Evaluation &evaluation) {
  auto mode = parseGridSampleMode(op.getMode());
  auto padding = parseGridSamplePadding(op.getPaddingMode());
  if (!mode || !padding)
    return modelError("modes of a grid sample are not known");
  return evaluation.set(
      op.getResult(),
      kernels::gridSample(evaluation[op.getX()], evaluation[op.getGrid()],
                          *mode, *padding, op.getAlignCorners() != 0));
}

void inlay::registerResampleEvaluation(MLIRContext &context) {
  ResizeOp::attachInterface<ResizeModel>(context);
  attachEvaluation<GridSampleOp, evaluate>(context);
}
