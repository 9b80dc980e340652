//===- CostTerms.cpp - Costs as a sum of terms ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostTerms.h"
#include "llvm/ADT/STLExtras.h"

namespace inlay {

//===----------------------------------------------------------------------===//
// CostTerms
//===----------------------------------------------------------------------===//

VarId CostTerms::addVariable(unsigned numStates) {
  firstState.push_back(firstState.back() + numStates);
  stateCosts.resize(firstState.back());
  return getNumVariables() - 1;
}

void CostTerms::addTerm(Weight cost, VarId producer, StateMask provides,
                        llvm::SmallVectorImpl<TermUser> &needing,
                        bool continues) {
  if (cost == 0)
    return;
  if (provides == 0)
    producer = noVar;
  if (producer != noVar && provides == getAllStates(getNumStates(producer)))
    return;
  // Whether one of them needs it whatever its state.
  bool always = false;
  for (TermUser &user : needing) {
    always |= user.needs == getAllStates(getNumStates(user.var));
    if (user.var == producer)
      user.needs &= ~provides;
  }
  llvm::erase_if(needing, [](const TermUser &user) { return user.needs == 0; });
  if (needing.empty() && !always)
    return;
  if (always && producer == noVar) {
    constant += cost;
    return;
  }
  if (always) {
    for (unsigned state = 0; state < getNumStates(producer); ++state)
      if (!contains(provides, state))
        addStateCost(producer, state, cost);
    return;
  }
  const TermUser &first = needing.front();
  if (needing.size() == 1 && (producer == noVar || producer == first.var)) {
    for (unsigned state = 0; state < getNumStates(first.var); ++state)
      if (contains(first.needs, state))
        addStateCost(first.var, state, cost);
    return;
  }
  uint32_t firstUser = users.size();
  users.insert(users.end(), needing.begin(), needing.end());
  terms.push_back({cost, provides, producer, firstUser,
                   static_cast<uint32_t>(users.size()), continues});
}

void CostTerms::buildIndex() {
  firstVarTerm.assign(getNumVariables() + 1, 0);
  llvm::SmallVector<VarId> scope;
  for (const Term &term : terms) {
    getScope(term, scope);
    for (VarId var : scope)
      ++firstVarTerm[var + 1];
  }
  for (VarId var = 0; var < getNumVariables(); ++var)
    firstVarTerm[var + 1] += firstVarTerm[var];
  varTerms.resize(firstVarTerm.back());
  std::vector<uint32_t> next(firstVarTerm.begin(), firstVarTerm.end() - 1);
  for (uint32_t term = 0; term < terms.size(); ++term) {
    getScope(terms[term], scope);
    for (VarId var : scope)
      varTerms[next[var]++] = term;
  }
}

StateMask CostTerms::getNeeds(const Term &term, VarId var) const {
  llvm::ArrayRef<TermUser> all = getUsers(term);
  const TermUser *it = llvm::lower_bound(
      all, var, [](const TermUser &user, VarId v) { return user.var < v; });
  return it != all.end() && it->var == var ? it->needs : 0;
}

void CostTerms::getScope(const Term &term,
                         llvm::SmallVectorImpl<VarId> &scope) const {
  scope.clear();
  bool producerUses = term.producer == noVar;
  for (const TermUser &user : getUsers(term)) {
    scope.push_back(user.var);
    producerUses |= user.var == term.producer;
  }
  if (!producerUses)
    scope.push_back(term.producer);
}

Weight CostTerms::evaluate(llvm::ArrayRef<StateId> states) const {
  Weight total = constant;
  for (VarId var = 0; var < getNumVariables(); ++var)
    total += getStateCost(var, states[var]);
  for (const Term &term : terms) {
    if (term.producer != noVar &&
        contains(term.provides, states[term.producer]))
      continue;
    if (llvm::any_of(getUsers(term), [&](const TermUser &user) {
          return contains(user.needs, states[user.var]);
        }))
      total += term.cost;
  }
  return total;
}

//===----------------------------------------------------------------------===//
// From a layout problem
//===----------------------------------------------------------------------===//

/// The states of a port in which it means `label`; of a producer also those
/// in which it provides all.
static StateMask getStatesOf(const LayoutPort &port, LabelId label,
                             bool isProducer) {
  StateMask mask = 0;
  for (auto [state, has] : llvm::enumerate(port.labelOfState))
    if (has == label || (isProducer && has == anyLabel))
      mask |= StateMask(1) << state;
  return mask;
}

/// Adds the terms of a copy whose cost depends on the producer's state.
static void addSteps(const LayoutProblem &problem, NetId net, LabelId label,
                     llvm::ArrayRef<TermUser> users, CostTerms &terms) {
  LayoutPort producer = problem.getProducer(net);
  llvm::SmallVector<Weight> costs, steps;
  for (LabelId has : producer.labelOfState) {
    bool provides = has == label || has == anyLabel;
    costs.push_back(provides ? 0
                             : toWeight(problem.getCopyCost(net, has, label),
                                        problem.getObjective()));
  }
  steps = costs;
  llvm::sort(steps);
  steps.erase(llvm::unique(steps), steps.end());
  Weight before = 0;
  for (Weight step : steps) {
    StateMask below = 0;
    for (auto [state, cost] : llvm::enumerate(costs))
      below |= StateMask(cost < step) << state;
    llvm::SmallVector<TermUser, 4> needing(users);
    terms.addTerm(step - before, producer.var, below, needing,
                  /*continues=*/before != 0);
    before = step;
  }
}

static void addNet(const LayoutProblem &problem, NetId net, CostTerms &terms) {
  llvm::SmallVector<LayoutPort, 4> ports;
  problem.forEachUse(net,
                     [&](UseId use) { ports.push_back(problem.getUse(use)); });
  auto before = [](const LayoutPort &a, const LayoutPort &b) {
    return a.var < b.var;
  };
  llvm::sort(ports, before);
  LayoutPort producer = problem.getProducer(net);
  bool hasPairCosts = problem.hasPairCosts(net);
  llvm::SmallVector<TermUser, 4> users;
  for (unsigned label = 0; label < problem.getNumLabels(net); ++label) {
    users.clear();
    for (const LayoutPort &port : ports) {
      StateMask needs = getStatesOf(port, label, /*isProducer=*/false);
      if (!users.empty() && users.back().var == port.var)
        users.back().needs |= needs;
      else
        users.push_back({port.var, needs});
    }
    if (hasPairCosts) {
      addSteps(problem, net, label, users, terms);
      continue;
    }
    terms.addTerm(toWeight(problem.getCopyCost(net, anyLabel, label),
                           problem.getObjective()),
                  producer.var,
                  getStatesOf(producer, label, /*isProducer=*/true), users);
  }
}

CostTerms buildCostTerms(const LayoutProblem &problem) {
  CostTerms terms;
  for (VarId var = 0; var < problem.getNumVariables(); ++var) {
    terms.addVariable(problem.getNumStates(var));
    for (unsigned state = 0; state < problem.getNumStates(var); ++state)
      terms.addStateCost(
          var, state,
          toWeight(problem.getStateCost(var, state), problem.getObjective()) +
              (problem.isAwkward(var, state) ? awkwardWeight : Weight(0)));
  }
  for (NetId net = 0; net < problem.getNumNets(); ++net)
    addNet(problem, net, terms);
  terms.buildIndex();
  return terms;
}

//===----------------------------------------------------------------------===//
// Derived problems
//===----------------------------------------------------------------------===//

/// `copy` says whether the copy is made.
static void splitTerm(const CostTerms &from, const Term &term, VarId copy,
                      CostTerms &to) {
  constexpr StateMask made = 2;
  llvm::SmallVector<TermUser, 1> user;
  for (const TermUser &needing : from.getUsers(term)) {
    user.assign(1, needing);
    to.addTerm(term.cost, copy, made, user);
  }
  user.assign(1, {copy, made});
  to.addTerm(term.cost, term.producer, term.provides, user);
}

static void copyVariable(const CostTerms &from, VarId var, CostTerms &to) {
  VarId copy = to.addVariable(from.getNumStates(var));
  for (unsigned state = 0; state < from.getNumStates(var); ++state)
    to.addStateCost(copy, state, from.getStateCost(var, state));
}

bool hasLargeTerms(const CostTerms &terms, unsigned maxScope) {
  llvm::SmallVector<VarId> scope;
  for (unsigned index = 0; index < terms.getNumTerms(); ++index) {
    terms.getScope(terms.getTerm(index), scope);
    if (scope.size() > maxScope)
      return true;
  }
  return false;
}

static bool haveSameUsers(const CostTerms &terms, const Term &a,
                          const Term &b) {
  return llvm::equal(terms.getUsers(a), terms.getUsers(b),
                     [](const TermUser &x, const TermUser &y) {
                       return x.var == y.var && x.needs == y.needs;
                     });
}

CostTerms splitLargeTerms(const CostTerms &terms, unsigned maxScope) {
  CostTerms result;
  result.addConstant(terms.getConstant());
  for (VarId var = 0; var < terms.getNumVariables(); ++var)
    copyVariable(terms, var, result);
  llvm::SmallVector<VarId> scope;
  llvm::SmallVector<TermUser> users;
  const Term *last = nullptr;
  VarId copy = CostTerms::noVar;
  for (unsigned index = 0; index < terms.getNumTerms(); ++index) {
    const Term &term = terms.getTerm(index);
    terms.getScope(term, scope);
    if (scope.size() > maxScope) {
      if (!last || !term.continues || !haveSameUsers(terms, *last, term))
        copy = result.addVariable(2);
      splitTerm(terms, term, copy, result);
      last = &term;
      continue;
    }
    last = nullptr;
    llvm::ArrayRef<TermUser> all = terms.getUsers(term);
    users.assign(all.begin(), all.end());
    result.addTerm(term.cost, term.producer, term.provides, users,
                   term.continues);
  }
  result.buildIndex();
  return result;
}

CostTerms fixVariables(const CostTerms &terms, llvm::ArrayRef<VarId> free,
                       llvm::ArrayRef<StateId> states) {
  CostTerms result;
  result.addConstant(terms.getConstant());
  std::vector<VarId> newVar(terms.getNumVariables(), CostTerms::noVar);
  for (VarId var : free) {
    newVar[var] = result.getNumVariables();
    copyVariable(terms, var, result);
  }
  for (VarId var = 0; var < terms.getNumVariables(); ++var)
    if (newVar[var] == CostTerms::noVar)
      result.addConstant(terms.getStateCost(var, states[var]));
  // Stands for whatever is fixed: it always needs, and always provides.
  VarId fixed = result.addVariable(1);
  llvm::SmallVector<TermUser> users;
  for (unsigned index = 0; index < terms.getNumTerms(); ++index) {
    const Term &term = terms.getTerm(index);
    VarId producer = term.producer;
    StateMask provides = term.provides;
    if (producer != CostTerms::noVar && newVar[producer] != CostTerms::noVar) {
      producer = newVar[producer];
    } else if (producer != CostTerms::noVar) {
      provides = contains(provides, states[producer]);
      producer = fixed;
    }
    users.clear();
    bool always = false;
    for (const TermUser &user : terms.getUsers(term)) {
      if (newVar[user.var] != CostTerms::noVar)
        users.push_back({newVar[user.var], user.needs});
      else
        always |= contains(user.needs, states[user.var]);
    }
    llvm::sort(users, [](const TermUser &a, const TermUser &b) {
      return a.var < b.var;
    });
    if (always)
      users.push_back({fixed, 1});
    result.addTerm(term.cost, producer, provides, users, term.continues);
  }
  result.buildIndex();
  return result;
}

} // namespace inlay
