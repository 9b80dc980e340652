//===- ElementwiseOps.cpp - Operators that work element by element --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/IR/Builders.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Type inference
//===----------------------------------------------------------------------===//

/// A broadcast whose element type is that of `typed`.
static LogicalResult inferBroadcastLike(Operation *op, TypeInference &inference,
                                        ValueRange typed) {
  FailureOr<Type> element = inference.getSameElementType(typed);
  if (failed(element))
    return failure();
  FailureOr<MaybeShape> shape = inference.broadcast(op->getOperands());
  if (failed(shape))
    return failure();
  inference.set(op->getResult(0), *element, *shape);
  return success();
}

static LogicalResult inferPowType(PowOp op, TypeInference &inference) {
  return inferBroadcastLike(op, inference, op.getLhs());
}

static LogicalResult inferWhereType(WhereOp op, TypeInference &inference) {
  return inferBroadcastLike(op, inference, {op.getX(), op.getY()});
}

static LogicalResult inferBitShiftType(BitShiftOp op,
                                       TypeInference &inference) {
  StringRef direction = op.getDirection();
  if (direction != "LEFT" && direction != "RIGHT")
    return inference.error("'direction' must be LEFT or RIGHT but is '" +
                           direction + "'");
  return inferBroadcastType(op, inference);
}

static LogicalResult inferGeluType(GeluOp op, TypeInference &inference) {
  StringRef approximate = op.getApproximate();
  if (approximate != "none" && approximate != "tanh")
    return inference.error("'approximate' must be none or tanh but is '" +
                           approximate + "'");
  return inferSameType(op, inference);
}

static LogicalResult inferVariadicType(Operation *op,
                                       TypeInference &inference) {
  if (op->getNumOperands() == 0)
    return inference.error("must have at least one operand");
  return inferBroadcastType(op, inference);
}

#define GET_OP_CLASSES
#include "inlay/IR/ElementwiseOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Identity
//===----------------------------------------------------------------------===//

LogicalResult IdentityOp::inferTypes(TypeInference &inference) {
  Type type = getInput().getType();
  // How the result is stored is not the operand's to say.
  if (isa<RankedTensorType>(type))
    return inferSameType(*this, inference);
  inference.set(getResult(), type);
  return success();
}

AxisMap IdentityOp::getAxisMap() { return getElementwiseAxisMap(*this); }

FusionClass IdentityOp::getFusionClass() { return FusionClass::View; }

OpFoldResult IdentityOp::fold(FoldAdaptor) {
  return getInput().getType() == getType() ? OpFoldResult(getInput())
                                           : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// PRelu
//===----------------------------------------------------------------------===//

/// Whether a slope of the given shape is one number per channel, as far as is
/// known; only asked where it does not broadcast.
static bool mayBePerChannel(ArrayRef<int64_t> slope, ArrayRef<int64_t> input) {
  return slope.size() == 1 && input.size() >= 2 &&
         areCompatibleExtents(slope[0], input[1]);
}

LogicalResult PReluOp::inferTypes(TypeInference &inference) {
  if (failed(inference.getSameElementType(getOperands())))
    return failure();
  MaybeShape slope = getShape(getSlope()), input = getShape(getInput());
  bool isPerChannel = slope && input && mayBePerChannel(*slope, *input);
  if (!isPerChannel &&
      failed(checkBroadcastsTo(inference, "slope", getSlope(), getInput())))
    return failure();
  return inferSameType(*this, inference);
}

AxisMap PReluOp::getAxisMap() {
  MaybeShape slope = getShape(getSlope()), input = getShape(getInput());
  if (!slope || !input)
    return AxisMap::opaque();
  AxisMapBuilder map(*this);
  TensorAxes dims = map.axesOf(getInput());
  map.bind(getInput(), dims);
  map.bind(getResult(), dims);
  if (!mayBroadcastTo(*slope, *input)) {
    if (!mayBePerChannel(*slope, *input))
      return AxisMap::opaque();
    map.bind(getSlope(), {dims[1]});
    return map.build();
  }
  // With unknown extents it may be one number per channel all the same.
  bool isStatic = !ShapedType::isDynamicShape(*slope) &&
                  !ShapedType::isDynamicShape(*input);
  if (!isStatic && mayBePerChannel(*slope, *input) && (*slope)[0] != 1)
    return AxisMap::opaque();
  map.bind(getSlope(), map.broadcastTo(getSlope(), getInput(), dims));
  return map.build();
}

FusionClass PReluOp::getFusionClass() { return FusionClass::Elementwise; }

//===----------------------------------------------------------------------===//
// Clip
//===----------------------------------------------------------------------===//

LogicalResult ClipOp::inferTypes(TypeInference &inference) {
  if (failed(inference.getSameElementType(getOperands())) ||
      failed(checkOneElement(inference, "min", getMin())) ||
      failed(checkOneElement(inference, "max", getMax())))
    return failure();
  return inferSameType(*this, inference);
}

AxisMap ClipOp::getAxisMap() { return getWindowAxisMap(*this, {}); }

FusionClass ClipOp::getFusionClass() { return FusionClass::Elementwise; }
