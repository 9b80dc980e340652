//===- Presolve.cpp - Decide what cannot matter ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A state s replaces a state t of a variable when no states of the others make
// s dearer than t. Term by term, with v the variable, the most that s costs
// more than t is
//
//   v uses, does not produce:  cost * (needs(s) - needs(t)), and at least 0
//                              where others may need or provide the copy
//   v produces:                the same without others, and where others may
//                              need the copy cost * (provides(t) - provides(s))
//
// Each removal can make another one possible, so variables are looked at again
// when a term of theirs changes in a way that matters: it has one user left
// that may need the copy, its producer cannot provide it any more, or it is
// settled. Each happens at most once to a term, which keeps the work linear.
//
//===----------------------------------------------------------------------===//

#include "Presolve.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

namespace inlay {
namespace {

class Presolver {
public:
  explicit Presolver(const CostTerms &terms)
      : terms(terms), result(skipPresolve(terms)),
        firstState(terms.getNumVariables() + 1),
        numPossible(terms.getNumTerms()), numVisits(terms.getNumVariables()),
        isQueued(terms.getNumVariables()) {
    for (VarId var = 0; var < terms.getNumVariables(); ++var)
      firstState[var + 1] = firstState[var] + terms.getNumStates(var);
    for (unsigned term = 0; term < terms.getNumTerms(); ++term)
      numPossible[term] = terms.getUsers(terms.getTerm(term)).size();
  }

  Presolved run() {
    for (VarId var = 0; var < terms.getNumVariables(); ++var)
      enqueue(var);
    for (size_t next = 0; next < queue.size(); ++next) {
      isQueued[queue[next]] = false;
      visit(queue[next]);
    }
    return std::move(result);
  }

private:
  // A variable with very many terms would otherwise be looked at too often.
  static constexpr unsigned maxVisits = 32;

  void enqueue(VarId var) {
    if (isQueued[var] || result.isDecided(var) || numVisits[var] == maxVisits)
      return;
    ++numVisits[var];
    isQueued[var] = true;
    queue.push_back(var);
  }

  void enqueueAllOf(const Term &term) {
    for (const TermUser &user : terms.getUsers(term))
      enqueue(user.var);
    if (term.producer != CostTerms::noVar)
      enqueue(term.producer);
  }

  void settle(unsigned index) {
    result.isSettled[index] = true;
    enqueueAllOf(terms.getTerm(index));
  }

  void visit(VarId var);
  void addWorstCase(unsigned index, VarId var);
  void shrink(VarId var, StateMask alive);
  void shrinkInTerm(unsigned index, VarId var, StateMask before);
  void payUnlessProvided(const Term &term);

  const CostTerms &terms;
  Presolved result;
  std::vector<uint32_t> firstState;
  /// How many users of each term may still need it.
  std::vector<uint32_t> numPossible;
  std::vector<uint8_t> numVisits;
  std::vector<bool> isQueued;
  std::vector<VarId> queue;
  /// The states of the variable looked at, and, for each pair of them, the
  /// most that the first costs more than the second.
  llvm::SmallVector<StateId> states;
  llvm::SmallVector<Weight> worst;
};

/// Adds to `worst` what the term makes a state dearer than another.
void Presolver::addWorstCase(unsigned index, VarId var) {
  const Term &term = terms.getTerm(index);
  StateMask needs = terms.getNeeds(term, var);
  StateMask provides = terms.getProvides(term, var);
  bool mayNeed = (result.alive[var] & needs) != 0;
  bool othersNeed = numPossible[index] > (mayNeed ? 1u : 0u);
  bool otherProvides = term.producer != CostTerms::noVar &&
                       term.producer != var &&
                       (result.alive[term.producer] & term.provides) != 0;
  if (!mayNeed && !(result.alive[var] & provides))
    return;
  size_t pair = 0;
  for (StateId s : states) {
    for (StateId t : states) {
      int more = int(contains(needs, s)) - int(contains(needs, t));
      if (othersNeed)
        more = std::max(more, int(contains(provides, t)) -
                                  int(contains(provides, s)));
      if (otherProvides)
        more = std::max(more, 0);
      worst[pair++] += more * term.cost;
    }
  }
}

void Presolver::visit(VarId var) {
  states.clear();
  for (unsigned state = 0; state < terms.getNumStates(var); ++state)
    if (contains(result.alive[var], state))
      states.push_back(state);
  size_t numStates = states.size();
  if (numStates == 1)
    return;
  worst.clear();
  const Weight *costs = &result.stateCosts[firstState[var]];
  for (StateId s : states)
    for (StateId t : states)
      worst.push_back(costs[s] - costs[t]);
  for (unsigned term : terms.getTermsOf(var))
    if (!result.isSettled[term])
      addWorstCase(term, var);
  // From the last on, so that of two equal states the first stays.
  StateMask alive = result.alive[var];
  for (size_t t = numStates; t-- > 0;)
    for (size_t s = 0; s < numStates; ++s)
      if (s != t && contains(alive, states[s]) &&
          worst[s * numStates + t] <= 0) {
        alive &= ~(StateMask(1) << states[t]);
        break;
      }
  if (alive != result.alive[var])
    shrink(var, alive);
}

void Presolver::shrink(VarId var, StateMask alive) {
  StateMask before = std::exchange(result.alive[var], alive);
  for (unsigned term : terms.getTermsOf(var))
    if (!result.isSettled[term])
      shrinkInTerm(term, var, before);
}

void Presolver::shrinkInTerm(unsigned index, VarId var, StateMask before) {
  const Term &term = terms.getTerm(index);
  StateMask alive = result.alive[var];
  if (term.producer == var && (before & term.provides)) {
    if ((alive & ~term.provides) == 0)
      return settle(index);
    if ((alive & term.provides) == 0)
      enqueueAllOf(term);
  }
  StateMask needs = terms.getNeeds(term, var);
  if ((before & needs) == 0)
    return;
  if ((alive & needs) == 0) {
    if (--numPossible[index] == 0)
      return settle(index);
    if (numPossible[index] == 1)
      enqueueAllOf(term);
  } else if ((alive & ~needs) == 0) {
    payUnlessProvided(term);
    settle(index);
  }
}

/// The copy is needed for certain: it is a cost of its producer's states.
void Presolver::payUnlessProvided(const Term &term) {
  if (term.producer == CostTerms::noVar) {
    result.constant += term.cost;
    return;
  }
  Weight *costs = &result.stateCosts[firstState[term.producer]];
  for (unsigned state = 0; state < terms.getNumStates(term.producer); ++state)
    if (!contains(term.provides, state))
      costs[state] += term.cost;
}

} // namespace

Presolved skipPresolve(const CostTerms &terms) {
  Presolved result;
  result.constant = terms.getConstant();
  for (VarId var = 0; var < terms.getNumVariables(); ++var) {
    result.alive.push_back(getAllStates(terms.getNumStates(var)));
    for (unsigned state = 0; state < terms.getNumStates(var); ++state)
      result.stateCosts.push_back(terms.getStateCost(var, state));
  }
  result.isSettled.resize(terms.getNumTerms());
  return result;
}

Presolved presolve(const CostTerms &terms) { return Presolver(terms).run(); }

} // namespace inlay
