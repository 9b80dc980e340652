//===- FusionPlan.h - Which operators run together --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_HARDWAREFUSION_FUSIONPLAN_H
#define INLAY_HARDWAREFUSION_FUSIONPLAN_H

#include "inlay/HardwareFusion/DFG.h"
#include "inlay/HardwareFusion/HDFG.h"
#include "inlay/Target/DataFlow.h"

namespace inlay {

struct PlannedGroup {
  /// Ascending.
  std::vector<unsigned> nodes;
  /// Constants and inputs of the graph that were reached from it first.
  std::vector<unsigned> attributed;
  std::vector<std::string> trace;
};

struct PlannedEdge {
  unsigned from = 0, to = 0, value = 0;
  FusionReason reason;
};

/// Why a node did not join a group when it was its turn.
struct Refusal {
  unsigned group;
  FusionReason reason;
};

/// Groups of nodes, in an order in which they can run.
struct FusionPlan {
  static constexpr unsigned none = ~0u;

  std::vector<PlannedGroup> groups;
  /// Of each node, its group or none.
  std::vector<unsigned> groupOf;
  /// Of each node, the form in which a stage takes it; none when it is in no
  /// group or was collected.
  std::vector<unsigned> formOf;
  /// Why nodes are in no group.
  std::map<unsigned, FusionReason> ungrouped;
  /// Of `greedy`, by node.
  std::map<unsigned, Refusal> refused;
  /// Every use of a result by a node that is not in the same group, where they
  /// were asked for.
  std::vector<PlannedEdge> edges;
  bool hasEdges = false;
  std::vector<std::string> trace;
  /// Of `optimal`.
  std::optional<uint64_t> bound;

  explicit FusionPlan(const DFG &graph)
      : groupOf(graph.size(), none), formOf(graph.size(), none) {}

  /// Whether both nodes are in one group.
  bool areTogether(unsigned a, unsigned b) const {
    return a == b || (groupOf[a] != none && groupOf[a] == groupOf[b]);
  }
};

/// What a group reads, writes and keeps. Constants do not count.
struct GroupMeasure {
  llvm::SmallVector<unsigned, 4> inputs, outputs;
  uint64_t bytesIn = 0, bytesOut = 0;
  /// Bytes of the values that only the group uses, at their peak, when its
  /// nodes run in their order.
  uint64_t onChipPeak = 0;

  uint64_t getBytes() const { return bytesIn + bytesOut; }
};
/// Of nodes in ascending order.
GroupMeasure measureGroup(const DFG &graph, llvm::ArrayRef<unsigned> nodes);

/// The first limit that a group is beyond, if any.
std::optional<FusionReason> findBrokenLimit(const GroupLimits &limits,
                                            const GroupMeasure &measure,
                                            size_t numOps);

/// Bytes that cross borders: see FusionResult.
uint64_t computeBytes(const DFG &graph, const FusionPlan &plan);

/// The forms in which the nodes, ascending, run as one group; `none` for those
/// that are collected. Nothing when they do not, or when a limit is broken:
/// `reason` says why. Does not ask whether a path leads out of the group and
/// back.
std::optional<std::vector<unsigned>> findForms(const DFG &graph,
                                               const HDFG &pipeline,
                                               llvm::ArrayRef<unsigned> nodes,
                                               FusionReason *reason = nullptr);

/// Sorts the groups so that they can run in their order.
void sortGroups(const DFG &graph, FusionPlan &plan);

/// Lists the edges between groups, each with a reason: the one that was given
/// when the node `to` did not join the group of `from`, if that was so.
void explainEdges(const DFG &graph, const HDFG &pipeline, FusionPlan &plan);

} // namespace inlay

#endif // INLAY_HARDWAREFUSION_FUSIONPLAN_H
