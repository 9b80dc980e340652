//===- Tables.h - Cost tables over a few variables --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_LAYOUTASSIGN_TABLES_H
#define INLAY_LIB_LAYOUTASSIGN_TABLES_H

#include "CostTerms.h"

namespace inlay {

/// A cost for each combination of states of some variables. The states of the
/// first variable change fastest.
struct CostTable {
  llvm::SmallVector<VarId, 4> scope;
  llvm::SmallVector<Weight, 8> entries;
};

/// The cost that `table` has for an assignment.
Weight lookUp(const CostTable &table, const CostTerms &terms,
              llvm::ArrayRef<StateId> states);

/// Minimises sums of tables over one variable. Keeps its buffers from one sum
/// to the next.
class TableMinimizer {
public:
  explicit TableMinimizer(const CostTerms &terms);

  /// The table of a single term.
  CostTable getTable(const Term &term);

  /// The variables of `tables` other than `var`, each once.
  void joinScopes(VarId var, llvm::ArrayRef<const CostTable *> tables,
                  llvm::SmallVectorImpl<VarId> &scope);

  /// The least, over the states of `var`, of the sum of `tables`, each of which
  /// depends on `var`, and, where `withStateCosts`, of what its states cost.
  /// Stores the state that is chosen for each entry, the first among equals.
  CostTable minimize(VarId var, llvm::ArrayRef<const CostTable *> tables,
                     bool withStateCosts,
                     llvm::SmallVectorImpl<StateId> &choices);

private:
  void addToSum(VarId var, const CostTable &table, llvm::ArrayRef<VarId> scope);

  const CostTerms &terms;
  /// Over `var`, which changes fastest, and the scope of the result.
  std::vector<Weight> sum;
  /// For addToSum: how far an entry of the table lies from the next in each
  /// direction of the sum, and where in it the loop stands.
  std::vector<uint32_t> strideOf;
  llvm::SmallVector<uint32_t> strides;
  llvm::SmallVector<uint32_t> counters;
  std::vector<bool> isInScope;
};

} // namespace inlay

#endif // INLAY_LIB_LAYOUTASSIGN_TABLES_H
