//===- EliminationPlan.cpp - Which variable goes when ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Eliminating a variable joins the scopes of all factors it is in to one. Only
// scopes are looked at here, no tables. The next variable comes from buckets
// by size of its table, first in, first out.
//
//===----------------------------------------------------------------------===//

#include "EliminationPlan.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace inlay {
namespace {

/// Variables by the logarithm of a size. Entries that are out of date stay
/// until they come up.
class SizeQueue {
public:
  static constexpr unsigned numSizes = 160;

  void push(VarId var, unsigned size) {
    size = std::min(size, numSizes - 1);
    buckets[size].push_back(var);
    least = std::min(least, size);
  }

  /// Takes a variable of the least size there is, and says with which size it
  /// was pushed; sizes beyond the last are one. Returns false at the end.
  bool pop(VarId &var, unsigned &size) {
    for (; least < numSizes; ++least) {
      std::vector<VarId> &bucket = buckets[least];
      if (heads[least] < bucket.size()) {
        size = least;
        var = bucket[heads[least]++];
        return true;
      }
      bucket.clear();
      heads[least] = 0;
    }
    return false;
  }

private:
  std::vector<VarId> buckets[numSizes];
  size_t heads[numSizes] = {};
  unsigned least = numSizes;
};

class Planner {
public:
  Planner(const CostTerms &terms, uint64_t maxEntries,
          llvm::ArrayRef<VarId> keepFirst);

  EliminationPlan run(size_t numKept);

private:
  // Beyond this many factors the size of a table is only estimated: such a
  // variable is not next, and to look at all its factors each time one of them
  // changes takes too long.
  static constexpr unsigned manyFactors = 16;

  /// The logarithm of the number of states, to base two, in quarters.
  unsigned getLogSize(VarId var) const {
    return logSizes[terms.getNumStates(var)];
  }
  llvm::ArrayRef<VarId> getScope(uint32_t factor) const {
    return {scopes.data() + firstScope[factor],
            scopes.data() + firstScope[factor + 1]};
  }
  void addFactor(llvm::ArrayRef<VarId> scope);
  void removeFactor(uint32_t factor);
  void dropRemoved(VarId var);
  unsigned computeSize(VarId var);
  void setSize(VarId var, unsigned size);
  void updateSizes(llvm::ArrayRef<VarId> vars, unsigned gone, unsigned come);
  void joinScopes(VarId var);
  void eliminate(VarId var);
  void keep(VarId var);
  bool keepNext();

  const CostTerms &terms;
  uint64_t maxEntries;
  llvm::ArrayRef<VarId> keepFirst;
  size_t nextToKeep = 0;
  unsigned logSizes[maxStates + 1];
  EliminationPlan plan;

  std::vector<uint32_t> firstScope = {0};
  std::vector<VarId> scopes;
  std::vector<bool> isRemoved;
  /// Of each variable: its factors, removed ones among them, and how many are
  /// not removed.
  std::vector<llvm::SmallVector<uint32_t, 4>> factorsOf;
  std::vector<uint32_t> numFactors;
  /// The logarithm of the table of each, and that it is in the queue.
  std::vector<uint32_t> sizeOf;
  std::vector<bool> isDone;
  SizeQueue queue;

  /// The neighbours of the variable looked at, and who was seen for whom.
  llvm::SmallVector<VarId> joined;
  std::vector<uint32_t> seenIn;
  uint32_t numSearches = 0;
};

Planner::Planner(const CostTerms &terms, uint64_t maxEntries,
                 llvm::ArrayRef<VarId> keepFirst)
    : terms(terms), maxEntries(maxEntries), keepFirst(keepFirst),
      factorsOf(terms.getNumVariables()), numFactors(terms.getNumVariables()),
      sizeOf(terms.getNumVariables()), isDone(terms.getNumVariables()),
      seenIn(terms.getNumVariables()) {
  for (unsigned numStates = 1; numStates <= maxStates; ++numStates)
    logSizes[numStates] =
        static_cast<unsigned>(std::lround(4 * std::log2(numStates)));
  llvm::SmallVector<VarId> scope, last;
  for (unsigned index = 0; index < terms.getNumTerms(); ++index) {
    terms.getScope(terms.getTerm(index), scope);
    // The labels of a net often have the same scope.
    if (scope != last)
      addFactor(scope);
    last = scope;
  }
  for (VarId var = 0; var < terms.getNumVariables(); ++var) {
    sizeOf[var] = computeSize(var);
    queue.push(var, sizeOf[var]);
  }
}

void Planner::addFactor(llvm::ArrayRef<VarId> scope) {
  uint32_t factor = isRemoved.size();
  scopes.insert(scopes.end(), scope.begin(), scope.end());
  firstScope.push_back(scopes.size());
  isRemoved.push_back(false);
  for (VarId var : scope) {
    factorsOf[var].push_back(factor);
    ++numFactors[var];
  }
}

void Planner::removeFactor(uint32_t factor) {
  isRemoved[factor] = true;
  for (VarId var : getScope(factor))
    --numFactors[var];
}

void Planner::dropRemoved(VarId var) {
  if (factorsOf[var].size() > numFactors[var])
    llvm::erase_if(factorsOf[var],
                   [&](uint32_t factor) { return isRemoved[factor]; });
}

/// Finds the neighbours of `var` that are still there.
void Planner::joinScopes(VarId var) {
  dropRemoved(var);
  joined.clear();
  seenIn[var] = ++numSearches;
  for (uint32_t factor : factorsOf[var]) {
    for (VarId other : getScope(factor)) {
      if (seenIn[other] == numSearches || isDone[other])
        continue;
      seenIn[other] = numSearches;
      joined.push_back(other);
    }
  }
}

unsigned Planner::computeSize(VarId var) {
  joinScopes(var);
  unsigned size = 0;
  for (VarId other : joined)
    size += getLogSize(other);
  return size;
}

void Planner::setSize(VarId var, unsigned size) {
  if (size == sizeOf[var])
    return;
  sizeOf[var] = size;
  queue.push(var, size);
}

/// Updates the sizes of neighbours of a variable that is not there any more.
/// `gone` is the logarithm of its states, and `come` that of a table that has
/// joined them all; from these an upper bound follows where the exact number
/// would take too long.
void Planner::updateSizes(llvm::ArrayRef<VarId> vars, unsigned gone,
                          unsigned come) {
  for (VarId var : vars) {
    if (numFactors[var] <= manyFactors) {
      setSize(var, computeSize(var));
      continue;
    }
    unsigned own = std::min(getLogSize(var), come);
    setSize(var, sizeOf[var] - std::min(gone, sizeOf[var]) + come - own);
  }
}

void Planner::eliminate(VarId var) {
  uint64_t numEntries = terms.getNumStates(var);
  unsigned sizeOfJoined = 0;
  for (VarId other : joined) {
    numEntries *= terms.getNumStates(other);
    sizeOfJoined += getLogSize(other);
  }
  plan.numEntries += numEntries;
  plan.numSteps += numEntries * (1 + factorsOf[var].size());
  plan.width = std::max<unsigned>(plan.width, joined.size());
  plan.order.push_back(var);
  isDone[var] = true;
  for (uint32_t factor : factorsOf[var])
    removeFactor(factor);
  llvm::SmallVector<VarId> scope(joined);
  if (!scope.empty())
    addFactor(scope);
  updateSizes(scope, getLogSize(var), sizeOfJoined);
}

void Planner::keep(VarId var) {
  plan.kept.push_back(var);
  joinScopes(var);
  isDone[var] = true;
  llvm::SmallVector<VarId> neighbours(joined);
  updateSizes(neighbours, getLogSize(var), 0);
}

/// Keeps the next of `keepFirst`; returns false where none is left.
bool Planner::keepNext() {
  while (nextToKeep < keepFirst.size()) {
    VarId var = keepFirst[nextToKeep++];
    if (isDone[var])
      continue;
    keep(var);
    return true;
  }
  return false;
}

EliminationPlan Planner::run(size_t numKept) {
  for (size_t i = 0; i < numKept; ++i)
    keepNext();
  VarId var;
  unsigned size;
  while (queue.pop(var, size)) {
    if (isDone[var] || size != std::min(sizeOf[var], SizeQueue::numSizes - 1))
      continue;
    joinScopes(var);
    uint64_t numEntries = 1;
    for (VarId other : joined) {
      numEntries *= terms.getNumStates(other);
      if (numEntries > maxEntries)
        break;
    }
    if (numEntries <= maxEntries) {
      eliminate(var);
      continue;
    }
    queue.push(var, sizeOf[var]);
    if (!keepNext())
      break;
  }
  for (VarId left = 0; left < isDone.size(); ++left)
    if (!isDone[left])
      plan.kept.push_back(left);
  return std::move(plan);
}

} // namespace

EliminationPlan planElimination(const CostTerms &terms, uint64_t maxEntries,
                                llvm::ArrayRef<VarId> keepFirst,
                                size_t numKept) {
  return Planner(terms, maxEntries, keepFirst).run(numKept);
}

} // namespace inlay
