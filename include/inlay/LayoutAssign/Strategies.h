//===- Strategies.h - Ways to choose storage orders -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LAYOUTASSIGN_STRATEGIES_H
#define INLAY_LAYOUTASSIGN_STRATEGIES_H

#include "inlay/LayoutAssign/LayoutGraph.h"
#include "inlay/LayoutAssign/Solution.h"
#include "llvm/ADT/StringRef.h"

namespace inlay {

enum class LayoutStrategy : uint8_t {
  /// A relayout before and after every key operator.
  PerOp,
  /// Operators of one class form regions; relayouts at their borders.
  Region,
  /// Tensor regions join the region that all their inputs come from.
  RegionPlus,
  /// The least cost, with a proof.
  Optimal,
};

inline constexpr LayoutStrategy allStrategies[] = {
    LayoutStrategy::PerOp, LayoutStrategy::Region, LayoutStrategy::RegionPlus,
    LayoutStrategy::Optimal};

/// "per-op", "region", "region-plus", "optimal".
llvm::StringRef getName(LayoutStrategy strategy);
std::optional<LayoutStrategy> parseStrategy(llvm::StringRef name);

/// The strategies of the requirements. Each writes out every relayout, those
/// that a clean-up would cancel included.
Solution solvePerOp(const LayoutGraph &graph);
Solution solveRegion(const LayoutGraph &graph);
Solution solveRegionPlus(const LayoutGraph &graph);

/// What is left of a solution once relayouts that undo each other are gone,
/// those that stand around transposes of the model included: operators keep
/// their orders, transposes take the best there is, and every copy is made
/// once.
Solution cancelRelayouts(const LayoutGraph &graph, const Solution &solution);

} // namespace inlay

#endif // INLAY_LAYOUTASSIGN_STRATEGIES_H
