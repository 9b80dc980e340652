//===- OperandDemands.cpp - What operators ask of their operands ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Demands.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Tensor/Dispatch.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

/// Numbers that are looked at to know the range of a constant, for each user.
static constexpr int64_t maxElements = 64;
/// Operators that a constant may go through before it is used.
static constexpr unsigned maxSteps = 8;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static std::optional<ConstantRange> measure(Attribute constant) {
  auto typed = dyn_cast<TypedAttr>(constant);
  auto type = typed ? dyn_cast<RankedTensorType>(typed.getType()) : nullptr;
  if (!type || type.getNumElements() == 0 ||
      type.getNumElements() > maxElements)
    return std::nullopt;
  auto tensor = getHostTensor(constant);
  if (!tensor) {
    llvm::consumeError(tensor.takeError());
    return std::nullopt;
  }
  if (!isNumeric(tensor->getType()))
    return std::nullopt;
  std::vector<double> elements(tensor->getNumElements());
  loadElements(*tensor, 0, elements);
  if (llvm::any_of(elements, [](double each) { return std::isnan(each); }))
    return std::nullopt;
  auto [low, high] = std::minmax_element(elements.begin(), elements.end());
  return ConstantRange{*low, *high};
}

/// Whether the elements of the result are those of the first operand.
static bool keepsElements(Operation *op) {
  auto classified = dyn_cast<FusionOpInterface>(op);
  if (!classified || op->getNumOperands() == 0)
    return false;
  FusionClass own = classified.getFusionClass();
  return own == FusionClass::View || own == FusionClass::Broadcast ||
         isa<CastOp, CastLikeOp, TransposeOp, SliceOp>(op);
}

std::optional<ConstantRange> inlay::getConstantRange(Value value) {
  for (unsigned i = 0; i < maxSteps; ++i) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return std::nullopt;
    if (Attribute constant = getConstantValue(value))
      return measure(constant);
    if (auto filled = dyn_cast<ConstantOfShapeOp>(op))
      return filled.getValueAttr() ? measure(filled.getValueAttr())
                                   : ConstantRange{0, 0};
    if (!keepsElements(op))
      return std::nullopt;
    value = op->getOperand(0);
  }
  return std::nullopt;
}

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

static void demandIndices(Operation *op, DemandSink sink) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<GatherOp, GatherElementsOp, ScatterElementsOp>([&](auto each) {
        sink(each.getIndices(), indexInto(each.getData(), each.getAxis()));
      })
      .Case([&](GatherNDOp each) {
        sink(each.getIndices(), indexTuples(each.getData(), each.getIndices(),
                                            each.getBatchDims()));
      })
      .Case([&](ScatterNDOp each) {
        sink(each.getIndices(),
             indexTuples(each.getData(), each.getIndices(), 0));
      })
      .Case([&](OneHotOp each) {
        MaybeInts depth = getKnownInts(each.getDepth());
        bool isKnown = depth && depth->size() == 1 && depth->front() > 0;
        sink(each.getIndices(),
             ValueDemand::index(isKnown ? depth->front() : 4));
        sink(each.getDepth(), ValueDemand::values({4}));
      })
      .Case([&](NegativeLogLikelihoodLossOp each) {
        sink(each.getTarget(), indexInto(each.getInput(), 1));
      })
      .Case([&](SoftmaxCrossEntropyLossOp each) {
        sink(each.getLabels(), indexInto(each.getScores(), 1));
      })
      .Case([&](RotaryEmbeddingOp each) {
        sink(each.getPositionIds(), indexInto(each.getCosCache(), 0));
      });
}

//===----------------------------------------------------------------------===//
// Domains of functions
//===----------------------------------------------------------------------===//

static bool isWhole(double value) { return value == std::floor(value); }

/// What is asked of the base of a power.
static ValueDemand demandOfBase(PowOp op) {
  std::optional<ConstantRange> exponent = getConstantRange(op.getRhs());
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

static void demandDomains(Operation *op, DemandSink sink) {
  ValueDemand positive = ValueDemand::atLeast(leastPositive);
  llvm::TypeSwitch<Operation *>(op)
      .Case(
          [&](SqrtOp each) { sink(each.getInput(), ValueDemand::atLeast(0)); })
      .Case<LogOp, ReciprocalOp, ReduceLogSumOp>(
          [&](auto each) { sink(each.getInput(), positive); })
      .Case<DivOp, ModOp>([&](auto each) {
        sink(each.getRhs(), demandOfDivisor(each.getRhs()));
      })
      .Case([&](PowOp each) { sink(each.getLhs(), demandOfBase(each)); })
      .Case<AsinOp, AcosOp>(
          [&](auto each) { sink(each.getInput(), ValueDemand::range(-1, 1)); })
      .Case(
          [&](AcoshOp each) { sink(each.getInput(), ValueDemand::atLeast(1)); })
      .Case([&](AtanhOp each) {
        sink(each.getInput(), ValueDemand::range(-0.9, 0.9));
      })
      .Case([&](BitShiftOp each) {
        sink(each.getRhs(), ValueDemand::range(0, 7));
      })
      .Case([&](BatchNormalizationOp each) {
        sink(each.getVariance(), positive);
      })
      .Case<QuantizeLinearOp, DequantizeLinearOp>(
          [&](auto each) { sink(each.getScale(), positive); })
      .Case([&](QLinearConvOp each) {
        for (Value scale :
             {each.getXScale(), each.getWScale(), each.getYScale()})
          sink(scale, positive);
      })
      .Case([&](QLinearMatMulOp each) {
        for (Value scale :
             {each.getAScale(), each.getBScale(), each.getYScale()})
          sink(scale, positive);
      });
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Whether every element of a constant takes an element out of a softmax.
static bool isPenalty(Value value) {
  std::optional<ConstantRange> range = getConstantRange(value);
  return range && range->high <= -leastPenalty;
}

/// mask * penalty, where the mask is 0 for what counts.
static void demandPenalized(MulOp op, DemandSink sink) {
  for (auto [factor, mask] : {std::pair(op.getLhs(), op.getRhs()),
                              std::pair(op.getRhs(), op.getLhs())}) {
    std::optional<ConstantRange> range = getConstantRange(factor);
    if (range && (range->high <= -leastPenalty || range->low >= leastPenalty))
      sink(mask, ValueDemand::masked(MaskKind::ZeroCounts));
  }
}

static void demandMasks(Operation *op, DemandSink sink) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](MulOp each) {
        Type element = getElementType(each.getResult());
        if (element && isa<FloatType>(element))
          demandPenalized(each, sink);
      })
      .Case([&](WhereOp each) {
        if (isPenalty(each.getX()))
          sink(each.getCondition(), ValueDemand::masked(MaskKind::ZeroCounts));
        else if (isPenalty(each.getY()))
          sink(each.getCondition(), ValueDemand::masked(MaskKind::OneCounts));
      })
      .Case<CastOp, CastLikeOp>([&](auto each) {
        // Whatever is converted to a truth value is one already.
        Type to = getElementType(each.getResult());
        if (to && to.isInteger(1))
          sink(each.getInput(), ValueDemand::masked(MaskKind::Either));
      })
      .Case([&](AttentionOp each) {
        Value mask = each.getAttnMask();
        Type element = mask ? getElementType(mask) : Type();
        if (element && element.isInteger(1))
          sink(mask, ValueDemand::masked(MaskKind::OneCounts));
        MaybeShape key = getShape(each.getKey());
        if (key && key->size() >= 3 &&
            !ShapedType::isDynamic((*key)[key->size() - 2]))
          sink(each.getNonpadKvSeqlen(),
               ValueDemand::range(1, double((*key)[key->size() - 2])));
      });
}

void inlay::demandOfOperands(Operation *op, DemandSink sink) {
  demandIndices(op, sink);
  demandDomains(op, sink);
  demandMasks(op, sink);
}
