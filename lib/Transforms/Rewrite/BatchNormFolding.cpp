//===- BatchNormFolding.cpp - Normalisation in weights --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At inference a BatchNormalization is a factor and a term per channel:
//
//   s = scale / sqrt(variance + epsilon), t = bias - mean * s
//
// Between it and the weights there may be transposes, and reshapes that keep
// the channels together: rows of a batch of matrices are normalised as one.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "Linear.h"
#include <cmath>

using namespace inlay;
using namespace inlay::rewrites;
using namespace mlir;

/// What a BatchNormalization does to each channel; nothing in training, or
/// where a parameter is not known.
static std::optional<FeatureMap> getMap(BatchNormalizationOp op,
                                        int64_t numChannels) {
  if (op.getTrainingMode() || !op.getRunningMean().use_empty() ||
      !op.getRunningVar().use_empty())
    return std::nullopt;
  auto read = [&](Value value) {
    return readPerFeature(value, 1, 0, numChannels);
  };
  auto scale = read(op.getScale()), bias = read(op.getBias());
  auto mean = read(op.getMean()), variance = read(op.getVariance());
  if (!scale || !bias || !mean || !variance)
    return std::nullopt;
  double epsilon = op.getEpsilon().convertToFloat();
  FeatureMap map;
  for (int64_t i = 0; i < numChannels; ++i) {
    double factor = (*scale)[i] / std::sqrt((*variance)[i] + epsilon);
    map.scale.push_back(factor);
    map.shift.push_back((*bias)[i] - (*mean)[i] * factor);
  }
  return map;
}

static SmallVector<Value> getParameters(BatchNormalizationOp op) {
  return {op.getBias(), op.getMean(), op.getVariance(), op.getScale()};
}

/// Channels are dimension 1, also of what is not a convolution.
template <typename OpT>
static bool foldBatchNorm(Operation *root, RewriteContext &context) {
  auto norm = cast<BatchNormalizationOp>(root);
  std::optional<FeaturePath> path = FeaturePath::match(norm.getInput(), root);
  if (!path || !isa<OpT>(path->getLinear().getOperation()))
    return context.refuse("no such operator with a constant weight is in front "
                          "of it, for it alone");
  if (path->getFeatureAxis() != 1)
    return context.refuse("its channels are not the operator's features");
  std::optional<FeatureMap> map = getMap(norm, path->getNumFeatures());
  if (!map)
    return context.refuse("it is in training, or a parameter is not constant");
  Value value = path->build(*map, root, getParameters(norm), context);
  if (!value)
    return context.refuse("the weights would leave the range of their type");
  context.replace(root, {value, Value(), Value()});
  return true;
}

static constexpr Rewrite table[] = {
    {"conv-batch-norm",
     "BatchNormalization(Conv(x, W, b)) = Conv(x, W * s, (b - mean) * s + "
     "bias), s = scale / sqrt(var + epsilon)",
     "inlay.batch_normalization", foldBatchNorm<ConvOp>},
    {"conv-transpose-batch-norm",
     "BatchNormalization(ConvTranspose(x, W, b)) = ConvTranspose(x, W * s, (b "
     "- mean) * s + bias), s = scale / sqrt(var + epsilon)",
     "inlay.batch_normalization", foldBatchNorm<ConvTransposeOp>},
    {"gemm-batch-norm",
     "BatchNormalization(Gemm(x, W, c)) = Gemm(x, W * s, (beta * c - mean) * s "
     "+ bias), s = scale / sqrt(var + epsilon)",
     "inlay.batch_normalization", foldBatchNorm<GemmOp>},
    {"matmul-batch-norm",
     "BatchNormalization(Add(MatMul(x, W), b)) = Add(MatMul(x, W * s), (b - "
     "mean) * s + bias), s = scale / sqrt(var + epsilon)",
     "inlay.batch_normalization", foldBatchNorm<MatMulOp>},
};

llvm::ArrayRef<Rewrite> rewrites::getBatchNormFolding() { return table; }
