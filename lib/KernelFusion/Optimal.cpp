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
/// Kernels that are tried for all clusters together.
static constexpr uint64_t maxSteps = 20'000'000;

Planner::Planner(const KernelGraph &graph, const KernelTarget &target,
                 llvm::ArrayRef<std::vector<unsigned>> clusters)
    : graph(graph), rules(graph, target), partition(graph),
      clusterOf(graph.size(), none), stepsLeft(maxSteps) {
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

/// Every value is read once if it comes from outside, and written once if it
/// leaves or what uses it can never be where it is made. Contractions are in
/// kernels of their own, so that each reads it.
uint64_t Planner::computeBound(llvm::ArrayRef<unsigned> cluster) const {
  uint64_t bound = 0;
  llvm::DenseSet<unsigned> seen;
  auto count = [&](unsigned root) {
    const KernelGraph::Value &value = graph.getValue(root);
    if (!seen.insert(root).second)
      return;
    bool isOwn = value.producer != none && isInCluster(value.producer);
    unsigned numInside = 0, numAnchors = 0;
    bool isApart = value.escapes, isReadApart = false;
    for (unsigned user : value.users) {
      if (!isInCluster(user)) {
        isApart = true;
        continue;
      }
      ++numInside;
      numAnchors += graph[user].isAnchor();
      isReadApart |= isOwn && !rules.mayJoin(value.producer, user);
    }
    bool isWritten = isOwn && (isApart || isReadApart || numAnchors > 1);
    uint64_t numReads = 0;
    if (!isOwn)
      numReads = std::max(numAnchors, numInside != 0 ? 1u : 0u);
    else if (isReadApart || numAnchors > 1)
      numReads = std::max(numAnchors, 1u);
    // The producer may share a kernel with one of them.
    if (isOwn && numAnchors > 1 && !isReadApart)
      numReads = numAnchors - 1;
    bound += value.bytes * (numReads + isWritten);
  };
  for (unsigned node : cluster) {
    for (const KernelGraph::Operand &operand : graph[node].operands)
      count(graph.getValue(operand.value).root);
    for (unsigned result : graph[node].results)
      count(result);
  }
  return bound;
}

bool Planner::improve(llvm::ArrayRef<unsigned> nodes) {
  SmallSearch search(graph, rules, partition, nodes);
  std::vector<unsigned> sets;
  for (unsigned node : nodes)
    sets.push_back(partition.getSet(node));
  bool found = search.run(sets, stepsLeft);
  if (found)
    partition.assign(nodes, sets);
  return found;
}

/// Nodes that follow each other, as far as their kernels do not reach beyond.
void Planner::improveWindows(llvm::ArrayRef<unsigned> cluster) {
  for (size_t first = 0; first < cluster.size(); first += windowSize / 2) {
    llvm::ArrayRef<unsigned> window =
        cluster.slice(first).take_front(windowSize);
    std::vector<unsigned> whole;
    for (unsigned node : window)
      if (llvm::all_of(partition.getMembers(partition.getSet(node)),
                       [&](unsigned member) {
                         return std::binary_search(window.begin(), window.end(),
                                                   member);
                       }))
        whole.push_back(node);
    if (whole.size() >= 2 && stepsLeft > 0)
      improve(whole);
  }
}

uint64_t Planner::planOptimal(llvm::ArrayRef<unsigned> cluster) {
  planGreedy(cluster);
  if (cluster.size() <= SmallSearch::maxSize) {
    improve(cluster);
    if (stepsLeft > 0)
      return computeBytes(cluster);
  } else if (graph.size() <= maxNodes) {
    improveWindows(cluster);
  }
  return std::min(computeBound(cluster), computeBytes(cluster));
}

/// Where there are so few nodes, clusters are no limit.
std::optional<uint64_t> Planner::planAll() {
  std::vector<unsigned> nodes;
  for (unsigned node = 0; node < graph.size(); ++node)
    if (clusterOf[node] != none)
      nodes.push_back(node);
  if (nodes.empty() || nodes.size() > SmallSearch::maxSize)
    return std::nullopt;
  improve(nodes);
  if (stepsLeft == 0)
    return std::nullopt;
  return computeBytes(nodes);
}

KernelPlan inlay::planKernels(const KernelGraph &graph,
                              const KernelTarget &target,
                              llvm::ArrayRef<std::vector<unsigned>> clusters,
                              KernelStrategy strategy) {
  Planner planner(graph, target, clusters);
  uint64_t bound = 0;
  for (llvm::ArrayRef<unsigned> cluster : clusters)
    if (strategy == KernelStrategy::Greedy)
      planner.planGreedy(cluster);
    else
      bound += planner.planOptimal(cluster);
  if (strategy == KernelStrategy::Optimal)
    bound = planner.planAll().value_or(bound);
  KernelPlan plan = planner.getPlan();
  if (strategy == KernelStrategy::Greedy)
    return plan;
  for (unsigned node = 0; node < graph.size(); ++node)
    if (graph[node].kind == FusionClass::Opaque)
      bound += measureTraffic(graph, {node}).getTotal();
  plan.bound = bound;
  return plan;
}
