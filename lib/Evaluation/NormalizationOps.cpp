//===- NormalizationOps.cpp - Evaluating the softmax family ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/IR/AxisParameters.h"
#include "inlay/Tensor/Kernels/Softmax.h"

using namespace inlay;
using namespace mlir;

using SoftmaxKernel = llvm::Expected<HostTensor> (*)(const HostTensor &,
                                                     int64_t, bool);

template <typename OpT, SoftmaxKernel kernel>
static llvm::Error evaluateSoftmax(OpT op, Evaluation &evaluation) {
  const HostTensor &x = evaluation[op.getInput()];
  bool coerce2D = op.getCoerce_2d();
  std::optional<int64_t> first =
      normalizeSoftmaxAxis(op.getAxis(), x.getRank(), coerce2D);
  if (!first)
    return Evaluation::getAxis(op.getAxis(), x.getRank()).takeError();
  return evaluation.set(op.getResult(), kernel(x, *first, coerce2D));
}

template <typename OpT, SoftmaxKernel kernel>
static void attachSoftmax(MLIRContext &context) {
  attachEvaluation<OpT, evaluateSoftmax<OpT, kernel>>(context);
}

void inlay::registerNormalizationEvaluation(MLIRContext &context) {
  attachSoftmax<SoftmaxOp, kernels::softmax>(context);
  attachSoftmax<LogSoftmaxOp, kernels::logSoftmax>(context);
  attachSoftmax<HardmaxOp, kernels::hardmax>(context);
}
