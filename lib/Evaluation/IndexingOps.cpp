//===- IndexingOps.cpp - Evaluating gathers and scatters ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Creation.h"
#include "inlay/Tensor/Kernels/Gather.h"

using namespace inlay;
using namespace mlir;

static llvm::Error evaluate(GatherOp op, Evaluation &evaluation) {
  const HostTensor &data = evaluation[op.getData()];
  auto axis = Evaluation::getAxis(op.getAxis(), data.getRank());
  if (!axis)
    return axis.takeError();
  return evaluation.set(
      op.getResult(),
      kernels::gather(data, evaluation[op.getIndices()], *axis));
}

static llvm::Error evaluate(GatherElementsOp op, Evaluation &evaluation) {
  const HostTensor &data = evaluation[op.getData()];
  auto axis = Evaluation::getAxis(op.getAxis(), data.getRank());
  if (!axis)
    return axis.takeError();
  return evaluation.set(
      op.getResult(),
      kernels::gatherElements(data, evaluation[op.getIndices()], *axis));
}

static llvm::Error evaluate(GatherNDOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(),
                        kernels::gatherND(evaluation[op.getData()],
                                          evaluation[op.getIndices()],
                                          op.getBatchDims()));
}

static llvm::Error evaluate(NonZeroOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(),
                        kernels::nonZero(evaluation[op.getInput()]));
}

static llvm::Error evaluate(OneHotOp op, Evaluation &evaluation) {
  const HostTensor &indices = evaluation[op.getIndices()];
  const HostTensor &depth = evaluation[op.getDepth()];
  if (depth.getNumElements() != 1 || depth.getType() == ElementType::String)
    return modelError("depth of a one-hot must be one number");
  auto axis = Evaluation::getAxis(op.getAxis(), indices.getRank() + 1);
  if (!axis)
    return axis.takeError();
  return evaluation.set(op.getResult(),
                        kernels::oneHot(indices, depth.getInt(0),
                                        evaluation[op.getValues()], *axis));
}

static llvm::Error getReductionError(StringRef name) {
  return modelError("'reduction' must be none, add, mul, max or min, found " +
                    name);
}

static llvm::Error evaluate(ScatterElementsOp op, Evaluation &evaluation) {
  const HostTensor &data = evaluation[op.getData()];
  auto reduction = parseScatterReduction(op.getReduction());
  if (!reduction)
    return getReductionError(op.getReduction());
  auto axis = Evaluation::getAxis(op.getAxis(), data.getRank());
  if (!axis)
    return axis.takeError();
  return evaluation.set(
      op.getResult(),
      kernels::scatterElements(data, evaluation[op.getIndices()],
                               evaluation[op.getUpdates()], *axis, *reduction));
}

static llvm::Error evaluate(ScatterNDOp op, Evaluation &evaluation) {
  auto reduction = parseScatterReduction(op.getReduction());
  if (!reduction)
    return getReductionError(op.getReduction());
  return evaluation.set(
      op.getResult(),
      kernels::scatterND(evaluation[op.getData()], evaluation[op.getIndices()],
                         evaluation[op.getUpdates()], *reduction));
}

void inlay::registerIndexingEvaluation(MLIRContext &context) {
  attachEvaluation<GatherOp, evaluate>(context);
  attachEvaluation<GatherElementsOp, evaluate>(context);
  attachEvaluation<GatherNDOp, evaluate>(context);
  attachEvaluation<NonZeroOp, evaluate>(context);
  attachEvaluation<OneHotOp, evaluate>(context);
  attachEvaluation<ScatterElementsOp, evaluate>(context);
  attachEvaluation<ScatterNDOp, evaluate>(context);
}
