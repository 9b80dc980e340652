//===- RelayoutDemands.cpp - What forces a relayout -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RelayoutDemands.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/IR/Origin.h"

using namespace inlay;
using namespace mlir;

std::string DemandFinder::describe(const Place &place) const {
  if (place.node && place.node->isKey)
    return "key operator " + getOnnxOpType(place.node->op) + " '" +
           getNodeName(place.node->op) + "'";
  if (place.use) {
    Operation *owner = place.use->getOwner();
    if (isa<func::ReturnOp>(owner))
      return "output '" +
             getOutputName(graph.getFunction(), place.use->getOperandNumber())
                 .str() +
             "'";
    return getOnnxOpType(owner) + " '" + getNodeName(owner) + "'";
  }
  if (auto argument = dyn_cast_if_present<BlockArgument>(place.value)) {
    if (argument.getOwner()->getParentOp() == graph.getFunction())
      return "input '" +
             getInputName(graph.getFunction(), argument.getArgNumber()).str() +
             "'";
    return "a subgraph's input";
  }
  if (place.value && place.value.getDefiningOp())
    return getOnnxOpType(place.value.getDefiningOp()) + " '" +
           getNodeName(place.value.getDefiningOp()) + "'";
  return place.node ? getOnnxOpType(place.node->op) + " '" +
                          getNodeName(place.node->op) + "'"
                    : "";
}

void DemandFinder::push(Place place) {
  const void *key = place.node  ? static_cast<const void *>(place.node)
                    : place.use ? static_cast<const void *>(place.use)
                                : place.value.getAsOpaquePointer();
  if (seen.insert(key).second)
    queue.push_back(place);
}

void DemandFinder::visitTensor(const LayoutNode &from,
                               const LayoutNodePort &port) {
  if (!port.tensor || !graph.getTensors()[*port.tensor].net)
    return;
  const LayoutProblem &problem = graph.getProblem();
  NetId net = *graph.getTensors()[*port.tensor].net;
  const LayoutNodeForm &form = graph.getForm(from, solution.states);
  LabelId label = form.labels[&port - from.ports.data()];
  LabelId made = getLabel(problem.getProducer(net));
  Value value = port.value;
  if (made == label) {
    const LayoutNode *producer =
        value.getDefiningOp() ? graph.lookup(value.getDefiningOp()) : nullptr;
    push({producer, nullptr, producer ? Value() : value});
  }
  problem.forEachUse(net, [&](UseId use) {
    if (getLabel(problem.getUse(use)) != label)
      return;
    OpOperand *operand = graph.getOperand(use);
    const LayoutNode *node = graph.lookup(operand->getOwner());
    push({node, node ? nullptr : operand, Value()});
  });
}

void DemandFinder::visitNeighbours(const LayoutNode &node) {
  for (const LayoutNodePort &port : node.ports)
    visitTensor(node, port);
}

std::string DemandFinder::search(Place start) {
  queue.clear();
  seen.clear();
  push(start);
  Place last = start;
  while (!queue.empty()) {
    Place place = queue.front();
    queue.pop_front();
    last = place;
    // What can be only one way is a demand.
    if (!place.node || !place.node->var)
      return describe(place);
    visitNeighbours(*place.node);
  }
  return describe(last);
}

std::string DemandFinder::findOfProducer(NetId net) {
  Value value = graph.getTensorOfNet(net).value;
  const LayoutNode *node =
      value.getDefiningOp() ? graph.lookup(value.getDefiningOp()) : nullptr;
  return search({node, nullptr, node ? Value() : value});
}

std::string DemandFinder::findOfUse(UseId use) {
  OpOperand *operand = graph.getOperand(use);
  const LayoutNode *node = graph.lookup(operand->getOwner());
  return search({node, node ? nullptr : operand, Value()});
}

std::string inlay::formatOrder(Value value, ArrayRef<Atom> order) {
  auto type = cast<RankedTensorType>(value.getType());
  auto encoding = dyn_cast_if_present<LayoutAttr>(type.getEncoding());
  std::string axes =
      encoding ? encoding.getLayout().getAxes().str() : std::string();
  llvm::Expected<Layout> layout =
      axes.empty()
          ? Layout::getUnnamed(LayoutClass::Tensor, AtomSequence(order))
          : Layout::getNamed(axes, AtomSequence(order));
  std::string text = llvm::cantFail(std::move(layout)).str();
  StringRef stored = StringRef(text).rsplit(" as ").second;
  if (!stored.empty())
    return stored.str();
  return axes.empty() ? "row-major" : axes;
}
