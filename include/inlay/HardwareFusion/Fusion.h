//===- Fusion.h - From a block to groups ------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_HARDWAREFUSION_FUSION_H
#define INLAY_HARDWAREFUSION_FUSION_H

#include "inlay/HardwareFusion/FusionPlan.h"
#include "llvm/Support/Error.h"

namespace inlay {

enum class FusionStrategy : uint8_t { Greedy, Optimal };
llvm::StringRef getName(FusionStrategy strategy);
/// Nothing when no strategy has that name.
std::optional<FusionStrategy> parseFusionStrategy(llvm::StringRef name);

/// How much `optimal` may do, in steps that do not depend on the machine.
struct FusionEffort {
  /// Nodes beyond which nodes that could run together are not searched whole.
  unsigned maxNodes = 31;
  /// Of one search.
  uint64_t maxSteps = 200'000;
  /// Of all searches together.
  uint64_t maxTotalSteps = 4'000'000;
  /// Places in the pipeline that the data of a group may have come to; enough
  /// for any pipeline whose stages take operators in one form or two.
  size_t maxPlaces = 256;
};

/// The `Partition` of docs/Requirements.md.
FusionPlan planGreedy(const DFG &graph, const HDFG &pipeline);

/// Fewest bytes across borders, never more than `greedy`. Exact and proven so
/// where the search ends within its limits, otherwise the best that was found
/// with a bound.
FusionPlan planOptimal(const DFG &graph, const HDFG &pipeline,
                       const FusionEffort &effort = {});

/// Plans, and verifies what comes out; gives edges between groups their reasons
/// where they are asked for.
llvm::Expected<FusionPlan> planFusion(const DFG &graph, const HDFG &pipeline,
                                      FusionStrategy strategy,
                                      bool explains = true);

/// What reports say about a plan.
FusionResult describePlan(const DFG &graph, const HDFG &pipeline,
                          const FusionPlan &plan);

} // namespace inlay

#endif // INLAY_HARDWAREFUSION_FUSION_H
