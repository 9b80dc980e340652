//===- GraphMatchFuser.h - The greedy way to groups -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_HARDWAREFUSION_GRAPHMATCHFUSER_H
#define INLAY_HARDWAREFUSION_GRAPHMATCHFUSER_H

#include "inlay/HardwareFusion/FusionPlan.h"
#include "llvm/ADT/DenseSet.h"

namespace inlay {

/// Visits the nodes in order. A node joins the latest group when a stage behind
/// the last match takes it, when it consumes what flows through the group, and
/// when nothing outside would have to run between two parts of the group;
/// otherwise matching restarts at the root with a new group. Where a limit is in
/// the way, the border moves back to where the fewest bytes cross it.
///
/// Linear: only the latest group grows and nodes come in topological order, so
/// it is enough to know of each node outside whether it depends on the latest
/// group.
class GraphMatchFuser {
public:
  GraphMatchFuser(const DFG &graph, const HDFG &pipeline);

  FusionPlan partition();

private:
  using Nodes = llvm::SmallVector<unsigned, 4>;

  void visit(unsigned node);
  bool joinLatest(unsigned node, FusionReason &reason);
  bool openGroup(unsigned node, FusionReason &reason);
  bool moveBorder(unsigned node);
  /// Adds what fits and returns true, or leaves everything as it is.
  bool tryAdd(unsigned node, llvm::ArrayRef<unsigned> collected,
              FusionReason &reason);
  void addToGroup(unsigned node, unsigned form,
                  llvm::ArrayRef<unsigned> collected);
  /// Operators above `node` that the group takes in with it, in order.
  Nodes collectInputs(unsigned node);
  bool mayCollect(unsigned node, const llvm::SmallDenseSet<unsigned> &with);
  void attribute(unsigned node);
  llvm::SmallBitVector getFlowing(unsigned node) const;
  std::optional<unsigned> findDetour(unsigned node,
                                     llvm::ArrayRef<unsigned> collected) const;
  std::optional<FusionReason>
  findLimit(unsigned node, llvm::ArrayRef<unsigned> collected) const;
  void setDependency(unsigned node);
  void note(unsigned node, llvm::StringRef what);

  unsigned getLatest() const { return plan.groups.size() - 1; }
  bool isInLatest(unsigned node) const {
    return !plan.groups.empty() && plan.groupOf[node] == getLatest();
  }

  const DFG &graph;
  const HDFG &pipeline;
  const GroupLimits &limits;
  FusionPlan plan;
  /// Of the latest group.
  PipelinePlace place;
  /// Of collected nodes: whether what flows through the group flows through
  /// them.
  llvm::BitVector carries;
  llvm::BitVector isVisited;
  /// Of values that are no results: whether a group has reached them.
  llvm::BitVector isAttributed;
  /// Of each node outside, the latest group that it depends on.
  std::vector<unsigned> dependency;
  std::map<unsigned, Refusal> refused;
  // Of the latest group, kept up to date when a limit asks for them.
  llvm::DenseSet<unsigned> inputs;
  unsigned numOutputs = 0;
};

} // namespace inlay

#endif // INLAY_HARDWAREFUSION_GRAPHMATCHFUSER_H
