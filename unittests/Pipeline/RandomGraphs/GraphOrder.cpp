//===- GraphOrder.cpp - Other orders of the same graph --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphOrder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

void inlay::testing::eraseUnused(func::FuncOp function) {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

void inlay::testing::reorder(func::FuncOp function) {
  Block &block = function.getBody().front();
  Operation *terminator = block.getTerminator();
  std::vector<Operation *> ops;
  DenseMap<Operation *, unsigned> waitsFor;
  DenseMap<Operation *, SmallVector<Operation *>> users;
  for (Operation &op : block.without_terminator()) {
    ops.push_back(&op);
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *needed = operand.getDefiningOp();
            needed && needed->getBlock() == &block && needed != &op) {
          users[needed].push_back(&op);
          ++waitsFor[&op];
        }
    });
  }
  SmallVector<Operation *> ready;
  for (Operation *op : ops)
    if (waitsFor.lookup(op) == 0)
      ready.push_back(op);
  while (!ready.empty()) {
    Operation *op = ready.pop_back_val();
    op->moveBefore(terminator);
    for (Operation *user : users[op])
      if (--waitsFor[user] == 0)
        ready.push_back(user);
  }
}
