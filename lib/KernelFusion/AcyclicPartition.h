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
/// other in a circle. Sets have a place in an order in which they can run; what
/// is asked or changed concerns only the places between two sets.
class AcyclicPartition {
public:
  explicit AcyclicPartition(const KernelGraph &graph);

  unsigned getSet(unsigned node) const { return setOf[node]; }
  llvm::ArrayRef<unsigned> getSets() const { return setOf; }
  /// Ascending.
  llvm::ArrayRef<unsigned> getMembers(unsigned set) const {
    return members[set];
  }
  /// Where the set is in an order in which they can run.
  unsigned getPlace(unsigned set) const { return placeOf[set]; }
  /// The members of both, ascending.
  std::vector<unsigned> getUnion(unsigned a, unsigned b) const;

  /// Joins two sets unless another one would wait for them and they for it.
  /// Sets that are too far from each other are not joined either.
  bool tryJoin(unsigned a, unsigned b);

  /// Moves a node of a set of several to another set unless that closes a
  /// circle.
  bool tryMove(unsigned node, unsigned set);

  /// Gives nodes whose sets hold no others new sets: those of one number. The
  /// sets must close no circle.
  void assign(llvm::ArrayRef<unsigned> nodes, llvm::ArrayRef<unsigned> numbers);

private:
  bool findFollowers(unsigned from, unsigned to);
  void place(unsigned from, unsigned to);
  bool sortSets();

  const KernelGraph &graph;
  std::vector<unsigned> setOf;
  std::vector<std::vector<unsigned>> members;
  /// Of each set its place, and what is there; none where a set was.
  std::vector<unsigned> placeOf, setAt;
  /// Of each set, the last search that found it.
  std::vector<unsigned> found;
  unsigned search = 0;
};

} // namespace inlay

#endif // INLAY_LIB_KERNELFUSION_ACYCLICPARTITION_H
