//===- Elimination.cpp - Exact by variable elimination --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To eliminate a variable: add up everything that depends on it and replace the
// sum by a table, over the other variables in it, of the least cost that the
// variable allows. When all are gone, the states are read off backwards.
//
//===----------------------------------------------------------------------===//

#include "Elimination.h"
#include "Tables.h"
#include "llvm/ADT/STLExtras.h"
#include <memory>

namespace inlay {

//===----------------------------------------------------------------------===//
// BucketOrder
//===----------------------------------------------------------------------===//

BucketOrder::BucketOrder(const CostTerms &terms, llvm::ArrayRef<VarId> order)
    : position(terms.getNumVariables()),
      firstTerm(terms.getNumVariables() + 1) {
  for (auto [index, var] : llvm::enumerate(order))
    position[var] = index;
  std::vector<VarId> firstOf(terms.getNumTerms());
  llvm::SmallVector<VarId> scope;
  for (unsigned index = 0; index < terms.getNumTerms(); ++index) {
    terms.getScope(terms.getTerm(index), scope);
    firstOf[index] = getFirst(scope);
    ++firstTerm[firstOf[index] + 1];
  }
  for (VarId var = 0; var < terms.getNumVariables(); ++var)
    firstTerm[var + 1] += firstTerm[var];
  termsOf.resize(terms.getNumTerms());
  std::vector<uint32_t> next(firstTerm.begin(), firstTerm.end() - 1);
  for (unsigned index = 0; index < terms.getNumTerms(); ++index)
    termsOf[next[firstOf[index]]++] = index;
}

VarId BucketOrder::getFirst(llvm::ArrayRef<VarId> scope) const {
  return *llvm::min_element(
      scope, [&](VarId a, VarId b) { return position[a] < position[b]; });
}

//===----------------------------------------------------------------------===//
// Eliminator
//===----------------------------------------------------------------------===//

namespace {

/// A table that waits for its first variable.
struct Message {
  CostTable table;
  std::unique_ptr<Message> next;
};

class Eliminator {
public:
  Eliminator(const CostTerms &terms, llvm::ArrayRef<VarId> order)
      : terms(terms), order(order), buckets(terms, order), minimizer(terms),
        messages(terms.getNumVariables()) {}

  std::vector<StateId> run() {
    for (VarId var : order)
      eliminate(var);
    return readBack();
  }

private:
  void eliminate(VarId var);
  std::vector<StateId> readBack() const;

  const CostTerms &terms;
  llvm::ArrayRef<VarId> order;
  BucketOrder buckets;
  TableMinimizer minimizer;
  std::vector<std::unique_ptr<Message>> messages;
  /// For each variable in order: what it depends on, and its state for each
  /// combination of theirs.
  std::vector<uint64_t> firstScope = {0};
  std::vector<VarId> scopes;
  std::vector<uint64_t> firstChoice = {0};
  std::vector<StateId> choices;

  llvm::SmallVector<CostTable> ownTables;
  llvm::SmallVector<const CostTable *> tables;
  llvm::SmallVector<StateId> chosen;
};

void Eliminator::eliminate(VarId var) {
  ownTables.clear();
  tables.clear();
  for (uint32_t term : buckets.getTerms(var))
    ownTables.push_back(minimizer.getTable(terms.getTerm(term)));
  for (const CostTable &table : ownTables)
    tables.push_back(&table);
  std::unique_ptr<Message> received = std::move(messages[var]);
  for (Message *message = received.get(); message;
       message = message->next.get())
    tables.push_back(&message->table);
  CostTable result =
      minimizer.minimize(var, tables, /*withStateCosts=*/true, chosen);
  scopes.insert(scopes.end(), result.scope.begin(), result.scope.end());
  firstScope.push_back(scopes.size());
  choices.insert(choices.end(), chosen.begin(), chosen.end());
  firstChoice.push_back(choices.size());
  // One at a time: a long list would be freed by recursion.
  while (received)
    received = std::move(received->next);
  if (result.scope.empty())
    return;
  auto message = std::make_unique<Message>();
  std::unique_ptr<Message> &list = messages[buckets.getFirst(result.scope)];
  message->table = std::move(result);
  message->next = std::move(list);
  list = std::move(message);
}

std::vector<StateId> Eliminator::readBack() const {
  std::vector<StateId> states(terms.getNumVariables());
  for (size_t i = order.size(); i-- > 0;) {
    uint64_t index = firstChoice[i], stride = 1;
    for (uint64_t j = firstScope[i]; j < firstScope[i + 1]; ++j) {
      index += states[scopes[j]] * stride;
      stride *= terms.getNumStates(scopes[j]);
    }
    states[order[i]] = choices[index];
  }
  return states;
}

} // namespace

std::vector<StateId> eliminate(const CostTerms &terms,
                               llvm::ArrayRef<VarId> order) {
  return Eliminator(terms, order).run();
}

} // namespace inlay
