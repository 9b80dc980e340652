//===- LayoutOps.cpp - Storage orders as operations -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"

using namespace inlay;
using namespace mlir;

#define GET_OP_CLASSES
#include "inlay/IR/LayoutOps.cpp.inc"

//===----------------------------------------------------------------------===//
// RelayoutOp
//===----------------------------------------------------------------------===//

LogicalResult RelayoutOp::inferTypes(TypeInference &inference) {
  inference.set(getResult(), getElementType(getInput()), getShape(getInput()));
  return success();
}

AxisMap RelayoutOp::getAxisMap() { return getElementwiseAxisMap(*this); }

FusionClass RelayoutOp::getFusionClass() { return FusionClass::Transform; }

OpFoldResult RelayoutOp::fold(FoldAdaptor) {
  return getInput().getType() == getResult().getType() ? getInput() : Value();
}

//===----------------------------------------------------------------------===//
// InLayoutOp
//===----------------------------------------------------------------------===//

LogicalResult InLayoutOp::inferTypes(TypeInference &inference) {
  return inferFromYield(*this, getBody(), inference);
}

AxisMap InLayoutOp::getAxisMap() { return AxisMap::opaque(); }

FusionClass InLayoutOp::getFusionClass() {
  auto wrapped = dyn_cast_if_present<FusionOpInterface>(getWrapped());
  return wrapped ? wrapped.getFusionClass() : FusionClass::Opaque;
}

LogicalResult InLayoutOp::verify() {
  Block &body = getBody().front();
  if (body.getNumArguments() != getNumOperands())
    return emitOpError() << "body takes " << body.getNumArguments()
                         << " values, expected " << getNumOperands();
  if (failed(verifyYield(*this, getBody(), getNumResults(), "body")))
    return failure();
  size_t numTensors = getNumOperands() + getNumResults();
  if (getLayouts().size() != numTensors)
    return emitOpError() << "names " << getLayouts().size()
                         << " layouts, expected " << numTensors;
  return success();
}

Operation *InLayoutOp::getWrapped() {
  for (Operation &op : getBody().front())
    if (!isa<TransposeOp, ReshapeOp, SqueezeOp, UnsqueezeOp, ConstantOp,
             YieldOp>(op))
      return &op;
  return nullptr;
}
