//===- AcyclicPartition.cpp - Sets of nodes that can run in turn ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AcyclicPartition.h"
#include "inlay/Analysis/GraphUnits.h"
#include "llvm/ADT/STLExtras.h"

using namespace inlay;

static constexpr unsigned none = KernelGraph::none;
/// Two sets farther apart than so many places in the order are not joined: the
/// places between them are searched for a path, and change.
static constexpr unsigned maxDistance = 20'000;

AcyclicPartition::AcyclicPartition(const KernelGraph &graph)
    : graph(graph), setOf(graph.size()), members(graph.size()),
      placeOf(graph.size()), setAt(graph.size()), found(graph.size()) {
  for (unsigned node = 0; node < graph.size(); ++node) {
    setOf[node] = placeOf[node] = setAt[node] = node;
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

/// Marks the sets before `to` that wait for `from`; returns whether `to` waits
/// for one of them.
bool AcyclicPartition::findFollowers(unsigned from, unsigned to) {
  ++search;
  llvm::SmallVector<unsigned, 16> work = {from};
  while (!work.empty()) {
    unsigned set = work.pop_back_val();
    for (unsigned node : members[set])
      for (unsigned user : graph[node].succ) {
        unsigned next = setOf[user];
        if (next == to && set != from)
          return true;
        if (next == from || next == to || found[next] == search ||
            placeOf[next] > placeOf[to])
          continue;
        found[next] = search;
        work.push_back(next);
      }
  }
  return false;
}

/// Puts `to`, which holds what `from` held, before all that was found to wait
/// for it, and everything else between the two before that.
void AcyclicPartition::place(unsigned from, unsigned to) {
  unsigned first = placeOf[from], last = placeOf[to];
  llvm::SmallVector<unsigned, 16> waiting;
  unsigned next = first;
  auto put = [&](unsigned set) {
    setAt[next] = set;
    placeOf[set] = next++;
  };
  for (unsigned place = first; place <= last; ++place) {
    unsigned set = setAt[place];
    setAt[place] = none;
    if (set == none || set == from || set == to)
      continue;
    if (found[set] == search)
      waiting.push_back(set);
    else
      put(set);
  }
  put(to);
  for (unsigned set : waiting)
    put(set);
}

bool AcyclicPartition::tryJoin(unsigned a, unsigned b) {
  if (placeOf[a] > placeOf[b])
    std::swap(a, b);
  if (placeOf[b] - placeOf[a] > maxDistance || findFollowers(a, b))
    return false;
  place(a, b);
  members[b] = getUnion(a, b);
  for (unsigned node : members[a])
    setOf[node] = b;
  members[a].clear();
  return true;
}

/// Finds the places anew; returns whether there are such places.
bool AcyclicPartition::sortSets() {
  std::vector<unsigned> order = sortUnits(
      graph, graph.size(), [&](unsigned node) { return setOf[node]; },
      [&](unsigned set) { return getMembers(set); });
  std::fill(setAt.begin(), setAt.end(), none);
  for (auto [place, set] : llvm::enumerate(order)) {
    setAt[place] = set;
    placeOf[set] = place;
  }
  size_t numSets =
      llvm::count_if(members, [](const auto &nodes) { return !nodes.empty(); });
  return order.size() == numSets;
}

bool AcyclicPartition::tryMove(unsigned node, unsigned set) {
  unsigned from = setOf[node];
  auto move = [&](unsigned source, unsigned target) {
    llvm::erase(members[source], node);
    members[target].insert(llvm::lower_bound(members[target], node), node);
    setOf[node] = target;
  };
  move(from, set);
  if (!sortSets()) {
    move(set, from);
    sortSets();
    return false;
  }
  // A set is called by one of its nodes.
  if (from == node) {
    unsigned name = members[from].front();
    members[name] = std::move(members[from]);
    members[from].clear();
    for (unsigned member : members[name])
      setOf[member] = name;
    setAt[placeOf[from]] = name;
    placeOf[name] = placeOf[from];
  }
  return true;
}

void AcyclicPartition::assign(llvm::ArrayRef<unsigned> nodes,
                              llvm::ArrayRef<unsigned> numbers) {
  for (unsigned node : nodes)
    members[setOf[node]].clear();
  // A set is called by its first node.
  llvm::DenseMap<unsigned, unsigned> first;
  for (auto [node, number] : llvm::zip_equal(nodes, numbers)) {
    unsigned set = first.try_emplace(number, node).first->second;
    setOf[node] = set;
    members[set].push_back(node);
  }
  sortSets();
}
