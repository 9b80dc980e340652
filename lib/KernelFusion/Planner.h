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

namespace inlay {

/// Joins nodes of clusters, one cluster after the other. No path leads from one
/// node of a cluster to another over nodes outside of it.
class Planner {
public:
  Planner(const KernelGraph &graph, const KernelTarget &target,
          llvm::ArrayRef<std::vector<unsigned>> clusters);

  /// Makes kernels of the cluster that join what saves most first.
  void planGreedy(llvm::ArrayRef<unsigned> cluster);
  /// The same, then looks for better ones. Returns a number of bytes below
  /// which the traffic of the cluster cannot be.
  uint64_t planOptimal(llvm::ArrayRef<unsigned> cluster);

  /// Looks for better kernels of all clusters together, where they are small;
  /// returns the least traffic then.
  std::optional<uint64_t> planAll();

  KernelPlan getPlan() const {
    return KernelPlan::create(graph, partition.getSets());
  }

private:
  bool isInCluster(unsigned node) const { return clusterOf[node] == current; }

  bool tryJoin(unsigned a, unsigned b);
  void joinEdges(llvm::ArrayRef<unsigned> cluster);
  void joinSiblings(llvm::ArrayRef<unsigned> cluster);
  uint64_t getBytes(llvm::ArrayRef<unsigned> nodes) const;
  bool tryMove(unsigned node, unsigned neighbour);
  void moveNodes(llvm::ArrayRef<unsigned> cluster);

  uint64_t computeBytes(llvm::ArrayRef<unsigned> cluster) const;
  uint64_t computeBound(llvm::ArrayRef<unsigned> cluster) const;
  /// Tries all kernels of a few nodes that are in kernels of their own; returns
  /// whether it found better ones.
  bool improve(llvm::ArrayRef<unsigned> nodes);
  void improveWindows(llvm::ArrayRef<unsigned> cluster);

  const KernelGraph &graph;
  KernelRules rules;
  AcyclicPartition partition;
  std::vector<unsigned> clusterOf;
  unsigned current = 0;
  uint64_t stepsLeft;
};

} // namespace inlay

#endif // INLAY_LIB_KERNELFUSION_PLANNER_H
