//===- AxisNormalizationExpansions.cpp - Normalised along axes ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"

using namespace inlay;
using namespace mlir;

/// The dimensions from `axis` on.
static std::optional<SmallVector<int64_t>> getTrailingAxes(Value input,
                                                           int64_t axis) {
  std::optional<int64_t> rank = getRank(input);
  std::optional<int64_t> first =
      rank ? normalizeAxis(axis, *rank) : std::nullopt;
  if (!first || !isFloatTensor(input))
    return std::nullopt;
  return getRange(*first, *rank);
}

// y = (x - mean) * inv * scale + bias
//   [mean = mean(x), inv = 1 / sqrt(mean((x - mean)^2) + epsilon)]
static LogicalResult expandLayerNormalization(LayerNormalizationOp op,
                                              Expansion &expansion) {
  auto axes = getTrailingAxes(op.getInput(), op.getAxis());
  if (!axes)
    return failure();
  // The stash type says how exact it must be at least.
  Type type = expansion.getComputeType(
      {op.getInput(), op.getMean(), op.getInvStdDev()});
  Value x = expansion.createCast(op.getInput(), type);
  Normalized normal =
      normalize(expansion, x, *axes, op.getEpsilon().convertToFloat());
  Value y = expansion.create<MulOp>(normal.value,
                                    expansion.createCast(op.getScale(), type));
  if (op.getBias())
    y = expansion.create<AddOp>(y, expansion.createCast(op.getBias(), type));
  expansion.set(op.getResult(), y);
  expansion.set(op.getMean(), normal.mean);
  expansion.set(op.getInvStdDev(), normal.invStdDev);
  return success();
}

// y = x / sqrt(mean(x^2) + epsilon) * scale
static LogicalResult expandRMSNormalization(RMSNormalizationOp op,
                                            Expansion &expansion) {
  auto axes = getTrailingAxes(op.getInput(), op.getAxis());
  if (!axes)
    return failure();
  Type type = expansion.getComputeType(op.getInput());
  Value x = expansion.createCast(op.getInput(), type);
  Value meanSquare =
      reduce<ReduceMeanOp>(expansion, expansion.create<MulOp>(x, x), *axes);
  Value inverse =
      createInvStdDev(expansion, meanSquare, op.getEpsilon().convertToFloat());
  Value y = expansion.create<MulOp>(expansion.create<MulOp>(x, inverse),
                                    expansion.createCast(op.getScale(), type));
  expansion.set(op.getResult(), y);
  return success();
}

// y = x / norm   [0 / 0 = 0]
static LogicalResult expandLpNormalization(LpNormalizationOp op,
                                           Expansion &expansion) {
  std::optional<int64_t> rank = getRank(op.getInput());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(op.getAxis(), *rank) : std::nullopt;
  if (!axis || !isFloatTensor(op.getInput()))
    return failure();
  Value x = expansion.widen(op.getInput());
  bool isSum = op.getP() == 1;
  Value powers =
      isSum ? expansion.create<AbsOp>(x) : expansion.create<MulOp>(x, x);
  Value norm = reduce<ReduceSumOp>(expansion, powers, {*axis});
  if (!isSum)
    norm = expansion.create<SqrtOp>(norm);
  Value isZero =
      expansion.create<EqualOp>(norm, expansion.createScalarLike(x, 0));
  Value divisor =
      expansion.create<WhereOp>(isZero, expansion.createScalarLike(x, 1), norm);
  expansion.set(op.getResult(), expansion.create<DivOp>(x, divisor));
  return success();
}

// y = (x - mean) / (sqrt(mean((x - mean)^2)) + 1e-9)
static LogicalResult
expandMeanVarianceNormalization(MeanVarianceNormalizationOp op,
                                Expansion &expansion) {
  std::optional<int64_t> rank = getRank(op.getInput());
  if (!rank || !isFloatTensor(op.getInput()))
    return failure();
  SmallVector<int64_t> axes;
  for (int64_t axis : op.getAxesOrDefault()) {
    std::optional<int64_t> normal = normalizeAxis(axis, *rank);
    if (!normal)
      return failure();
    axes.push_back(*normal);
  }
  Value x = expansion.widen(op.getInput());
  Value shifted =
      expansion.create<SubOp>(x, reduce<ReduceMeanOp>(expansion, x, axes));
  Value variance = reduce<ReduceMeanOp>(
      expansion, expansion.create<MulOp>(shifted, shifted), axes);
  Value deviation = expansion.create<AddOp>(
      expansion.create<SqrtOp>(variance), expansion.createScalarLike(x, 1e-9));
  expansion.set(op.getResult(), expansion.create<DivOp>(shifted, deviation));
  return success();
}

void inlay::registerAxisNormalizationExpansions(MLIRContext &context) {
  attachExpansion<LayerNormalizationOp, expandLayerNormalization>(context);
  attachExpansion<RMSNormalizationOp, expandRMSNormalization>(context);
  attachExpansion<LpNormalizationOp, expandLpNormalization>(context);
  attachExpansion<MeanVarianceNormalizationOp, expandMeanVarianceNormalization>(
      context);
}
