//===- Greedy.cpp - Kernels that save most first --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planner.h"
#include "llvm/ADT/STLExtras.h"

using namespace inlay;

/// Joining some lets others be joined that were not before; each round sees all
/// edges again.
static constexpr unsigned maxRounds = 4;
/// Users of a value that are joined because they read the same.
static constexpr unsigned maxSiblings = 16;
/// Nodes of graphs in which nodes are moved between kernels; a move looks at
/// all of them.
static constexpr unsigned maxMovedNodes = 20'000;

/// Neighbours of a node beyond which joining one with it takes long, and how
/// often in a row that may then be in vain: the operands of a Concat are mostly
/// alike.
static constexpr size_t crowd = 256;
static constexpr unsigned maxRefusals = 64;

namespace {
struct Edge {
  unsigned from, to;
  uint64_t bytes;
};
} // namespace

/// Finds out whether joining the two is one of very many attempts of the same
/// kind: one of them is a Concat with hundreds of operands, or computes what
/// hundreds read. Returns that one and whether the crowd is behind it; refusals
/// are counted for this pair.
std::optional<std::pair<unsigned, bool>> Planner::findCrowd(unsigned a,
                                                            unsigned b) const {
  for (auto [node, other] : {std::pair(a, b), std::pair(b, a)}) {
    bool isBehind = other > node;
    if ((isBehind ? graph[node].succ : graph[node].pred).size() > crowd)
      return std::pair(node, isBehind);
  }
  return std::nullopt;
}

/// Calls `attempt` to join the two, unless as many others of the same crowd as
/// `maxRefusals` were refused in a row.
bool Planner::attemptOnce(unsigned a, unsigned b,
                          llvm::function_ref<bool()> attempt) {
  auto among = findCrowd(a, b);
  if (!among)
    return attempt();
  if (refusals[*among] >= maxRefusals)
    return false;
  bool done = attempt();
  refusals[*among] = done ? 0 : refusals[*among] + 1;
  return done;
}

bool Planner::tryJoin(unsigned a, unsigned b) {
  unsigned first = partition.getSet(a), second = partition.getSet(b);
  if (first == second)
    return false;
  if (!rules.fits(partition.getMembers(first).size() +
                  partition.getMembers(second).size()))
    return false;
  return attemptOnce(a, b, [&] {
    return !rules.check(partition.getUnion(first, second)) &&
           partition.tryJoin(first, second);
  });
}

void Planner::joinEdges(llvm::ArrayRef<unsigned> cluster) {
  std::vector<Edge> edges;
  for (unsigned node : cluster)
    for (unsigned result : graph[node].results)
      for (unsigned user : graph.getValue(result).users)
        if (isInCluster(user))
          edges.push_back({node, user, graph.getValue(result).bytes});
  // Kernels grow in the order of the graph; an operator joins what computes its
  // largest operand if it can.
  llvm::sort(edges, [](const Edge &a, const Edge &b) {
    return std::tuple(a.to, b.bytes, a.from) <
           std::tuple(b.to, a.bytes, b.from);
  });
  for (unsigned round = 0; round < maxRounds; ++round) {
    bool changed = false;
    for (const Edge &edge : edges)
      changed |= tryJoin(edge.from, edge.to);
    if (!changed)
      break;
    llvm::erase_if(edges, [&](const Edge &edge) {
      return partition.getSet(edge.from) == partition.getSet(edge.to);
    });
  }
}

/// Kernels that read the same value, or that use one and write it, may read or
/// keep it together.
void Planner::joinSiblings(llvm::ArrayRef<unsigned> cluster) {
  llvm::DenseSet<unsigned> seen;
  for (unsigned node : cluster)
    for (unsigned root : graph.getReads(node)) {
      const KernelGraph::Value &value = graph.getValue(root);
      if (value.isConstant || !seen.insert(root).second ||
          value.users.size() < 2)
        continue;
      llvm::SmallVector<unsigned> users;
      for (unsigned user : value.users)
        if (isInCluster(user) && users.size() < maxSiblings)
          users.push_back(user);
      for (size_t i = 1; i < users.size(); ++i)
        tryJoin(users[i - 1], users[i]);
    }
}

uint64_t Planner::getBytes(llvm::ArrayRef<unsigned> nodes) const {
  return measureTraffic(graph, nodes).getTotal();
}

/// Moves the node to the kernel of a neighbour if that saves something.
bool Planner::tryMove(unsigned node, unsigned neighbour) {
  unsigned from = partition.getSet(node), to = partition.getSet(neighbour);
  llvm::ArrayRef<unsigned> source = partition.getMembers(from);
  llvm::ArrayRef<unsigned> target = partition.getMembers(to);
  if (from == to || source.size() < 2 || !rules.fits(target.size() + 1))
    return false;
  return attemptOnce(node, neighbour, [&] {
    std::vector<unsigned> less(source), more(target);
    llvm::erase(less, node);
    more.insert(llvm::lower_bound(more, node), node);
    uint64_t before = getBytes(source) + getBytes(target);
    return getBytes(less) + getBytes(more) < before && !rules.check(less) &&
           !rules.check(more) && partition.tryMove(node, to);
  });
}

/// What was joined early may be better off in the kernel on its other side.
void Planner::moveNodes(llvm::ArrayRef<unsigned> cluster) {
  if (graph.size() > maxMovedNodes)
    return;
  for (unsigned node : cluster)
    for (const auto &neighbours : {graph[node].succ, graph[node].pred})
      for (unsigned neighbour : neighbours)
        if (isInCluster(neighbour))
          tryMove(node, neighbour);
}

void Planner::planGreedy(llvm::ArrayRef<unsigned> cluster) {
  current = clusterOf[cluster.front()];
  joinEdges(cluster);
  joinSiblings(cluster);
  joinEdges(cluster);
  moveNodes(cluster);
  joinEdges(cluster);
}
