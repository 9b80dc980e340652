//===- RandomProblem.h - Random layout problems -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_LAYOUTASSIGN_RANDOMPROBLEM_H
#define INLAY_UNITTESTS_LAYOUTASSIGN_RANDOMPROBLEM_H

#include "inlay/LayoutAssign/Solution.h"
#include <random>

namespace inlay {

/// What the problem of a random graph is made of. Elementwise operators tie
/// their ports to one label, transposes permute labels, key operators and
/// barriers are fixed, constants provide every label, reshapes admit few pairs
/// of labels, splits produce two values, loops carry a value around.
struct RandomGraphOptions {
  unsigned maxOps = 9;
  /// Up to this many storage orders per value.
  unsigned maxLabels = 3;
  /// The most assignments there may be.
  uint64_t maxAssignments = 100000;
};

LayoutProblem makeRandomProblem(uint64_t seed,
                                const RandomGraphOptions &options = {});

/// What `states` cost, straight from the definition.
Cost computeCostOfStates(const LayoutProblem &problem,
                         const std::vector<StateId> &states);

/// The same where copies are made from whatever is there, and also only for
/// other copies.
Cost computeCostWithChains(const LayoutProblem &problem,
                           const std::vector<StateId> &states);

/// The same where copies are made from what is there, and none for others.
Cost computeCostFromCopies(const LayoutProblem &problem,
                           const std::vector<StateId> &states);

/// The least cost over all assignments, by one of these functions.
using CostOfStates = Cost(const LayoutProblem &, const std::vector<StateId> &);
Cost findLeastCost(const LayoutProblem &problem,
                   CostOfStates &computeCost = computeCostOfStates);

/// How many of the states are awkward.
unsigned countAwkward(const LayoutProblem &problem,
                      const std::vector<StateId> &states);
/// The fewest of any assignment of the least cost, by looking at all.
unsigned findLeastAwkward(const LayoutProblem &problem);

std::vector<StateId> makeRandomStates(const LayoutProblem &problem,
                                      uint64_t seed);

} // namespace inlay

#endif // INLAY_UNITTESTS_LAYOUTASSIGN_RANDOMPROBLEM_H
