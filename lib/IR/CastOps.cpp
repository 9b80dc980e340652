//===- CastOps.cpp - Conversions between element types --------------------===//
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

static LogicalResult checkRounding(TypeInference &inference, StringRef mode) {
  if (parsePowerRounding(mode))
    return success();
  return inference.error("'round_mode' must be up, down or nearest but is '" +
                         mode + "'");
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

OpFoldResult CastLikeOp::fold(FoldAdaptor) {
  return foldCast(getInput(), getResult(), getElementType(getTargetType()));
}
