//===- AcyclicPartition.h - Sets of nodes that can run in turn --*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_KERNELFUSION_ACYCLICPARTITION_H
#define INLAY_LIB_KERNELFUSION_ACYCLICPARTITION_H

#include "inlay/KernelFusion/KernelGraph.h"

namespace inlay {

/// Disjoint sets of all nodes, each alone at first, that never wait for each
/// other in a circle.
class AcyclicPartition {
public:
  explicit AcyclicPartition(const KernelGraph &graph);

  unsigned getSet(unsigned node) const { return setOf[node]; }
  llvm::ArrayRef<unsigned> getSets() const { return setOf; }
  /// Ascending.
  llvm::ArrayRef<unsigned> getMembers(unsigned set) const {
    return members[set];
  }
  /// The members of both, ascending.
  std::vector<unsigned> getUnion(unsigned a, unsigned b) const;

  /// Whether a set between the two would wait for one of them and be waited for
  /// by the other. A search that takes too long counts as one that found such a
  /// set.
  bool closesCircle(unsigned a, unsigned b) {
    return isReached(a, b) || isReached(b, a);
  }
  /// Joins two sets that close no circle, and returns the set of both.
  unsigned join(unsigned a, unsigned b);
  /// Gives nodes whose sets hold no others new sets: those of one number.
  void assign(llvm::ArrayRef<unsigned> nodes, llvm::ArrayRef<unsigned> numbers);

private:
  bool isReached(unsigned from, unsigned to);

  const KernelGraph &graph;
  std::vector<unsigned> setOf;
  std::vector<std::vector<unsigned>> members;
  /// Of each set, the last search that saw it.
  std::vector<unsigned> seen;
  unsigned search = 0;
};

} // namespace inlay

#endif // INLAY_LIB_KERNELFUSION_ACYCLICPARTITION_H
