//===- Optimal.cpp - Kernels of least traffic -----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planner.h"
#include "SmallSearch.h"
#include "llvm/ADT/STLExtras.h"

using namespace inlay;

static constexpr unsigned none = KernelGraph::none;
/// Nodes of a window in which all kernels are tried.
static constexpr unsigned windowSize = 8;
/// Nodes of a graph whose larger clusters are improved.
static constexpr unsigned maxNodes = 50'000;

Planner::Planner(const KernelGraph &graph, const KernelTarget &target,
                 llvm::ArrayRef<std::vector<unsigned>> clusters,
                 const KernelEffort &effort)
    : graph(graph), rules(graph, target), partition(graph),
      clusterOf(graph.size(), none), effort(effort),
      stepsLeft(effort.maxSteps) {
  for (auto [number, cluster] : llvm::enumerate(clusters))
    for (unsigned node : cluster)
      clusterOf[node] = number;
}

uint64_t Planner::computeBytes(llvm::ArrayRef<unsigned> nodes) const {
  llvm::SmallDenseSet<unsigned> sets;
  uint64_t bytes = 0;
  for (unsigned node : nodes)
    if (unsigned set = partition.getSet(node); sets.insert(set).second)
      bytes += measureTraffic(graph, partition.getMembers(set)).getTotal();
  return bytes;
}

/// What the node reads of the value.
uint64_t Planner::getReadBytes(unsigned node, unsigned root) const {
  uint64_t sum = 0;
  graph.visitReads(node, [&](unsigned id, uint64_t bytes) {
    sum += id == root ? bytes : 0;
  });
  return std::min(sum, graph.getValue(root).bytes);
}

/// The bytes of the value that the nodes read and write in whatever kernels: a
/// bound from below. It is read at least once if it comes from outside. It is
/// written if somebody else needs it, or if one of its users can never be in
/// the kernel of its producer; that one then reads it. No kernel has two
/// contractions, so that each contraction among the users reads it for itself,
/// but for one that may be in the producer's kernel. Where no contraction does,
/// the kernel of the user that takes most of it reads as much.
uint64_t Planner::countTraffic(unsigned root,
                               const llvm::BitVector &isOurs) const {
  const KernelGraph::Value &value = graph.getValue(root);
  bool isOwn = value.isComputed() && isOurs.test(value.producer);
  bool isApart = value.escapes, mayShare = false;
  uint64_t numAnchors = 0;
  // Of users that are for certain in no kernel of its producer.
  std::optional<uint64_t> read;
  for (unsigned user : value.users) {
    if (!isOurs.test(user)) {
      isApart = true;
      continue;
    }
    bool mayJoin = isOwn && rules.mayJoin(value.producer, user);
    if (!mayJoin)
      read = std::max(read.value_or(0), getReadBytes(user, root));
    numAnchors += graph[user].isAnchor();
    mayShare |= graph[user].isAnchor() && mayJoin;
  }
  if (numAnchors > mayShare)
    read = std::max(read.value_or(0), value.bytes * (numAnchors - mayShare));
  bool isWritten = isOwn && (isApart || read);
  return read.value_or(0) + (isWritten ? value.bytes : 0);
}

uint64_t Planner::computeBound(llvm::ArrayRef<unsigned> nodes) const {
  llvm::BitVector isOurs(graph.size());
  for (unsigned node : nodes)
    isOurs.set(node);
  uint64_t bound = 0;
  llvm::DenseSet<unsigned> seen;
  auto count = [&](unsigned root) {
    if (seen.insert(root).second)
      bound += countTraffic(root, isOurs);
  };
  for (unsigned node : nodes) {
    llvm::for_each(graph.getReads(node), count);
    llvm::for_each(graph[node].results, count);
  }
  return bound;
}

/// Whether nothing of another cluster uses what nodes of this one use or make:
/// then no kernel of both saves anything.
bool Planner::isClosed(llvm::ArrayRef<unsigned> cluster) const {
  unsigned own = clusterOf[cluster.front()];
  auto isOther = [&](unsigned node) {
    return clusterOf[node] != own && clusterOf[node] != none;
  };
  llvm::DenseSet<unsigned> seen;
  auto isShared = [&](unsigned root) {
    const KernelGraph::Value &value = graph.getValue(root);
    return seen.insert(root).second &&
           ((value.isComputed() && isOther(value.producer)) ||
            llvm::any_of(value.users, isOther));
  };
  return llvm::none_of(cluster, [&](unsigned node) {
    return llvm::any_of(graph[node].results, isShared) ||
           llvm::any_of(graph.getReads(node), isShared);
  });
}

void Planner::improve(llvm::ArrayRef<unsigned> nodes, bool *isExact) {
  SmallSearch search(graph, rules, partition, nodes, effort.maxVisits);
  std::vector<unsigned> sets;
  for (unsigned node : nodes)
    sets.push_back(partition.getSet(node));
  bool found = search.run(sets, stepsLeft);
  if (isExact)
    *isExact = stepsLeft > 0 && search.isFree();
  if (found)
    partition.assign(nodes, sets);
}

/// Nodes that follow each other, as far as their kernels do not reach beyond.
void Planner::improveWindows(llvm::ArrayRef<unsigned> cluster) {
  for (size_t first = 0; first < cluster.size(); first += windowSize / 2) {
    llvm::ArrayRef<unsigned> window =
        cluster.slice(first).take_front(windowSize);
    std::vector<unsigned> whole = findWholeUnits(window, [&](unsigned node) {
      return partition.getMembers(partition.getSet(node));
    });
    if (whole.size() >= 2 && stepsLeft > 0)
      improve(whole);
  }
}

bool Planner::planOptimal(llvm::ArrayRef<unsigned> cluster) {
  planGreedy(cluster);
  if (cluster.size() <= std::min(effort.maxNodes, SmallSearch::maxSize)) {
    bool isExact = false;
    improve(cluster, &isExact);
    return isExact && isClosed(cluster);
  }
  if (graph.size() <= maxNodes)
    improveWindows(cluster);
  return false;
}

/// Tries all kernels of all nodes together, whatever clusters they are in, if
/// they are few enough; returns whether the result is the best there is.
bool Planner::planAll() {
  std::vector<unsigned> nodes;
  for (unsigned node = 0; node < graph.size(); ++node)
    if (clusterOf[node] != none)
      nodes.push_back(node);
  bool isExact = nodes.empty();
  if (!isExact &&
      nodes.size() <= std::min(effort.maxNodes, SmallSearch::maxSize))
    improve(nodes, &isExact);
  return isExact;
}

/// What nodes outside of all clusters read and write, whatever the kernels.
static uint64_t countOpaque(const KernelGraph &graph) {
  uint64_t bytes = 0;
  for (unsigned node = 0; node < graph.size(); ++node)
    if (graph[node].kind == FusionClass::Opaque)
      bytes += measureTraffic(graph, {node}).getTotal();
  return bytes;
}

/// Kernels of clusters that share nothing with others and were searched whole
/// are the least; of all other nodes it is known what they read and write in
/// whatever kernels, also over the borders of clusters. Planning all together
/// may then mix them in kernels of as many bytes, so they are counted before.
static uint64_t planAndBound(const KernelGraph &graph,
                             llvm::ArrayRef<std::vector<unsigned>> clusters,
                             Planner &planner) {
  std::vector<unsigned> least, others;
  for (llvm::ArrayRef<unsigned> cluster : clusters)
    llvm::append_range(planner.planOptimal(cluster) ? least : others, cluster);
  uint64_t leastBytes = planner.computeBytes(least);
  if (planner.planAll()) {
    llvm::append_range(least, others);
    return planner.computeBytes(least) + countOpaque(graph);
  }
  llvm::sort(others);
  return leastBytes + planner.computeBound(others) + countOpaque(graph);
}

KernelPlan inlay::planKernels(const KernelGraph &graph,
                              const KernelTarget &target,
                              llvm::ArrayRef<std::vector<unsigned>> clusters,
                              KernelStrategy strategy,
                              const KernelEffort &effort) {
  Planner planner(graph, target, clusters, effort);
  std::optional<uint64_t> bound;
  if (strategy == KernelStrategy::Optimal)
    bound = planAndBound(graph, clusters, planner);
  else
    llvm::for_each(clusters, [&](llvm::ArrayRef<unsigned> cluster) {
      planner.planGreedy(cluster);
    });
  KernelPlan plan = planner.getPlan();
  plan.bound = bound;
  return plan;
}
