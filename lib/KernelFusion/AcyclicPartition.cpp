//===- AcyclicPartition.cpp - Sets of nodes that can run in turn ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AcyclicPartition.h"
#include "llvm/ADT/STLExtras.h"

using namespace inlay;

/// Sets that one search visits. Nodes are numbered in an order in which they
/// can run, so that only what lies between two sets is visited at all.
static constexpr unsigned maxVisits = 20'000;

AcyclicPartition::AcyclicPartition(const KernelGraph &graph)
    : graph(graph), setOf(graph.size()), members(graph.size()),
      seen(graph.size()) {
  for (unsigned node = 0; node < graph.size(); ++node) {
    setOf[node] = node;
    members[node] = {node};
  }
}

std::vector<unsigned> AcyclicPartition::getUnion(unsigned a, unsigned b) const {
  std::vector<unsigned> both;
  both.reserve(members[a].size() + members[b].size());
  std::merge(members[a].begin(), members[a].end(), members[b].begin(),
             members[b].end(), std::back_inserter(both));
  return both;
}

bool AcyclicPartition::isReached(unsigned from, unsigned to) {
  ++search;
  unsigned last = members[to].back();
  llvm::SmallVector<unsigned, 16> work;
  // A path of one edge does not count: it is inside of what is joined.
  auto leave = [&](unsigned set, bool isFirst) {
    for (unsigned node : members[set])
      for (unsigned user : graph[node].succ) {
        unsigned next = setOf[user];
        if (next == to) {
          if (!isFirst)
            return true;
          continue;
        }
        if (next == from || seen[next] == search ||
            members[next].front() > last)
          continue;
        seen[next] = search;
        work.push_back(next);
      }
    return false;
  };
  leave(from, /*isFirst=*/true);
  for (unsigned numVisits = 0; !work.empty(); ++numVisits)
    if (numVisits == maxVisits || leave(work.pop_back_val(), false))
      return true;
  return false;
}

unsigned AcyclicPartition::join(unsigned a, unsigned b) {
  if (members[a].size() < members[b].size())
    std::swap(a, b);
  for (unsigned node : members[b])
    setOf[node] = a;
  members[a] = getUnion(a, b);
  members[b].clear();
  return a;
}

void AcyclicPartition::assign(llvm::ArrayRef<unsigned> nodes,
                              llvm::ArrayRef<unsigned> numbers) {
  for (unsigned node : nodes)
    members[setOf[node]].clear();
  // A set is called by its first node.
  llvm::SmallDenseMap<unsigned, unsigned> first;
  for (auto [node, number] : llvm::zip_equal(nodes, numbers)) {
    unsigned set = first.try_emplace(number, node).first->second;
    setOf[node] = set;
    members[set].push_back(node);
  }
}
