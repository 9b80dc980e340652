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
#include <queue>

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The order of a block
//===----------------------------------------------------------------------===//

/// Calls `fn` with each operation of the block that `op` or its regions use a
/// result of.
static void forEachNeeded(Operation *op, Block &block,
                          llvm::function_ref<void(Operation *)> fn) {
  auto visit = [&](Operation *user) {
    for (Value operand : user->getOperands())
      if (Operation *needed = operand.getDefiningOp();
          needed && needed != op && needed->getBlock() == &block)
        fn(needed);
  };
  if (op->getNumRegions() == 0)
    visit(op);
  else
    op->walk(visit);
}

void inlay::sortBlock(Block &block) {
  Operation *terminator = block.getTerminator();
  std::vector<Operation *> ops;
  llvm::DenseMap<Operation *, unsigned> places;
  for (Operation &op : block.without_terminator()) {
    places[&op] = ops.size();
    ops.push_back(&op);
  }
  std::vector<unsigned> waitsFor(ops.size());
  std::vector<SmallVector<unsigned, 2>> waiting(ops.size());
  for (auto [i, op] : llvm::enumerate(ops))
    forEachNeeded(op, block, [&, i = unsigned(i)](Operation *needed) {
      waiting[places[needed]].push_back(i);
      ++waitsFor[i];
    });
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (unsigned i = 0; i < ops.size(); ++i)
    if (waitsFor[i] == 0)
      ready.push(i);
  while (!ready.empty()) {
    unsigned next = ready.top();
    ready.pop();
    ops[next]->moveBefore(terminator);
    for (unsigned user : waiting[next])
      if (--waitsFor[user] == 0)
        ready.push(user);
  }
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

static GroupOp buildGroup(StringRef target, StringRef name, const DFG &graph,
                          const HDFG &pipeline, const FusionPlan &plan,
                          ArrayRef<unsigned> nodes) {
  SmallVector<Value> outputs;
  for (unsigned value : measureGroup(graph, nodes).outputs)
    outputs.push_back(graph.getValue(value).ref);
  SmallVector<std::string> stages;
  for (unsigned node : nodes)
    stages.push_back(
        plan.formOf[node] == FusionPlan::none
            ? ""
            : pipeline.getStageNames(graph[node].forms[plan.formOf[node]]));
  // Where the last of the operators stands, what is needed comes before.
  OpBuilder builder(graph[nodes.back()].ref);
  auto group = builder.create<GroupOp>(
      builder.getUnknownLoc(), TypeRange(ValueRange(outputs)), target, name,
      builder.getStrArrayAttr(
          SmallVector<StringRef>(stages.begin(), stages.end())),
      /*kernel=*/StringAttr());
  Block &body = group.getBody().emplaceBlock();
  for (unsigned node : nodes)
    graph[node].ref->moveBefore(&body, body.end());
  builder.setInsertionPointToEnd(&body);
  builder.create<YieldOp>(builder.getUnknownLoc(), outputs);
  for (auto [output, result] : llvm::zip_equal(outputs, group.getOutputs()))
    output.replaceUsesWithIf(result, [&](OpOperand &use) {
      return !group->isProperAncestor(use.getOwner());
    });
  return group;
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
