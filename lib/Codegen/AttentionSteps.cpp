//===- AttentionSteps.cpp - Steps that are one attention ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules for kernels know one product in each: what a second one would need of
// the first is more than an element. A softmax between two products is the
// exception that a template knows, so that kernels are joined here:
//
// 1. From a softmax, go back to a product over steps that have no other user,
//    and on to the next product.
// 2. Copy all of them into one kernel.
// 3. Where there is code for that, it takes their place, and moves what is in
//    front of it as it reads: heads are where products left them.
//
//===----------------------------------------------------------------------===//

#include "AttentionSteps.h"
#include "Contraction.h"
#include "KernelBody.h"
#include "PulledMoves.h"
#include "inlay/IR/GroupKind.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/Kernels.h"
#include "mlir/IR/IRMapping.h"

using namespace inlay;
using namespace mlir;

/// Steps between a product and a softmax, or a softmax and a product, at most.
static constexpr unsigned maxDistance = 4;

//===----------------------------------------------------------------------===//
// Which steps
//===----------------------------------------------------------------------===//

/// The operators of a step; none where it has others inside and is no kernel.
static SmallVector<Operation *> getOperators(Operation *step) {
  auto group = dyn_cast<GroupOp>(step);
  SmallVector<Operation *> ops;
  if (step->getNumRegions() == 0)
    ops.push_back(step);
  else if (group && getKind(group) == GroupKind::Kernel)
    for (Operation &op : group.getBody().front().without_terminator())
      ops.push_back(&op);
  return ops;
}

static bool hasProduct(Operation *step) {
  return llvm::any_of(getOperators(step), [](Operation *op) {
    return Contraction::get(op).has_value();
  });
}

static SoftmaxOp findSoftmax(Operation *step) {
  for (Operation *op : getOperators(step))
    if (auto softmax = dyn_cast<SoftmaxOp>(op))
      return softmax;
  return {};
}

static int64_t countElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type.getNumElements() : 0;
}

/// What a step reads in its block.
static SmallVector<Value> getInputs(Operation *step) {
  auto group = dyn_cast<GroupOp>(step);
  return group ? group.getInputs() : SmallVector<Value>(step->getOperands());
}

/// The step that everything of `step` is for; null where there is none.
static Operation *getOnlyUser(Operation *step) {
  Operation *only = nullptr;
  for (Operation *user : step->getUsers()) {
    Operation *own = step->getBlock()->findAncestorOpInBlock(*user);
    if (!own || (only && own != only))
      return nullptr;
    only = own;
  }
  return only && !only->hasTrait<OpTrait::IsTerminator>() ? only : nullptr;
}

/// The step in front of `step` that computes as many elements as there are
/// scores and nothing for others.
static Operation *findBefore(Operation *step, int64_t numScores) {
  for (Value input : getInputs(step)) {
    Operation *op = input.getDefiningOp();
    if (op && op->getBlock() == step->getBlock() && !isa<ConstantOp>(op) &&
        countElements(input) == numScores && getOnlyUser(op) == step)
      return op;
  }
  return nullptr;
}

/// From the first product to the second one; nothing where there are none.
static SmallVector<Operation *> findSteps(Operation *step, int64_t numScores) {
  if (hasProduct(step))
    return {};
  SmallVector<Operation *> steps = {step};
  while (!hasProduct(steps.front())) {
    Operation *before = findBefore(steps.front(), numScores);
    if (!before || steps.size() > maxDistance)
      return {};
    steps.insert(steps.begin(), before);
  }
  size_t numBefore = steps.size();
  while (steps.size() == numBefore || !hasProduct(steps.back())) {
    Operation *next = getOnlyUser(steps.back());
    if (!next || steps.size() > numBefore + maxDistance)
      return {};
    steps.push_back(next);
  }
  return steps;
}

//===----------------------------------------------------------------------===//
// One of them
//===----------------------------------------------------------------------===//

/// Copies of all operators as a kernel in front of the last step.
static GroupOp copyAsKernel(ArrayRef<Operation *> steps) {
  Operation *last = steps.back();
  OpBuilder builder(last);
  auto group = builder.create<GroupOp>(
      last->getLoc(), last->getResultTypes(), "cpu", "attention",
      builder.getArrayAttr({}), KernelAttr(), /*cluster=*/false);
  builder.setInsertionPointToStart(&group.getBody().emplaceBlock());
  IRMapping mapping;
  for (Operation *step : steps) {
    for (Operation *op : getOperators(step))
      builder.clone(*op, mapping);
    if (auto own = dyn_cast<GroupOp>(step))
      for (auto [output, value] :
           llvm::zip_equal(own.getOutputs(), own.getYielded()))
        mapping.map(output, mapping.lookupOrDefault(value));
  }
  SmallVector<Value> yielded;
  for (Value result : last->getResults())
    yielded.push_back(mapping.lookup(result));
  builder.create<YieldOp>(last->getLoc(), yielded);
  // Code gives the results that are used.
  last->replaceAllUsesWith(group);
  setKernel(group);
  return group;
}

/// Null where there is no code.
static GroupOp joinSteps(ArrayRef<Operation *> steps,
                         const CodeTarget &target) {
  GroupOp group = copyAsKernel(steps);
  if (hasKernelCode(group, target)) {
    for (Operation *step : llvm::reverse(steps))
      step->erase();
    return group;
  }
  group->replaceAllUsesWith(steps.back());
  group->erase();
  return {};
}

void inlay::joinAttentions(func::FuncOp graph, const CodeTarget &target) {
  SmallVector<Operation *> softmaxes;
  graph.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == graph)
      return WalkResult::advance();
    if (findSoftmax(op))
      softmaxes.push_back(op);
    return isFinished(op) ? WalkResult::skip() : WalkResult::advance();
  });
  SmallVector<GroupOp> joined;
  for (Operation *step : softmaxes) {
    int64_t numScores = countElements(findSoftmax(step).getResult());
    SmallVector<Operation *> steps = findSteps(step, numScores);
    bool areAllOperators = llvm::none_of(
        steps, [](Operation *own) { return getOperators(own).empty(); });
    if (steps.empty() || !areAllOperators)
      continue;
    if (GroupOp group = joinSteps(steps, target))
      joined.push_back(group);
  }
  // From the first one on: what is in front of one may be another.
  for (GroupOp group : joined)
    pullMoves(group, target);
}
