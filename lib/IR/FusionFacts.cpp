//===- FusionFacts.cpp - What fusion asks of any operation ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/FusionFacts.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

FusionClass inlay::getFusionClass(Operation *op) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  return fusion ? fusion.getFusionClass() : FusionClass::Opaque;
}

FusionClass inlay::getNestClass(Operation *op) {
  FusionClass own = getFusionClass(op);
  auto composite = dyn_cast<ExpandOpInterface>(op);
  return own == FusionClass::Opaque && composite ? composite.getExpandedClass()
                                                 : own;
}

bool inlay::isMoved(OpOperand &operand) {
  auto op = dyn_cast<FusionOpInterface>(operand.getOwner());
  // What is moved is the first operand; those of a Concat are all written.
  return op && operand.getOperandNumber() == 0 && op->getNumRegions() == 0 &&
         op.movesElements();
}
