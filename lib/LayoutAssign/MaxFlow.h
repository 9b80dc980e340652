//===- MaxFlow.h - Maximum flow and minimum cut -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_LAYOUTASSIGN_MAXFLOW_H
#define INLAY_LIB_LAYOUTASSIGN_MAXFLOW_H

#include "Weight.h"
#include <vector>

namespace inlay {

/// A directed graph with capacities and Dinic's algorithm on it: flow along
/// shortest paths, all paths of one length at a time.
class FlowNetwork {
public:
  using Node = uint32_t;

  explicit FlowNetwork(unsigned numNodes) : firstArc(numNodes, noArc) {}

  /// An arc from `from` to `to`, and one back.
  void addArc(Node from, Node to, Weight capacity, Weight backCapacity = 0);

  /// Finds a maximum flow and returns its value.
  Weight maximize(Node source, Node sink);

  /// After maximize: the nodes from which the sink can still be reached. They
  /// are the sink's side of the minimum cut that has the smallest such side.
  std::vector<bool> getSinkSide(Node sink) const;

private:
  static constexpr uint32_t noArc = ~0u;
  /// Arc a and arc a ^ 1 are each other's way back.
  struct Arc {
    Node to;
    uint32_t next;
    Weight residual;
  };

  bool computeLevels(Node source, Node sink);
  Weight augment(Node source, Node sink);

  std::vector<uint32_t> firstArc;
  std::vector<Arc> arcs;
  /// Distance from the source, and the next arc to try, of each node.
  std::vector<uint32_t> level;
  std::vector<uint32_t> current;
  std::vector<uint32_t> path;
};

} // namespace inlay

#endif // INLAY_LIB_LAYOUTASSIGN_MAXFLOW_H
