//===- PulledMoves.cpp - Moves that a step does as it reads ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each input of a group:
//
// 1. Find the moves that the kernel in front of it ends in.
// 2. Make a copy of that kernel without them, and one of the group with them.
// 3. Where there is code for both, they take the places of the two.
//
//===----------------------------------------------------------------------===//

#include "PulledMoves.h"
#include "inlay/IR/GroupKind.h"
#include "inlay/IR/Kernels.h"
#include "mlir/IR/IRMapping.h"

using namespace inlay;
using namespace mlir;

/// Whether an operator gives the elements of its first operand in another
/// order or shape, and needs nothing else that is computed.
static bool isMove(Operation *op) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  if (!fusion || op->getNumResults() != 1 || op->getNumOperands() == 0)
    return false;
  FusionClass own = fusion.getFusionClass();
  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType()),
       to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  bool areAll = from && to && from.hasStaticShape() && to.hasStaticShape() &&
                from.getNumElements() == to.getNumElements();
  return areAll &&
         (own == FusionClass::View || own == FusionClass::Transform) &&
         llvm::all_of(op->getOperands().drop_front(), [](Value operand) {
           return operand.getDefiningOp<ConstantOp>();
         });
}

namespace {
/// The moves behind what a kernel computes, the last one first.
struct Moves {
  GroupOp kernel;
  SmallVector<Operation *> ops;

  Value getSource() const { return ops.back()->getOperand(0); }
};
} // namespace

static std::optional<Moves> findMoves(Value input, GroupOp user) {
  Moves moves;
  moves.kernel = input.getDefiningOp<GroupOp>();
  bool isOwn = moves.kernel && moves.kernel->getBlock() == user->getBlock() &&
               moves.kernel->getNumResults() == 1 &&
               getKind(moves.kernel) == GroupKind::Kernel &&
               llvm::all_of(input.getUsers(), [&](Operation *own) {
                 return user->isProperAncestor(own);
               });
  if (!isOwn)
    return std::nullopt;
  Operation *op = moves.kernel.getYielded().front().getDefiningOp();
  while (op && op->getParentOp() == moves.kernel && isMove(op) &&
         op->hasOneUse()) {
    moves.ops.push_back(op);
    op = op->getOperand(0).getDefiningOp();
  }
  // A kernel of nothing but moves would be left without any operator.
  if (moves.ops.empty() || !op || op->getParentOp() != moves.kernel)
    return std::nullopt;
  return moves;
}

static GroupOp copyWithoutMoves(const Moves &moves) {
  GroupOp kernel = moves.kernel;
  Type type = moves.getSource().getType();
  OpBuilder builder(kernel);
  IRMapping mapping;
  auto copy = cast<GroupOp>(builder.clone(*kernel, mapping));
  copy->getResult(0).setType(type);
  Operation *yield = copy.getBody().front().getTerminator();
  yield->setOperand(0, mapping.lookup(moves.getSource()));
  for (Operation *op : moves.ops)
    mapping.lookup(op)->erase();
  setKernel(copy);
  return copy;
}

/// A copy of `group` that reads `source` and moves it itself.
static GroupOp copyWithMoves(GroupOp group, const Moves &moves, Value source) {
  OpBuilder builder(group);
  auto copy = cast<GroupOp>(builder.clone(*group));
  builder.setInsertionPointToStart(&copy.getBody().front());
  IRMapping mapping;
  mapping.map(moves.getSource(), source);
  for (Operation *op : llvm::reverse(moves.ops))
    builder.clone(*op, mapping);
  Value moved = mapping.lookup(moves.ops.front()->getResult(0));
  moves.kernel->getResult(0).replaceUsesWithIf(moved, [&](OpOperand &use) {
    return copy->isProperAncestor(use.getOwner());
  });
  setKernel(copy);
  return copy;
}

/// The group that has taken over the moves in front of one of its inputs; null
/// where that cannot be.
static GroupOp pullFrom(Value input, GroupOp group, const CodeTarget &target) {
  std::optional<Moves> moves = findMoves(input, group);
  if (!moves)
    return {};
  GroupOp kernel = copyWithoutMoves(*moves);
  GroupOp copy = copyWithMoves(group, *moves, kernel->getResult(0));
  group->replaceAllUsesWith(copy);
  if (hasKernelCode(kernel, target) && hasKernelCode(copy, target)) {
    group->erase();
    moves->kernel->erase();
    return copy;
  }
  copy->replaceAllUsesWith(group);
  copy->erase();
  kernel->erase();
  return {};
}

void inlay::pullMoves(GroupOp group, const CodeTarget &target) {
  for (Value input : group.getInputs())
    if (GroupOp pulled = pullFrom(input, group, target))
      group = pulled;
}
