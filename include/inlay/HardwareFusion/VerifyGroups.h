//===- VerifyGroups.h - What must hold of groups ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_HARDWAREFUSION_VERIFYGROUPS_H
#define INLAY_HARDWAREFUSION_VERIFYGROUPS_H

#include "inlay/HardwareFusion/FusionPlan.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// An error unless
///
///   * every node is in one group, or in none and has a reason;
///   * the nodes of a group pass its stages in their order, each but the first
///     takes what flows through the group, and what was collected is needed;
///   * every limit holds;
///   * the graph of groups has no cycle, operators outside counting as groups;
///   * groups are in an order in which they can run;
///   * every edge between groups has one reason, and no other edge has any.
///
/// It shares no tables with what finds groups.
llvm::Error verifyGroups(const DFG &graph, const DataFlow &flow,
                         const FusionPlan &plan);

} // namespace inlay

#endif // INLAY_HARDWAREFUSION_VERIFYGROUPS_H
