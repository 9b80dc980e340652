//===- OperandDemands.cpp - What operators ask of their operands ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Demands.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// Positions in dimension `axis` of `data`; nothing where that has no extent.
static ValueDemand indexInto(Value data, int64_t axis) {
  MaybeShape shape = getShape(data);
  std::optional<int64_t> normal =
      shape ? normalizeAxis(axis, shape->size()) : std::nullopt;
  if (!normal || ShapedType::isDynamic((*shape)[*normal]))
    return {};
  return ValueDemand::index((*shape)[*normal]);
}

/// Positions that fit into each of the dimensions that tuples index.
static ValueDemand indexTuples(Value data, Value indices, int64_t batchDims) {
  MaybeShape shape = getShape(indices);
  if (!shape || shape->empty() || ShapedType::isDynamic(shape->back()))
    return {};
  ValueDemand demand;
  for (int64_t i = 0, e = std::min<int64_t>(shape->back(), 64); i < e; ++i)
    demand.meet(indexInto(data, batchDims + i));
  return demand;
}

template <typename OpT> static void demandIndices(OpT op, DemandSink sink) {
  sink(op.getIndices(), indexInto(op.getData(), op.getAxis()));
}

static void demandTuples(GatherNDOp op, DemandSink sink) {
  sink(op.getIndices(),
       indexTuples(op.getData(), op.getIndices(), op.getBatchDims()));
}

static void demandScattered(ScatterNDOp op, DemandSink sink) {
  sink(op.getIndices(), indexTuples(op.getData(), op.getIndices(), 0));
}

static void demandHot(OneHotOp op, DemandSink sink) {
  MaybeInts depth = getKnownInts(op.getDepth());
  bool isKnown = depth && depth->size() == 1 && depth->front() > 0;
  sink(op.getIndices(), ValueDemand::index(isKnown ? depth->front() : 4));
  sink(op.getDepth(), ValueDemand::values({4}));
}

static void demandTarget(NegativeLogLikelihoodLossOp op, DemandSink sink) {
  sink(op.getTarget(), indexInto(op.getInput(), 1));
}

static void demandLabels(SoftmaxCrossEntropyLossOp op, DemandSink sink) {
  sink(op.getLabels(), indexInto(op.getScores(), 1));
}

static void demandPositions(RotaryEmbeddingOp op, DemandSink sink) {
  sink(op.getPositionIds(), indexInto(op.getCosCache(), 0));
}

static void demandImages(RoiAlignOp op, DemandSink sink) {
  sink(op.getBatchIndices(), indexInto(op.getX(), 0));
}

template <typename OpT> static void demandLengths(OpT op, DemandSink sink) {
  MaybeShape shape = getShape(op.getX());
  if (!op.getSequenceLens() || !shape || shape->size() != 3)
    return;
  int64_t length = (*shape)[op.getLayout() != 0 ? 1 : 0];
  if (length > 0)
    sink(op.getSequenceLens(), ValueDemand::range(1, double(length)));
}

/// Shares of areas, and enough boxes to choose.
static void demandThresholds(NonMaxSuppressionOp op, DemandSink sink) {
  if (Value most = op.getMaxOutputBoxesPerClass())
    sink(most, ValueDemand::range(1, 8));
  if (Value threshold = op.getIouThreshold())
    sink(threshold, ValueDemand::range(0, 1));
}

//===----------------------------------------------------------------------===//
// Domains of functions
//===----------------------------------------------------------------------===//

static bool isWhole(double value) { return value == std::floor(value); }

/// What is asked of the base of a power.
static ValueDemand demandOfBase(PowOp op) {
  std::optional<NumberRange> exponent = getConstantRange(op.getRhs());
  if (!exponent || exponent->low < 0)
    return ValueDemand::atLeast(leastPositive);
  bool isPolynomial = exponent->low == exponent->high && isWhole(exponent->low);
  return isPolynomial ? ValueDemand() : ValueDemand::atLeast(0);
}

static ValueDemand demandOfDivisor(Value divisor) {
  Type element = getElementType(divisor);
  bool isInteger = element && element.isInteger();
  return ValueDemand::atLeast(isInteger ? 1 : leastPositive);
}

template <typename OpT> static void demandDivisor(OpT op, DemandSink sink) {
  sink(op.getRhs(), demandOfDivisor(op.getRhs()));
}

static void demandBase(PowOp op, DemandSink sink) {
  sink(op.getLhs(), demandOfBase(op));
}

static void demandNotNegative(SqrtOp op, DemandSink sink) {
  sink(op.getInput(), ValueDemand::atLeast(0));
}

static void demandPositive(Operation *op, DemandSink sink) {
  sink(op->getOperand(0), ValueDemand::atLeast(leastPositive));
}

static void demandSine(Operation *op, DemandSink sink) {
  sink(op->getOperand(0), ValueDemand::range(-1, 1));
}

static void demandHyperbolicCosine(AcoshOp op, DemandSink sink) {
  sink(op.getInput(), ValueDemand::atLeast(1));
}

static void demandHyperbolicTangent(AtanhOp op, DemandSink sink) {
  sink(op.getInput(), ValueDemand::range(-0.9, 0.9));
}

static void demandShift(BitShiftOp op, DemandSink sink) {
  sink(op.getRhs(), ValueDemand::range(0, 7));
}

static void demandVariance(BatchNormalizationOp op, DemandSink sink) {
  sink(op.getVariance(), ValueDemand::atLeast(leastPositive));
}

template <typename OpT> static void demandScale(OpT op, DemandSink sink) {
  sink(op.getScale(), ValueDemand::atLeast(leastPositive));
}

static void demandConvScales(QLinearConvOp op, DemandSink sink) {
  for (Value scale : {op.getXScale(), op.getWScale(), op.getYScale()})
    sink(scale, ValueDemand::atLeast(leastPositive));
}

template <typename OpT>
static void demandBinaryScales(OpT op, DemandSink sink) {
  for (Value scale : {op.getAScale(), op.getBScale(), op.getYScale()})
    if (scale)
      sink(scale, ValueDemand::atLeast(leastPositive));
}

template <typename OpT> static void demandUnaryScales(OpT op, DemandSink sink) {
  for (Value scale : {op.getXScale(), op.getYScale()})
    sink(scale, ValueDemand::atLeast(leastPositive));
}

static void demandJoinedScales(QLinearConcatOp op, DemandSink sink) {
  sink(op.getYScale(), ValueDemand::atLeast(leastPositive));
  for (unsigned i : op.getJoined())
    sink(op->getOperand(i + 1), ValueDemand::atLeast(leastPositive));
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Whether every element of a constant takes an element out of a softmax.
static bool isPenalty(Value value) {
  std::optional<NumberRange> range = getConstantRange(value);
  return range && range->high <= -leastPenalty;
}

/// mask * penalty, where the mask is 0 for what counts.
static void demandPenalized(MulOp op, DemandSink sink) {
  for (auto [factor, mask] : {std::pair(op.getLhs(), op.getRhs()),
                              std::pair(op.getRhs(), op.getLhs())}) {
    std::optional<NumberRange> range = getConstantRange(factor);
    if (range && (range->high <= -leastPenalty || range->low >= leastPenalty))
      sink(mask, ValueDemand::masked(MaskKind::ZeroCounts));
  }
}

static void demandMask(MulOp op, DemandSink sink) {
  Type element = getElementType(op.getResult());
  if (element && isa<FloatType>(element))
    demandPenalized(op, sink);
}

static void demandCondition(WhereOp op, DemandSink sink) {
  if (isPenalty(op.getX()))
    sink(op.getCondition(), ValueDemand::masked(MaskKind::ZeroCounts));
  else if (isPenalty(op.getY()))
    sink(op.getCondition(), ValueDemand::masked(MaskKind::OneCounts));
}

/// Whatever is converted to a truth value is one already.
static void demandTruth(Operation *op, DemandSink sink) {
  Type to = getElementType(op->getResult(0));
  if (to && to.isInteger(1))
    sink(op->getOperand(0), ValueDemand::masked(MaskKind::Either));
}

static void demandAttended(AttentionOp op, DemandSink sink) {
  Value mask = op.getAttnMask();
  Type element = mask ? getElementType(mask) : Type();
  if (element && element.isInteger(1))
    sink(mask, ValueDemand::masked(MaskKind::OneCounts));
  MaybeShape key = getShape(op.getKey());
  if (key && key->size() >= 3 &&
      !ShapedType::isDynamic((*key)[key->size() - 2]))
    sink(op.getNonpadKvSeqlen(),
         ValueDemand::range(1, double((*key)[key->size() - 2])));
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

void inlay::registerOperandDemands(MLIRContext &context) {
  attachDemands<demandIndices<GatherOp>, GatherOp>(context);
  attachDemands<demandIndices<GatherElementsOp>, GatherElementsOp>(context);
  attachDemands<demandIndices<ScatterElementsOp>, ScatterElementsOp>(context);
  attachDemands<demandTuples, GatherNDOp>(context);
  attachDemands<demandScattered, ScatterNDOp>(context);
  attachDemands<demandHot, OneHotOp>(context);
  attachDemands<demandTarget, NegativeLogLikelihoodLossOp>(context);
  attachDemands<demandLabels, SoftmaxCrossEntropyLossOp>(context);
  attachDemands<demandPositions, RotaryEmbeddingOp>(context);
  attachDemands<demandImages, RoiAlignOp>(context);
  attachDemands<demandLengths<RNNOp>, RNNOp>(context);
  attachDemands<demandLengths<GRUOp>, GRUOp>(context);
  attachDemands<demandLengths<LSTMOp>, LSTMOp>(context);
  attachDemands<demandThresholds, NonMaxSuppressionOp>(context);
  attachDemands<demandNotNegative, SqrtOp>(context);
  attachDemands<demandPositive, LogOp, ReciprocalOp>(context);
  attachDemands<demandDivisor<DivOp>, DivOp>(context);
  attachDemands<demandDivisor<ModOp>, ModOp>(context);
  attachDemands<demandBase, PowOp>(context);
  attachDemands<demandSine, AsinOp, AcosOp>(context);
  attachDemands<demandHyperbolicCosine, AcoshOp>(context);
  attachDemands<demandHyperbolicTangent, AtanhOp>(context);
  attachDemands<demandShift, BitShiftOp>(context);
  attachDemands<demandVariance, BatchNormalizationOp>(context);
  attachDemands<demandScale<QuantizeLinearOp>, QuantizeLinearOp>(context);
  attachDemands<demandScale<DequantizeLinearOp>, DequantizeLinearOp>(context);
  attachDemands<demandConvScales, QLinearConvOp>(context);
  attachDemands<demandBinaryScales<QLinearMatMulOp>, QLinearMatMulOp>(context);
  attachDemands<demandBinaryScales<QLinearAddOp>, QLinearAddOp>(context);
  attachDemands<demandBinaryScales<QLinearMulOp>, QLinearMulOp>(context);
  attachDemands<demandBinaryScales<QGemmOp>, QGemmOp>(context);
  attachDemands<demandUnaryScales<QLinearSigmoidOp>, QLinearSigmoidOp>(context);
  attachDemands<demandUnaryScales<QLinearLeakyReluOp>, QLinearLeakyReluOp>(
      context);
  attachDemands<demandUnaryScales<QLinearSoftmaxOp>, QLinearSoftmaxOp>(context);
  attachDemands<demandUnaryScales<QLinearAveragePoolOp>, QLinearAveragePoolOp>(
      context);
  attachDemands<demandUnaryScales<QLinearGlobalAveragePoolOp>,
                QLinearGlobalAveragePoolOp>(context);
  attachDemands<demandJoinedScales, QLinearConcatOp>(context);
  attachDemands<demandMask, MulOp>(context);
  attachDemands<demandCondition, WhereOp>(context);
  attachDemands<demandTruth, CastOp, CastLikeOp>(context);
  attachDemands<demandAttended, AttentionOp>(context);
}
