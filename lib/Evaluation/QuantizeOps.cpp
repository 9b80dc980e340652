//===- QuantizeOps.cpp - Evaluating linear quantisation -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/Tensor/Kernels/Quantize.h"

using namespace inlay;
using namespace mlir;

/// The axis counted from the front; 0 where it does not matter.
static llvm::Expected<int64_t> getScaleAxis(const HostTensor &input,
                                            const HostTensor &scale,
                                            int64_t axis, int64_t blockSize) {
  if (blockSize == 0 && scale.getNumElements() == 1)
    return 0;
  return Evaluation::getAxis(axis, input.getRank());
}

/// The element type with ONNX's number `code`; undefined for 0.
static ElementType getOptionalElementType(int64_t code) {
  return inlay::getElementType(code).value_or(ElementType::Undefined);
}

static llvm::Error evaluate(QuantizeLinearOp op, Evaluation &evaluation) {
  const HostTensor &input = evaluation[op.getInput()];
  const HostTensor &scale = evaluation[op.getScale()];
  auto axis = getScaleAxis(input, scale, op.getAxis(), op.getBlockSize());
  if (!axis)
    return axis.takeError();
  kernels::QuantizeOptions options;
  options.axis = *axis;
  options.blockSize = op.getBlockSize();
  options.saturate = op.getSaturate() != 0;
  options.outputType = getOptionalElementType(op.getOutputDtype());
  options.precision = getOptionalElementType(op.getPrecision());
  return evaluation.set(
      op.getResult(),
      kernels::quantizeLinear(input, scale,
                              evaluation.lookup(op.getZeroPoint()), options));
}

static llvm::Error evaluate(DequantizeLinearOp op, Evaluation &evaluation) {
  const HostTensor &input = evaluation[op.getInput()];
  const HostTensor &scale = evaluation[op.getScale()];
  auto axis = getScaleAxis(input, scale, op.getAxis(), op.getBlockSize());
  if (!axis)
    return axis.takeError();
  kernels::DequantizeOptions options;
  options.axis = *axis;
  options.blockSize = op.getBlockSize();
  options.outputType = getOptionalElementType(op.getOutputDtype());
  return evaluation.set(
      op.getResult(),
      kernels::dequantizeLinear(input, scale,
                                evaluation.lookup(op.getZeroPoint()), options));
}

static llvm::Error evaluate(DynamicQuantizeLinearOp op,
                            Evaluation &evaluation) {
  auto results = kernels::dynamicQuantizeLinear(evaluation[op.getInput()]);
  if (!results)
    return results.takeError();
  evaluation.getResults()[0] = std::move(results->y);
  evaluation.getResults()[1] = std::move(results->scale);
  evaluation.getResults()[2] = std::move(results->zeroPoint);
  return llvm::Error::success();
}

void inlay::registerQuantizeEvaluation(MLIRContext &context) {
  attachEvaluation<QuantizeLinearOp, evaluate>(context);
  attachEvaluation<DequantizeLinearOp, evaluate>(context);
  attachEvaluation<DynamicQuantizeLinearOp, evaluate>(context);
}
