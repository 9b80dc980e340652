//===- RelayoutDemands.h - What forces a relayout ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_RELAYOUTDEMANDS_H
#define INLAY_LIB_PIPELINE_RELAYOUTDEMANDS_H

#include "inlay/LayoutAssign/LayoutGraph.h"
#include "llvm/ADT/DenseSet.h"
#include <deque>

namespace inlay {

/// Follows a storage order from a relayout to what demands it.
class DemandFinder {
public:
  DemandFinder(const LayoutGraph &graph, const Solution &solution)
      : graph(graph), solution(solution) {}

  /// Why `net` is stored as its producer stores it.
  std::string findOfProducer(NetId net);
  /// Why `use` needs the order that it needs.
  std::string findOfUse(UseId use);

private:
  struct Place {
    /// One of both: a node, or a value that no node defines or uses.
    const LayoutNode *node;
    mlir::OpOperand *use;
    mlir::Value value;
  };

  std::string search(Place start);
  std::string describe(const Place &place) const;
  void visitNeighbours(const LayoutNode &node);
  void visitTensor(const LayoutNode &from, const LayoutNodePort &port);
  void push(Place place);
  LabelId getLabel(LayoutPort port) const {
    return port.labelOfState[solution.states[port.var]];
  }

  const LayoutGraph &graph;
  const Solution &solution;
  std::deque<Place> queue;
  llvm::DenseSet<const void *> seen;
};

/// A storage order in the letters of the tensor's axes where it has some.
std::string formatOrder(mlir::Value value, llvm::ArrayRef<Atom> order);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_RELAYOUTDEMANDS_H
