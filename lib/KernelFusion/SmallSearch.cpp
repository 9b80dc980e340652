//===- SmallSearch.cpp - All kernels of a few operators -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallSearch.h"
#include "inlay/Support/Cancellation.h"
#include "llvm/ADT/STLExtras.h"

using namespace inlay;

SmallSearch::SmallSearch(const KernelGraph &graph, KernelRules &rules,
                         const AcyclicPartition &partition,
                         llvm::ArrayRef<unsigned> nodes, unsigned maxVisits)
    : graph(graph), rules(rules), partition(partition), nodes(nodes),
      maxVisits(maxVisits), waiting(nodes.size()), around(nodes.size()),
      entries(size_t(1) << nodes.size()) {
  assert(nodes.size() <= maxSize && "too many nodes");
  findPaths();
}

/// Which of the nodes are reached from the one at `place` by a path over nodes
/// outside of the search. `inSets` means that those outside are in the kernels
/// that they have now: who enters one reaches all that it leads to. Nothing
/// where more than `maxVisits` of them would have to be visited.
std::optional<SmallSearch::Mask> SmallSearch::findAround(unsigned place,
                                                         bool inSets) const {
  // A path does not come back from what runs after all of the nodes.
  unsigned last = inSets ? 0 : nodes.back();
  for (unsigned node : nodes)
    if (inSets)
      last = std::max(last, partition.getPlace(partition.getSet(node)));
  auto getUnit = [&](unsigned node) {
    return inSets ? partition.getSet(node) : node;
  };
  auto getMembers = [&](const unsigned &unit) {
    return inSets ? partition.getMembers(unit) : llvm::ArrayRef<unsigned>(unit);
  };
  auto isBefore = [&](unsigned unit) {
    return (inSets ? partition.getPlace(unit) : unit) < last;
  };
  unsigned visitsLeft = maxVisits;
  return findPathsAround(graph, nodes, place, getUnit, getMembers, isBefore,
                         visitsLeft);
}

/// Finds for each node which others wait for it over something outside. Where
/// that takes too long, all later ones are taken to wait. This allows fewer
/// kernels than there are, and never one that waits for itself.
void SmallSearch::findPaths() {
  for (auto [place, node] : llvm::enumerate(nodes)) {
    Mask later = (Mask(1) << nodes.size()) - (Mask(2) << place);
    around[place] = findAround(place, /*inSets=*/true).value_or(later);
    waiting[place] = around[place];
    for (unsigned user : graph[node].succ)
      if (std::optional<unsigned> other = findPlace(nodes, user))
        waiting[place] |= Mask(1) << *other;
  }
}

bool SmallSearch::isFree() const {
  for (unsigned place = 0; place < nodes.size(); ++place)
    if (findAround(place, /*inSets=*/false) != around[place])
      return false;
  return true;
}

const SmallSearch::Entry &SmallSearch::getEntry(Mask mask) {
  Entry &entry = entries[mask];
  if (entry.isKnown)
    return entry;
  auto list = getNodesAt(nodes, mask);
  entry.isKnown = true;
  entry.isLegal = !rules.check(list);
  entry.bytes = measureTraffic(graph, list).getTotal();
  *stepsLeft -= *stepsLeft > 0;
  return entry;
}

bool SmallSearch::canRun(llvm::ArrayRef<Mask> kernels) const {
  Mask done = 0, all = (Mask(1) << nodes.size()) - 1;
  for (Mask kernel : kernels)
    for (unsigned place = 0; place < nodes.size(); ++place)
      if ((kernel >> place & 1) && (around[place] & kernel))
        return false;
  // What waits for something that is not done yet.
  for (bool changed = true; changed && done != all;) {
    changed = false;
    Mask blocked = 0;
    for (unsigned place = 0; place < nodes.size(); ++place)
      if (!(done >> place & 1))
        for (Mask kernel : kernels)
          if (kernel >> place & 1)
            blocked |= waiting[place] & ~kernel;
    for (Mask kernel : kernels)
      if (!(kernel & done) && !(kernel & blocked)) {
        done |= kernel;
        changed = true;
      }
  }
  return done == all;
}

void SmallSearch::search(unsigned place) {
  if (isCancelled())
    *stepsLeft = 0;
  if (*stepsLeft == 0)
    return;
  if (place == nodes.size()) {
    uint64_t total = 0;
    for (Mask kernel : current) {
      const Entry &entry = getEntry(kernel);
      if (!entry.isLegal)
        return;
      total += entry.bytes;
    }
    bool isBetter = total < bestBytes ||
                    (total == bestBytes && current.size() < best.size());
    if (isBetter && canRun(current)) {
      best = current;
      bestBytes = total;
    }
    return;
  }
  *stepsLeft -= 1;
  for (size_t i = 0; i < current.size(); ++i) {
    bool mayJoin = true;
    for (unsigned other = 0; other < place && mayJoin; ++other)
      if (current[i] >> other & 1)
        mayJoin = rules.mayJoin(nodes[other], nodes[place]);
    if (!mayJoin)
      continue;
    current[i] |= Mask(1) << place;
    search(place + 1);
    current[i] &= ~(Mask(1) << place);
  }
  current.push_back(Mask(1) << place);
  search(place + 1);
  current.pop_back();
}

bool SmallSearch::run(std::vector<unsigned> &sets, uint64_t &steps) {
  stepsLeft = &steps;
  llvm::SmallDenseMap<unsigned, unsigned> numbers;
  for (auto [place, set] : llvm::enumerate(sets)) {
    auto [it, isNew] = numbers.try_emplace(set, best.size());
    if (isNew)
      best.push_back(0);
    best[it->second] |= Mask(1) << place;
  }
  for (Mask kernel : best)
    bestBytes += getEntry(kernel).bytes;
  std::vector<Mask> before = best;
  search(0);
  if (best == before)
    return false;
  for (auto [number, kernel] : llvm::enumerate(best))
    for (unsigned place = 0; place < nodes.size(); ++place)
      if (kernel >> place & 1)
        sets[place] = number;
  return true;
}
