//===- CostTerms.h - Costs as a sum of terms --------------------*- C++ -*-===//
//-*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the solver works on. A net of a layout problem is one term for each of
// its labels: the copy in this label costs when some user is in a state that
// needs the label and the producer is in no state that provides it.
//
//   cost * [some user: state in needs] * [producer: state not in provides]
//
// Where the cost depends on what the copy is made from, the label has a term
// for each step from one cost to the next: producers in states of costs 2, 5
// and 9 pay 2 together, 3 more unless they are in the first, and 4 more in the
// last. So everything that is true of terms is true of costs by pairs.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_LAYOUTASSIGN_COSTTERMS_H
#define INLAY_LIB_LAYOUTASSIGN_COSTTERMS_H

#include "Weight.h"
#include "inlay/LayoutAssign/LayoutProblem.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace inlay {

/// A set of states of one variable.
using StateMask = uint64_t;

inline StateMask getAllStates(unsigned numStates) {
  return ~StateMask(0) >> (64 - numStates);
}
inline bool contains(StateMask mask, StateId state) {
  return mask >> state & 1;
}

struct TermUser {
  VarId var;
  /// Neither empty nor all states.
  StateMask needs;
};

struct Term {
  Weight cost;
  /// Neither empty nor all states, unless there is no producer.
  StateMask provides;
  VarId producer;
  uint32_t firstUser;
  uint32_t endUser;
  /// Of the same copy as the term before.
  bool continues;
};

/// A sum of a constant, a cost per state, and terms of two variables or more.
class CostTerms {
public:
  static constexpr VarId noVar = ~0u;

  VarId addVariable(unsigned numStates);
  void addConstant(Weight cost) { constant += cost; }
  void addStateCost(VarId var, StateId state, Weight cost) {
    stateCosts[firstState[var] + state] += cost;
  }
  /// Adds a term, as a simpler one or as a cost per state where it is one.
  /// `users` are ordered by variable, each once; they are changed.
  void addTerm(Weight cost, VarId producer, StateMask provides,
               llvm::SmallVectorImpl<TermUser> &users, bool continues = false);
  /// Finds the terms of each variable; call it when all terms are there.
  void buildIndex();

  unsigned getNumVariables() const { return firstState.size() - 1; }
  unsigned getNumTerms() const { return terms.size(); }
  unsigned getNumStates(VarId var) const {
    return firstState[var + 1] - firstState[var];
  }
  Weight getConstant() const { return constant; }
  Weight getStateCost(VarId var, StateId state) const {
    return stateCosts[firstState[var] + state];
  }
  const Term &getTerm(unsigned term) const { return terms[term]; }
  llvm::ArrayRef<TermUser> getUsers(const Term &term) const {
    return {users.data() + term.firstUser, users.data() + term.endUser};
  }
  /// What `var` as a user of `term` needs; nothing if it is none.
  StateMask getNeeds(const Term &term, VarId var) const;
  StateMask getProvides(const Term &term, VarId var) const {
    return term.producer == var ? term.provides : 0;
  }
  /// The variables of a term, each once.
  void getScope(const Term &term, llvm::SmallVectorImpl<VarId> &scope) const;
  llvm::ArrayRef<uint32_t> getTermsOf(VarId var) const {
    return {varTerms.data() + firstVarTerm[var],
            varTerms.data() + firstVarTerm[var + 1]};
  }

  Weight evaluate(llvm::ArrayRef<StateId> states) const;

private:
  Weight constant = 0;
  std::vector<uint32_t> firstState = {0};
  std::vector<Weight> stateCosts;
  std::vector<Term> terms;
  std::vector<TermUser> users;
  std::vector<uint32_t> firstVarTerm;
  std::vector<uint32_t> varTerms;
};

/// The terms of a whole problem; variables and states keep their numbers.
CostTerms buildCostTerms(const LayoutProblem &problem);

/// The same least cost with no term of more than `maxScope` variables. A larger
/// term, or all that are of one copy and its users, gets a variable of its own,
/// behind the others, that says whether the copy is made: a user that needs it
/// pays where it is not made, and making it costs where the producer does not
/// provide it.
CostTerms splitLargeTerms(const CostTerms &terms, unsigned maxScope);
bool hasLargeTerms(const CostTerms &terms, unsigned maxScope);

/// What is left of `terms` when all variables but `free` are in the states
/// given; variable i of the result is free[i].
CostTerms fixVariables(const CostTerms &terms, llvm::ArrayRef<VarId> free,
                       llvm::ArrayRef<StateId> states);

} // namespace inlay

#endif // INLAY_LIB_LAYOUTASSIGN_COSTTERMS_H
