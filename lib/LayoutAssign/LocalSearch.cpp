//===- LocalSearch.cpp - Make an assignment cheaper -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalSearch.h"
#include "Elimination.h"
#include "EliminationPlan.h"
#include "inlay/Support/Cancellation.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <random>
#include <tuple>

namespace inlay {
namespace {

/// An assignment that knows how many users need each copy, so that the terms of
/// one variable say what changing it costs.
class TrackedStates {
public:
  TrackedStates(const CostTerms &terms, std::vector<StateId> &states)
      : terms(terms), states(states), numNeeding(terms.getNumTerms()) {
    for (unsigned index = 0; index < terms.getNumTerms(); ++index)
      for (const TermUser &user : terms.getUsers(terms.getTerm(index)))
        numNeeding[index] += contains(user.needs, states[user.var]);
  }

  /// What depends on `var` costs in each of its states.
  void getCosts(VarId var, llvm::SmallVectorImpl<Weight> &costs) const;
  void change(VarId var, StateId state);

private:
  const CostTerms &terms;
  std::vector<StateId> &states;
  std::vector<uint32_t> numNeeding;
};

void TrackedStates::getCosts(VarId var,
                             llvm::SmallVectorImpl<Weight> &costs) const {
  costs.clear();
  for (unsigned state = 0; state < terms.getNumStates(var); ++state)
    costs.push_back(terms.getStateCost(var, state));
  for (unsigned index : terms.getTermsOf(var)) {
    const Term &term = terms.getTerm(index);
    if (term.producer != CostTerms::noVar && term.producer != var &&
        contains(term.provides, states[term.producer]))
      continue;
    StateMask needs = terms.getNeeds(term, var);
    StateMask provides = terms.getProvides(term, var);
    if (numNeeding[index] > unsigned(contains(needs, states[var])))
      needs = ~StateMask(0);
    for (unsigned state = 0; state < costs.size(); ++state)
      if (contains(needs & ~provides, state))
        costs[state] += term.cost;
  }
}

void TrackedStates::change(VarId var, StateId state) {
  for (unsigned index : terms.getTermsOf(var)) {
    StateMask needs = terms.getNeeds(terms.getTerm(index), var);
    numNeeding[index] += contains(needs, state);
    numNeeding[index] -= contains(needs, states[var]);
  }
  states[var] = state;
}

} // namespace

void improveOneByOne(const CostTerms &terms, std::vector<StateId> &states,
                     unsigned maxPasses) {
  TrackedStates tracked(terms, states);
  llvm::SmallVector<Weight> costs;
  bool changed = true;
  for (unsigned pass = 0; changed && pass < maxPasses; ++pass) {
    changed = false;
    for (VarId var = 0; var < terms.getNumVariables(); ++var) {
      if (terms.getNumStates(var) == 1)
        continue;
      tracked.getCosts(var, costs);
      StateId best = llvm::min_element(costs) - costs.begin();
      if (best == states[var])
        continue;
      tracked.change(var, best);
      changed = true;
    }
  }
}

namespace {

/// Says which variables to keep in a round of elimination.
class KeepOrder {
public:
  explicit KeepOrder(const CostTerms &terms)
      : terms(terms), timesKept(terms.getNumVariables()),
        vars(terms.getNumVariables()) {
    std::iota(vars.begin(), vars.end(), 0);
  }

  /// First those that were kept least often, then those in most terms.
  llvm::ArrayRef<VarId> getRarelyKept() {
    llvm::sort(vars, [&](VarId a, VarId b) {
      size_t numTermsA = terms.getTermsOf(a).size();
      size_t numTermsB = terms.getTermsOf(b).size();
      return std::tuple(timesKept[a], numTermsB, a) <
             std::tuple(timesKept[b], numTermsA, b);
    });
    return vars;
  }

  /// Anyhow, but the same on every machine, which std::shuffle need not be.
  llvm::ArrayRef<VarId> getShuffled() {
    for (size_t i = vars.size(); i > 1; --i)
      std::swap(vars[i - 1], vars[random() % i]);
    return vars;
  }

  void noteKept(llvm::ArrayRef<VarId> kept) {
    for (VarId var : kept)
      ++timesKept[var];
  }

private:
  const CostTerms &terms;
  std::vector<uint32_t> timesKept;
  std::vector<VarId> vars;
  std::mt19937_64 random;
};

} // namespace

/// Solves for the variables of `order`, which are eliminated in this order; the
/// others keep their states.
static void solvePart(const CostTerms &terms, llvm::ArrayRef<VarId> order,
                      std::vector<StateId> &states) {
  CostTerms part = fixVariables(terms, order, states);
  std::vector<VarId> partOrder(part.getNumVariables());
  std::iota(partOrder.begin(), partOrder.end(), 0);
  std::vector<StateId> solved = eliminate(part, partOrder);
  for (auto [index, var] : llvm::enumerate(order))
    states[var] = solved[index];
}

void improveByElimination(const CostTerms &terms, std::vector<StateId> &states,
                          const LocalSearchLimits &limits) {
  constexpr unsigned maxVain = 16;
  // What every round takes, large tables or not.
  constexpr uint64_t stepsPerTerm = 64;
  KeepOrder keep(terms);
  unsigned numVain = 0;
  uint64_t numSteps = 0;
  Weight cost = terms.evaluate(states);
  for (unsigned round = 0; round < limits.maxRounds && numVain < maxVain &&
                           numSteps < limits.maxSteps && !isCancelled();
       ++round) {
    // Now and then some are kept whatever the tables: those that tables are too
    // large for tend to be the same ones again.
    EliminationPlan plan;
    if (round % 4 != 3) {
      plan = planElimination(terms, limits.maxEntries, keep.getRarelyKept());
      keep.noteKept(plan.kept);
    } else {
      plan = planElimination(terms, limits.maxEntries, keep.getShuffled(),
                             terms.getNumVariables() / 4);
    }
    numSteps += plan.numSteps + stepsPerTerm * terms.getNumTerms();
    solvePart(terms, plan.order, states);
    Weight improved = terms.evaluate(states);
    numVain = improved < cost ? 0 : numVain + 1;
    cost = improved;
  }
}

} // namespace inlay
