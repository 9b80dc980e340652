//===- LossOps.cpp - Training losses --------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Tensor/Modes.h"

using namespace inlay;
using namespace mlir;

/// The shape of a target, (N, d...), from that of the input, (N, C, d...).
static MaybeShape dropClasses(MaybeShape shape) {
  if (shape && shape->size() >= 2)
    shape->erase(shape->begin() + 1);
  return shape;
}

/// The operands are in order: input, target and, if given, weight.
static LogicalResult inferLossType(Operation *op, TypeInference &inference,
                                   StringRef reduction) {
  Value input = op->getOperand(0), target = op->getOperand(1);
  Value weight = op->getNumOperands() > 2 ? op->getOperand(2) : Value();
  if (!parseLossReduction(reduction))
    return inference.error("'reduction' must be none, sum or mean but is '" +
                           reduction + "'");
  if (failed(checkMinRank(inference, "input", input, 2)))
    return failure();
  MaybeShape shape = getShape(input), loss = dropClasses(shape);
  if (loss && failed(checkShape(inference, "target", target, *loss)))
    return failure();
  int64_t classes = shape ? (*shape)[1] : ShapedType::kDynamic;
  if (failed(checkShape(inference, "weight", weight, {classes})))
    return failure();
  if (!loss)
    loss = getShape(target);
  if (parseLossReduction(reduction) != LossReduction::None)
    loss = SmallVector<int64_t>();
  inference.set(op->getResult(0), getElementType(input), loss);
  return success();
}

/// The axes of (N, C, d...): `classes` is the kind of C, and the others are
/// `others` unless they stay apart in the loss.
static AxisMap getLossAxisMap(Operation *op, LossReduction reduction,
                              AxisKind classes, AxisKind others,
                              Value logProb = Value()) {
  std::optional<int64_t> rank = getRank(op->getOperand(0));
  if (!rank || *rank < 2)
    return AxisMap::opaque();
  AxisMapBuilder map(op);
  bool isReduced = reduction != LossReduction::None;
  TensorAxes dims =
      map.axesOf(op->getOperand(0), isReduced ? others : AxisKind::Parallel);
  map.setKind(dims[1].front(), classes);
  TensorAxes perTarget = dims;
  perTarget.erase(perTarget.begin() + 1);
  map.bind(op->getOperand(0), dims);
  map.bind(op->getOperand(1), perTarget);
  if (op->getNumOperands() > 2)
    map.bind(op->getOperand(2), {dims[1]});
  map.bind(op->getResult(0), isReduced ? TensorAxes() : perTarget);
  map.bind(logProb, dims);
  return map.build();
}

template <typename OpT> static LossReduction getLossReduction(OpT op) {
  return parseLossReduction(op.getReduction()).value_or(LossReduction::Mean);
}

//===----------------------------------------------------------------------===//
// NegativeLogLikelihoodLoss
//===----------------------------------------------------------------------===//

LogicalResult
NegativeLogLikelihoodLossOp::inferTypes(TypeInference &inference) {
  return inferLossType(*this, inference, getReduction());
}

AxisMap NegativeLogLikelihoodLossOp::getAxisMap() {
  return getLossAxisMap(*this, getLossReduction(*this), AxisKind::Indexed,
                        AxisKind::Reduced);
}

FusionClass NegativeLogLikelihoodLossOp::getFusionClass() {
  return FusionClass::Opaque;
}

//===----------------------------------------------------------------------===//
// SoftmaxCrossEntropyLoss
//===----------------------------------------------------------------------===//

LogicalResult SoftmaxCrossEntropyLossOp::inferTypes(TypeInference &inference) {
  inference.set(getLogProb(), getElementType(getScores()),
                getShape(getScores()));
  return inferLossType(*this, inference, getReduction());
}

AxisMap SoftmaxCrossEntropyLossOp::getAxisMap() {
  LossReduction reduction = getLossReduction(*this);
  if (getLogProb().use_empty())
    return getLossAxisMap(*this, reduction, AxisKind::Indexed,
                          AxisKind::Reduced);
  // What is reduced in the loss is not in the probabilities.
  return getLossAxisMap(*this, reduction, AxisKind::Window, AxisKind::Window,
                        getLogProb());
}

FusionClass SoftmaxCrossEntropyLossOp::getFusionClass() {
  return FusionClass::Opaque;
}
