//===- LossOps.cpp - Evaluating training losses ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/Tensor/Kernels/Loss.h"

using namespace inlay;
using namespace mlir;

template <typename OpT> static kernels::LossOptions getOptions(OpT op) {
  kernels::LossOptions options;
  options.reduction =
      parseLossReduction(op.getReduction()).value_or(LossReduction::Mean);
  if (std::optional<uint64_t> ignored = op.getIgnoreIndex())
    options.ignoreIndex = int64_t(*ignored);
  return options;
}

static llvm::Error evaluate(NegativeLogLikelihoodLossOp op,
                            Evaluation &evaluation) {
  return evaluation.set(
      op.getLoss(), kernels::negativeLogLikelihoodLoss(
                        evaluation[op.getInput()], evaluation[op.getTarget()],
                        evaluation.lookup(op.getWeight()), getOptions(op)));
}

static llvm::Error evaluate(SoftmaxCrossEntropyLossOp op,
                            Evaluation &evaluation) {
  auto results = kernels::softmaxCrossEntropyLoss(
      evaluation[op.getScores()], evaluation[op.getLabels()],
      evaluation.lookup(op.getWeights()), getOptions(op));
  if (!results)
    return results.takeError();
  evaluation.getResults()[0] = std::move(results->loss);
  evaluation.getResults()[1] = std::move(results->logProb);
  return llvm::Error::success();
}

void inlay::registerLossEvaluation(MLIRContext &context) {
  attachEvaluation<NegativeLogLikelihoodLossOp, evaluate>(context);
  attachEvaluation<SoftmaxCrossEntropyLossOp, evaluate>(context);
}
