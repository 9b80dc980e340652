//===- BranchAndBound.cpp - Search with a lower bound ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lower bound is an elimination in which a sum that would need too large a
// table is cut into groups, each of which chooses the state of the variable for
// itself (mini-buckets). Searching the variables in reverse, the tables bound
// what the variables still to come cost: where v is next,
//
//   bound(v = s) = bound - tables made when v was eliminated
//                + everything that was summed up for v, in state s
//
// and once all variables have states the bound is the cost.
//
//===----------------------------------------------------------------------===//

#include "BranchAndBound.h"
#include "Elimination.h"
#include "Tables.h"
#include "inlay/Support/Cancellation.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

namespace inlay {
namespace {

/// The tables of the lower bound.
class MiniBuckets {
public:
  MiniBuckets(const CostTerms &terms, llvm::ArrayRef<VarId> order,
              uint64_t maxEntries);

  /// The least that any assignment costs.
  Weight getBound() const { return bound; }
  size_t getNumTables(VarId var) const { return summed[var].size(); }
  /// What state `state` of `var` adds to the bound where the variables behind
  /// it in the order have the states given; `states` is changed at `var`.
  Weight getCost(VarId var, StateId state, std::vector<StateId> &states) const;
  /// What the bound already contains for `var`.
  Weight getMade(VarId var, llvm::ArrayRef<StateId> states) const;

private:
  using Group = llvm::SmallVector<const CostTable *>;

  void eliminate(VarId var);
  llvm::SmallVector<Group> split(VarId var);
  bool fits(VarId var, const Group &group);

  const CostTerms &terms;
  BucketOrder buckets;
  TableMinimizer minimizer;
  uint64_t maxEntries;
  Weight bound;
  /// All tables; a deque, since others point to them.
  std::deque<CostTable> tables;
  /// Of each variable: what is summed up for it, and what comes of it.
  std::vector<llvm::SmallVector<const CostTable *, 2>> summed;
  std::vector<llvm::SmallVector<const CostTable *, 1>> made;
};

MiniBuckets::MiniBuckets(const CostTerms &terms, llvm::ArrayRef<VarId> order,
                         uint64_t maxEntries)
    : terms(terms), buckets(terms, order), minimizer(terms),
      maxEntries(maxEntries), bound(terms.getConstant()),
      summed(terms.getNumVariables()), made(terms.getNumVariables()) {
  for (VarId var : order)
    eliminate(var);
}

bool MiniBuckets::fits(VarId var, const Group &group) {
  llvm::SmallVector<VarId> scope;
  minimizer.joinScopes(var, group, scope);
  uint64_t numEntries = 1;
  for (VarId other : scope) {
    numEntries *= terms.getNumStates(other);
    if (numEntries > maxEntries)
      return false;
  }
  return true;
}

/// Puts each table into the first group with room for it, large ones first.
llvm::SmallVector<MiniBuckets::Group> MiniBuckets::split(VarId var) {
  llvm::SmallVector<std::pair<size_t, size_t>> sorted;
  for (auto [index, table] : llvm::enumerate(summed[var]))
    sorted.push_back({~table->scope.size(), index});
  llvm::sort(sorted);
  llvm::SmallVector<Group> groups(1);
  for (auto [order, index] : sorted) {
    const CostTable *table = summed[var][index];
    bool placed = false;
    for (Group &group : groups) {
      group.push_back(table);
      placed = group.size() == 1 || fits(var, group);
      if (placed)
        break;
      group.pop_back();
    }
    if (!placed)
      groups.push_back({table});
  }
  return groups;
}

void MiniBuckets::eliminate(VarId var) {
  for (uint32_t term : buckets.getTerms(var)) {
    tables.push_back(minimizer.getTable(terms.getTerm(term)));
    summed[var].push_back(&tables.back());
  }
  llvm::SmallVector<StateId> choices;
  bool withStateCosts = true;
  for (const Group &group : split(var)) {
    tables.push_back(minimizer.minimize(var, group, withStateCosts, choices));
    withStateCosts = false;
    const CostTable &result = tables.back();
    made[var].push_back(&result);
    if (result.scope.empty())
      bound += result.entries.front();
    else
      summed[buckets.getFirst(result.scope)].push_back(&result);
  }
}

Weight MiniBuckets::getCost(VarId var, StateId state,
                            std::vector<StateId> &states) const {
  states[var] = state;
  Weight cost = terms.getStateCost(var, state);
  for (const CostTable *table : summed[var])
    cost += lookUp(*table, terms, states);
  return cost;
}

Weight MiniBuckets::getMade(VarId var, llvm::ArrayRef<StateId> states) const {
  Weight cost = 0;
  for (const CostTable *table : made[var])
    cost += lookUp(*table, terms, states);
  return cost;
}

/// Depth first, the most promising state first.
class Search {
public:
  Search(const CostTerms &terms, llvm::ArrayRef<VarId> order,
         const SearchLimits &limits, SearchResult &result)
      : terms(terms), order(order), limits(limits),
        lower(terms, order, limits.maxEntries), result(result),
        states(terms.getNumVariables()) {}

  void run();

private:
  struct Choice {
    Weight bound;
    StateId state;
  };
  /// The states still to be tried of one variable, the best last.
  using Level = llvm::SmallVector<Choice, 4>;

  VarId getVar(size_t depth) const { return order[order.size() - 1 - depth]; }
  void descend(Weight bound);
  Weight getOpenBound() const;

  const CostTerms &terms;
  llvm::ArrayRef<VarId> order;
  const SearchLimits &limits;
  MiniBuckets lower;
  SearchResult &result;
  std::vector<StateId> states;
  std::vector<Level> levels;
};

/// Opens the level of the next variable; the states before have `bound`.
void Search::descend(Weight bound) {
  VarId var = getVar(levels.size());
  Weight rest = bound - lower.getMade(var, states);
  Level level;
  for (unsigned state = 0; state < terms.getNumStates(var); ++state)
    level.push_back({rest + lower.getCost(var, state, states),
                     static_cast<StateId>(state)});
  llvm::sort(level, [](const Choice &a, const Choice &b) {
    return std::pair(a.bound, a.state) > std::pair(b.bound, b.state);
  });
  levels.push_back(std::move(level));
}

/// The least that an assignment not looked at can cost.
Weight Search::getOpenBound() const {
  Weight bound = result.cost;
  for (const Level &level : levels)
    if (!level.empty())
      bound = std::min(bound, level.back().bound);
  return bound;
}

void Search::run() {
  uint64_t numNodes = 0;
  result.bound = std::min(lower.getBound(), result.cost);
  if (!isCheaper(result.bound, result.cost)) {
    result.bound = result.cost;
    return;
  }
  descend(lower.getBound());
  while (!levels.empty() && numNodes < limits.maxNodes && !isCancelled()) {
    Level &level = levels.back();
    // To prove that no plan of this cost is less awkward is not worth the time.
    if (level.empty() || !isCheaper(level.back().bound, result.cost)) {
      levels.pop_back();
      continue;
    }
    Choice choice = level.pop_back_val();
    // What a node takes goes with the tables it looks at.
    numNodes += 1 + lower.getNumTables(getVar(levels.size() - 1)) / 8;
    states[getVar(levels.size() - 1)] = choice.state;
    if (levels.size() < order.size()) {
      descend(choice.bound);
      continue;
    }
    result.cost = choice.bound;
    result.states = states;
  }
  result.bound = std::max(result.bound, getOpenBound());
}

} // namespace

SearchResult branchAndBound(const CostTerms &terms, llvm::ArrayRef<VarId> order,
                            std::vector<StateId> start,
                            const SearchLimits &limits) {
  SearchResult result{std::move(start), 0, 0};
  result.cost = terms.evaluate(result.states);
  Search(terms, order, limits, result).run();
  return result;
}

} // namespace inlay
