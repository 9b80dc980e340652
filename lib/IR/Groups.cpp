//===- Groups.cpp - Moving operators in and out of groups -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Groups.h"

using namespace inlay;
using namespace mlir;

Operation *inlay::getOutsideGroups(Operation *op) {
  while (auto group = op->getParentOfType<GroupOp>())
    op = group;
  return op;
}

void inlay::hoistConstants(Region &region) {
  SmallVector<ConstantOp> constants;
  region.walk([&](GroupOp group) {
    llvm::append_range(constants, group.getBody().getOps<ConstantOp>());
  });
  for (ConstantOp constant : constants)
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
