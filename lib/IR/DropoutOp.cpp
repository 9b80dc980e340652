//===- DropoutOp.cpp - Dropout, which does nothing at inference -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Support/Error.h"

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

/// Whether a run with these operands draws random numbers.
static bool isRandom(DropoutOp op, Evaluation &evaluation) {
  auto getNumber = [&](Value operand, double otherwise) {
    const HostTensor *tensor = evaluation.lookup(operand);
    return tensor && tensor->getNumElements() == 1 ? tensor->getDouble(0)
                                                   : otherwise;
  };
  double training =
      getNumber(op.getTrainingModeOperand(), op.getTrainingMode().value_or(0));
  std::optional<APFloat> ratio = op.getRatio();
  return training != 0 && getNumber(op.getRatioOperand(),
                                    ratio ? ratio->convertToFloat() : 0.5) != 0;
}

llvm::Error DropoutOp::evaluate(Evaluation &evaluation) {
  if (isRandom(*this, evaluation))
    return unsupportedError("dropout in training mode is random");
  const HostTensor &input = evaluation[getInput()];
  if (evaluation.isUsed(getMask())) {
    auto mask = HostTensor::allocate(ElementType::Bool, input.getShape());
    if (!mask)
      return mask.takeError();
    MutableArrayRef<uint8_t> elements = mask->getMutable<uint8_t>();
    std::fill(elements.begin(), elements.end(), 1);
    if (llvm::Error error = evaluation.set(getMask(), std::move(*mask)))
      return error;
  }
  return evaluation.set(getOutput(), input);
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
