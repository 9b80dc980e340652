//===- Loss.h - Reference kernels of training losses ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_LOSS_H
#define INLAY_TENSOR_KERNELS_LOSS_H

#include "inlay/Tensor/HostTensor.h"
#include "inlay/Tensor/Modes.h"
#include <optional>

namespace inlay::kernels {

struct LossOptions {
  LossReduction reduction = LossReduction::Mean;
  /// Targets of this value count for nothing; they need not be a class.
  std::optional<int64_t> ignoreIndex;
};

/// -weight[target] * input[n, target, ...], reduced; the mean is weighted. The
/// input is (N, C, d...), the target (N, d...) of int32 or int64, the weight
/// (C) or null.
llvm::Expected<HostTensor>
negativeLogLikelihoodLoss(const HostTensor &input, const HostTensor &target,
                          const HostTensor *weight, const LossOptions &options);

struct SoftmaxCrossEntropyResult {
  HostTensor loss;
  /// logSoftmax of the scores over dimension 1.
  HostTensor logProb;
};

/// The negative log likelihood of logSoftmax(scores).
llvm::Expected<SoftmaxCrossEntropyResult>
softmaxCrossEntropyLoss(const HostTensor &scores, const HostTensor &target,
                        const HostTensor *weight, const LossOptions &options);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_LOSS_H
