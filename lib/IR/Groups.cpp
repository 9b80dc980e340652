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

bool inlay::dropUnusedResults(GroupOp op) {
  if (wasCalled(op))
    return false;
  SmallVector<Value> used, yielded;
  for (auto [result, value] : llvm::zip_equal(op.getOutputs(), op.getYielded()))
    if (!result.use_empty()) {
      used.push_back(result);
      yielded.push_back(value);
    }
  if (used.size() == op->getNumResults())
    return false;
  OpBuilder builder(op);
  auto smaller = builder.create<GroupOp>(
      op.getLoc(), TypeRange(ValueRange(used)), op.getTarget(), op.getName(),
      op.getStages(), op.getKernelAttr());
  smaller.getBody().takeBody(op.getBody());
  smaller.getBody().front().getTerminator()->setOperands(yielded);
  for (auto [old, result] : llvm::zip_equal(used, smaller.getOutputs()))
    old.replaceAllUsesWith(result);
  op->erase();
  return true;
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
