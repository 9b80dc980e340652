//===- Groups.cpp - Moving operators in and out of groups -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Groups.h"
#include "inlay/IR/Origin.h"

using namespace inlay;
using namespace mlir;

bool inlay::wasCalled(GroupOp op) {
  OriginAttr origin = getFirstOrigin(op->getLoc());
  return origin && origin.getOpType() == op.getName();
}

Operation *inlay::getOutsideGroups(Operation *op) {
  while (auto group = op->getParentOfType<GroupOp>())
    op = group;
  return op;
}

/// Sparse constants are opaque.
static bool isConstant(Operation &op) {
  auto opaque = dyn_cast<OpaqueOp>(op);
  return isa<ConstantOp>(op) ||
         (opaque && opaque.getCallee() == "inlay::SparseInitializer");
}

void inlay::hoistConstants(Region &region) {
  SmallVector<Operation *> constants;
  region.walk([&](GroupOp group) {
    for (Operation &op : group.getBody().getOps())
      if (isConstant(op))
        constants.push_back(&op);
  });
  for (Operation *constant : constants)
    constant->moveBefore(getOutsideGroups(constant));
}

void inlay::inlineGroup(GroupOp op) {
  Block &body = op.getBody().front();
  Operation *yield = body.getTerminator();
  op->replaceAllUsesWith(yield->getOperands());
  yield->erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         body.getOperations());
  op->erase();
}
