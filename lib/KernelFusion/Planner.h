//===- Planner.h - Making kernels of clusters -------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_KERNELFUSION_PLANNER_H
#define INLAY_LIB_KERNELFUSION_PLANNER_H

#include "AcyclicPartition.h"
#include "inlay/KernelFusion/KernelPlan.h"
#include "llvm/ADT/BitVector.h"
#include <map>

namespace inlay {

/// Joins nodes of clusters, one cluster after the other. No path leads from one
/// node of a cluster to another over nodes outside of it.
class Planner {
public:
  Planner(const KernelGraph &graph, const KernelTarget &target,
          llvm::ArrayRef<std::vector<unsigned>> clusters,
          const KernelEffort &effort);

  /// Makes kernels of the cluster that join what saves most first.
  void planGreedy(llvm::ArrayRef<unsigned> cluster);
  /// The same, then looks for better ones. Returns whether no kernels have less
  /// traffic, whatever becomes of other clusters.
  bool planOptimal(llvm::ArrayRef<unsigned> cluster);

  /// Looks for better kernels of all clusters together, where they are small;
  /// returns whether no kernels have less traffic.
  bool planAll();

  /// What these nodes, ascending, read and write at the least in whatever
  /// kernels; all others but opaque ones share nothing with them.
  uint64_t computeBound(llvm::ArrayRef<unsigned> nodes) const;
  /// What they read and write in the kernels that they are in.
  uint64_t computeBytes(llvm::ArrayRef<unsigned> nodes) const;

  KernelPlan getPlan() const {
    return KernelPlan::create(graph, partition.getSets());
  }

private:
  bool isInCluster(unsigned node) const { return clusterOf[node] == current; }

  bool tryJoin(unsigned a, unsigned b);
  std::optional<std::pair<unsigned, bool>> findCrowd(unsigned a,
                                                     unsigned b) const;
  bool attemptOnce(unsigned a, unsigned b, llvm::function_ref<bool()> attempt);
  void joinEdges(llvm::ArrayRef<unsigned> cluster);
  void joinSiblings(llvm::ArrayRef<unsigned> cluster);
  uint64_t getBytes(llvm::ArrayRef<unsigned> nodes) const;
  bool tryMove(unsigned node, unsigned neighbour);
  void moveNodes(llvm::ArrayRef<unsigned> cluster);

  uint64_t getReadBytes(unsigned node, unsigned root) const;
  uint64_t countTraffic(unsigned root, const llvm::BitVector &isOurs) const;
  bool isClosed(llvm::ArrayRef<unsigned> cluster) const;
  /// Tries all kernels of a few nodes that are in kernels of their own. Says
  /// where asked for whether there can be no better ones.
  void improve(llvm::ArrayRef<unsigned> nodes, bool *isExact = nullptr);
  void improveWindows(llvm::ArrayRef<unsigned> cluster);

  const KernelGraph &graph;
  KernelRules rules;
  AcyclicPartition partition;
  std::vector<unsigned> clusterOf;
  unsigned current = 0;
  const KernelEffort &effort;
  uint64_t stepsLeft;
  /// Of nodes with very many neighbours on one side: how often in a row one of
  /// these was not to be in one kernel with them.
  std::map<std::pair<unsigned, bool>, unsigned> refusals;
};

} // namespace inlay

#endif // INLAY_LIB_KERNELFUSION_PLANNER_H
