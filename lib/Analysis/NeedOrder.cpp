//===- NeedOrder.cpp - Operations as outputs need them --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/NeedOrder.h"
#include "inlay/IR/Groups.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace inlay;
using namespace mlir;

SmallVector<Value> inlay::getUsedValues(Operation *op) {
  SmallVector<Value> used(op->getOperands());
  if (op->getNumRegions() == 0)
    return used;
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  llvm::copy_if(captured, std::back_inserter(used), [&](Value value) {
    return value.getParentBlock() == op->getBlock();
  });
  return used;
}

std::vector<Operation *> inlay::findNeedOrder(Block &block) {
  std::vector<Operation *> order;
  llvm::DenseSet<Operation *> seen;
  struct Frame {
    Operation *op;
    SmallVector<Value> used;
    size_t next = 0;
  };
  std::vector<Frame> stack;
  auto enter = [&](Operation *op) {
    if (op && op->getBlock() == &block && seen.insert(op).second)
      stack.push_back({op, getUsedValues(op)});
  };
  auto visit = [&](Operation *root) {
    enter(root);
    while (!stack.empty()) {
      Frame &frame = stack.back();
      if (frame.next < frame.used.size()) {
        enter(frame.used[frame.next++].getDefiningOp());
        continue;
      }
      order.push_back(frame.op);
      stack.pop_back();
    }
  };
  visit(block.getTerminator());
  order.pop_back();
  // What nobody needs.
  for (Operation &op : block.without_terminator())
    visit(&op);
  return order;
}

static bool hasBodies(Operation &op) {
  return op.getNumRegions() != 0 && !isFinished(&op);
}

std::vector<Block *> inlay::findBodies(Block &block) {
  std::vector<Block *> blocks = {&block};
  for (size_t i = 0; i < blocks.size(); ++i) {
    // Most graphs have none, and an order takes time.
    if (llvm::none_of(*blocks[i], hasBodies))
      continue;
    for (Operation *op : findNeedOrder(*blocks[i]))
      if (hasBodies(*op))
        for (Region &region : op->getRegions())
          for (Block &body : region)
            blocks.push_back(&body);
  }
  return blocks;
}
