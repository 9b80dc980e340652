//===- CastOps.cpp - Conversions between element types --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Cast.h"

using namespace inlay;
using namespace mlir;

static std::optional<PowerRounding> parseRounding(StringRef mode) {
  return llvm::StringSwitch<std::optional<PowerRounding>>(mode)
      .Case("up", PowerRounding::Up)
      .Case("down", PowerRounding::Down)
      .Case("nearest", PowerRounding::Nearest)
      .Default(std::nullopt);
}

static LogicalResult checkRounding(TypeInference &inference, StringRef mode) {
  if (parseRounding(mode))
    return success();
  return inference.error("'round_mode' must be up, down or nearest but is '" +
                         mode + "'");
}

template <typename OpT> static kernels::CastOptions getOptions(OpT op) {
  kernels::CastOptions options;
  options.saturate = op.getSaturate() != 0;
  options.rounding =
      parseRounding(op.getRoundMode()).value_or(PowerRounding::Up);
  return options;
}

/// The operand, when the conversion is from a type to itself.
static OpFoldResult foldCast(Value input, Value result, Type to) {
  bool isSame =
      to && getElementType(input) == to && input.getType() == result.getType();
  return isSame ? OpFoldResult(input) : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Cast
//===----------------------------------------------------------------------===//

LogicalResult CastOp::inferTypes(TypeInference &inference) {
  FailureOr<ElementType> to = checkElementType(inference, "to", getTo());
  if (failed(to) || failed(checkRounding(inference, getRoundMode())))
    return failure();
  return inferSameShape(*this, inference, *to);
}

AxisMap CastOp::getAxisMap() { return getElementwiseAxisMap(*this); }

FusionClass CastOp::getFusionClass() { return FusionClass::Elementwise; }

llvm::Error CastOp::evaluate(Evaluation &evaluation) {
  std::optional<ElementType> to = inlay::getElementType(int64_t(getTo()));
  if (!to)
    return modelError("there is no element type " + Twine(getTo()));
  return evaluation.set(getResult(), kernels::cast(evaluation[getInput()], *to,
                                                   getOptions(*this)));
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  std::optional<ElementType> to = inlay::getElementType(int64_t(getTo()));
  Type element = to ? getMlirElementType(getContext(), *to) : Type();
  return foldCast(getInput(), getResult(), element);
}

//===----------------------------------------------------------------------===//
// CastLike
//===----------------------------------------------------------------------===//

LogicalResult CastLikeOp::inferTypes(TypeInference &inference) {
  if (failed(checkRounding(inference, getRoundMode())))
    return failure();
  inference.set(getResult(), getElementType(getTargetType()),
                getShape(getInput()));
  return success();
}

AxisMap CastLikeOp::getAxisMap() { return getWindowAxisMap(*this, {}); }

FusionClass CastLikeOp::getFusionClass() { return FusionClass::Elementwise; }

llvm::Error CastLikeOp::evaluate(Evaluation &evaluation) {
  ElementType to = evaluation[getTargetType()].getType();
  return evaluation.set(getResult(), kernels::cast(evaluation[getInput()], to,
                                                   getOptions(*this)));
}

OpFoldResult CastLikeOp::fold(FoldAdaptor) {
  return foldCast(getInput(), getResult(), getElementType(getTargetType()));
}
