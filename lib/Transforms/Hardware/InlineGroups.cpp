//===- InlineGroups.cpp - The graph before fusion -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Groups.h"
#include "inlay/IR/Origin.h"
#include "inlay/Transforms/Hardware/Passes.h"
#include "llvm/ADT/DenseSet.h"

namespace inlay {
#define GEN_PASS_DEF_INLINEGROUPS
#include "inlay/Transforms/Hardware/Passes.h.inc"
} // namespace inlay

using namespace inlay;
using namespace mlir;

/// Notes the origins that only the group itself has: it was a call.
static void noteCall(GroupOp group, RemovedNodes &removed) {
  llvm::SmallVector<OriginAttr, 1> own = getOrigins(group.getLoc());
  if (own.empty())
    return;
  llvm::DenseSet<OriginAttr> inside;
  group.getBody().walk([&](Operation *op) {
    llvm::SmallVector<OriginAttr, 1> origins = getOrigins(op->getLoc());
    inside.insert(origins.begin(), origins.end());
  });
  for (OriginAttr origin : own)
    if (!inside.contains(origin))
      removed.add(origin, "its group is inlined");
}

namespace {
struct InlineGroupsPass final
    : inlay::impl::InlineGroupsBase<InlineGroupsPass> {
  void runOnOperation() override {
    RemovedNodes removed;
    SmallVector<GroupOp> groups;
    getOperation().walk([&](GroupOp group) { groups.push_back(group); });
    for (GroupOp group : groups) {
      noteCall(group, removed);
      inlineGroup(group);
    }
    removed.write(getOperation());
  }
};
} // namespace
