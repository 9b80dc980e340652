//===- Clusters.cpp - Operators that may become kernels together ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AcyclicPartition.h"
#include "inlay/KernelFusion/KernelPlan.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace inlay;

/// Edges between clusters that are looked at to join the two.
static constexpr unsigned maxJoins = 10'000;

static bool isOpaque(const KernelGraph &graph, unsigned node) {
  return graph[node].kind == FusionClass::Opaque;
}

/// How many opaque nodes stand before each node, at most: nodes of one number
/// have none between them.
static std::vector<unsigned> countOpaque(const KernelGraph &graph) {
  std::vector<unsigned> counts(graph.size());
  for (unsigned node = 0; node < graph.size(); ++node)
    for (unsigned pred : graph[node].pred)
      counts[node] =
          std::max(counts[node], counts[pred] + isOpaque(graph, pred));
  return counts;
}

/// Joins nodes of one number that are linked, or that read the same value.
static void joinLevels(const KernelGraph &graph, llvm::IntEqClasses &classes) {
  std::vector<unsigned> counts = countOpaque(graph);
  for (unsigned node = 0; node < graph.size(); ++node)
    for (unsigned pred : graph[node].pred)
      if (!isOpaque(graph, node) && !isOpaque(graph, pred) &&
          counts[node] == counts[pred])
        classes.join(node, pred);
  llvm::SmallDenseMap<unsigned, unsigned> first;
  for (const KernelGraph::Value &value : graph.getValues()) {
    if (value.isConstant)
      continue;
    first.clear();
    for (unsigned user : value.users)
      if (!isOpaque(graph, user))
        if (auto [it, isNew] = first.try_emplace(counts[user], user); !isNew)
          classes.join(it->second, user);
  }
}

/// Joins clusters over edges between numbers where nothing outside is between.
static void joinAcross(const KernelGraph &graph, AcyclicPartition &partition) {
  unsigned numJoins = 0;
  for (unsigned node = 0; node < graph.size(); ++node)
    for (unsigned pred : graph[node].pred) {
      unsigned a = partition.getSet(pred), b = partition.getSet(node);
      if (a == b || isOpaque(graph, node) || isOpaque(graph, pred))
        continue;
      if (++numJoins > maxJoins)
        return;
      partition.tryJoin(a, b);
    }
}

std::vector<std::vector<unsigned>>
inlay::findClusters(const KernelGraph &graph) {
  llvm::IntEqClasses classes(graph.size());
  joinLevels(graph, classes);
  std::vector<unsigned> nodes, numbers;
  for (unsigned node = 0; node < graph.size(); ++node) {
    nodes.push_back(node);
    numbers.push_back(classes.findLeader(node));
  }
  AcyclicPartition partition(graph);
  partition.assign(nodes, numbers);
  joinAcross(graph, partition);
  std::vector<std::vector<unsigned>> clusters;
  for (unsigned node = 0; node < graph.size(); ++node) {
    llvm::ArrayRef<unsigned> members =
        partition.getMembers(partition.getSet(node));
    if (!isOpaque(graph, node) && members.front() == node)
      clusters.emplace_back(members.begin(), members.end());
  }
  return clusters;
}
