//===- LossExpansions.cpp - Losses ----------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Term.h"

using namespace inlay;
using namespace mlir;

namespace {
/// What a loss is computed from.
struct LossOperands {
  /// (N, C, d...), in the type to compute in.
  Term logProb;
  /// (N, d...).
  Value target;
  /// (C), or null.
  Value weight;
  std::optional<int64_t> ignored;
  StringRef reduction;
};
} // namespace

/// -weight[target] * logProb[n, target, ...], reduced; 0 where the target is
/// the ignored one.
static Term computeLoss(LossOperands operands) {
  Expansion &expansion = operands.logProb.getExpansion();
  Term target(expansion, operands.target);
  std::optional<Term> isIgnored, weight;
  if (operands.ignored) {
    isIgnored = target == double(*operands.ignored);
    // Any class will do: nothing is made of it.
    target = select(*isIgnored, target.getNumber(0), target);
  }
  Value picked = expansion.create<GatherElementsOp>(
      operands.logProb, createUnsqueeze(expansion, target, {1}),
      expansion.getI64(1));
  Term loss = -Term(expansion, createSqueeze(expansion, picked, {1}));
  Term zero = loss.getNumber(0);
  if (operands.weight) {
    Value wide =
        expansion.createCast(operands.weight, inlay::getElementType(loss));
    weight = Term(expansion, expansion.create<GatherOp>(wide, target,
                                                        expansion.getI64(0)));
    loss = loss * *weight;
  }
  if (isIgnored) {
    loss = select(*isIgnored, zero, loss);
    weight = select(*isIgnored, zero, weight ? *weight : loss.getNumber(1));
  }
  if (operands.reduction == "none")
    return loss;
  if (operands.reduction == "mean" && !weight)
    return {expansion, reduceAll<ReduceMeanOp>(expansion, loss)};
  Term sum(expansion, reduceAll<ReduceSumOp>(expansion, loss));
  if (operands.reduction == "sum")
    return sum;
  return sum / Term(expansion, reduceAll<ReduceSumOp>(expansion, *weight));
}

template <typename OpT> static std::optional<int64_t> getIgnored(OpT op) {
  std::optional<uint64_t> index = op.getIgnoreIndex();
  return index ? std::optional(int64_t(*index)) : std::nullopt;
}

static LogicalResult
expandNegativeLogLikelihoodLoss(NegativeLogLikelihoodLossOp op,
                                Expansion &expansion) {
  if (!isFloatTensor(op.getInput()))
    return failure();
  Term input(expansion, expansion.widen(op.getInput()));
  expansion.set(op.getLoss(),
                computeLoss({input, op.getTarget(), op.getWeight(),
                             getIgnored(op), op.getReduction()}));
  return success();
}

static LogicalResult expandSoftmaxCrossEntropyLoss(SoftmaxCrossEntropyLossOp op,
                                                   Expansion &expansion) {
  if (!isFloatTensor(op.getScores()))
    return failure();
  Term logProb(expansion,
               expansion.create<LogSoftmaxOp>(expansion.widen(op.getScores()),
                                              expansion.getI64(1), UnitAttr()));
  expansion.set(op.getOutput(),
                computeLoss({logProb, op.getLabels(), op.getWeights(),
                             getIgnored(op), op.getReduction()}));
  expansion.set(op.getLogProb(), logProb);
  return success();
}

void inlay::registerLossExpansions(MLIRContext &context) {
  attachExpansion<NegativeLogLikelihoodLossOp, expandNegativeLogLikelihoodLoss>(
      context);
  attachExpansion<SoftmaxCrossEntropyLossOp, expandSoftmaxCrossEntropyLoss>(
      context);
}
