//===- GroupOps.cpp - What a pipeline executes at once --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"
#include "inlay/IR/GroupKind.h"
#include "inlay/IR/Kernels.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace inlay;
using namespace mlir;

#define GET_OP_CLASSES
#include "inlay/IR/GroupOps.cpp.inc"

//===----------------------------------------------------------------------===//
// GroupOp
//===----------------------------------------------------------------------===//

SmallVector<Value> GroupOp::getInputs() {
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(getBody(), getBody(), values);
  return values.takeVector();
}

ValueRange GroupOp::getYielded() { return getYield(getBody()).getValues(); }

LogicalResult GroupOp::inferTypes(TypeInference &inference) {
  return inferFromYield(*this, getBody(), inference);
}

AxisMap GroupOp::getAxisMap() { return AxisMap::opaque(); }

FusionClass GroupOp::getFusionClass() { return FusionClass::Opaque; }

ControlFlow GroupOp::getControlFlow() {
  ControlFlow flow;
  Operation *yield = getBody().front().getTerminator();
  for (auto [value, result] : llvm::zip(yield->getOpOperands(), getOutputs()))
    flow.leaving.push_back({&value, result});
  return flow;
}

/// A pipeline has stages, a kernel loops, and a cluster neither.
static LogicalResult verifyKind(GroupOp op) {
  GroupKind kind = getKind(op);
  if (kind == GroupKind::Kernel && op.getCluster())
    return op.emitOpError() << "'" << op.getName()
                            << "' is a kernel and a cluster, expected one";
  if (kind != GroupKind::Pipeline && !op.getStages().empty())
    return op.emitOpError()
           << "'" << op.getName() << "' is a "
           << (kind == GroupKind::Kernel ? "kernel" : "cluster") << " and has "
           << op.getStages().size() << " stages of a pipeline, expected none";
  return success();
}

LogicalResult GroupOp::verify() {
  Block &body = getBody().front();
  if (body.getNumArguments() != 0)
    return emitOpError() << "body takes " << body.getNumArguments()
                         << " values, expected none";
  if (failed(verifyKind(*this)))
    return failure();
  return verifyYield(*this, getBody(), getNumResults(), "body");
}

/// What a kernel says of itself follows from its operators.
LogicalResult GroupOp::verifyRegions() {
  if (getKind(*this) != GroupKind::Kernel)
    return success();
  KernelNest found = describeKernel(*this);
  const KernelNest &said = getKernelAttr().getNest();
  if (said == found)
    return success();
  return emitOpError() << "'" << getName() << "' is a kernel <" << said.str()
                       << ">, by its operators expected <" << found.str()
                       << ">";
}

//===----------------------------------------------------------------------===//
// ExpandedOp
//===----------------------------------------------------------------------===//

LogicalResult ExpandedOp::inferTypes(TypeInference &inference) {
  for (auto [result, value] : llvm::zip(getOutputs(), getComposite()))
    inference.set(result, value.getType());
  return success();
}

AxisMap ExpandedOp::getAxisMap() { return AxisMap::opaque(); }

FusionClass ExpandedOp::getFusionClass() { return FusionClass::View; }

LogicalResult ExpandedOp::verify() {
  if (getNumResults() != getComposite().size())
    return emitOpError() << "has " << getNumResults() << " results for "
                         << getComposite().size() << " values";
  return success();
}
