//===- SmallSearch.h - All kernels of a few operators -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_KERNELFUSION_SMALLSEARCH_H
#define INLAY_LIB_KERNELFUSION_SMALLSEARCH_H

#include "AcyclicPartition.h"
#include "inlay/Analysis/GraphUnits.h"
#include "inlay/KernelFusion/KernelPlan.h"

namespace inlay {

/// Tries all ways to make kernels of a few nodes whose kernels hold no others;
/// what is outside stays as it is.
class SmallSearch {
public:
  static constexpr unsigned maxSize = 10;
  /// A set of nodes, as places in `nodes`.
  using Mask = PlaceMask;

  /// `nodes` ascend. At most `maxVisits` sets are visited to find the paths
  /// from each over what is outside.
  SmallSearch(const KernelGraph &graph, KernelRules &rules,
              const AcyclicPartition &partition, llvm::ArrayRef<unsigned> nodes,
              unsigned maxVisits);

  /// Looks for kernels of less traffic than those of `sets`, one number per
  /// node, or of as much and fewer; returns whether `sets` are such ones now.
  /// Every set that is tried takes one of `stepsLeft`.
  bool run(std::vector<unsigned> &sets, uint64_t &stepsLeft);

  /// Whether other sets outside would let no other kernels run, so that what
  /// `run` finds is the least whatever is outside.
  bool isFree() const;

private:
  struct Entry {
    bool isKnown = false, isLegal = false;
    uint64_t bytes = 0;
  };

  void findPaths();
  std::optional<Mask> findAround(unsigned place, bool inSets) const;
  const Entry &getEntry(Mask mask);
  bool canRun(llvm::ArrayRef<Mask> kernels) const;
  void search(unsigned place);

  const KernelGraph &graph;
  KernelRules &rules;
  const AcyclicPartition &partition;
  llvm::ArrayRef<unsigned> nodes;
  unsigned maxVisits;
  /// Of each node, those that wait for it, and those that wait for something
  /// outside that does.
  std::vector<Mask> waiting, around;
  std::vector<Entry> entries;
  std::vector<Mask> current, best;
  uint64_t bestBytes = 0;
  uint64_t *stepsLeft = nullptr;
};

} // namespace inlay

#endif // INLAY_LIB_KERNELFUSION_SMALLSEARCH_H
