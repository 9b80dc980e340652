//===- Aggregate.cpp - Clusters as groups ---------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ApplyKernels.h"
#include "inlay/Analysis/AssumedShapes.h"
#include "inlay/Analysis/NeedOrder.h"
#include "inlay/Transforms/Kernels/Kernels.h"

using namespace inlay;
using namespace mlir;

/// A composite operator goes where its basic ones are.
static void addComposites(Block &block,
                          llvm::DenseMap<Operation *, unsigned> &clusterOf) {
  for (Operation &op : block) {
    auto expanded = dyn_cast<ExpandedOp>(op);
    Operation *basic =
        expanded ? expanded.getBasic().front().getDefiningOp() : nullptr;
    auto it = clusterOf.find(basic);
    if (it == clusterOf.end())
      continue;
    unsigned cluster = it->second;
    clusterOf[&op] = cluster;
    clusterOf[expanded.getComposite().front().getDefiningOp()] = cluster;
  }
}

/// Makes the clusters of a block, with names from `number` on.
static void aggregate(Block &block, const AssumedShapes &shapes,
                      StringRef target, unsigned &number) {
  KernelGraph graph = buildKernelGraph(
      block, [&](Value value) { return shapes.getBytes(value); });
  std::vector<std::vector<unsigned>> clusters = findClusters(graph);
  llvm::DenseMap<Operation *, unsigned> clusterOf;
  for (auto [number, cluster] : llvm::enumerate(clusters))
    for (unsigned node : cluster)
      clusterOf[graph[node].ref] = number;
  addComposites(block, clusterOf);
  std::vector<SmallVector<Operation *>> ops(clusters.size());
  for (Operation &op : block)
    if (auto it = clusterOf.find(&op); it != clusterOf.end())
      ops[it->second].push_back(&op);
  KernelBuilder builder(block, target);
  for (ArrayRef<Operation *> cluster : ops)
    if (cluster.size() > 1)
      builder.build(cluster, "cluster_" + std::to_string(number++),
                    GroupKind::Cluster);
  builder.finish();
}

void inlay::aggregateKernels(func::FuncOp func, const Target &target) {
  if (func.isExternal())
    return;
  AssumedShapes shapes(func, target);
  unsigned number = 0;
  for (Block *block : findBodies(func.getBody().front()))
    aggregate(*block, shapes, target.name, number);
}
