//===- ConvOps.cpp - Evaluating convolutions ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/IR/Windows.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Contraction.h"

using namespace inlay;
using namespace mlir;

static llvm::Error checkConvRanks(const HostTensor &x, const HostTensor &w) {
  if (x.getRank() >= 3 && x.getRank() == w.getRank())
    return llvm::Error::success();
  return modelError("cannot convolve " + formatShape(x.getShape()) + " with " +
                    formatShape(w.getShape()));
}

/// The pads for tensors of known shapes.
template <typename OpT>
static llvm::Expected<Pads> resolveConvPads(OpT op, const HostTensor &x,
                                            const HostTensor &w) {
  if (llvm::Error error = checkConvRanks(x, w))
    return std::move(error);
  return resolvePads(getWindowAttributes(op, w.getShape().drop_front(2)),
                     x.getShape().drop_front(2));
}

template <typename OpT>
static kernels::ConvParams getConvParams(OpT op, ArrayRef<int64_t> pads) {
  kernels::ConvParams params;
  params.group = op.getGroup();
  params.strides = op.getStrides().value_or(ArrayRef<int64_t>());
  params.dilations = op.getDilations().value_or(ArrayRef<int64_t>());
  params.pads = pads;
  return params;
}

static llvm::Error evaluate(ConvOp op, Evaluation &evaluation) {
  const HostTensor &x = evaluation[op.getX()], &w = evaluation[op.getW()];
  auto pads = resolveConvPads(op, x, w);
  if (!pads)
    return pads.takeError();
  return evaluation.set(op.getResult(),
                        kernels::conv(x, w, evaluation.lookup(op.getB()),
                                      getConvParams(op, *pads)));
}

static llvm::Error evaluate(ConvTransposeOp op, Evaluation &evaluation) {
  const HostTensor &x = evaluation[op.getX()], &w = evaluation[op.getW()];
  if (llvm::Error error = checkConvRanks(x, w))
    return error;
  auto pads = resolveOutputPads(op, x.getShape().drop_front(2),
                                w.getShape().drop_front(2));
  if (!pads)
    return pads.takeError();
  kernels::ConvParams params = getConvParams(op, pads->pads);
  params.outputPadding = pads->outputPadding;
  return evaluation.set(
      op.getResult(),
      kernels::convTranspose(x, w, evaluation.lookup(op.getB()), params));
}

static llvm::Error evaluate(ConvIntegerOp op, Evaluation &evaluation) {
  const HostTensor &x = evaluation[op.getX()], &w = evaluation[op.getW()];
  auto pads = resolveConvPads(op, x, w);
  if (!pads)
    return pads.takeError();
  return evaluation.set(
      op.getResult(),
      kernels::convInteger(x, w, evaluation.lookup(op.getXZeroPoint()),
                           evaluation.lookup(op.getWZeroPoint()),
                           getConvParams(op, *pads)));
}

static llvm::Error evaluate(QLinearConvOp op, Evaluation &evaluation) {
  const HostTensor &x = evaluation[op.getX()], &w = evaluation[op.getW()];
  auto pads = resolveConvPads(op, x, w);
  if (!pads)
    return pads.takeError();
  auto get = [&](Value scale, Value zeroPoint) {
    return kernels::Quantization{evaluation[scale], evaluation[zeroPoint]};
  };
  return evaluation.set(
      op.getResult(),
      kernels::qlinearConv(x, get(op.getXScale(), op.getXZeroPoint()), w,
                           get(op.getWScale(), op.getWZeroPoint()),
                           get(op.getYScale(), op.getYZeroPoint()),
                           evaluation.lookup(op.getB()),
                           getConvParams(op, *pads)));
}

void inlay::registerConvEvaluation(MLIRContext &context) {
  attachEvaluation<ConvOp, evaluate>(context);
  attachEvaluation<ConvTransposeOp, evaluate>(context);
  attachEvaluation<ConvIntegerOp, evaluate>(context);
  attachEvaluation<QLinearConvOp, evaluate>(context);
}
