//===- CoreOps.cpp - Constants and what is not modelled -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

#define GET_OP_CLASSES
#include "inlay/IR/CoreOps.cpp.inc"

//===----------------------------------------------------------------------===//
// ConstantOp
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::inferTypes(TypeInference &inference) {
  inference.set(getResult(), getValue().getType());
  return success();
}

AxisMap ConstantOp::getAxisMap() {
  AxisMapBuilder map(*this);
  map.bind(getResult(), map.axesOf(getResult(), AxisKind::Created));
  return map.build();
}

FusionClass ConstantOp::getFusionClass() { return FusionClass::Opaque; }

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult ConstantOp::verify() {
  auto data = dyn_cast<DataAttr>(Attribute(getValue()));
  if (!data)
    return success();
  std::optional<uint64_t> needed = getByteSize(data.getType());
  if (!needed || *needed != data.getLength())
    return emitOpError() << "refers to " << data.getLength()
                         << " bytes, its type needs " << needed.value_or(0);
  return success();
}

//===----------------------------------------------------------------------===//
// OpaqueOp
//===----------------------------------------------------------------------===//

StringRef OpaqueOp::getOpType() { return getCallee().rsplit("::").second; }

StringRef OpaqueOp::getDomain() { return getCallee().rsplit("::").first; }

static size_t countPresent(std::optional<ArrayRef<bool>> mask, size_t count) {
  return mask ? llvm::count(*mask, true) : count;
}

LogicalResult OpaqueOp::verify() {
  if (!getCallee().contains("::"))
    return emitOpError() << "callee '" << getCallee()
                         << "' is not of the form domain::OpType";
  if (countPresent(getPresentInputs(), getInputs().size()) !=
      getInputs().size())
    return emitOpError("present_inputs does not match the inputs");
  if (countPresent(getPresentOutputs(), getOutputs().size()) !=
      getOutputs().size())
    return emitOpError("present_outputs does not match the outputs");
  size_t numGraphs = getGraphs() ? getGraphs()->size() : 0;
  if (numGraphs != getBodies().size())
    return emitOpError() << "names " << numGraphs << " graphs, has "
                         << getBodies().size() << " regions";
  return success();
}
