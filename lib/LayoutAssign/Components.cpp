//===- Components.cpp - Parts that depend on each other -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Components.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

namespace inlay {

StateId getNthState(StateMask mask, unsigned index) {
  for (StateId state = 0;; ++state)
    if (contains(mask, state) && index-- == 0)
      return state;
}

Components::Components(const CostTerms &terms, const Presolved &presolved,
                       bool keepDecided)
    : terms(terms), presolved(presolved), keepDecided(keepDecided),
      firstState(terms.getNumVariables() + 1) {
  for (VarId var = 0; var < terms.getNumVariables(); ++var)
    firstState[var + 1] = firstState[var] + terms.getNumStates(var);
  groupVariables(findClasses());
  groupTerms();
}

static uint32_t findRoot(std::vector<uint32_t> &parent, uint32_t node) {
  while (parent[node] != node)
    node = parent[node] = parent[parent[node]];
  return node;
}

/// The smallest variable that each variable is connected with.
std::vector<uint32_t> Components::findClasses() const {
  std::vector<uint32_t> parent(terms.getNumVariables());
  std::iota(parent.begin(), parent.end(), 0);
  llvm::SmallVector<VarId> scope;
  for (unsigned index = 0; index < terms.getNumTerms(); ++index) {
    if (presolved.isSettled[index])
      continue;
    terms.getScope(terms.getTerm(index), scope);
    uint32_t joined = CostTerms::noVar;
    for (VarId var : scope) {
      if (!keepDecided && presolved.isDecided(var))
        continue;
      uint32_t root = findRoot(parent, var);
      if (joined == CostTerms::noVar)
        joined = root;
      parent[std::max(joined, root)] = std::min(joined, root);
      joined = std::min(joined, root);
    }
  }
  for (VarId var = 0; var < parent.size(); ++var)
    parent[var] = findRoot(parent, var);
  return parent;
}

void Components::groupVariables(llvm::ArrayRef<uint32_t> classOf) {
  unsigned numVars = terms.getNumVariables();
  component.assign(numVars, CostTerms::noVar);
  localVar.assign(numVars, CostTerms::noVar);
  std::vector<uint32_t> sizes;
  for (VarId var = 0; var < numVars; ++var) {
    if (!keepDecided && presolved.isDecided(var))
      continue;
    // The first variable of a class comes before all others.
    if (classOf[var] == var) {
      component[var] = sizes.size();
      sizes.push_back(0);
    }
    component[var] = component[classOf[var]];
    localVar[var] = sizes[component[var]]++;
  }
  firstVar.assign(1, 0);
  for (uint32_t size : sizes)
    firstVar.push_back(firstVar.back() + size);
  vars.resize(firstVar.back());
  for (VarId var = 0; var < numVars; ++var)
    if (component[var] != CostTerms::noVar)
      vars[firstVar[component[var]] + localVar[var]] = var;
}

void Components::groupTerms() {
  // A term that is not settled has a user that is not decided.
  std::vector<uint32_t> componentOf(terms.getNumTerms(), CostTerms::noVar);
  firstTerm.assign(size() + 1, 0);
  for (unsigned index = 0; index < terms.getNumTerms(); ++index) {
    if (presolved.isSettled[index])
      continue;
    for (const TermUser &user : terms.getUsers(terms.getTerm(index)))
      if (component[user.var] != CostTerms::noVar)
        componentOf[index] = component[user.var];
    ++firstTerm[componentOf[index] + 1];
  }
  for (unsigned index = 0; index < size(); ++index)
    firstTerm[index + 1] += firstTerm[index];
  termsOf.resize(firstTerm.back());
  std::vector<uint32_t> next(firstTerm.begin(), firstTerm.end() - 1);
  for (unsigned index = 0; index < terms.getNumTerms(); ++index)
    if (!presolved.isSettled[index])
      termsOf[next[componentOf[index]]++] = index;
}

/// The states of `mask` that are alive, as numbers among those alive.
StateMask Components::renumber(VarId var, StateMask mask) const {
  StateMask alive = presolved.alive[var], result = 0;
  unsigned number = 0;
  for (unsigned state = 0; state < terms.getNumStates(var); ++state) {
    if (!contains(alive, state))
      continue;
    result |= StateMask(contains(mask, state)) << number++;
  }
  return result;
}

void Components::extractTerm(const Term &term, CostTerms &result) const {
  llvm::SmallVector<TermUser, 4> users;
  for (const TermUser &user : terms.getUsers(term))
    if (component[user.var] != CostTerms::noVar)
      users.push_back({localVar[user.var], renumber(user.var, user.needs)});
  VarId producer = term.producer;
  StateMask provides = 0;
  if (producer != CostTerms::noVar && component[producer] != CostTerms::noVar) {
    provides = renumber(producer, term.provides);
    producer = localVar[producer];
  }
  result.addTerm(term.cost, producer, provides, users, term.continues);
}

Component Components::extract(unsigned index) const {
  Component result;
  result.vars.assign(vars.begin() + firstVar[index],
                     vars.begin() + firstVar[index + 1]);
  for (VarId var : result.vars) {
    StateMask alive = presolved.alive[var];
    VarId local = result.terms.addVariable(llvm::popcount(alive));
    unsigned number = 0;
    for (unsigned state = 0; state < terms.getNumStates(var); ++state)
      if (contains(alive, state))
        result.terms.addStateCost(
            local, number++, presolved.stateCosts[firstState[var] + state]);
  }
  for (uint32_t i = firstTerm[index]; i < firstTerm[index + 1]; ++i)
    extractTerm(terms.getTerm(termsOf[i]), result.terms);
  result.terms.buildIndex();
  return result;
}

} // namespace inlay
