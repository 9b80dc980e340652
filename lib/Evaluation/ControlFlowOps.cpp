//===- ControlFlowOps.cpp - Evaluating If, Loop and Scan ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "inlay/IR/AxisParameters.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Movement.h"

using namespace inlay;
using namespace mlir;

static llvm::Error evaluate(IfOp op, Evaluation &evaluation) {
  const HostTensor &cond = evaluation[op.getCond()];
  if (cond.getNumElements() != 1)
    return modelError("condition has " + Twine(cond.getNumElements()) +
                      " elements, expected 1");
  Region &branch = cond.getInt(0) ? op.getThenBranch() : op.getElseBranch();
  SmallVector<HostTensor> results;
  if (llvm::Error error = evaluation.runRegion(branch, {}, results))
    return error;
  llvm::copy(results, evaluation.getResults().begin());
  return llvm::Error::success();
}

/// Stacks slices along a new dimension. Without slices, the type of the result
/// says what is empty.
static llvm::Expected<HostTensor> stackSlices(ArrayRef<HostTensor> slices,
                                              int64_t axis, Type type) {
  if (slices.empty()) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    std::optional<ElementType> element =
        getOnnxElementType(getElementType(type));
    if (!ranked || !element)
      return unsupportedError("no iteration ran and the collected output has "
                              "no known rank");
    SmallVector<int64_t> shape;
    for (auto [i, extent] : llvm::enumerate(ranked.getShape()))
      shape.push_back(
          int64_t(i) == axis || ShapedType::isDynamic(extent) ? 0 : extent);
    return HostTensor::allocate(*element, shape);
  }
  SmallVector<HostTensor> expanded;
  for (const HostTensor &slice : slices) {
    auto position = Evaluation::getAxis(axis, slice.getRank() + 1);
    if (!position)
      return position.takeError();
    SmallVector<int64_t> shape(slice.getShape());
    shape.insert(shape.begin() + *position, 1);
    expanded.push_back(slice.reshaped(shape));
    axis = *position;
  }
  return kernels::concat(expanded, axis);
}

static llvm::Error evaluate(LoopOp op, Evaluation &evaluation) {
  const HostTensor *trip = evaluation.lookup(op.getMaxTripCount());
  const HostTensor *initialCond = evaluation.lookup(op.getCond());
  if ((trip && trip->getNumElements() != 1) ||
      (initialCond && initialCond->getNumElements() != 1))
    return modelError("trip count and condition must have one element");
  bool cond = !initialCond || initialCond->getInt(0);
  SmallVector<HostTensor> carried = evaluation.getAll(op.getInitial());
  size_t numCarried = carried.size();
  SmallVector<SmallVector<HostTensor>> slices(op.getNumResults() - numCarried);
  for (int64_t i = 0; cond && (!trip || i < trip->getInt(0)); ++i) {
    SmallVector<HostTensor> arguments = {
        HostTensor::get<int64_t>(ElementType::Int64, {}, {i}),
        HostTensor::get<uint8_t>(ElementType::Bool, {}, {cond})};
    llvm::append_range(arguments, carried);
    SmallVector<HostTensor> results;
    if (llvm::Error error =
            evaluation.runRegion(op.getBody(), arguments, results))
      return error;
    if (results[0].getNumElements() != 1)
      return modelError("the body's condition must have one element");
    cond = results[0].getInt(0);
    carried.assign(results.begin() + 1, results.begin() + 1 + numCarried);
    for (auto [j, collected] : llvm::enumerate(slices))
      collected.push_back(results[1 + numCarried + j]);
  }
  llvm::copy(carried, evaluation.getResults().begin());
  for (auto [j, collected] : llvm::enumerate(slices)) {
    Value result = op.getOutputs()[numCarried + j];
    if (llvm::Error error =
            evaluation.set(result, stackSlices(collected, 0, result.getType())))
      return error;
  }
  return llvm::Error::success();
}

/// Slice `index` of `tensor` along `axis`, without that dimension.
static llvm::Expected<HostTensor> takeSlice(const HostTensor &tensor,
                                            int64_t axis, int64_t index) {
  auto slice = kernels::slice(tensor, {index}, {index + 1}, {axis}, {1});
  if (!slice)
    return slice;
  SmallVector<int64_t> shape(slice->getShape());
  shape.erase(shape.begin() + axis);
  return slice->reshaped(shape);
}

static llvm::Error evaluate(ScanOp op, Evaluation &evaluation) {
  size_t numScans = op.getNumScanInputs();
  size_t numStates = op.getInputs().size() - numScans;
  SmallVector<HostTensor> states = evaluation.getAll(op.getInputs());
  SmallVector<HostTensor> scanned(states.begin() + numStates, states.end());
  states.truncate(numStates);
  SmallVector<int64_t> axes;
  int64_t length = -1;
  for (auto [i, tensor] : llvm::enumerate(scanned)) {
    auto axis = Evaluation::getAxis(getEntryOr(op.getScanInputAxes(), i, 0),
                                    tensor.getRank());
    if (!axis)
      return axis.takeError();
    axes.push_back(*axis);
    if (length >= 0 && tensor.getDim(*axis) != length)
      return modelError("scanned inputs have different lengths, " +
                        Twine(length) + " and " + Twine(tensor.getDim(*axis)));
    length = tensor.getDim(*axis);
  }
  SmallVector<SmallVector<HostTensor>> slices(op.getNumResults() - numStates);
  for (int64_t step = 0; step < length; ++step) {
    SmallVector<HostTensor> arguments = states, results;
    for (auto [i, tensor] : llvm::enumerate(scanned)) {
      bool isReversed = getEntryOr(op.getScanInputDirections(), i, 0) != 0;
      auto slice =
          takeSlice(tensor, axes[i], isReversed ? length - 1 - step : step);
      if (!slice)
        return slice.takeError();
      arguments.push_back(*slice);
    }
    if (llvm::Error error =
            evaluation.runRegion(op.getBody(), arguments, results))
      return error;
    states.assign(results.begin(), results.begin() + numStates);
    for (auto [j, collected] : llvm::enumerate(slices))
      collected.push_back(results[numStates + j]);
  }
  llvm::copy(states, evaluation.getResults().begin());
  for (auto [j, collected] : llvm::enumerate(slices)) {
    if (getEntryOr(op.getScanOutputDirections(), j, 0) != 0)
      std::reverse(collected.begin(), collected.end());
    Value result = op.getOutputs()[numStates + j];
    if (llvm::Error error = evaluation.set(
            result,
            stackSlices(collected, getEntryOr(op.getScanOutputAxes(), j, 0),
                        result.getType())))
      return error;
  }
  return llvm::Error::success();
}

void inlay::registerControlFlowEvaluation(MLIRContext &context) {
  attachEvaluation<IfOp, evaluate>(context);
  attachEvaluation<LoopOp, evaluate>(context);
  attachEvaluation<ScanOp, evaluate>(context);
}
