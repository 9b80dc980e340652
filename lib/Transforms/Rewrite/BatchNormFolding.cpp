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

template <typename OpT>
static bool foldBatchNorm(Operation *root, RewriteContext &context) {
  auto norm = cast<BatchNormalizationOp>(root);
  std::optional<LinearOp> linear = LinearOp::match(norm.getInput(), root);
  // Channels are dimension 1, also of what is not a convolution.
  if (!linear || !isa<OpT>(linear->getOperation()) ||
      linear->getFeatureAxis() != 1)
    return false;
  std::optional<FeatureMap> map = getMap(norm, linear->getNumFeatures());
  Value value =
      map ? linear->build(*map, root, getParameters(norm), context) : Value();
  if (value)
    context.replace(root, {value, Value(), Value()});
  return bool(value);
}

/// The value of a Reshape that leaves the last dimension alone, else `value`.
static Value skipReshape(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  if (!reshape || !value.hasOneUse())
    return value;
  MaybeShape from = getShape(reshape.getInput()), to = getShape(value);
  bool isKept = from && to && !from->empty() && !to->empty() &&
                from->back() == to->back() &&
                !ShapedType::isDynamic(to->back());
  return isKept ? Value(reshape.getInput()) : value;
}

/// Features of a matrix product are the last dimension; as channels they are
/// dimension 1, of matrices that may be those of a batch under each other.
static bool foldIntoMatMul(Operation *root, RewriteContext &context) {
  auto norm = cast<BatchNormalizationOp>(root);
  Value product = skipReshape(norm.getInput());
  bool isReshaped = product != norm.getInput();
  Operation *user = isReshaped ? norm.getInput().getDefiningOp() : root;
  std::optional<LinearOp> linear = LinearOp::match(product, user);
  if (!linear || !isa<MatMulOp>(linear->getOperation()) ||
      getRank(norm.getInput()) != 2 || user->getBlock() != root->getBlock())
    return false;
  std::optional<FeatureMap> map = getMap(norm, linear->getNumFeatures());
  Value value =
      map ? linear->build(*map, root, getParameters(norm), context) : Value();
  if (!value)
    return false;
  if (isReshaped) {
    Operation *reshape = context.builder.clone(*user);
    reshape->setLoc(context.merge({root, user}));
    reshape->setOperand(0, value);
    value = reshape->getResult(0);
  }
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
     "BatchNormalization(Reshape(MatMul(x, W))) = Reshape(Add(MatMul(x, W * "
     "s), bias - mean * s)), s = scale / sqrt(var + epsilon)",
     "inlay.batch_normalization", foldIntoMatMul},
};

llvm::ArrayRef<Rewrite> rewrites::getBatchNormFolding() { return table; }
