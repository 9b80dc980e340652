//===- PoolOps.cpp - Evaluating pooling -----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/IR/Windows.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Pool.h"

using namespace inlay;
using namespace mlir;

/// The pads for an input of known shape.
template <typename OpT>
static llvm::Expected<Pads> resolvePoolPads(OpT op, const HostTensor &x) {
  if (x.getRank() < 3)
    return modelError("pooling needs at least 3 dimensions, found " +
                      Twine(x.getRank()));
  return resolvePads(getWindowAttributes(op, op.getKernelShape()),
                     x.getShape().drop_front(2));
}

template <typename OpT>
static kernels::PoolParams getPoolParams(OpT op, ArrayRef<int64_t> pads) {
  kernels::PoolParams params;
  params.kernel = op.getKernelShape();
  params.strides = op.getStrides().value_or(ArrayRef<int64_t>());
  params.dilations = op.getDilations().value_or(ArrayRef<int64_t>());
  params.pads = pads;
  params.ceilMode = op.getCeilMode() != 0;
  return params;
}

static llvm::Error evaluate(MaxPoolOp op, Evaluation &evaluation) {
  const HostTensor &x = evaluation[op.getInput()];
  auto pads = resolvePoolPads(op, x);
  if (!pads)
    return pads.takeError();
  auto pooled = kernels::maxPool(x, getPoolParams(op, *pads),
                                 /*columnMajor=*/op.getStorageOrder() == 1);
  if (!pooled)
    return pooled.takeError();
  if (llvm::Error error =
          evaluation.set(op.getResult(), std::move(pooled->values)))
    return error;
  return evaluation.set(op.getIndices(), std::move(pooled->indices));
}

static llvm::Error evaluate(AveragePoolOp op, Evaluation &evaluation) {
  const HostTensor &x = evaluation[op.getInput()];
  auto pads = resolvePoolPads(op, x);
  if (!pads)
    return pads.takeError();
  return evaluation.set(op.getResult(),
                        kernels::averagePool(x, getPoolParams(op, *pads),
                                             op.getCountIncludePad() != 0));
}

static llvm::Error evaluate(LpPoolOp op, Evaluation &evaluation) {
  const HostTensor &x = evaluation[op.getInput()];
  auto pads = resolvePoolPads(op, x);
  if (!pads)
    return pads.takeError();
  return evaluation.set(
      op.getResult(), kernels::lpPool(x, getPoolParams(op, *pads), op.getP()));
}

static llvm::Error evaluate(GlobalMaxPoolOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(),
                        kernels::globalMaxPool(evaluation[op.getInput()]));
}

static llvm::Error evaluate(GlobalAveragePoolOp op, Evaluation &evaluation) {
  return evaluation.set(op.getResult(),
                        kernels::globalAveragePool(evaluation[op.getInput()]));
}

static llvm::Error evaluate(GlobalLpPoolOp op, Evaluation &evaluation) {
  return evaluation.set(
      op.getResult(),
      kernels::globalLpPool(evaluation[op.getInput()], op.getP()));
}

void inlay::registerPoolEvaluation(MLIRContext &context) {
  attachEvaluation<MaxPoolOp, evaluate>(context);
  attachEvaluation<AveragePoolOp, evaluate>(context);
  attachEvaluation<LpPoolOp, evaluate>(context);
  attachEvaluation<GlobalMaxPoolOp, evaluate>(context);
  attachEvaluation<GlobalAveragePoolOp, evaluate>(context);
  attachEvaluation<GlobalLpPoolOp, evaluate>(context);
}
