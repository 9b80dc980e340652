//===- FoldPlan.cpp - Which values become constants -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldPlan.h"
#include "inlay/IR/Constants.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace inlay;
using namespace inlay::simplify;
using namespace mlir;

/// Bytes that a node takes in the file, at least.
static constexpr int64_t nodeBytes = 64;
/// Operations looked at to find what a constant makes superfluous.
static constexpr unsigned maxCone = 1024;

uint64_t simplify::estimateFileBytes(func::FuncOp function) {
  uint64_t total = 0;
  llvm::DenseSet<Attribute> seen;
  function.walk([&](Operation *op) {
    auto constant = dyn_cast<ConstantOp>(op);
    if (!constant)
      total += nodeBytes;
    else if (seen.insert(constant.getValue()).second)
      total += getByteSize(Attribute(constant.getValue()));
  });
  return total;
}

//===----------------------------------------------------------------------===//
// What is needed
//===----------------------------------------------------------------------===//

bool FoldPlan::isNeeded(Value value) const {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return !computable.contains(user) || kept.contains(user);
  });
}

bool FoldPlan::isAnyNeeded(Operation *op) const {
  return llvm::any_of(op->getResults(),
                      [&](Value result) { return isNeeded(result); });
}

/// Of all results that are used: one may be needed later than another.
int64_t FoldPlan::getCost(Operation *op) const {
  int64_t bytes = 0;
  for (Value result : op->getResults())
    if (!result.use_empty())
      bytes += computable.getBytes(result);
  return bytes;
}

void FoldPlan::choose(Operation *op, int64_t ownGrowth) {
  chosen.insert(op);
  heldBytes += getCost(op);
  growth -= ownGrowth;
  isSpent |= ownGrowth > 0;
}

//===----------------------------------------------------------------------===//
// Cones over the same weights
//===----------------------------------------------------------------------===//

namespace {
/// The weights behind every computable operation, as one of them that stands
/// for all that have an operation in common.
class SharedWeights {
public:
  explicit SharedWeights(const Computable &computable);

  Operation *lookup(Operation *op) const {
    Operation *own = behind.lookup(op);
    return own ? weights.getLeaderValue(own) : nullptr;
  }
  ArrayRef<Operation *> getWeights() const { return found.getArrayRef(); }

private:
  Operation *getWeight(Value operand);

  llvm::DenseMap<Operation *, Operation *> behind;
  llvm::EquivalenceClasses<Operation *> weights;
  llvm::SetVector<Operation *> found;
};
} // namespace

/// What everybody uses, a zero or an axis, says nothing about belonging.
Operation *SharedWeights::getWeight(Value operand) {
  auto constant = operand.getDefiningOp<ConstantOp>();
  if (!constant)
    return behind.lookup(operand.getDefiningOp());
  if (getByteSize(Attribute(constant.getValue())) <= maxInlineBytes)
    return nullptr;
  if (found.insert(constant))
    weights.insert(constant);
  return constant;
}

SharedWeights::SharedWeights(const Computable &computable) {
  for (Operation *op : computable.getOperations()) {
    // Extents need nothing of what they are computed from.
    if (op->getNumResults() == 1 && computable.lookup(op->getResult(0)))
      continue;
    Operation *own = nullptr;
    for (Value operand : op->getOperands()) {
      Operation *weight = getWeight(operand);
      if (own && weight)
        weights.unionSets(own, weight);
      own = own ? own : weight;
    }
    if (own)
      behind[op] = own;
  }
}

/// All roots over some weights, if the weights then go and are no smaller.
void FoldPlan::chooseTogether(ArrayRef<Operation *> roots) {
  SharedWeights shared(computable);
  struct Family {
    int64_t cost = 0, saved = 0;
    Operations roots;
  };
  llvm::MapVector<Operation *, Family> families;
  for (Operation *root : roots)
    if (Operation *weight = shared.lookup(root)) {
      families[weight].cost += getCost(root);
      families[weight].roots.push_back(root);
    }
  for (Operation *weight : shared.getWeights()) {
    auto goes = [&](Operation *user) { return computable.contains(user); };
    auto family = families.find(shared.lookup(*weight->user_begin()));
    if (family != families.end() && llvm::all_of(weight->getUsers(), goes))
      family->second.saved +=
          getByteSize(Attribute(cast<ConstantOp>(weight).getValue()));
  }
  for (auto &[weight, family] : families) {
    if (family.cost > family.saved || heldBytes + family.cost > maxLiveBytes)
      continue;
    for (Operation *root : family.roots)
      choose(root, 0);
    growth += family.saved - family.cost;
  }
}

//===----------------------------------------------------------------------===//
// Cones on their own
//===----------------------------------------------------------------------===//

FoldPlan::Candidate FoldPlan::judge(Operation *root) const {
  Candidate candidate{root, getCost(root), 0};
  SmallVector<Operation *> work = {root};
  llvm::DenseSet<Operation *> cone = {root};
  auto isInside = [&](Operation *user) { return cone.contains(user); };
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    ++candidate.nodes;
    candidate.growth -= nodeBytes;
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer || cone.contains(producer) || cone.size() >= maxCone ||
          !llvm::all_of(producer->getUsers(), isInside))
        continue;
      auto constant = dyn_cast<ConstantOp>(producer);
      if (constant)
        candidate.growth -= getByteSize(Attribute(constant.getValue()));
      else if (computable.contains(producer) && !chosen.contains(producer))
        work.push_back(producer);
      else
        continue;
      cone.insert(producer);
    }
  }
  return candidate;
}

bool FoldPlan::isAffordable(const Candidate &candidate) const {
  Operation *op = candidate.op;
  bool isExtent =
      op->getNumResults() == 1 && computable.lookup(op->getResult(0));
  if (isExtent)
    return true;
  if (heldBytes + getCost(op) > maxLiveBytes)
    return false;
  return candidate.growth <= 0 ||
         (candidate.growth <= growth && !computable.isDequantized(op));
}

/// Its operands are read from now on.
void FoldPlan::keep(Operation *op, llvm::SetVector<Operation *> &exposed) {
  kept.insert(op);
  for (Value operand : op->getOperands())
    if (Operation *producer = operand.getDefiningOp();
        producer && computable.contains(producer) &&
        !chosen.contains(producer) && !kept.contains(producer))
      exposed.insert(producer);
}

/// What pays for itself, then most nodes for a byte, then program order.
bool FoldPlan::isBetter(const Candidate &a, const Candidate &b) const {
  auto getPrice = [](const Candidate &candidate) {
    return candidate.growth <= 0
               ? 0
               : double(candidate.growth) / double(candidate.nodes);
  };
  return std::pair(getPrice(a), computable.getNumber(a.op)) <
         std::pair(getPrice(b), computable.getNumber(b.op));
}

void FoldPlan::chooseEach(Operations roots) {
  while (!roots.empty()) {
    SmallVector<Candidate, 0> candidates;
    for (Operation *root : roots)
      candidates.push_back(judge(root));
    llvm::sort(candidates, [&](const Candidate &a, const Candidate &b) {
      return isBetter(a, b);
    });
    llvm::SetVector<Operation *> exposed;
    for (const Candidate &candidate : candidates)
      if (isAffordable(candidate))
        choose(candidate.op, candidate.growth);
      else
        keep(candidate.op, exposed);
    roots.assign(exposed.begin(), exposed.end());
    llvm::erase_if(roots, [&](Operation *op) {
      return chosen.contains(op) || kept.contains(op);
    });
  }
}

FoldPlan::FoldPlan(const Computable &computable, int64_t growth)
    : computable(computable), growth(growth) {
  Operations roots;
  for (Operation *op : computable.getOperations())
    if (isAnyNeeded(op))
      roots.push_back(op);
  chooseTogether(roots);
  llvm::erase_if(roots, [&](Operation *op) { return chosen.contains(op); });
  chooseEach(std::move(roots));
}

SmallVector<Operation *, 0> FoldPlan::getChosen() const {
  Operations operations;
  for (Operation *op : computable.getOperations())
    if (chosen.contains(op))
      operations.push_back(op);
  return operations;
}
