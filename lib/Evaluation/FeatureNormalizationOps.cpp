//===- FeatureNormalizationOps.cpp - Evaluating normalisation of features -===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/Tensor/Kernels/Normalization.h"

using namespace inlay;
using namespace mlir;

static llvm::Error evaluate(BatchNormalizationOp op, Evaluation &evaluation) {
  kernels::BatchNormalizationParameters parameters{
      evaluation[op.getScale()], evaluation[op.getBias()],
      evaluation[op.getMean()], evaluation[op.getVariance()]};
  const HostTensor &input = evaluation[op.getInput()];
  float epsilon = op.getEpsilon().convertToFloat();
  if (op.getTrainingMode()) {
    auto results = kernels::batchNormalizationTraining(
        input, parameters, epsilon, op.getMomentum().convertToFloat());
    if (!results)
      return results.takeError();
    evaluation.getResults()[0] = std::move(results->y);
    evaluation.getResults()[1] = std::move(results->runningMean);
    evaluation.getResults()[2] = std::move(results->runningVariance);
    return llvm::Error::success();
  }
  evaluation.getResults()[1] = parameters.mean;
  evaluation.getResults()[2] = parameters.variance;
  return evaluation.set(
      op.getResult(), kernels::batchNormalization(input, parameters, epsilon));
}

static llvm::Error evaluate(InstanceNormalizationOp op,
                            Evaluation &evaluation) {
  return evaluation.set(op.getResult(),
                        kernels::instanceNormalization(
                            evaluation[op.getInput()],
                            evaluation[op.getScale()], evaluation[op.getBias()],
                            op.getEpsilon().convertToFloat()));
}

static llvm::Error evaluate(GroupNormalizationOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(),
                        kernels::groupNormalization(
                            evaluation[op.getInput()],
                            evaluation[op.getScale()], evaluation[op.getBias()],
                            op.getNumGroups(), op.getEpsilon().convertToFloat(),
                            op.getPerGroupScale()));
}

static llvm::Error evaluate(LRNOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(),
                        kernels::lrn(evaluation[op.getInput()], op.getSize(),
                                     op.getAlpha().convertToFloat(),
                                     op.getBeta().convertToFloat(),
                                     op.getBias().convertToFloat()));
}

void inlay::registerFeatureNormalizationEvaluation(MLIRContext &context) {
  attachEvaluation<BatchNormalizationOp, evaluate>(context);
  attachEvaluation<InstanceNormalizationOp, evaluate>(context);
  attachEvaluation<GroupNormalizationOp, evaluate>(context);
  attachEvaluation<LRNOp, evaluate>(context);
}
