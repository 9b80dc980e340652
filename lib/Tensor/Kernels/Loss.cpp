//===- Loss.cpp - Reference kernels of training losses --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Loss.h"
#include "AxisView.h"
#include "inlay/Tensor/Kernels/Cast.h"
#include "inlay/Tensor/Kernels/Softmax.h"

using namespace inlay;
using namespace inlay::kernels;
using llvm::Expected;

static llvm::Error checkLossOperands(const HostTensor &input,
                                     const HostTensor &target,
                                     const HostTensor *weight) {
  if (llvm::Error error = checkFloat(input, "the input of a loss"))
    return error;
  if (input.getRank() < 2)
    return modelError("the input of a loss must have rank 2 or more, but has "
                      "shape " +
                      formatShape(input.getShape()));
  HostTensor::Shape expected(input.getShape());
  expected.erase(expected.begin() + 1);
  if (target.getShape() != llvm::ArrayRef<int64_t>(expected) ||
      !isInteger(target.getType()))
    return modelError("the target of a loss must hold integers of shape " +
                      formatShape(expected) + ", but holds " +
                      getName(target.getType()) + " of shape " +
                      formatShape(target.getShape()));
  if (weight &&
      (!isFloat(weight->getType()) ||
       weight->getShape() != llvm::ArrayRef<int64_t>(input.getDim(1))))
    return modelError("the weight of a loss must hold floats of shape " +
                      llvm::Twine(input.getDim(1)) + ", but holds " +
                      getName(weight->getType()) + " of shape " +
                      formatShape(weight->getShape()));
  return llvm::Error::success();
}

namespace {
/// The losses one by one and what their mean is divided by.
struct Losses {
  std::vector<double> values;
  double totalWeight = 0;
};
} // namespace

static Expected<Losses> computeLosses(const HostTensor &input,
                                      const HostTensor &target,
                                      const HostTensor *weight,
                                      std::optional<int64_t> ignoreIndex) {
  AxisView view(input.getShape(), 1);
  std::vector<double> weights =
      weight ? toDoubles(*weight) : std::vector<double>(view.size, 1.0);
  Losses losses;
  losses.values.resize(target.getNumElements());
  for (int64_t i = 0; i < target.getNumElements(); ++i) {
    int64_t label = target.getInt(i);
    if (label == ignoreIndex)
      continue;
    if (label < 0 || label >= view.size)
      return modelError("a target of a loss must be a class in [0, " +
                        llvm::Twine(view.size) + "), but is " +
                        llvm::Twine(label));
    int64_t outer = i / view.inner, inner = i % view.inner;
    double score =
        input.getDouble((outer * view.size + label) * view.inner + inner);
    losses.values[i] = -score * weights[label];
    losses.totalWeight += weights[label];
  }
  return losses;
}

Expected<HostTensor> kernels::negativeLogLikelihoodLoss(
    const HostTensor &input, const HostTensor &target, const HostTensor *weight,
    const LossOptions &options) {
  if (llvm::Error error = checkLossOperands(input, target, weight))
    return std::move(error);
  Expected<Losses> losses =
      computeLosses(input, target, weight, options.ignoreIndex);
  if (!losses)
    return losses.takeError();
  bool reduces = options.reduction != LossReduction::None;
  Expected<HostTensor> out = HostTensor::allocate(
      input.getType(), reduces ? llvm::ArrayRef<int64_t>() : target.getShape());
  if (!out)
    return out.takeError();
  if (!reduces) {
    storeElements(*out, 0, llvm::ArrayRef<double>(losses->values));
    return out;
  }
  double sum = 0;
  for (double value : losses->values)
    sum += value;
  bool isMean = options.reduction == LossReduction::Mean;
  out->setDouble(0, isMean ? sum / losses->totalWeight : sum);
  return out;
}

Expected<SoftmaxCrossEntropyResult> kernels::softmaxCrossEntropyLoss(
    const HostTensor &scores, const HostTensor &target,
    const HostTensor *weight, const LossOptions &options) {
  if (llvm::Error error = checkLossOperands(scores, target, weight))
    return std::move(error);
  // In double up to the end: the loss is rounded once.
  Expected<HostTensor> exact = cast(scores, ElementType::Double);
  if (!exact)
    return exact.takeError();
  Expected<HostTensor> logProb = logSoftmax(*exact, 1);
  if (!logProb)
    return logProb.takeError();
  Expected<HostTensor> loss =
      negativeLogLikelihoodLoss(*logProb, target, weight, options);
  if (!loss)
    return loss.takeError();
  Expected<HostTensor> roundedLoss = cast(*loss, scores.getType());
  if (!roundedLoss)
    return roundedLoss.takeError();
  Expected<HostTensor> roundedProb = cast(*logProb, scores.getType());
  if (!roundedProb)
    return roundedProb.takeError();
  return SoftmaxCrossEntropyResult{std::move(*roundedLoss),
                                   std::move(*roundedProb)};
}
