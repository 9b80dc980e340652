//===- FormsBetween.cpp - The forms that two storage orders lead to -------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By example, of a maximum along w with [n, c, w] -> [n, c]: the result's user
// wants c before n, and the input is known in the order n, c, w because a
// product takes that. Of the orders of n, c and w in which c is before n, the
// one that has w where the product takes it is c, n, w.
//
//===----------------------------------------------------------------------===//

#include "FormAlong.h"
#include "inlay/LayoutAssign/FindForm.h"

using namespace inlay;
using namespace mlir;

/// The axes along which a port has more than one element.
static SmallVector<unsigned> getSpokenAxes(const AxisMap &map, Operation *op,
                                           unsigned port) {
  SmallVector<unsigned> spoken;
  if (const TensorAxes *dims = getAxesOfPort(map, op, port))
    for (auto [axes, extent] : llvm::zip_equal(*dims, getShapeOfPort(op, port)))
      if (extent != 1)
        llvm::append_range(spoken, axes);
  return spoken;
}

/// Whether `op` sums over products along one order of its axes, so that its
/// data says nothing of the channels of its result, nor that of its data's.
static bool hasOwnChannels(Operation *op, const AxisMap &map) {
  auto storage = dyn_cast<StorageOpInterface>(op);
  return storage && storage.followsAxes() &&
         llvm::any_of(map.getAxes(), [](const Axis &axis) {
           return axis.kind == AxisKind::Contracted;
         });
}

SmallVector<std::pair<unsigned, unsigned>>
inlay::findSilentPorts(Operation *op) {
  AxisMap map = getAxisMapOf(op);
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  if (map.isOpaque())
    return pairs;
  SmallVector<SmallVector<unsigned>> spoken;
  for (unsigned i = 0; i < op->getNumOperands() + op->getNumResults(); ++i)
    spoken.push_back(getSpokenAxes(map, op, i));
  for (auto [i, own] : llvm::enumerate(spoken))
    for (auto [j, others] : llvm::enumerate(spoken))
      // One axis alone has no order of its own.
      if (own.size() > 1 && others.size() > own.size() &&
          llvm::all_of(own, [&](unsigned axis) {
            return llvm::is_contained(others, axis);
          }))
        pairs.emplace_back(i, j);
  if (hasOwnChannels(op, map))
    pairs.emplace_back(0, op->getNumOperands());
  return pairs;
}

/// `order` of a port along the axes that it has several elements of.
static std::optional<AxisOrder> liftSpoken(const AxisMap &map, Operation *op,
                                           unsigned port,
                                           ArrayRef<Atom> order) {
  const TensorAxes *dims = getAxesOfPort(map, op, port);
  auto lifted = dims ? liftOrder(map, *dims, order) : std::nullopt;
  if (!lifted)
    return std::nullopt;
  SmallVector<unsigned> spoken = getSpokenAxes(map, op, port);
  llvm::erase_if(*lifted, [&](const AxisPiece &piece) {
    return !llvm::is_contained(spoken, piece.axis);
  });
  return lifted;
}

static bool isAlongAxis(const AxisOrder &order, unsigned axis) {
  return llvm::any_of(
      order, [&](const AxisPiece &piece) { return piece.axis == axis; });
}

/// `order` with the axes of `guide` that it lacks, each behind the one that is
/// before it there.
static AxisOrder insertBehind(AxisOrder order, const AxisOrder &guide) {
  AxisOrder own = order;
  size_t place = 0;
  for (const AxisPiece &piece : guide) {
    if (!isAlongAxis(own, piece.axis)) {
      order.insert(order.begin() + place++, piece);
      continue;
    }
    for (size_t i = 0; i < order.size(); ++i)
      if (order[i].axis == piece.axis)
        place = i + 1;
  }
  return order;
}

/// The same with each before the one that is behind it.
static AxisOrder insertBefore(AxisOrder order, AxisOrder guide) {
  std::reverse(order.begin(), order.end());
  std::reverse(guide.begin(), guide.end());
  order = insertBehind(std::move(order), guide);
  std::reverse(order.begin(), order.end());
  return order;
}

SmallVector<StoredForm, 2> inlay::findFormsBetween(Operation *op, unsigned port,
                                                   ArrayRef<Atom> order,
                                                   unsigned guide,
                                                   ArrayRef<Atom> guideOrder) {
  AxisMap map = getAxisMapOf(op);
  SmallVector<StoredForm, 2> forms;
  if (map.isOpaque() || isBlocked(order) || isBlocked(guideOrder))
    return forms;
  auto own = liftSpoken(map, op, port, order);
  auto other = liftSpoken(map, op, guide, guideOrder);
  if (!own || !other)
    return forms;
  for (const AxisOrder &joined :
       {insertBehind(*own, *other), insertBefore(*own, *other)})
    if (auto form = getFormAlong(op, map, completeOrder(map, joined));
        form && !llvm::is_contained(forms, *form))
      forms.push_back(std::move(*form));
  return forms;
}
