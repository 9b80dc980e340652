//===- LayoutGraphForms.cpp - Forms and orders within limits --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutGraphBuilder.h"
#include "inlay/IR/PaddedForm.h"

using namespace inlay;
using namespace mlir;

LayoutGraphBuilder::OrderIds
LayoutGraphBuilder::getIds(const StoredForm &form) {
  OrderIds orders;
  for (const AtomSequence &order : form.operands)
    orders.push_back(graph.orders.insert(order));
  for (const AtomSequence &order : form.results)
    orders.push_back(graph.orders.insert(order));
  return orders;
}

bool LayoutGraphBuilder::addForm(unsigned index, const StoredForm &form) {
  return addForm(index, getIds(form));
}

OrderTable::Id LayoutGraphBuilder::getKey(Type type, OrderTable::Id order) {
  auto [it, isNew] = keyOfOrder.try_emplace(std::pair(type, order), 0);
  if (isNew) {
    AtomSequence key = getStorageKey(graph.orders[order],
                                     cast<RankedTensorType>(type).getShape());
    OrderTable::Id id = graph.orders.insert(key);
    keyOfOrder[std::pair(type, order)] = id;
    return id;
  }
  return it->second;
}

std::optional<LabelId> LayoutGraphBuilder::findLabel(unsigned tensor,
                                                     OrderTable::Id order) {
  ArrayRef<OrderTable::Id> known = graph.tensors[tensor].orders;
  if (const auto *it = llvm::find(known, order); it != known.end())
    return it - known.begin();
  OrderTable::Id key = getKey(graph.tensors[tensor].value.getType(), order);
  const auto *it = llvm::find(keys[tensor], key);
  if (it == keys[tensor].end())
    return std::nullopt;
  return it - keys[tensor].begin();
}

LabelId LayoutGraphBuilder::addLabel(unsigned tensor, OrderTable::Id order) {
  if (std::optional<LabelId> known = findLabel(tensor, order))
    return *known;
  LayoutTensor &entry = graph.tensors[tensor];
  keys[tensor].push_back(getKey(entry.value.getType(), order));
  entry.orders.push_back(order);
  LabelId label = entry.orders.size() - 1;
  queue.push_back({tensor, label});
  return label;
}

/// Whether a tensor in this order exists: extents divide, and ranks agree.
bool LayoutGraphBuilder::canStore(Type type, OrderTable::Id order) {
  if (order == OrderTable::rowMajor)
    return true;
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked)
    return false;
  // What has no elements cannot be cut into factors.
  bool isFactored = llvm::any_of(
      graph.orders[order], [](const Atom &atom) { return atom.factor != 0; });
  if (isFactored && llvm::is_contained(ranked.getShape(), 0))
    return false;
  auto [it, isNew] = storable.try_emplace(std::pair(type, order), false);
  if (!isNew)
    return it->second;
  auto layout = Layout::getUnnamed(LayoutClass::Tensor,
                                   AtomSequence(graph.orders[order]));
  if (!layout) {
    llvm::consumeError(layout.takeError());
    return false;
  }
  llvm::Error error = layout->verify(ranked.getShape());
  it->second =
      !error && (!isFactored || canCutBlocks(ranked, graph.orders[order]));
  llvm::consumeError(std::move(error));
  return it->second;
}

/// A copy costs the same from whatever order it is made.
bool LayoutGraphBuilder::isOneMoveAway(unsigned tensor, OrderTable::Id order) {
  const LayoutTensor &entry = graph.tensors[tensor];
  int64_t rank = cast<RankedTensorType>(entry.value.getType()).getRank();
  return llvm::all_of(entry.orders, [&](OrderTable::Id known) {
    return areOneMoveApart(graph.orders[known], graph.orders[order], rank);
  });
}

bool LayoutGraphBuilder::canAddLabel(unsigned tensor, OrderTable::Id order) {
  if (!isOneMoveAway(tensor, order)) {
    markOpen(tensor);
    return false;
  }
  bool isWithin = graph.tensors[tensor].orders.size() < maxOrders;
  isBeyondLimits |= !isWithin;
  return isWithin;
}

/// Whether the node has a form that stores every tensor as `orders` do.
bool LayoutGraphBuilder::hasForm(const LayoutNode &node,
                                 ArrayRef<OrderTable::Id> orders) {
  SmallVector<LabelId, 3> labels;
  for (auto [port, order] : llvm::zip_equal(node.ports, orders)) {
    auto label = port.tensor ? findLabel(*port.tensor, order) : LabelId(0);
    if (!label)
      return false;
    labels.push_back(*label);
  }
  return llvm::any_of(node.forms, [&](const LayoutNodeForm &known) {
    return known.labels == labels;
  });
}

bool LayoutGraphBuilder::addForm(unsigned index,
                                 ArrayRef<OrderTable::Id> orders) {
  LayoutNode &node = graph.nodes[index];
  for (auto [port, order] : llvm::zip_equal(node.ports, orders)) {
    if (!canStore(port.value.getType(), order))
      return false;
    if (port.tensor && !findLabel(*port.tensor, order) &&
        !canAddLabel(*port.tensor, order))
      return false;
  }
  if (!keepsPattern(index, orders))
    return false;
  if (node.forms.size() >= maxForms && !hasForm(node, orders)) {
    isBeyondLimits = true;
    return false;
  }
  LayoutNodeForm form;
  form.orders.assign(orders.begin(), orders.end());
  for (auto [port, order] : llvm::zip_equal(node.ports, orders))
    form.labels.push_back(port.tensor ? addLabel(*port.tensor, order) : 0);
  for (const LayoutNodeForm &known : node.forms)
    if (known.labels == form.labels)
      return true;
  node.forms.push_back(std::move(form));
  return true;
}

//===----------------------------------------------------------------------===//
// What was left out
//===----------------------------------------------------------------------===//

void LayoutGraphBuilder::markOpen(unsigned tensor) {
  if (openTensors.empty())
    openTensors.resize(graph.tensors.size());
  openTensors.set(tensor);
}

/// Whether an order that is not known might be one of the node's.
bool LayoutGraphBuilder::canHearOfOrders(const LayoutNode &node) {
  if (node.isKey)
    return ruleForms.contains(&node - graph.nodes.data());
  return node.tie || isa<StorageOpInterface>(node.op);
}

/// What misses an order keeps it from everything that it would have come to.
void LayoutGraphBuilder::spreadOpen() {
  SmallVector<unsigned, 0> refused = unjoined;
  for (const Postponed &each : postponed)
    refused.push_back(each.node);
  for (unsigned index : refused)
    for (const LayoutNodePort &port : graph.nodes[index].ports)
      if (port.tensor)
        markOpen(*port.tensor);
  for (const NewOrder &unheard : queue)
    markOpen(unheard.tensor);
  SmallVector<unsigned> reached(openTensors.set_bits());
  while (!reached.empty())
    for (const Touch &touch : touches[reached.pop_back_val()]) {
      const LayoutNode &node = graph.nodes[touch.node];
      if (!canHearOfOrders(node))
        continue;
      for (const LayoutNodePort &port : node.ports)
        if (port.tensor && !openTensors.test(*port.tensor)) {
          markOpen(*port.tensor);
          reached.push_back(*port.tensor);
        }
    }
}
