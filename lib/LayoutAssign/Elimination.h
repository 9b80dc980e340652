//===- Elimination.h - Exact by variable elimination ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_LAYOUTASSIGN_ELIMINATION_H
#define INLAY_LIB_LAYOUTASSIGN_ELIMINATION_H

#include "CostTerms.h"

namespace inlay {

/// The terms and tables that mention each variable first among those of an
/// order, which is where they are summed up.
class BucketOrder {
public:
  BucketOrder(const CostTerms &terms, llvm::ArrayRef<VarId> order);

  llvm::ArrayRef<uint32_t> getTerms(VarId var) const {
    return {termsOf.data() + firstTerm[var],
            termsOf.data() + firstTerm[var + 1]};
  }
  /// Which of the variables is eliminated first.
  VarId getFirst(llvm::ArrayRef<VarId> scope) const;

private:
  std::vector<uint32_t> position;
  std::vector<uint32_t> firstTerm;
  std::vector<uint32_t> termsOf;
};

/// Finds an assignment of least cost by eliminating all variables in the order
/// given, which bounds the size of the tables (see planElimination).
std::vector<StateId> eliminate(const CostTerms &terms,
                               llvm::ArrayRef<VarId> order);

} // namespace inlay

#endif // INLAY_LIB_LAYOUTASSIGN_ELIMINATION_H
