//===- BranchAndBound.h - Search with a lower bound -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_LAYOUTASSIGN_BRANCHANDBOUND_H
#define INLAY_LIB_LAYOUTASSIGN_BRANCHANDBOUND_H

#include "CostTerms.h"

namespace inlay {

struct SearchLimits {
  /// The most entries of a table of the lower bound.
  uint64_t maxEntries;
  uint64_t maxNodes;
};

struct SearchResult {
  std::vector<StateId> states;
  Weight cost;
  /// No assignment costs less; equal to `cost` where the search was complete.
  Weight bound;
};

/// Looks for an assignment cheaper than `start`. `order` is the order of
/// elimination for the lower bound; the search goes the other way.
SearchResult branchAndBound(const CostTerms &terms, llvm::ArrayRef<VarId> order,
                            std::vector<StateId> start,
                            const SearchLimits &limits);

} // namespace inlay

#endif // INLAY_LIB_LAYOUTASSIGN_BRANCHANDBOUND_H
