//===- ContributedOps.cpp - Evaluating operators of com.microsoft ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantised operators compute in real numbers: what they take is dequantised
// and what they give is quantised, once.
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/IR/Windows.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Attention.h"
#include "inlay/Tensor/Kernels/Contraction.h"
#include "inlay/Tensor/Kernels/Elementwise.h"
#include "inlay/Tensor/Kernels/Movement.h"
#include "inlay/Tensor/Kernels/Normalization.h"
#include "inlay/Tensor/Kernels/Pool.h"
#include "inlay/Tensor/Kernels/Quantize.h"
#include "inlay/Tensor/Kernels/QuantizedArithmetic.h"
#include "inlay/Tensor/Kernels/Softmax.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// In real numbers
//===----------------------------------------------------------------------===//

static llvm::Expected<HostTensor> dequantize(Evaluation &evaluation, Value x,
                                             Value scale, Value zeroPoint) {
  return kernels::dequantizeLinear(evaluation[x], evaluation[scale],
                                   evaluation.lookup(zeroPoint), {});
}

/// Sets the result of `op` to `real`, quantised to the type of its zero point,
/// or of `like` where there is none.
template <typename OpT>
static llvm::Error setQuantized(OpT op, Evaluation &evaluation,
                                llvm::Expected<HostTensor> real,
                                const HostTensor &like) {
  if (!real)
    return real.takeError();
  const HostTensor *zeroPoint = evaluation.lookup(op.getYZeroPoint());
  kernels::QuantizeOptions options;
  options.outputType = zeroPoint ? zeroPoint->getType() : like.getType();
  return evaluation.set(
      op.getResult(), kernels::quantizeLinear(*real, evaluation[op.getYScale()],
                                              zeroPoint, options));
}

/// Makes the result of `op` what `compute` makes of its input.
template <typename OpT, typename F>
static llvm::Error evaluateUnary(OpT op, Evaluation &evaluation, F compute) {
  auto real =
      dequantize(evaluation, op.getInput(), op.getXScale(), op.getXZeroPoint());
  return setQuantized(op, evaluation,
                      real ? llvm::Expected<HostTensor>(compute(*real))
                           : real.takeError(),
                      evaluation[op.getInput()]);
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

template <typename OpT>
static llvm::Error evaluateBinary(OpT op, Evaluation &evaluation,
                                  decltype(kernels::qlinearAdd) *kernel) {
  return evaluation.set(
      op.getResult(),
      kernel(
          evaluation[op.getA()],
          {evaluation[op.getAScale()], evaluation.lookup(op.getAZeroPoint())},
          evaluation[op.getB()],
          {evaluation[op.getBScale()], evaluation.lookup(op.getBZeroPoint())},
          {evaluation[op.getYScale()], evaluation.lookup(op.getYZeroPoint())}));
}

static llvm::Error evaluate(QLinearAddOp op, Evaluation &evaluation) {
  return evaluateBinary(op, evaluation, kernels::qlinearAdd);
}

static llvm::Error evaluate(QLinearMulOp op, Evaluation &evaluation) {
  return evaluateBinary(op, evaluation, kernels::qlinearMul);
}

static llvm::Error evaluate(QLinearSigmoidOp op, Evaluation &evaluation) {
  return evaluateUnary(op, evaluation, [](const HostTensor &x) {
    return kernels::unary(kernels::UnaryFunction::Sigmoid, x);
  });
}

static llvm::Error evaluate(QLinearLeakyReluOp op, Evaluation &evaluation) {
  float alpha = op.getAlpha().convertToFloat();
  return evaluateUnary(op, evaluation, [&](const HostTensor &x) {
    return kernels::leakyRelu(x, alpha);
  });
}

static llvm::Error evaluate(QLinearSoftmaxOp op, Evaluation &evaluation) {
  auto axis =
      Evaluation::getAxis(op.getAxis(), evaluation[op.getInput()].getRank());
  if (!axis)
    return axis.takeError();
  return evaluateUnary(op, evaluation, [&](const HostTensor &x) {
    return kernels::softmax(x, *axis, /*coerce2D=*/op.getOpset() < 13);
  });
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

/// What `pool` makes of x as N x C x spatial.
template <typename F>
static llvm::Expected<HostTensor> poolChannelsFirst(const HostTensor &x,
                                                    bool channelsLast, F pool) {
  if (x.getRank() < 3)
    return modelError("pooling needs at least 3 dimensions, found " +
                      Twine(x.getRank()));
  if (!channelsLast)
    return pool(x);
  SmallVector<int64_t> toFirst{0, x.getRank() - 1}, toLast{0};
  for (int64_t dim = 1; dim + 1 < x.getRank(); ++dim) {
    toFirst.push_back(dim);
    toLast.push_back(dim + 1);
  }
  toLast.push_back(1);
  auto first = kernels::transpose(x, toFirst);
  if (!first)
    return first;
  llvm::Expected<HostTensor> pooled = pool(*first);
  return pooled ? kernels::transpose(*pooled, toLast) : std::move(pooled);
}

static llvm::Expected<HostTensor> averageWindows(QLinearAveragePoolOp op,
                                                 const HostTensor &x) {
  auto pads = resolvePads(getWindowAttributes(op, op.getKernelShape()),
                          x.getShape().drop_front(2));
  if (!pads)
    return pads.takeError();
  kernels::PoolParams params;
  params.kernel = op.getKernelShape();
  params.strides = op.getStrides().value_or(ArrayRef<int64_t>());
  params.pads = *pads;
  params.ceilMode = op.getCeilMode() != 0;
  return kernels::averagePool(x, params, op.getCountIncludePad() != 0);
}

/// Its zero point is part of what is rounded, unlike those of others.
static llvm::Error evaluate(QLinearAveragePoolOp op, Evaluation &evaluation) {
  const HostTensor &x = evaluation[op.getInput()];
  auto real =
      dequantize(evaluation, op.getInput(), op.getXScale(), op.getXZeroPoint());
  if (!real)
    return real.takeError();
  auto pooled = poolChannelsFirst(
      *real, op.getChannelsLast() != 0,
      [&](const HostTensor &first) { return averageWindows(op, first); });
  if (!pooled)
    return pooled.takeError();
  const HostTensor *zeroPoint = evaluation.lookup(op.getYZeroPoint());
  return evaluation.set(
      op.getResult(),
      kernels::quantizeAtOnce(*pooled, {evaluation[op.getYScale()], zeroPoint},
                              zeroPoint ? zeroPoint->getType() : x.getType()));
}

static llvm::Error evaluate(QLinearGlobalAveragePoolOp op,
                            Evaluation &evaluation) {
  return evaluateUnary(op, evaluation, [&](const HostTensor &x) {
    return poolChannelsFirst(x, op.getChannelsLast() != 0,
                             kernels::globalAveragePool);
  });
}

//===----------------------------------------------------------------------===//
// Concat and Gemm
//===----------------------------------------------------------------------===//

static llvm::Error evaluate(QLinearConcatOp op, Evaluation &evaluation) {
  SmallVector<HostTensor> parts;
  for (unsigned i : op.getJoined()) {
    auto real = dequantize(evaluation, op->getOperand(i), op->getOperand(i + 1),
                           op->getOperand(i + 2));
    if (!real)
      return real.takeError();
    parts.push_back(std::move(*real));
  }
  auto axis = Evaluation::getAxis(op.getAxis(), parts.front().getRank());
  if (!axis)
    return axis.takeError();
  return setQuantized(op, evaluation, kernels::concat(parts, *axis),
                      evaluation[op.getYZeroPoint()]);
}

static llvm::Error evaluate(QGemmOp op, Evaluation &evaluation) {
  kernels::QGemmOptions options{op.getAlpha().convertToFloat(),
                                op.getTransA() != 0, op.getTransB() != 0};
  return evaluation.set(
      op.getResult(),
      kernels::qgemm(
          evaluation[op.getA()],
          {evaluation[op.getAScale()], evaluation[op.getAZeroPoint()]},
          evaluation[op.getB()],
          {evaluation[op.getBScale()], evaluation[op.getBZeroPoint()]},
          evaluation.lookup(op.getC()), evaluation.lookup(op.getYScale()),
          evaluation.lookup(op.getYZeroPoint()), options));
}

//===----------------------------------------------------------------------===//
// Fused operators
//===----------------------------------------------------------------------===//

/// Gelu of x + bias.
static llvm::Error evaluateBiased(Evaluation &evaluation, Value result,
                                  HostTensor x, const HostTensor *bias,
                                  bool isTanh) {
  if (bias) {
    auto sum = kernels::binary(kernels::BinaryFunction::Add, x, *bias);
    if (!sum)
      return sum.takeError();
    x = std::move(*sum);
  }
  return evaluation.set(result, kernels::gelu(x, isTanh));
}

static llvm::Error evaluate(FastGeluOp op, Evaluation &evaluation) {
  return evaluateBiased(evaluation, op.getResult(), evaluation[op.getInput()],
                        evaluation.lookup(op.getBias()), /*isTanh=*/true);
}

static llvm::Error evaluate(BiasGeluOp op, Evaluation &evaluation) {
  return evaluateBiased(evaluation, op.getResult(), evaluation[op.getInput()],
                        evaluation.lookup(op.getBias()), /*isTanh=*/false);
}

static llvm::Error evaluate(SkipLayerNormalizationOp op,
                            Evaluation &evaluation) {
  HostTensor sum = evaluation[op.getInput()];
  for (Value addend : {op.getSkip(), op.getBias()}) {
    const HostTensor *tensor = evaluation.lookup(addend);
    if (!tensor)
      continue;
    auto next = kernels::binary(kernels::BinaryFunction::Add, sum, *tensor);
    if (!next)
      return next.takeError();
    sum = std::move(*next);
  }
  auto normal = kernels::layerNormalization(
      sum, evaluation[op.getGamma()], evaluation.lookup(op.getBeta()),
      sum.getRank() - 1, op.getEpsilon().convertToFloat());
  if (!normal)
    return normal.takeError();
  evaluation.getResults()[0] = std::move(normal->y);
  evaluation.getResults()[1] = std::move(normal->mean);
  evaluation.getResults()[2] = std::move(normal->invStdDev);
  evaluation.getResults()[3] = std::move(sum);
  return llvm::Error::success();
}

void inlay::registerContributedEvaluation(MLIRContext &context) {
  attachEvaluation<QLinearAddOp, evaluate>(context);
  attachEvaluation<QLinearMulOp, evaluate>(context);
  attachEvaluation<QLinearSigmoidOp, evaluate>(context);
  attachEvaluation<QLinearLeakyReluOp, evaluate>(context);
  attachEvaluation<QLinearSoftmaxOp, evaluate>(context);
  attachEvaluation<QLinearAveragePoolOp, evaluate>(context);
  attachEvaluation<QLinearGlobalAveragePoolOp, evaluate>(context);
  attachEvaluation<QLinearConcatOp, evaluate>(context);
  attachEvaluation<QGemmOp, evaluate>(context);
  attachEvaluation<FastGeluOp, evaluate>(context);
  attachEvaluation<BiasGeluOp, evaluate>(context);
  attachEvaluation<SkipLayerNormalizationOp, evaluate>(context);
}
