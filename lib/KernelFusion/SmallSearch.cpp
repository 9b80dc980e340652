//===- SmallSearch.cpp - All kernels of a few operators -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallSearch.h"
#include "llvm/ADT/STLExtras.h"

using namespace inlay;

/// Sets outside that are visited to find paths over them.
static constexpr unsigned maxVisits = 50'000;

SmallSearch::SmallSearch(const KernelGraph &graph, KernelRules &rules,
                         const AcyclicPartition &partition,
                         llvm::ArrayRef<unsigned> nodes)
    : graph(graph), rules(rules), nodes(nodes), waiting(nodes.size()),
      around(nodes.size()), entries(size_t(1) << nodes.size()) {
  assert(nodes.size() <= maxSize && "too many nodes");
  findPaths(partition);
}

/// Where a search takes too long, everything later waits: then no two kernels
/// of the result can wait for each other over something outside.
void SmallSearch::findPaths(const AcyclicPartition &partition) {
  auto find = [&](unsigned node) -> std::optional<unsigned> {
    auto it = llvm::lower_bound(nodes, node);
    if (it == nodes.end() || *it != node)
      return std::nullopt;
    return it - nodes.begin();
  };
  // What comes after all of them leads to none.
  unsigned last = 0;
  for (unsigned node : nodes)
    last = std::max(last, partition.getPlace(partition.getSet(node)));
  for (auto [place, node] : llvm::enumerate(nodes)) {
    llvm::DenseSet<unsigned> seen;
    llvm::SmallVector<unsigned> work;
    auto leave = [&](unsigned from, Mask &reached) {
      for (unsigned user : graph[from].succ) {
        if (std::optional<unsigned> other = find(user)) {
          reached |= Mask(1) << *other;
          continue;
        }
        unsigned set = partition.getSet(user);
        if (partition.getPlace(set) < last && seen.insert(set).second)
          work.push_back(set);
      }
    };
    leave(node, waiting[place]);
    for (unsigned numVisits = 0; !work.empty(); ++numVisits) {
      if (numVisits == maxVisits) {
        around[place] |= (Mask(1) << nodes.size()) - (Mask(2) << place);
        break;
      }
      for (unsigned member : partition.getMembers(work.pop_back_val()))
        leave(member, around[place]);
    }
    waiting[place] |= around[place];
  }
}

const SmallSearch::Entry &SmallSearch::getEntry(Mask mask) {
  Entry &entry = entries[mask];
  if (entry.isKnown)
    return entry;
  llvm::SmallVector<unsigned, maxSize> list;
  for (unsigned place = 0; place < nodes.size(); ++place)
    if (mask >> place & 1)
      list.push_back(nodes[place]);
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
