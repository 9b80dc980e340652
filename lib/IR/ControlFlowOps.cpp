//===- ControlFlowOps.cpp - If, Loop and Scan -----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"
#include "inlay/IR/AxisParameters.h"

using namespace inlay;
using namespace mlir;

#define GET_OP_CLASSES
#include "inlay/IR/ControlFlowOps.cpp.inc"

/// `type` with an unknown leading (or other) dimension inserted.
static Type insertDimension(Type type, int64_t axis, int64_t extent) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked)
    return type;
  std::optional<int64_t> position = normalizeAxis(axis, ranked.getRank() + 1);
  if (!position)
    return UnrankedTensorType::get(ranked.getElementType());
  SmallVector<int64_t> shape(ranked.getShape());
  shape.insert(shape.begin() + *position, extent);
  return RankedTensorType::get(shape, ranked.getElementType());
}

//===----------------------------------------------------------------------===//
// IfOp
//===----------------------------------------------------------------------===//

LogicalResult IfOp::inferTypes(TypeInference &inference) {
  YieldOp thenYield = getYield(getThenBranch());
  YieldOp elseYield = getYield(getElseBranch());
  if (!thenYield || !elseYield ||
      thenYield.getNumOperands() != getNumResults() ||
      elseYield.getNumOperands() != getNumResults())
    return success(); // The verifier says so.
  for (auto [result, a, b] : llvm::zip_equal(
           getOutputs(), thenYield.getValues(), elseYield.getValues()))
    inference.set(result, joinTypes(a.getType(), b.getType()));
  return success();
}

AxisMap IfOp::getAxisMap() { return AxisMap::opaque(); }
FusionClass IfOp::getFusionClass() { return FusionClass::Opaque; }

LogicalResult IfOp::verify() {
  for (Region *region : {&getThenBranch(), &getElseBranch()})
    if (failed(verifyYield(*this, *region, getNumResults(), "subgraph")))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// LoopOp
//===----------------------------------------------------------------------===//

LogicalResult LoopOp::inferTypes(TypeInference &inference) {
  YieldOp yield = getYield(getBody());
  size_t numCarried = getInitial().size();
  if (!yield || yield.getNumOperands() != getNumResults() + 1 ||
      getNumResults() < numCarried)
    return success(); // The verifier says so.
  for (auto [i, result] : llvm::enumerate(getOutputs())) {
    Type type = yield.getValues()[i + 1].getType();
    // A carried value may change its shape from one iteration to the next.
    inference.set(result, i < numCarried
                              ? joinTypes(type, getInitial()[i].getType())
                              : insertDimension(type, 0, ShapedType::kDynamic));
  }
  return success();
}

AxisMap LoopOp::getAxisMap() { return AxisMap::opaque(); }
FusionClass LoopOp::getFusionClass() { return FusionClass::Opaque; }

LogicalResult LoopOp::verify() {
  size_t numCarried = getInitial().size();
  if (getBody().getNumArguments() != numCarried + 2)
    return emitOpError() << "body takes " << getBody().getNumArguments()
                         << " inputs, expected " << numCarried + 2;
  if (getNumResults() < numCarried)
    return emitOpError() << "has " << getNumResults() << " results for "
                         << numCarried << " carried values";
  return verifyYield(*this, getBody(), getNumResults() + 1, "subgraph");
}

//===----------------------------------------------------------------------===//
// ScanOp
//===----------------------------------------------------------------------===//

LogicalResult ScanOp::inferTypes(TypeInference &inference) {
  YieldOp yield = getYield(getBody());
  int64_t numStates = int64_t(getInputs().size()) - int64_t(getNumScanInputs());
  if (!yield || yield.getNumOperands() != getNumResults() || numStates < 0)
    return success(); // The verifier says so.
  for (auto [i, result] : llvm::enumerate(getOutputs())) {
    Type type = yield.getValues()[i].getType();
    if (int64_t(i) >= numStates)
      type = insertDimension(type,
                             getEntryOr(getScanOutputAxes(), i - numStates, 0),
                             ShapedType::kDynamic);
    inference.set(result, type);
  }
  return success();
}

AxisMap ScanOp::getAxisMap() { return AxisMap::opaque(); }
FusionClass ScanOp::getFusionClass() { return FusionClass::Opaque; }

LogicalResult ScanOp::verify() {
  int64_t numScans = getNumScanInputs();
  if (numScans < 1 || numScans > int64_t(getInputs().size()))
    return emitOpError() << "num_scan_inputs is " << numScans << " with "
                         << getInputs().size() << " inputs";
  if (getBody().getNumArguments() != getInputs().size())
    return emitOpError() << "body takes " << getBody().getNumArguments()
                         << " inputs, expected " << getInputs().size();
  if (getNumResults() < getInputs().size() - numScans)
    return emitOpError() << "has " << getNumResults() << " results for "
                         << getInputs().size() - numScans << " states";
  return verifyYield(*this, getBody(), getNumResults(), "subgraph");
}
