//===- AxisNormalizationExpansions.cpp - Normalised along axes ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalized.h"

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

// y = (x - mean(x)) / sqrt(variance(x) + epsilon) * scale + bias
static LogicalResult expandLayerNormalization(LayerNormalizationOp op,
                                              Expansion &expansion) {
  auto axes = getTrailingAxes(op.getInput(), op.getAxis());
  if (!axes)
    return failure();
  // The stash type, which that of the mean is, says how exact it is at least.
  Type type = expansion.getComputeType({op.getInput(), op.getMean()});
  auto cast = [&](Value value) {
    return Term(expansion, expansion.createCast(value, type));
  };
  Normalized normal =
      normalize(cast(op.getInput()), *axes, op.getEpsilon().convertToFloat());
  Term y = normal.value * cast(op.getScale());
  if (op.getBias())
    y = y + cast(op.getBias());
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
  Term x(expansion, expansion.widen(op.getInput()));
  Term scale(expansion,
             expansion.createCast(op.getScale(), inlay::getElementType(x)));
  Term meanSquare = (x * x).reduce<ReduceMeanOp>(*axes);
  Term inverse =
      reciprocal(sqrt(meanSquare + op.getEpsilon().convertToFloat()));
  expansion.set(op.getResult(), x * inverse * scale);
  return success();
}

// y = x / norm(x)   [0 where the norm is 0]
static LogicalResult expandLpNormalization(LpNormalizationOp op,
                                           Expansion &expansion) {
  std::optional<int64_t> rank = getRank(op.getInput());
  std::optional<int64_t> axis =
      rank ? normalizeAxis(op.getAxis(), *rank) : std::nullopt;
  if (!axis || !isFloatTensor(op.getInput()))
    return failure();
  Term x(expansion, expansion.widen(op.getInput()));
  Term norm = op.getP() == 1 ? abs(x).reduce<ReduceSumOp>({*axis})
                             : sqrt((x * x).reduce<ReduceSumOp>({*axis}));
  Term divisor = select(norm == 0.0, x.getNumber(1), norm);
  expansion.set(op.getResult(), x / divisor);
  return success();
}

// y = (x - mean(x)) / (sqrt(variance(x)) + 1e-9)
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
  Term x(expansion, expansion.widen(op.getInput()));
  Term shifted = x - x.reduce<ReduceMeanOp>(axes);
  Term variance = (shifted * shifted).reduce<ReduceMeanOp>(axes);
  expansion.set(op.getResult(), shifted / (sqrt(variance) + 1e-9));
  return success();
}

void inlay::registerAxisNormalizationExpansions(MLIRContext &context) {
  attachExpansion<LayerNormalizationOp, expandLayerNormalization,
                  FusionClass::Reduce>(context);
  attachExpansion<RMSNormalizationOp, expandRMSNormalization,
                  FusionClass::Reduce>(context);
  attachExpansion<LpNormalizationOp, expandLpNormalization,
                  FusionClass::Reduce>(context);
  attachExpansion<MeanVarianceNormalizationOp, expandMeanVarianceNormalization,
                  FusionClass::Reduce>(context);
}
