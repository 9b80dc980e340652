//===- ReduceOps.cpp - Evaluating along axes ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/IR/AxisParameters.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Reduce.h"

using namespace inlay;
using namespace mlir;

template <typename OpT, kernels::ReduceFunction function>
static llvm::Error evaluateReduce(OpT op, Evaluation &evaluation) {
  const HostTensor &input = evaluation[op.getInput()];
  SmallVector<int64_t> given =
      evaluation.getInts(op.getAxes(), op.getAxesOperand())
          .value_or(SmallVector<int64_t>());
  auto axes = Evaluation::getAxes(
      resolveReducedAxes(given, op.getNoopWithEmptyAxes(), input.getRank()),
      input.getRank());
  if (!axes)
    return axes.takeError();
  return evaluation.set(op.getResult(), kernels::reduce(function, input, *axes,
                                                        op.getKeepdims()));
}

using ArgKernel = llvm::Expected<HostTensor> (*)(const HostTensor &, int64_t,
                                                 bool, bool);

template <typename OpT, ArgKernel kernel>
static llvm::Error evaluateArg(OpT op, Evaluation &evaluation) {
  const HostTensor &input = evaluation[op.getInput()];
  auto axis = Evaluation::getAxis(op.getAxis(), input.getRank());
  if (!axis)
    return axis.takeError();
  return evaluation.set(op.getResult(), kernel(input, *axis, op.getKeepdims(),
                                               op.getSelectLastIndex()));
}

/// A scalar parameter from its attribute or its operand's tensor.
static llvm::Expected<int64_t> getInt(Evaluation &evaluation, StringRef name,
                                      std::optional<uint64_t> attribute,
                                      Value operand) {
  if (attribute)
    return int64_t(*attribute);
  const HostTensor *tensor = evaluation.lookup(operand);
  if (!tensor || tensor->getNumElements() != 1)
    return modelError("'" + name + "' must have one element");
  return tensor->getInt(0);
}

static llvm::Error evaluate(CumSumOp op, Evaluation &evaluation) {
  const HostTensor &input = evaluation[op.getInput()];
  auto given = getInt(evaluation, "axis", op.getAxis(), op.getAxisOperand());
  if (!given)
    return given.takeError();
  auto axis = Evaluation::getAxis(*given, input.getRank());
  if (!axis)
    return axis.takeError();
  return evaluation.set(op.getResult(),
                        kernels::cumSum(input, *axis, op.getExclusive() != 0,
                                        op.getReverse() != 0));
}

static llvm::Error evaluate(TopKOp op, Evaluation &evaluation) {
  const HostTensor &input = evaluation[op.getInput()];
  auto k = getInt(evaluation, "k", op.getK(), op.getKOperand());
  if (!k)
    return k.takeError();
  auto axis = Evaluation::getAxis(op.getAxis(), input.getRank());
  if (!axis)
    return axis.takeError();
  if (*k < 0 || *k > input.getDim(*axis))
    return modelError("k is " + Twine(*k) + " but axis " + Twine(*axis) +
                      " has " + Twine(input.getDim(*axis)) + " elements");
  auto results = kernels::topK(input, *k, *axis, op.getLargest() != 0,
                               op.getSorted() != 0);
  if (!results)
    return results.takeError();
  evaluation.getResults()[0] = std::move(results->values);
  evaluation.getResults()[1] = std::move(results->indices);
  return llvm::Error::success();
}

template <typename OpT, kernels::ReduceFunction function>
static void attachReduce(MLIRContext &context) {
  attachEvaluation<OpT, evaluateReduce<OpT, function>>(context);
}

void inlay::registerReduceEvaluation(MLIRContext &context) {
  using enum kernels::ReduceFunction;
  attachReduce<ReduceSumOp, Sum>(context);
  attachReduce<ReduceMeanOp, Mean>(context);
  attachReduce<ReduceMaxOp, Max>(context);
  attachReduce<ReduceMinOp, Min>(context);
  attachReduce<ReduceProdOp, Prod>(context);
  attachReduce<ReduceL1Op, L1>(context);
  attachReduce<ReduceL2Op, L2>(context);
  attachReduce<ReduceLogSumOp, LogSum>(context);
  attachReduce<ReduceLogSumExpOp, LogSumExp>(context);
  attachReduce<ReduceSumSquareOp, SumSquare>(context);
  attachEvaluation<ArgMaxOp, evaluateArg<ArgMaxOp, kernels::argMax>>(context);
  attachEvaluation<ArgMinOp, evaluateArg<ArgMinOp, kernels::argMin>>(context);
  attachEvaluation<CumSumOp, evaluate>(context);
  attachEvaluation<TopKOp, evaluate>(context);
}
