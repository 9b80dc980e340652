//===- FormEnumerator.cpp - Storage forms to ask an operation for ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormEnumerator.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/PaddedForm.h"
#include "inlay/Layout/AxisOrder.h"
#include "gtest/gtest.h"
#include <functional>
#include <set>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

Layout inlay::testing::getLayout(ArrayRef<Atom> order) {
  if (order.empty())
    return Layout::getTensor();
  return llvm::cantFail(
      Layout::getUnnamed(LayoutClass::Tensor, AtomSequence(order)));
}

/// Every order of the axes, whole and with one of them cut in two.
static std::vector<AxisOrder> enumerateAxisOrders(const AxisMap &map,
                                                  bool cutsAxes) {
  std::vector<AxisOrder> orders;
  auto addAll = [&](AxisOrder pieces) {
    SmallVector<unsigned> places =
        llvm::to_vector(llvm::seq<unsigned>(0, pieces.size()));
    do {
      orders.emplace_back();
      for (unsigned place : places)
        orders.back().push_back(pieces[place]);
    } while (std::next_permutation(places.begin(), places.end()));
  };
  AxisOrder whole;
  for (unsigned axis = 0; axis < map.getAxes().size(); ++axis)
    whole.push_back({axis});
  addAll(whole);
  cutsAxes &= whole.size() <= 5;
  for (unsigned axis = 0; cutsAxes && axis < whole.size(); ++axis) {
    auto [kind, extent, leader] = map.getAxes()[axis];
    if (kind != AxisKind::Parallel && kind != AxisKind::Contracted)
      continue;
    if (extent < 4 || extent % 2 != 0)
      continue;
    AxisOrder cut = whole;
    cut[axis] = {axis, 1, AtomExtent::of(extent / 2)};
    cut.push_back({axis, 0, AtomExtent::of(2)});
    addAll(cut);
  }
  return orders;
}

/// Every order of the axes with one of them in blocks of which the last is not
/// full, whatever the operator does along it.
static std::vector<AxisOrder> enumerateBlockedOrders(const AxisMap &map) {
  std::vector<AxisOrder> orders;
  AxisOrder whole;
  for (unsigned axis = 0; axis < map.getAxes().size(); ++axis)
    whole.push_back({axis});
  for (unsigned axis = 0; axis < whole.size() && whole.size() <= 4; ++axis) {
    int64_t extent = map.getAxes()[axis].extent;
    int64_t block = extent > 4 ? 4 : 3;
    if (extent == dynamicExtent || extent < 2 || extent % block == 0)
      continue;
    AxisOrder cut = whole;
    cut[axis] = {axis, 1, AtomExtent::rest()};
    // Innermost, as in NC1HWC0, and right behind its blocks.
    cut.push_back({axis, 0, AtomExtent::of(block)});
    orders.push_back(cut);
    AxisOrder other = whole;
    std::reverse(other.begin(), other.end());
    for (size_t i = 0; i < other.size(); ++i)
      if (other[i].axis == axis) {
        other[i] = {axis, 1, AtomExtent::rest()};
        other.insert(other.begin() + i + 1, {axis, 0, AtomExtent::of(block)});
        break;
      }
    orders.push_back(other);
  }
  return orders;
}

namespace {
/// All forms to ask an operation for.
class FormEnumerator {
public:
  FormEnumerator(Operation *op, StorageOpInterface storage)
      : op(op), storage(storage),
        map(cast<AxisMapOpInterface>(op).getAxisMap()) {}

  std::vector<StoredForm> run();

private:
  void addAlong(const AxisOrder &order, const TensorAxes *reference);
  void addIndependent();
  void addBlocked(const AxisOrder &order);
  /// Also with the dimensions of one element elsewhere.
  void add(StoredForm form);
  Type getType(unsigned tensor) const {
    return tensor < op->getNumOperands()
               ? op->getOperand(tensor).getType()
               : op->getResult(tensor - op->getNumOperands()).getType();
  }
  bool isPossible(const StoredForm &form) const;
  AtomSequence moveUnits(unsigned tensor, ArrayRef<Atom> order,
                         bool toFront) const;

  Operation *op;
  StorageOpInterface storage;
  AxisMap map;
  std::vector<StoredForm> forms;
  std::set<std::string> seen;
};
} // namespace

std::string inlay::testing::describe(const StoredForm &form) {
  std::string text;
  for (const AtomSequence &order : form.operands)
    text += "[" + getLayout(order).str() + "] ";
  text += "->";
  for (const AtomSequence &order : form.results)
    text += " [" + getLayout(order).str() + "]";
  return text;
}

static bool fits(Type type, ArrayRef<Atom> order) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked)
    return order.empty();
  llvm::Error error = getLayout(order).verify(ranked.getShape());
  bool isError = bool(error);
  llvm::consumeError(std::move(error));
  return !isError;
}

/// The orders fit the types, and one value is stored in one order.
bool FormEnumerator::isPossible(const StoredForm &form) const {
  for (auto [i, order] : llvm::enumerate(form.results))
    if (!fits(op->getResult(i).getType(), order))
      return false;
  for (auto [i, value] : llvm::enumerate(op->getOperands())) {
    if (!fits(value.getType(), form.operands[i]))
      return false;
    for (auto [j, other] : llvm::enumerate(op->getOperands()))
      if (value == other && form.operands[i] != form.operands[j])
        return false;
  }
  return true;
}

AtomSequence FormEnumerator::moveUnits(unsigned tensor, ArrayRef<Atom> order,
                                       bool toFront) const {
  auto type = dyn_cast<RankedTensorType>(getType(tensor));
  if (!type)
    return AtomSequence(order);
  AtomSequence atoms = getLayout(order).getAtoms(type.getRank());
  AtomSequence units, others;
  for (const Atom &atom : atoms)
    (type.getDimSize(atom.dim) == 1 ? units : others).push_back(atom);
  if (!toFront)
    std::swap(units, others);
  atoms = units;
  llvm::append_range(atoms, others);
  // Factors that have become neighbours are another order, not the same one.
  Layout moved = getLayout(atoms);
  bool isJoined = moved.isRowMajor() && !order.empty() &&
                  atoms.size() != size_t(type.getRank());
  return AtomSequence(isJoined ? order : moved.getOrder());
}

void FormEnumerator::add(StoredForm form) {
  StoredForm front = form, back = form;
  unsigned numOperands = op->getNumOperands();
  for (unsigned i = 0; i < numOperands; ++i) {
    front.operands[i] = moveUnits(i, form.operands[i], true);
    back.operands[i] = moveUnits(i, form.operands[i], false);
  }
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    front.results[i] = moveUnits(numOperands + i, form.results[i], true);
    back.results[i] = moveUnits(numOperands + i, form.results[i], false);
  }
  bool isAdmitted = isPossible(form) && storage.admitsForm(form);
  for (const StoredForm &each : {form, front, back}) {
    if (!isPossible(each) || !seen.insert(describe(each)).second)
      continue;
    EXPECT_EQ(storage.admitsForm(each),
              isPossible(form) ? isAdmitted : storage.admitsForm(each))
        << "unit dimensions make a difference: " << describe(form) << " and "
        << describe(each);
    if (!each.isRowMajor())
      forms.push_back(each);
  }
}

void FormEnumerator::addAlong(const AxisOrder &order,
                              const TensorAxes *reference) {
  StoredForm form;
  auto project = [&](const std::optional<TensorAxes> &dims, auto &orders) {
    auto projected = dims ? projectOrder(map, order, *dims, reference)
                          : std::optional(AtomSequence());
    if (projected)
      orders.push_back(*projected);
    return projected.has_value();
  };
  for (const std::optional<TensorAxes> &dims : map.getOperands())
    if (!project(dims, form.operands))
      return;
  for (const std::optional<TensorAxes> &dims : map.getResults())
    if (!project(dims, form.results))
      return;
  if (!form.isFactored() || storage.admitsFactors())
    add(form);
}

/// All that can be said of the padding of operands and results.
void FormEnumerator::addBlocked(const AxisOrder &order) {
  StoredForm form;
  auto project = [&](const std::optional<TensorAxes> &dims, auto &orders) {
    auto projected =
        dims ? projectOrder(map, order, *dims) : std::optional(AtomSequence());
    if (projected)
      orders.push_back(*projected);
    return projected.has_value();
  };
  for (const std::optional<TensorAxes> &dims : map.getOperands())
    if (!project(dims, form.operands))
      return;
  for (const std::optional<TensorAxes> &dims : map.getResults())
    if (!project(dims, form.results))
      return;
  SmallVector<AtomSequence *> blocked;
  for (AtomSequence &each : form.operands)
    if (isBlocked(each))
      blocked.push_back(&each);
  for (AtomSequence &each : form.results)
    if (isBlocked(each))
      blocked.push_back(&each);
  for (unsigned bits = 0; bits < 1u << blocked.size(); ++bits) {
    for (auto [i, each] : llvm::enumerate(blocked))
      *each = withPadding(*each, bits >> i & 1 ? Padding::Zero : Padding::Any);
    if (isPossible(form) && seen.insert(describe(form)).second)
      forms.push_back(form);
  }
}

void FormEnumerator::addIndependent() {
  // Per tensor, the orders it has along some order of the axes.
  unsigned numOperands = op->getNumOperands();
  SmallVector<std::vector<AtomSequence>> choices;
  for (unsigned i = 0; i < numOperands + op->getNumResults(); ++i) {
    std::set<std::string> known;
    choices.emplace_back();
    auto addOrder = [&](const AtomSequence &order) {
      if (known.insert(getLayout(order).str()).second)
        choices.back().emplace_back(getLayout(order).getOrder());
    };
    addOrder({});
    if (map.isOpaque()) {
      auto type = cast<RankedTensorType>(getType(i));
      AtomSequence atoms = Layout::getTensor().getAtoms(type.getRank());
      auto isBefore = [](const Atom &a, const Atom &b) {
        return a.dim < b.dim;
      };
      while (i == 0 &&
             std::next_permutation(atoms.begin(), atoms.end(), isBefore))
        addOrder(atoms);
      continue;
    }
    const auto &dims = i < numOperands ? map.getOperands()[i]
                                       : map.getResults()[i - numOperands];
    if (dims)
      for (const AxisOrder &order :
           enumerateAxisOrders(map, storage.admitsFactors()))
        if (auto projected = projectOrder(map, order, *dims))
          addOrder(*projected);
  }
  std::function<void(StoredForm)> extend = [&](const StoredForm &form) {
    size_t next = form.operands.size() + form.results.size();
    if (next == choices.size()) {
      if (!form.isFactored() || storage.admitsFactors())
        add(form);
      return;
    }
    for (const AtomSequence &order : choices[next]) {
      StoredForm longer = form;
      if (next < numOperands)
        longer.operands.push_back(order);
      else
        longer.results.push_back(order);
      extend(longer);
    }
  };
  extend({});
}

std::vector<StoredForm> FormEnumerator::run() {
  if (!map.isOpaque())
    for (const AxisOrder &order :
         enumerateAxisOrders(map, storage.admitsFactors())) {
      addAlong(order, nullptr);
      for (const auto &dims : map.getResults())
        if (dims)
          addAlong(order, &*dims);
    }
  if (!storage.followsAxes())
    addIndependent();
  if (!map.isOpaque())
    for (const AxisOrder &order : enumerateBlockedOrders(map))
      addBlocked(order);
  return forms;
}

std::vector<StoredForm> inlay::testing::enumerateForms(Operation *op) {
  return FormEnumerator(op, cast<StorageOpInterface>(op)).run();
}
