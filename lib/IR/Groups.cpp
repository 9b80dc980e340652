//===- Groups.cpp - Moving operators in and out of groups -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Groups.h"
#include "inlay/IR/GroupKind.h"
#include "inlay/IR/Origin.h"
#include "inlay/IR/TypeInference.h"
#include "inlay/Support/TopologicalOrder.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace inlay;
using namespace mlir;

bool inlay::isFinished(Operation *op) { return isa<GroupOp, InLayoutOp>(op); }

bool inlay::isArrangement(Operation *op) {
  return isa<GroupOp, RelayoutOp>(op);
}

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
  auto forEachUser = [&](unsigned i, auto visit) {
    llvm::for_each(waiting[i], visit);
  };
  for (unsigned next : sortTopologically(waitsFor, forEachUser))
    ops[next]->moveBefore(terminator);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

bool inlay::wasCalled(GroupOp op) {
  OriginAttr origin = getFirstOrigin(op->getLoc());
  return origin && origin.getOpType() == op.getName();
}

Operation *inlay::getOutsideGroups(Operation *op) {
  while (auto group = op->getParentOfType<GroupOp>())
    op = group;
  return op;
}

bool inlay::hasKernels(Operation *graph) {
  return graph
      ->walk([](GroupOp group) {
        return getKind(group) == GroupKind::Kernel ? WalkResult::interrupt()
                                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Constants, sparse ones included: these are opaque operations.
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
      op.getStages(), op.getKernelAttr(), op.getCluster());
  smaller.getBody().takeBody(op.getBody());
  smaller.getBody().front().getTerminator()->setOperands(yielded);
  for (auto [old, result] : llvm::zip_equal(used, smaller.getOutputs()))
    old.replaceAllUsesWith(result);
  op->erase();
  return true;
}

/// Puts what a block without arguments holds in the place of `op`.
static void inlineBody(Operation *op, Block &body) {
  Operation *yield = body.getTerminator();
  // Users may have told more of the results than the body does.
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), yield->getOperands()))
    if (Type met = meetTypes(value.getType(), result.getType());
        met && isa<OpResult>(value))
      value.setType(met);
  op->replaceAllUsesWith(yield->getOperands());
  yield->erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         body.getOperations());
  op->erase();
}

void inlay::inlineGroup(GroupOp op) { inlineBody(op, op.getBody().front()); }

void inlay::inlineInLayout(InLayoutOp op) {
  Block &body = op.getBody().front();
  for (auto [argument, input] :
       llvm::zip_equal(body.getArguments(), op.getInputs()))
    argument.replaceAllUsesWith(input);
  body.eraseArguments(0, body.getNumArguments());
  inlineBody(op, body);
}

GroupOp inlay::groupOperations(ArrayRef<Operation *> ops, StringRef target,
                               StringRef name, ArrayAttr stages) {
  Block *block = ops.front()->getBlock();
  llvm::SmallPtrSet<Operation *, 16> inside(ops.begin(), ops.end());
  SmallVector<Value> outputs;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !inside.contains(block->findAncestorOpInBlock(*user));
          }))
        outputs.push_back(result);
  OpBuilder builder(ops.back());
  auto group = builder.create<GroupOp>(
      builder.getUnknownLoc(), TypeRange(ValueRange(outputs)), target, name,
      stages, KernelAttr(), /*cluster=*/false);
  Block &body = group.getBody().emplaceBlock();
  for (Operation *op : ops)
    op->moveBefore(&body, body.end());
  builder.setInsertionPointToEnd(&body);
  builder.create<YieldOp>(builder.getUnknownLoc(), outputs);
  for (auto [output, result] : llvm::zip_equal(outputs, group.getOutputs()))
    output.replaceUsesWithIf(result, [&](OpOperand &use) {
      return !group->isProperAncestor(use.getOwner());
    });
  return group;
}
