//===- AxisNormalizationOps.cpp - Evaluating normalisation over axes ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Normalization.h"

using namespace inlay;
using namespace mlir;

static llvm::Error evaluate(LayerNormalizationOp op, Evaluation &evaluation) {
  const HostTensor &input = evaluation[op.getInput()];
  auto axis = Evaluation::getAxis(op.getAxis(), input.getRank());
  if (!axis)
    return axis.takeError();
  std::optional<ElementType> stash =
      inlay::getElementType(int64_t(op.getStashType()));
  if (!stash)
    return modelError("there is no element type " + Twine(op.getStashType()));
  auto results = kernels::layerNormalization(
      input, evaluation[op.getScale()], evaluation.lookup(op.getBias()), *axis,
      op.getEpsilon().convertToFloat(), *stash);
  if (!results)
    return results.takeError();
  evaluation.getResults()[0] = std::move(results->y);
  evaluation.getResults()[1] = std::move(results->mean);
  evaluation.getResults()[2] = std::move(results->invStdDev);
  return llvm::Error::success();
}

static llvm::Error evaluate(RMSNormalizationOp op, Evaluation &evaluation) {
  const HostTensor &input = evaluation[op.getInput()];
  auto axis = Evaluation::getAxis(op.getAxis(), input.getRank());
  if (!axis)
    return axis.takeError();
  return evaluation.set(
      op.getResult(),
      kernels::rmsNormalization(input, evaluation[op.getScale()], *axis,
                                op.getEpsilon().convertToFloat()));
}

static llvm::Error evaluate(LpNormalizationOp op, Evaluation &evaluation) {
  const HostTensor &input = evaluation[op.getInput()];
  auto axis = Evaluation::getAxis(op.getAxis(), input.getRank());
  if (!axis)
    return axis.takeError();
  return evaluation.set(op.getResult(),
                        kernels::lpNormalization(input, op.getP(), *axis));
}

static llvm::Error evaluate(MeanVarianceNormalizationOp op,
                            Evaluation &evaluation) {
  const HostTensor &input = evaluation[op.getInput()];
  auto axes = Evaluation::getAxes(op.getAxesOrDefault(), input.getRank());
  if (!axes)
    return axes.takeError();
  return evaluation.set(op.getResult(),
                        kernels::meanVarianceNormalization(input, *axes));
}

void inlay::registerAxisNormalizationEvaluation(MLIRContext &context) {
  attachEvaluation<LayerNormalizationOp, evaluate>(context);
  attachEvaluation<RMSNormalizationOp, evaluate>(context);
  attachEvaluation<LpNormalizationOp, evaluate>(context);
  attachEvaluation<MeanVarianceNormalizationOp, evaluate>(context);
}
