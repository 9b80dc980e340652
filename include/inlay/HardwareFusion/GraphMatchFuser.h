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
#include <memory>

namespace inlay {

class GroupCounter;

/// Visits the nodes in order. A node joins the latest group when a stage behind
/// the last match takes it, when it consumes what flows through the group, and
/// when nothing outside would have to run between two parts of the group;
/// otherwise matching restarts at the root with a new group. Where a limit is
/// in the way, the border moves back to where the fewest bytes cross it.
///
/// Linear: only the latest group grows and nodes come in topological order, so
/// it is enough to know of each node outside whether it depends on the latest
/// group.
class GraphMatchFuser {
public:
  GraphMatchFuser(const DFG &graph, const HDFG &pipeline);
  ~GraphMatchFuser();

  FusionPlan partition();

private:
  using Nodes = llvm::SmallVector<unsigned, 4>;

  void visit(unsigned node);
  /// These three add what fits and return true, or leave everything as it is
  /// and say why.
  bool joinLatest(unsigned node, FusionReason &reason);
  bool openGroup(unsigned node, FusionReason &reason);
  bool tryAdd(unsigned node, llvm::ArrayRef<unsigned> collected,
              FusionReason &reason);
  void addToGroup(unsigned node, unsigned form,
                  llvm::ArrayRef<unsigned> collected);
  /// Says of operators that `node` needs and its group did not take in why.
  void closeInputs(unsigned node);

  /// Operators above `node` that the latest group would take in with it, in
  /// order.
  Nodes collectInputs(unsigned node);
  Nodes findCollectable(unsigned node);
  bool mayCollect(unsigned candidate, unsigned node,
                  llvm::ArrayRef<unsigned> accepted) const;
  llvm::SmallBitVector getFlowing(unsigned node,
                                  llvm::ArrayRef<unsigned> carriers) const;
  Nodes findCarriers(llvm::ArrayRef<unsigned> collected) const;

  std::optional<unsigned> findDetour(unsigned node,
                                     llvm::ArrayRef<unsigned> collected) const;
  std::optional<FusionReason> findLimit(unsigned node,
                                        llvm::ArrayRef<unsigned> collected);

  /// Splits the latest group and lets `node` join its second part, if fewer
  /// bytes then cross borders than with a group of its own.
  bool moveBorder(unsigned node);
  struct Border;
  std::optional<Border> findBorder(unsigned node,
                                   llvm::ArrayRef<unsigned> collected);
  void setDependency(unsigned node);
  void attribute(unsigned node);
  void note(std::string line);

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
  std::unique_ptr<GroupCounter> counter;
  /// Of nodes in groups: whether what flows through the group flows through
  /// them.
  llvm::BitVector carries;
  llvm::BitVector isVisited;
  /// Nodes that a group has reached and not collected.
  llvm::BitVector isClosed;
  /// Of values: whether a group has reached them.
  llvm::BitVector isAttributed;
  /// Of each node outside, one more than the latest group that it depends on.
  std::vector<unsigned> dependency;
  /// Why the group could not take in what could be collected.
  std::optional<FusionReason> notCollected;
};

} // namespace inlay

#endif // INLAY_HARDWAREFUSION_GRAPHMATCHFUSER_H
