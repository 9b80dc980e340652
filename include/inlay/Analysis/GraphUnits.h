//===- GraphUnits.h - Nodes that run as one ---------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Units are sets of nodes of an OpGraph: groups or kernels, and nodes that are
// in none. Callers number them as they like and say of which nodes each is.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_GRAPHUNITS_H
#define INLAY_ANALYSIS_GRAPHUNITS_H

#include "inlay/Analysis/OpGraph.h"
#include "inlay/Support/TopologicalOrder.h"
#include <optional>

namespace inlay {

/// The units of the graph, by numbers below `numUnits`, in an order in which
/// they can run; of those that could be next, the one with the first node.
/// Units that wait for each other, and what waits for them, are missing.
/// `getMembers(unit)` are its nodes, ascending.
template <typename GraphT, typename GetUnit, typename GetMembers>
std::vector<unsigned> sortUnits(const GraphT &graph, size_t numUnits,
                                GetUnit getUnit, GetMembers getMembers) {
  std::vector<unsigned> waitsFor(numUnits, absentItem);
  for (unsigned node = 0; node < graph.size(); ++node) {
    unsigned &own = waitsFor[getUnit(node)];
    own = own == absentItem ? 0 : own;
    for (unsigned pred : graph[node].pred)
      own += getUnit(pred) != getUnit(node);
  }
  auto forEachUser = [&](unsigned unit, auto visit) {
    for (unsigned node : getMembers(unit))
      for (unsigned user : graph[node].succ)
        if (unsigned other = getUnit(user); other != unit)
          visit(other);
  };
  return sortTopologically(waitsFor, forEachUser, [&](const unsigned &unit) {
    return getMembers(unit).front();
  });
}

/// Those nodes of a window, ascending, whose units lie in it whole:
/// `getMembers(node)` are the nodes of a node's unit.
template <typename GetMembers>
std::vector<unsigned> findWholeUnits(llvm::ArrayRef<unsigned> window,
                                     GetMembers getMembers) {
  std::vector<unsigned> whole;
  for (unsigned node : window)
    if (llvm::all_of(getMembers(node),
                     [&](unsigned member) { return hasNode(window, member); }))
      whole.push_back(node);
  return whole;
}

/// A few nodes, as places in a list.
using PlaceMask = uint32_t;

inline std::optional<unsigned> findPlace(llvm::ArrayRef<unsigned> nodes,
                                         unsigned node) {
  auto it = llvm::lower_bound(nodes, node);
  if (it == nodes.end() || *it != node)
    return std::nullopt;
  return it - nodes.begin();
}

inline llvm::SmallVector<unsigned, 16>
getNodesAt(llvm::ArrayRef<unsigned> nodes, PlaceMask places) {
  llvm::SmallVector<unsigned, 16> list;
  for (auto [place, node] : llvm::enumerate(nodes))
    if (places >> place & 1)
      list.push_back(node);
  return list;
}

/// Which of `nodes`, ascending, are reached from the one at `place` by a path
/// over others: who enters a unit of others reaches all that its nodes lead to.
/// No unit has nodes of both. Paths are not followed into a unit that is not
/// `isBefore` the last of the nodes: none comes back from there. Every unit
/// takes one of `visitsLeft`; nothing where that is not enough.
template <typename GraphT, typename GetUnit, typename GetMembers,
          typename IsBefore>
std::optional<PlaceMask>
findPathsAround(const GraphT &graph, llvm::ArrayRef<unsigned> nodes,
                unsigned place, GetUnit getUnit, GetMembers getMembers,
                IsBefore isBefore, unsigned &visitsLeft) {
  PlaceMask reached = 0;
  llvm::DenseSet<unsigned> seen;
  llvm::SmallVector<unsigned> work;
  auto leave = [&](unsigned from) {
    for (unsigned user : graph[from].succ) {
      if (std::optional<unsigned> other = findPlace(nodes, user)) {
        reached |= from == nodes[place] ? 0 : PlaceMask(1) << *other;
        continue;
      }
      unsigned unit = getUnit(user);
      if (isBefore(unit) && seen.insert(unit).second)
        work.push_back(unit);
    }
  };
  leave(nodes[place]);
  while (!work.empty()) {
    if (visitsLeft == 0)
      return std::nullopt;
    --visitsLeft;
    unsigned unit = work.pop_back_val();
    llvm::for_each(getMembers(unit), leave);
  }
  return reached;
}

} // namespace inlay

#endif // INLAY_ANALYSIS_GRAPHUNITS_H
