//===- Optimal.h - The cheapest answer to a layout problem ------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LAYOUTASSIGN_OPTIMAL_H
#define INLAY_LAYOUTASSIGN_OPTIMAL_H

#include "inlay/LayoutAssign/LayoutProblem.h"
#include "inlay/LayoutAssign/Solution.h"
#include <algorithm>
#include <cstdint>
#include <vector>

namespace inlay {

/// Limits are amounts of work, never of time, so that answers are the same on
/// every machine.
struct SolverOptions {
  /// Assignments known before; the answer is never worse than any of them.
  std::vector<std::vector<StateId>> initial;
  /// Nets that may have labels which the problem does not know of, or empty.
  /// They count nothing in the bound.
  llvm::BitVector openNets;
  /// The same of variables and states.
  llvm::BitVector openVariables;
  /// Copies may be made from other copies of their net that are needed anyway.
  /// The answer has such copies where they are cheaper, for the states that it
  /// has or for those that the bound has; the bound holds for all.
  bool copiesOfCopies = false;
  bool presolve = true;
  bool elimination = true;
  bool minimumCut = true;
  /// The most entries a table of the elimination may have.
  uint64_t maxTableEntries = 1u << 20;
  /// The most entries all tables of one component together may have.
  uint64_t maxTotalEntries = 1u << 25;
  /// The most entries a table may have that only serves a lower bound.
  uint64_t maxBoundEntries = 1u << 16;
  /// The most nodes that branch and bound visits in one component. A node with
  /// many tables counts for several.
  uint64_t maxSearchNodes = 1000000;
  /// How often local search solves a part of a component anew.
  unsigned localSearchRounds = 64;
};

/// How good an answer is and how that is known.
struct Certificate {
  Cost best;
  /// No answer is cheaper than this.
  Cost bound;

  /// Nets whose labels are not all known; they are not in the bound.
  unsigned numOpenNets = 0;
  /// Variables with more than one state, and those that presolve decided.
  unsigned numFreeVariables = 0;
  unsigned numPresolved = 0;
  /// Of what presolve left, by the method that settled the component. Local
  /// search is the one that may leave a gap.
  unsigned numComponents = 0;
  unsigned numMinimumCut = 0;
  unsigned numElimination = 0;
  unsigned numBranchAndBound = 0;
  unsigned numLocalSearch = 0;
  /// The most variables one table of an elimination depended on.
  unsigned largestTreewidth = 0;

  /// Whether the answer is proved to be the cheapest.
  bool isOptimal() const { return best == bound; }
  /// What lies between best and bound, bytes and count apart.
  Cost getGap() const {
    return {best.bytes - std::min(best.bytes, bound.bytes),
            best.count - std::min(best.count, bound.count)};
  }
};

struct OptimalResult {
  Solution solution;
  Certificate certificate;
};

/// Finds a cheapest assignment, exactly where that can be had within the limits
/// of `options`, and says which parts were. Every net must have a producer.
///
/// 1. Presolve fixes what cannot matter and splits the rest into components.
/// 2. A component of bounded treewidth is eliminated variable by variable.
/// 3. Otherwise, a component whose variables have two states and whose labels
///    can be flipped so that all costs are submodular is a minimum cut.
/// 4. Otherwise, local search finds an answer, and branch and bound proves it
///    optimal or leaves a lower bound.
OptimalResult solveOptimal(const LayoutProblem &problem,
                           const SolverOptions &options = {});

} // namespace inlay

#endif // INLAY_LAYOUTASSIGN_OPTIMAL_H
