//===- KernelPlan.h - Which operators become which kernel -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_KERNELFUSION_KERNELPLAN_H
#define INLAY_KERNELFUSION_KERNELPLAN_H

#include "inlay/KernelFusion/KernelRules.h"

namespace inlay {

/// What is read from and written to memory.
struct KernelTraffic {
  uint64_t read = 0, written = 0;

  uint64_t getTotal() const { return read + written; }
  KernelTraffic &operator+=(const KernelTraffic &other) {
    read += other.read;
    written += other.written;
    return *this;
  }
  bool operator==(const KernelTraffic &) const = default;
};

/// Of nodes that run as one, ascending: what they read from outside, each value
/// once, of one that is only moved as much as is taken of it, and what others
/// use of their results. Views are the values that they are of.
KernelTraffic measureTraffic(const KernelGraph &graph,
                             llvm::ArrayRef<unsigned> nodes);

/// What is in the traffic of the graph, however kernels are made, only because
/// bodies of its operators read it: it counts once more where they do.
uint64_t measureCaptures(const KernelGraph &graph);

/// Nodes of which some may run as one, each list ascending: as many as possible
/// that are linked by other than opaque ones, without any path from one over
/// something outside to another.
std::vector<std::vector<unsigned>> findClusters(const KernelGraph &graph);

struct KernelPlan {
  /// Every node is in one, alone or not. Ascending, and so are the nodes of
  /// each kernel; by their first node.
  std::vector<std::vector<unsigned>> kernels;
  /// Of each node.
  std::vector<unsigned> kernelOf;
  KernelTraffic traffic;
  /// No kernels have less traffic; of `optimal` only.
  std::optional<uint64_t> bound;

  /// Takes each node's kernel, by any numbers.
  static KernelPlan create(const KernelGraph &graph,
                           llvm::ArrayRef<unsigned> kernelOf);
};

/// The kernels in an order in which they can run; fewer than there are where
/// some wait for each other.
std::vector<unsigned> findRunOrder(const KernelGraph &graph,
                                   const KernelPlan &plan);

enum class KernelStrategy : uint8_t { Greedy, Optimal };

/// How much `optimal` may do, in steps that do not depend on the machine.
struct KernelEffort {
  /// Nodes of which all kernels are tried; no more than ten.
  unsigned maxNodes = 10;
  /// Kernels outside that are visited to find paths over them.
  unsigned maxVisits = 50'000;
  /// Kernels that are tried for all clusters together.
  uint64_t maxSteps = 20'000'000;
};

/// Joins what saves most, as long as the rules allow it.
KernelPlan planKernels(const KernelGraph &graph, const KernelTarget &target,
                       llvm::ArrayRef<std::vector<unsigned>> clusters,
                       KernelStrategy strategy,
                       const KernelEffort &effort = {});

/// Says why edges between two kernels are not inside of one. What it needs to
/// know of the graph it finds out once.
class KernelExplainer {
public:
  KernelExplainer(const KernelGraph &graph, const KernelTarget &target,
                  const KernelPlan &plan);

  KernelReason explain(unsigned from, unsigned to);

private:
  bool findDetour(unsigned from, unsigned to) const;

  const KernelGraph &graph;
  const KernelPlan &plan;
  KernelRules rules;
  /// Of each kernel, its place in an order in which they can run.
  std::vector<unsigned> placeOf;
};

} // namespace inlay

#endif // INLAY_KERNELFUSION_KERNELPLAN_H
