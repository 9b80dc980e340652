//===- SeparateTransposes.cpp - One transpose for each use ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Transforms/Layout/SeparateTransposes.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "llvm/ADT/MapVector.h"

using namespace inlay;
using namespace mlir;

/// Whether the transpose can be a matter of how tensors are stored; otherwise a
/// copy would be computed.
static bool canBeFree(TransposeOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  return type && isa<RankedTensorType>(op.getInput().getType()) &&
         !llvm::is_contained(type.getShape(), 0);
}

TransposeCopies inlay::separateTransposes(func::FuncOp function) {
  TransposeCopies copies;
  SmallVector<TransposeOp> transposes;
  size_t numOps = 0;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    ++numOps;
    if (auto transpose = dyn_cast<TransposeOp>(op))
      transposes.push_back(transpose);
    return isa<InLayoutOp, GroupOp>(op) ? WalkResult::skip()
                                        : WalkResult::advance();
  });
  // The last ones first: copies of them are uses of those before.
  for (TransposeOp op : llvm::reverse(transposes)) {
    if (!canBeFree(op))
      continue;
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op->getUses())
      uses.push_back(&use);
    OpBuilder builder(op.getContext());
    builder.setInsertionPointAfter(op);
    for (OpOperand *use : ArrayRef(uses).drop_front(uses.empty() ? 0 : 1)) {
      if (copies.originals.size() >= std::max<size_t>(numOps, 4096)) {
        copies.isComplete = false;
        return copies;
      }
      Operation *copy = builder.clone(*op);
      copies.originals[copy] = op;
      use->set(copy->getResult(0));
    }
  }
  return copies;
}

namespace {
/// Operations by region, for those that stand behind them or in regions of
/// theirs.
class MoveMerger {
public:
  void visit(Operation *op);
  void finish();

private:
  using Key = std::tuple<Value, Type, Attribute>;
  Operation *find(Operation *op, const Key &key) const;

  DenseMap<Region *, DenseMap<Key, Operation *>> known;
  llvm::MapVector<Operation *, SmallVector<Location>> merged;
  SmallVector<Operation *> dead;
};
} // namespace

Operation *MoveMerger::find(Operation *op, const Key &key) const {
  for (Region *region = op->getParentRegion(); region;
       region = region->getParentRegion())
    if (auto table = known.find(region); table != known.end())
      if (Operation *found = table->second.lookup(key))
        return found;
  return nullptr;
}

void MoveMerger::visit(Operation *op) {
  Attribute perm;
  if (auto transpose = dyn_cast<TransposeOp>(op))
    perm = transpose.getPermAttr();
  else if (!isa<RelayoutOp>(op))
    return;
  Key key(op->getOperand(0), op->getResult(0).getType(), perm);
  Operation *leader = find(op, key);
  // Without a permutation a transpose looks like a relayout.
  if (!leader || leader->getName() != op->getName()) {
    known[op->getParentRegion()].try_emplace(key, op);
    return;
  }
  op->replaceAllUsesWith(leader);
  merged[leader].push_back(op->getLoc());
  dead.push_back(op);
}

void MoveMerger::finish() {
  for (auto &[leader, locs] : merged) {
    locs.insert(locs.begin(), leader->getLoc());
    leader->setLoc(mergeLocs(leader->getContext(), locs));
  }
  for (Operation *op : llvm::reverse(dead))
    op->erase();
}

void inlay::mergeMoves(func::FuncOp function) {
  MoveMerger merger;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    merger.visit(op);
    return isa<InLayoutOp, GroupOp>(op) ? WalkResult::skip()
                                        : WalkResult::advance();
  });
  merger.finish();
}
