//===- ApplyGroups.cpp - From a plan to inlay.group -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ApplyGroups.h"
#include "inlay/IR/Groups.h"
#include "inlay/Transforms/Hardware/Fuse.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace inlay;
using namespace mlir;

using OperationSet = llvm::SmallPtrSet<Operation *, 16>;

/// The operators that are no nodes between a value and what it is another name
/// of, nearest first.
static SmallVector<Operation *> getViews(Value value) {
  SmallVector<Operation *> views;
  Operation *op = value.getDefiningOp();
  while (op && isStoredAlike(op)) {
    views.push_back(op);
    op = op->getOperand(0).getDefiningOp();
  }
  return views;
}

/// Copies what is no node between `op` and what it reads of its own group in
/// front of it: outside, the group would wait for itself.
static void copyViews(Operation *op, const OperationSet &inside,
                      SmallVectorImpl<Operation *> &ops,
                      llvm::SetVector<Operation *> &copied) {
  op->walk([&](Operation *user) {
    for (OpOperand &operand : user->getOpOperands()) {
      SmallVector<Operation *> views = getViews(operand.get());
      if (views.empty() ||
          !inside.contains(views.back()->getOperand(0).getDefiningOp()))
        continue;
      OpBuilder builder(op);
      Value value = views.back()->getOperand(0);
      for (Operation *view : llvm::reverse(views)) {
        ops.push_back(builder.clone(*view));
        ops.back()->setOperand(0, value);
        value = ops.back()->getResult(0);
      }
      operand.set(value);
      copied.insert(views.begin(), views.end());
    }
  });
}

static void buildGroup(StringRef target, StringRef name, const DFG &graph,
                       const HDFG &pipeline, const FusionPlan &plan,
                       ArrayRef<unsigned> nodes) {
  SmallVector<std::string> stages;
  SmallVector<Operation *> ops;
  OperationSet inside;
  llvm::SetVector<Operation *> copied;
  for (unsigned node : nodes)
    inside.insert(graph[node].ref);
  for (unsigned node : nodes) {
    copyViews(graph[node].ref, inside, ops, copied);
    ops.push_back(graph[node].ref);
    stages.push_back(
        plan.formOf[node] == FusionPlan::none
            ? ""
            : pipeline.getStageNames(graph[node].forms[plan.formOf[node]]));
  }
  // The nearest to their users come first.
  for (Operation *op : copied)
    if (op->use_empty())
      op->erase();
  Builder builder(ops.front()->getContext());
  groupOperations(ops, target, name,
                  builder.getStrArrayAttr(
                      SmallVector<StringRef>(stages.begin(), stages.end())));
}

void inlay::applyGroups(Block &block, StringRef target, const DFG &graph,
                        const HDFG &pipeline, const FusionPlan &plan,
                        unsigned firstName) {
  if (plan.groups.empty())
    return;
  for (auto [i, group] : llvm::enumerate(plan.groups))
    buildGroup(target, "group_" + std::to_string(firstName + i), graph,
               pipeline, plan, group.nodes);
  sortBlock(block);
}

void inlay::inlineGroups(func::FuncOp func) {
  SmallVector<GroupOp> groups;
  func.walk([&](GroupOp group) { groups.push_back(group); });
  for (GroupOp group : groups)
    inlineGroup(group);
}
