//===- DropoutOp.cpp - Dropout, which does nothing at inference -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

LogicalResult DropoutOp::inferTypes(TypeInference &inference) {
  if (failed(checkGivenOnce(inference, "ratio", getRatio().has_value(),
                            getRatioOperand())) ||
      failed(checkGivenOnce(inference, "training_mode",
                            getTrainingMode().has_value(),
                            getTrainingModeOperand())) ||
      failed(checkOneElement(inference, "ratio", getRatioOperand())) ||
      failed(checkOneElement(inference, "training_mode",
                             getTrainingModeOperand())))
    return failure();
  MaybeShape shape = getShape(getInput());
  inference.set(getOutput(), getElementType(getInput()), shape);
  inference.set(getMask(), getMlirElementType(getContext(), ElementType::Bool),
                shape);
  return success();
}

bool DropoutOp::mayBeRandom() {
  bool mayTrain = getTrainingModeOperand() || getTrainingMode().value_or(0);
  std::optional<APFloat> ratio = getRatio();
  return mayTrain && !(ratio && ratio->isZero());
}

void DropoutOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  // A write keeps two random operations from becoming one.
  if (mayBeRandom())
    effects.emplace_back(MemoryEffects::Write::get());
}

AxisMap DropoutOp::getAxisMap() {
  return mayBeRandom() ? AxisMap::opaque() : getWindowAxisMap(*this, {});
}

FusionClass DropoutOp::getFusionClass() {
  return mayBeRandom() ? FusionClass::Opaque : FusionClass::Elementwise;
}

LogicalResult DropoutOp::fold(FoldAdaptor,
                              SmallVectorImpl<OpFoldResult> &results) {
  if (mayBeRandom() || getInput().getType() != getOutput().getType() ||
      !getMask().use_empty())
    return failure();
  // A mask that nobody uses may stand for itself: it goes with the operation.
  results.append({getInput(), getMask()});
  return success();
}
