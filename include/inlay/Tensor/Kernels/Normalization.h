//===- Normalization.h - Reference kernels of normalisations ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Feature tensors are (N, C, spatial...). Everything computes in double.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_NORMALIZATION_H
#define INLAY_TENSOR_KERNELS_NORMALIZATION_H

#include "inlay/Tensor/HostTensor.h"

namespace inlay::kernels {

/// The four statistics of a batch normalisation, one element per channel each.
struct BatchNormalizationParameters {
  HostTensor scale;
  HostTensor bias;
  HostTensor mean;
  HostTensor variance;
};

/// scale * (x - mean) / sqrt(variance + epsilon) + bias. The result has the
/// type of x.
llvm::Expected<HostTensor>
batchNormalization(const HostTensor &x,
                   const BatchNormalizationParameters &parameters,
                   float epsilon);

struct BatchNormalizationTrainingResult {
  HostTensor y;
  /// old * momentum + current * (1 - momentum), in the types of the old ones.
  HostTensor runningMean;
  HostTensor runningVariance;
};

/// Normalises by the statistics of x itself (the population variance).
llvm::Expected<BatchNormalizationTrainingResult>
batchNormalizationTraining(const HostTensor &x,
                           const BatchNormalizationParameters &parameters,
                           float epsilon, float momentum);

/// Normalises every channel of every batch on its own.
llvm::Expected<HostTensor> instanceNormalization(const HostTensor &x,
                                                 const HostTensor &scale,
                                                 const HostTensor &bias,
                                                 float epsilon);

struct LayerNormalizationResult {
  HostTensor y;
  /// Shape of x with ones from `axis` on, of `stashType`.
  HostTensor mean;
  HostTensor invStdDev;
};

/// Normalises over the dimensions from `axis` on. Scale and bias broadcast to
/// x; the bias may be null.
llvm::Expected<LayerNormalizationResult>
layerNormalization(const HostTensor &x, const HostTensor &scale,
                   const HostTensor *bias, int64_t axis, float epsilon,
                   ElementType stashType = ElementType::Float);

/// Normalises over the channels of a group together. Scale and bias have one
/// element per channel (opset 21), or one per group if `perGroup` (opset 18).
llvm::Expected<HostTensor> groupNormalization(const HostTensor &x,
                                              const HostTensor &scale,
                                              const HostTensor &bias,
                                              int64_t numGroups, float epsilon,
                                              bool perGroup = false);

/// x / sqrt(mean(x^2) + epsilon) * scale over the dimensions from `axis` on.
llvm::Expected<HostTensor> rmsNormalization(const HostTensor &x,
                                            const HostTensor &scale,
                                            int64_t axis, float epsilon);

/// Local response normalisation over `size` neighbouring channels:
/// x / (bias + alpha / size * sum of squares)^beta.
llvm::Expected<HostTensor> lrn(const HostTensor &x, int64_t size, float alpha,
                               float beta, float bias);

/// x over its 1- or 2-norm along `axis`; 0 where the norm is 0.
llvm::Expected<HostTensor> lpNormalization(const HostTensor &x, int64_t p,
                                           int64_t axis);

/// (x - mean) / (standard deviation + 1e-9) over the given axes.
llvm::Expected<HostTensor>
meanVarianceNormalization(const HostTensor &x, llvm::ArrayRef<int64_t> axes);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_NORMALIZATION_H
