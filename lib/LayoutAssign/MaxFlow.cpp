//===- MaxFlow.cpp - Maximum flow and minimum cut -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaxFlow.h"

namespace inlay {

void FlowNetwork::addArc(Node from, Node to, Weight capacity,
                         Weight backCapacity) {
  arcs.push_back({to, firstArc[from], capacity});
  firstArc[from] = arcs.size() - 1;
  arcs.push_back({from, firstArc[to], backCapacity});
  firstArc[to] = arcs.size() - 1;
}

/// Returns whether the sink can be reached.
bool FlowNetwork::computeLevels(Node source, Node sink) {
  level.assign(firstArc.size(), ~0u);
  level[source] = 0;
  std::vector<Node> queue = {source};
  for (size_t next = 0; next < queue.size(); ++next) {
    Node node = queue[next];
    for (uint32_t arc = firstArc[node]; arc != noArc; arc = arcs[arc].next) {
      Node to = arcs[arc].to;
      if (arcs[arc].residual <= 0 || level[to] != ~0u)
        continue;
      level[to] = level[node] + 1;
      queue.push_back(to);
    }
  }
  return level[sink] != ~0u;
}

/// Sends flow along one path of increasing level; returns how much, and zero
/// when there is no path left.
Weight FlowNetwork::augment(Node source, Node sink) {
  path.clear();
  Node node = source;
  while (node != sink) {
    uint32_t &arc = current[node];
    while (arc != noArc &&
           (arcs[arc].residual <= 0 || level[arcs[arc].to] != level[node] + 1))
      arc = arcs[arc].next;
    if (arc != noArc) {
      path.push_back(arc);
      node = arcs[arc].to;
      continue;
    }
    if (path.empty())
      return 0;
    // A dead end: step back and take the next arc there.
    uint32_t last = path.back();
    path.pop_back();
    node = arcs[last ^ 1].to;
    current[node] = arcs[last].next;
  }
  Weight amount = arcs[path.front()].residual;
  for (uint32_t arc : path)
    amount = std::min(amount, arcs[arc].residual);
  for (uint32_t arc : path) {
    arcs[arc].residual -= amount;
    arcs[arc ^ 1].residual += amount;
  }
  return amount;
}

Weight FlowNetwork::maximize(Node source, Node sink) {
  Weight total = 0;
  while (computeLevels(source, sink)) {
    current = firstArc;
    while (Weight amount = augment(source, sink))
      total += amount;
  }
  return total;
}

std::vector<bool> FlowNetwork::getSinkSide(Node sink) const {
  std::vector<bool> reaches(firstArc.size());
  reaches[sink] = true;
  std::vector<Node> queue = {sink};
  for (size_t next = 0; next < queue.size(); ++next)
    for (uint32_t arc = firstArc[queue[next]]; arc != noArc;
         arc = arcs[arc].next) {
      Node from = arcs[arc].to;
      if (reaches[from] || arcs[arc ^ 1].residual <= 0)
        continue;
      reaches[from] = true;
      queue.push_back(from);
    }
  return reaches;
}

} // namespace inlay
