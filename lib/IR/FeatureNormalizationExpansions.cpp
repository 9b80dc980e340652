//===- FeatureNormalizationExpansions.cpp - Features normalised -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Features are (N, C, spatial...).
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "Normalized.h"

using namespace inlay;
using namespace mlir;

/// y * scale + bias, vectors along dimension 1 of a tensor of rank `rank`.
static Term scalePerChannel(Term y, Value scale, Value bias, int64_t rank) {
  Expansion &expansion = y.getExpansion();
  auto align = [&](Value vector) {
    Value wide = expansion.createCast(vector, inlay::getElementType(y));
    return Term(expansion, alignToAxis(expansion, wide, 1, rank));
  };
  return y * align(scale) + align(bias);
}

// y = (x - mean) * a + bias = x * a + (bias - mean * a)
//   [a = scale / sqrt(variance + epsilon)]
static LogicalResult expandBatchNormalization(BatchNormalizationOp op,
                                              Expansion &expansion) {
  std::optional<int64_t> rank = getRank(op.getInput());
  if (!rank || op.getTrainingMode() || !isFloatTensor(op.getInput()))
    return failure();
  Type type =
      expansion.getComputeType({op.getInput(), op.getScale(), op.getMean()});
  auto cast = [&](Value value) {
    return Term(expansion, expansion.createCast(value, type));
  };
  auto align = [&](Term vector) {
    return Term(expansion, alignToAxis(expansion, vector, 1, *rank));
  };
  Term factor = cast(op.getScale()) /
                sqrt(cast(op.getVariance()) + op.getEpsilon().convertToFloat());
  Term shift = cast(op.getBias()) - cast(op.getMean()) * factor;
  expansion.set(op.getResult(),
                cast(op.getInput()) * align(factor) + align(shift));
  expansion.set(op.getRunningMean(), op.getMean());
  expansion.set(op.getRunningVar(), op.getVariance());
  return success();
}

// y = normalize(x) * scale + bias, over the spatial dimensions
static LogicalResult expandInstanceNormalization(InstanceNormalizationOp op,
                                                 Expansion &expansion) {
  std::optional<int64_t> rank = getRank(op.getInput());
  if (!rank || *rank < 2 || !isFloatTensor(op.getInput()))
    return failure();
  Term x(expansion, expansion.widen(op.getInput()));
  Normalized normal =
      normalize(x, getRange(2, *rank), op.getEpsilon().convertToFloat());
  expansion.set(op.getResult(), scalePerChannel(normal.value, op.getScale(),
                                                op.getBias(), *rank));
  return success();
}

/// Entries of a Reshape of (N, C, spatial...) to (N, groups, rest); 0 keeps an
/// extent that is unknown.
static SmallVector<int64_t> getGroupedShape(ArrayRef<int64_t> shape,
                                            int64_t groups) {
  int64_t rest = mulExtents(shape.drop_front());
  if (isUnknown(shape[0]) || isUnknown(rest))
    return {0, groups, -1};
  return {shape[0], groups, rest / groups};
}

// y = normalize(x as (N, groups, rest)) * scale + bias
static LogicalResult expandGroupNormalization(GroupNormalizationOp op,
                                              Expansion &expansion) {
  MaybeShape shape = getShape(op.getInput());
  int64_t groups = op.getNumGroups();
  if (!shape || shape->size() < 2 || groups < 1 ||
      llvm::is_contained(*shape, 0) || !isFloatTensor(op.getInput()))
    return failure();
  SmallVector<int64_t> entries = getGroupedShape(*shape, groups);
  Value x = expansion.widen(op.getInput());
  Value grouped = expansion.create<ReshapeOp>(
      x, Value(), expansion.getInts(entries), IntegerAttr());
  Term y =
      normalize(Term(expansion, grouped), {2}, op.getEpsilon().convertToFloat())
          .value;
  auto restore = [&](Term value) {
    return Term(expansion, reshapeLike(expansion, value, op.getInput()));
  };
  if (op.getPerGroupScale())
    y = restore(scalePerChannel(y, op.getScale(), op.getBias(), 3));
  else
    y = scalePerChannel(restore(y), op.getScale(), op.getBias(), shape->size());
  expansion.set(op.getResult(), y);
  return success();
}

/// The mean of `size` neighbouring channels, with zeros beyond the first and
/// last one.
static Term averageChannels(Term x, int64_t size, int64_t rank) {
  Expansion &expansion = x.getExpansion();
  // Channels become a spatial dimension.
  SmallVector<int64_t> kernel(rank - 1, 1), pads(2 * (rank - 1), 0);
  kernel[0] = size;
  pads[0] = (size - 1) / 2;
  pads[rank - 1] = size / 2;
  Value mean = expansion.create<AveragePoolOp>(
      createUnsqueeze(expansion, x, {1}), StringAttr(), IntegerAttr(),
      DenseI64ArrayAttr(), expansion.getInts(kernel), expansion.getInts(pads),
      DenseI64ArrayAttr(), expansion.getI64(1));
  return {expansion, createSqueeze(expansion, mean, {1})};
}

// y = x / (bias + alpha * mean of neighbours(x^2))^beta
static LogicalResult expandLRN(LRNOp op, Expansion &expansion) {
  MaybeShape shape = getShape(op.getInput());
  // Windows have three dimensions at the most, and lie on some element.
  if (!shape || shape->size() < 2 || shape->size() > 4 ||
      llvm::is_contained(*shape, 0) || !isFloatTensor(op.getInput()))
    return failure();
  Term x(expansion, expansion.widen(op.getInput()));
  Term mean = averageChannels(x * x, op.getSize(), shape->size());
  Term base =
      op.getBias().convertToFloat() + op.getAlpha().convertToFloat() * mean;
  expansion.set(op.getResult(), x / pow(base, op.getBeta().convertToFloat()));
  return success();
}

void inlay::registerFeatureNormalizationExpansions(MLIRContext &context) {
  attachExpansion<BatchNormalizationOp, expandBatchNormalization>(context);
  attachExpansion<InstanceNormalizationOp, expandInstanceNormalization,
                  FusionClass::Reduce>(context);
  attachExpansion<GroupNormalizationOp, expandGroupNormalization,
                  FusionClass::Reduce>(context);
  attachExpansion<LRNOp, expandLRN, FusionClass::Window>(context);
}
