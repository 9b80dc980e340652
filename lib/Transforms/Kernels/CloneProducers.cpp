//===- CloneProducers.cpp - Copies of cheap operators ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CloneProducers.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/FusionFacts.h"
#include "inlay/IR/InlayOps.h"
#include "llvm/ADT/SetVector.h"
#include <map>

using namespace inlay;
using namespace mlir;

/// Users that get a copy; beyond that code would grow without need.
static constexpr unsigned maxUsers = 8;
/// How many times smaller the inputs must be than the result.
static constexpr uint64_t minShrink = 2;

static bool isCheap(Operation *op) {
  FusionClass kind = getFusionClass(op);
  return (kind == FusionClass::Elementwise || kind == FusionClass::Broadcast) &&
         op->getNumResults() == 1 && op->getNumRegions() == 0 && isPure(op);
}

/// Whether the operator stands beside what it expands to.
static bool isExpanded(Operation *op) {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    auto expanded = dyn_cast<ExpandedOp>(user);
    return expanded && llvm::any_of(expanded.getComposite(), [&](Value value) {
             return value.getDefiningOp() == op;
           });
  });
}

/// Whether a copy per user reads less than the result is read.
static bool shrinks(Operation *op) {
  std::optional<uint64_t> out = getByteSize(op->getResult(0).getType());
  if (!out)
    return false;
  uint64_t in = 0;
  for (Value operand : op->getOperands()) {
    if (getConstantValue(operand))
      continue;
    std::optional<uint64_t> bytes = getByteSize(operand.getType());
    if (!bytes)
      return false;
    in += *bytes;
  }
  return in * minShrink <= *out;
}

Clones inlay::cloneProducers(Block &block) {
  Clones clones;
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    if (isCheap(&op) && shrinks(&op))
      ops.push_back(&op);
  for (Operation *op : ops) {
    llvm::SetVector<Operation *> users;
    for (Operation *user : op->getResult(0).getUsers())
      if (user->getBlock() == &block &&
          getFusionClass(user) != FusionClass::Opaque)
        users.insert(user);
    // A composite operator stands beside its basic ones until kernels are
    // planned, and both read the same value; one of the two will go. To count
    // them as two users would make a copy for one that is not there.
    bool isReadTwice = llvm::any_of(op->getResult(0).getUsers(), isExpanded);
    if (op->hasOneUse() || users.empty() || users.size() > maxUsers ||
        isReadTwice)
      continue;
    // In the order of the block, whatever the order of uses.
    SmallVector<Operation *> sorted = users.takeVector();
    llvm::sort(sorted, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    // The original stays with the first user, and every other one gets a copy.
    // If something that gets none (an opaque operator, another block) reads
    // the original, it stays for that, and the first user gets a copy, too.
    bool isKept =
        llvm::any_of(op->getResult(0).getUsers(), [&](Operation *user) {
          return !llvm::is_contained(sorted, user);
        });
    SmallVector<Operation *> family = {op};
    for (Operation *user : llvm::drop_begin(sorted, isKept ? 0 : 1)) {
      OpBuilder builder(op);
      builder.setInsertionPointAfter(op);
      Operation *copy = builder.clone(*op);
      user->replaceUsesOfWith(op->getResult(0), copy->getResult(0));
      family.push_back(copy);
    }
    clones.push_back(std::move(family));
  }
  return clones;
}

unsigned inlay::mergeClones(const Clones &clones,
                            MutableArrayRef<SmallVector<Operation *>> kernels) {
  // Of each operator, its kernel from 1 and its place there.
  llvm::DenseMap<Operation *, std::pair<unsigned, unsigned>> places;
  for (auto [number, ops] : llvm::enumerate(kernels))
    for (auto [place, op] : llvm::enumerate(ops))
      places[op] = {unsigned(number) + 1, unsigned(place)};
  llvm::DenseSet<Operation *> erased;
  unsigned numCopies = 0;
  for (ArrayRef<Operation *> family : clones) {
    // What comes first in a kernel serves the users of all others in it; of
    // those alone it is the original where that is one of them.
    std::map<unsigned, Operation *> first;
    for (Operation *op : family) {
      auto [kernel, place] = places.lookup(op);
      auto [it, isNew] = first.try_emplace(kernel, op);
      if (isNew)
        continue;
      Operation *other = it->second;
      if (kernel != 0 && place < places.lookup(other).second)
        std::swap(op, it->second);
      else
        other = op;
      other->replaceAllUsesWith(it->second);
      erased.insert(other);
    }
    numCopies += first.size() - 1;
  }
  for (SmallVector<Operation *> &ops : kernels)
    llvm::erase_if(ops, [&](Operation *op) { return erased.contains(op); });
  for (Operation *op : erased)
    op->erase();
  return numCopies;
}
