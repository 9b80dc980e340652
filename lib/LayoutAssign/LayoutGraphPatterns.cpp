//===- LayoutGraphPatterns.cpp - What layouts leave whole -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that the target computes as one where it finds them are moved as
// one or not at all. Nothing between them is copied, and operators that combine
// elements along the last dimensions still do: in another form they compute the
// same and are not found. That leaves the dimensions in front, which may change
// places for all of them together. Where a pattern is known by how elements
// come to it and leave it, as heads of an attention, that begins and ends where
// it did.
//
//===----------------------------------------------------------------------===//

#include "FormAlong.h"
#include "LayoutGraphBuilder.h"

using namespace inlay;
using namespace mlir;

void LayoutGraphBuilder::addPatterns() {
  auto isKey = [&](Operation *op) {
    const OpLayout *rule = findRule(op);
    return rule && rule->required;
  };
  for (const OpPattern &pattern : options.patterns) {
    // What the target demands comes first.
    if (llvm::any_of(pattern.ops, isKey))
      continue;
    graph.inPattern.insert(pattern.ops.begin(), pattern.ops.end());
    // What is elementwise from end to end follows what it is applied to.
    if (pattern.kind != PatternKind::Gelu)
      graph.inSpelledPattern.insert(pattern.ops.begin(), pattern.ops.end());
    if (pattern.kind != PatternKind::ConvActivation)
      keepsInnermost.insert(pattern.ops.begin(), pattern.ops.end());
    else if (!findRule(pattern.ops.back()))
      staysPlain.insert(pattern.ops.back());
    for (Value end : pattern.ends)
      if (!end.getDefiningOp() || !isKey(end.getDefiningOp()))
        staysInPlace.insert(end);
    for (Operation *op : llvm::drop_begin(pattern.ops))
      if (auto it = graph.tensorOfValue.find(op->getResult(0));
          it != graph.tensorOfValue.end())
        graph.tensors[it->second].isInsidePattern = true;
  }
}

/// Of each port the first dimension that elements are combined along, or the
/// rows of a product; the rank or more where there is none.
ArrayRef<unsigned> LayoutGraphBuilder::getFirstCombined(unsigned index) {
  auto [it, isNew] = firstCombined.try_emplace(getKind(index));
  if (!isNew)
    return it->second;
  Operation *op = graph.nodes[index].op;
  AxisMap map = getAxisMapOf(op);
  auto isCombined = [&](unsigned axis) {
    AxisKind kind = map.getAxes()[axis].kind;
    return kind == AxisKind::Reduced || kind == AxisKind::Contracted;
  };
  bool isProduct = llvm::any_of(map.getAxes(), [](const Axis &axis) {
    return axis.kind == AxisKind::Contracted;
  });
  for (unsigned port = 0; port < graph.nodes[index].ports.size(); ++port) {
    const TensorAxes *dims =
        map.isOpaque() ? nullptr : getAxesOfPort(map, op, port);
    unsigned first =
        isProduct && dims ? std::max<size_t>(dims->size(), 2) - 2 : ~0u;
    for (auto [dim, axes] : llvm::enumerate(dims ? *dims : TensorAxes()))
      if (first == ~0u && llvm::any_of(axes, isCombined))
        first = dim;
    it->second.push_back(first);
  }
  return it->second;
}

/// Whether the dimensions from `first` on lie innermost, as in row-major order.
static bool endsInOrder(ArrayRef<Atom> order, unsigned first, unsigned rank) {
  if (order.empty() || first >= rank)
    return true;
  if (order.size() < rank)
    return false;
  ArrayRef<Atom> last = order.take_back(rank - first);
  for (auto [i, atom] : llvm::enumerate(last))
    if (!(atom == Atom{unsigned(first + i)}))
      return false;
  return true;
}

/// Whether batch and channels lie in front and no dimension is cut, as a plain
/// convolution has them: anything else is that one between two views.
static bool isPlain(ArrayRef<Atom> order) {
  return order.empty() || (order[0].dim == 0 && order[1].dim == 1 &&
                           llvm::all_of(order, [](const Atom &atom) {
                             return atom == Atom{atom.dim};
                           }));
}

/// Whether the tensor of the port has the order in these words, or does not
/// have it yet; in others it would be stored alike behind a view.
bool LayoutGraphBuilder::isSpelledAlike(const LayoutNodePort &port,
                                        OrderTable::Id order) {
  auto type = dyn_cast<RankedTensorType>(port.value.getType());
  auto label = port.tensor ? findLabel(*port.tensor, order) : LabelId(0);
  // Constants are written as they are needed.
  if (!type || !label || port.value.getDefiningOp<ConstantOp>())
    return true;
  OrderTable::Id known = port.tensor
                             ? graph.tensors[*port.tensor].orders[*label]
                             : OrderTable::rowMajor;
  if (known != OrderTable::rowMajor && order != OrderTable::rowMajor)
    return known == order;
  return endsInOrder(graph.orders[std::max(known, order)], 0, type.getRank());
}

bool LayoutGraphBuilder::isRowMajor(Value value, OrderTable::Id order) {
  Type type = value.getType();
  return getKey(type, order) == getKey(type, OrderTable::rowMajor);
}

bool LayoutGraphBuilder::keepsPattern(unsigned index,
                                      ArrayRef<OrderTable::Id> orders) {
  const LayoutNode &node = graph.nodes[index];
  for (auto [port, order] : llvm::zip_equal(node.ports, orders))
    if (!port.use && order != OrderTable::rowMajor &&
        staysInPlace.contains(port.value) && !isRowMajor(port.value, order))
      return false;
  if (node.tie || !graph.inSpelledPattern.contains(node.op))
    return true;
  for (auto [port, order] : llvm::zip_equal(node.ports, orders))
    if (!isSpelledAlike(port, order))
      return false;
  if (staysPlain.contains(node.op))
    return isPlain(graph.orders[orders.front()]) &&
           isPlain(graph.orders[orders.back()]);
  if (!keepsInnermost.contains(node.op))
    return true;
  for (auto [port, order, first] :
       llvm::zip_equal(node.ports, orders, getFirstCombined(index)))
    if (auto type = dyn_cast<RankedTensorType>(port.value.getType());
        type && !endsInOrder(graph.orders[order], first, type.getRank()))
      return false;
  return true;
}
