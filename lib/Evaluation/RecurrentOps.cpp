//===- RecurrentOps.cpp - Evaluating recurrent networks -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/IR/RecurrentCells.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Recurrent.h"

using namespace inlay;
using namespace mlir;

template <typename OpT>
static llvm::Expected<kernels::RecurrentOptions> getOptions(OpT op) {
  kernels::RecurrentOptions options;
  auto direction = parseSequenceDirection(op.getDirection());
  if (!direction)
    return modelError("direction '" + op.getDirection() + "' is not known");
  auto activations = getCellActivations(op);
  if (!activations)
    return activations.takeError();
  options.kind = getCellKind(op);
  options.direction = *direction;
  options.activations = std::move(*activations);
  if (std::optional<APFloat> clip = op.getClip())
    options.clip = clip->convertToFloat();
  options.batchFirst = op.getLayout() != 0;
  if constexpr (std::is_same_v<OpT, GRUOp>)
    options.linearBeforeReset = op.getLinearBeforeReset() != 0;
  if constexpr (std::is_same_v<OpT, LSTMOp>)
    options.inputForget = op.getInputForget() != 0;
  return options;
}

template <typename OpT>
static kernels::RecurrentOperands getOperands(OpT op, Evaluation &evaluation) {
  kernels::RecurrentOperands operands{evaluation[op.getX()],
                                      evaluation[op.getW()],
                                      evaluation[op.getR()],
                                      evaluation.lookup(op.getB()),
                                      evaluation.lookup(op.getSequenceLens()),
                                      evaluation.lookup(op.getInitialH())};
  if constexpr (std::is_same_v<OpT, LSTMOp>) {
    operands.initialC = evaluation.lookup(op.getInitialC());
    operands.peepholes = evaluation.lookup(op.getPeepholes());
  }
  return operands;
}

template <typename OpT>
static llvm::Error evaluate(OpT op, Evaluation &evaluation) {
  auto options = getOptions(op);
  if (!options)
    return options.takeError();
  auto results = kernels::recurrent(getOperands(op, evaluation), *options);
  if (!results)
    return results.takeError();
  evaluation.getResults()[0] = std::move(results->y);
  evaluation.getResults()[1] = std::move(results->lastH);
  if (op->getNumResults() == 3)
    evaluation.getResults()[2] = std::move(results->lastC);
  return llvm::Error::success();
}

void inlay::registerRecurrentEvaluation(MLIRContext &context) {
  attachEvaluation<RNNOp, evaluate<RNNOp>>(context);
  attachEvaluation<GRUOp, evaluate<GRUOp>>(context);
  attachEvaluation<LSTMOp, evaluate<LSTMOp>>(context);
}
