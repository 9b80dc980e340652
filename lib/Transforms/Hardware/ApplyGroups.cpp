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

using namespace inlay;
using namespace mlir;

static void buildGroup(StringRef target, StringRef name, const DFG &graph,
                       const HDFG &pipeline, const FusionPlan &plan,
                       ArrayRef<unsigned> nodes) {
  SmallVector<std::string> stages;
  SmallVector<Operation *> ops;
  for (unsigned node : nodes) {
    ops.push_back(graph[node].ref);
    stages.push_back(
        plan.formOf[node] == FusionPlan::none
            ? ""
            : pipeline.getStageNames(graph[node].forms[plan.formOf[node]]));
  }
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
