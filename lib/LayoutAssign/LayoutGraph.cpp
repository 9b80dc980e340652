//===- LayoutGraph.cpp - The layout problem of a function -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/LayoutAssign/LayoutGraph.h"
#include "LayoutGraphBuilder.h"
#include "llvm/ADT/StringExtras.h"

using namespace inlay;
using namespace mlir;

OrderTable::Id OrderTable::insert(ArrayRef<Atom> order) {
  llvm::hash_code hash = llvm::hash_combine_range(order.begin(), order.end());
  SmallVector<Id, 1> &candidates = byHash[hash];
  for (Id id : candidates)
    if (ArrayRef<Atom>(orders[id]) == order)
      return id;
  orders.emplace_back(order);
  candidates.push_back(orders.size() - 1);
  return candidates.back();
}

LayoutGraph::LayoutGraph(func::FuncOp func, const Target &target,
                         OpTypeNamer getOpType,
                         const LayoutGraphOptions &options)
    : func(func), target(target), problem(options.objective) {
  LayoutGraphBuilder(*this, getOpType, options).build();
}

const LayoutNode *LayoutGraph::lookup(Operation *op) const {
  auto it = nodeOfOp.find(op);
  return it == nodeOfOp.end() ? nullptr : &nodes[it->second];
}

const LayoutTensor *LayoutGraph::lookup(Value value) const {
  auto it = tensorOfValue.find(value);
  return it == tensorOfValue.end() ? nullptr : &tensors[it->second];
}

std::optional<UseId> LayoutGraph::getUse(OpOperand &operand) const {
  auto it = useOfOperand.find(&operand);
  return it == useOfOperand.end() ? std::nullopt : std::optional(it->second);
}

const LayoutNodeForm &LayoutGraph::getForm(const LayoutNode &node,
                                           ArrayRef<StateId> states) const {
  return node.forms[node.var ? states[*node.var] : 0];
}

Cost inlay::countMoves(const LayoutGraph &graph, ArrayRef<Relayout> relayouts) {
  Cost cost;
  for (const Relayout &relayout : relayouts)
    cost += {graph.getTensorOfNet(relayout.net).copyBytes[relayout.to], 1};
  return cost;
}
