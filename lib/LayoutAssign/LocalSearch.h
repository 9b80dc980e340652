//===- LocalSearch.h - Make an assignment cheaper ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_LAYOUTASSIGN_LOCALSEARCH_H
#define INLAY_LIB_LAYOUTASSIGN_LOCALSEARCH_H

#include "CostTerms.h"

namespace inlay {

/// Changes one variable at a time, in their order, to the cheapest of its
/// states, the first among equals, until nothing changes or `maxPasses` are
/// done.
void improveOneByOne(const CostTerms &terms, std::vector<StateId> &states,
                     unsigned maxPasses = 8);

struct LocalSearchLimits {
  /// The most entries of one table.
  uint64_t maxEntries;
  /// Of all rounds together, see EliminationPlan.
  uint64_t maxSteps;
  unsigned maxRounds;
};

/// Solves a large part of the variables exactly, the rest keeping its states,
/// with another part each round, and stops after some rounds without gain.
void improveByElimination(const CostTerms &terms, std::vector<StateId> &states,
                          const LocalSearchLimits &limits);

} // namespace inlay

#endif // INLAY_LIB_LAYOUTASSIGN_LOCALSEARCH_H
