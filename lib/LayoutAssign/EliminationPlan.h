//===- EliminationPlan.h - Which variable goes when -------------*- C++ -*-===//
//-*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_LAYOUTASSIGN_ELIMINATIONPLAN_H
#define INLAY_LIB_LAYOUTASSIGN_ELIMINATIONPLAN_H

#include "CostTerms.h"

namespace inlay {

/// An order in which to eliminate variables, and what the tables come to.
struct EliminationPlan {
  std::vector<VarId> order;
  /// Variables that would have needed too large a table. Where they are fixed,
  /// the others can be eliminated.
  std::vector<VarId> kept;
  /// The most variables that a table depends on.
  unsigned width = 0;
  /// Of all tables, the eliminated variable included.
  uint64_t numEntries = 0;
  /// The same, each as often as tables are added up for it.
  uint64_t numSteps = 0;
};

/// Takes the variable with the smallest table first, until the smallest has
/// more than `maxEntries`: then the first variable of `keepFirst` that is
/// still there is kept and the others go on. Without `keepFirst` all that are
/// left are kept. The first `numKept` of `keepFirst` are kept from the start.
EliminationPlan planElimination(const CostTerms &terms, uint64_t maxEntries,
                                llvm::ArrayRef<VarId> keepFirst = {},
                                size_t numKept = 0);

} // namespace inlay

#endif // INLAY_LIB_LAYOUTASSIGN_ELIMINATIONPLAN_H
