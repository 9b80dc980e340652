//===- Tables.cpp - Cost tables over a few variables ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tables.h"
#include "llvm/ADT/STLExtras.h"

namespace inlay {

Weight lookUp(const CostTable &table, const CostTerms &terms,
              llvm::ArrayRef<StateId> states) {
  size_t index = 0, stride = 1;
  for (VarId var : table.scope) {
    index += states[var] * stride;
    stride *= terms.getNumStates(var);
  }
  return table.entries[index];
}

TableMinimizer::TableMinimizer(const CostTerms &terms)
    : terms(terms), strideOf(terms.getNumVariables()),
      isInScope(terms.getNumVariables()) {}

CostTable TableMinimizer::getTable(const Term &term) {
  CostTable table;
  llvm::SmallVector<VarId> scope;
  terms.getScope(term, scope);
  table.scope.assign(scope.begin(), scope.end());
  size_t numEntries = 1;
  for (VarId var : scope)
    numEntries *= terms.getNumStates(var);
  table.entries.assign(numEntries, 0);
  llvm::SmallVector<StateMask, 4> needs, provides;
  for (VarId var : scope) {
    needs.push_back(terms.getNeeds(term, var));
    provides.push_back(terms.getProvides(term, var));
  }
  llvm::SmallVector<StateId, 4> states(scope.size());
  for (Weight &entry : table.entries) {
    bool needed = false, provided = false;
    for (size_t i = 0; i < states.size(); ++i) {
      needed |= contains(needs[i], states[i]);
      provided |= contains(provides[i], states[i]);
    }
    if (needed && !provided)
      entry = term.cost;
    for (size_t i = 0; i < states.size(); ++i) {
      if (++states[i] < terms.getNumStates(scope[i]))
        break;
      states[i] = 0;
    }
  }
  return table;
}

void TableMinimizer::joinScopes(VarId var,
                                llvm::ArrayRef<const CostTable *> tables,
                                llvm::SmallVectorImpl<VarId> &scope) {
  scope.clear();
  isInScope[var] = true;
  for (const CostTable *table : tables)
    for (VarId other : table->scope) {
      if (isInScope[other])
        continue;
      isInScope[other] = true;
      scope.push_back(other);
    }
  isInScope[var] = false;
  for (VarId other : scope)
    isInScope[other] = false;
}

void TableMinimizer::addToSum(VarId var, const CostTable &table,
                              llvm::ArrayRef<VarId> scope) {
  uint32_t stride = 1;
  for (VarId other : table.scope) {
    strideOf[other] = stride;
    stride *= terms.getNumStates(other);
  }
  uint32_t varStride = strideOf[var];
  strides.clear();
  for (VarId other : scope)
    strides.push_back(strideOf[other]);
  for (VarId other : table.scope)
    strideOf[other] = 0;
  counters.assign(scope.size(), 0);
  const Weight *entry = table.entries.data();
  unsigned numStates = terms.getNumStates(var);
  for (size_t base = 0; base < sum.size(); base += numStates) {
    for (unsigned state = 0; state < numStates; ++state)
      sum[base + state] += entry[state * varStride];
    for (size_t i = 0; i < scope.size(); ++i) {
      entry += strides[i];
      if (++counters[i] < terms.getNumStates(scope[i]))
        break;
      entry -= size_t(strides[i]) * counters[i];
      counters[i] = 0;
    }
  }
}

CostTable TableMinimizer::minimize(VarId var,
                                   llvm::ArrayRef<const CostTable *> tables,
                                   bool withStateCosts,
                                   llvm::SmallVectorImpl<StateId> &choices) {
  CostTable result;
  joinScopes(var, tables, result.scope);
  unsigned numStates = terms.getNumStates(var);
  size_t numEntries = 1;
  for (VarId other : result.scope)
    numEntries *= terms.getNumStates(other);
  sum.resize(numEntries * numStates);
  for (size_t i = 0; i < sum.size(); ++i)
    sum[i] = withStateCosts ? terms.getStateCost(var, i % numStates) : 0;
  for (const CostTable *table : tables)
    addToSum(var, *table, result.scope);
  result.entries.resize(numEntries);
  choices.resize(numEntries);
  for (size_t i = 0; i < numEntries; ++i) {
    const Weight *costs = &sum[i * numStates];
    const Weight *least = std::min_element(costs, costs + numStates);
    result.entries[i] = *least;
    choices[i] = least - costs;
  }
  return result;
}

} // namespace inlay
