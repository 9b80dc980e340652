//===- LayoutGraphOrders.cpp - Which orders come into question ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutGraphBuilder.h"
#include "inlay/IR/PaddedForm.h"
#include "inlay/IR/Slicings.h"
#include "inlay/LayoutAssign/FindForm.h"
#include "inlay/Support/Cancellation.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace inlay;
using namespace mlir;

/// Orders that one demand leads to come first: among equally cheap answers that
/// of fewer demands wins.
void LayoutGraphBuilder::propagate() {
  propagateQueue();
  widen();
  for (const LayoutTensor &tensor : graph.tensors)
    numDemanded.push_back(tensor.orders.size());
  for (unsigned index = 0; index < graph.nodes.size(); ++index)
    joinDemands(index);
  propagateQueue();
  widen();
}

/// Goes on beyond the limits that one begins with, nearest demands first.
void LayoutGraphBuilder::widen() {
  if (options.maxExtraWork == 0)
    return;
  maxWork = llvm::SaturatingAdd(2 * work, options.maxExtraWork);
  while ((!postponed.empty() || !unjoined.empty()) && raiseLimits()) {
    askAgain();
    for (unsigned index : std::exchange(unjoined, {}))
      joinDemands(index);
    propagateQueue();
  }
}

/// The forms that two demands lead to. Orders that come of it are not joined
/// with others in turn.
void LayoutGraphBuilder::joinDemands(unsigned index) {
  const LayoutNode &node = graph.nodes[index];
  if (node.tie || node.forms.size() < 2 || !isa<StorageOpInterface>(node.op))
    return;
  isBeyondLimits = false;
  for (auto [silent, guide] : getSilentPorts(index)) {
    std::optional<unsigned> own = node.ports[silent].tensor,
                            other = node.ports[guide].tensor;
    if (!own || !other)
      continue;
    for (unsigned i = 0; i < numDemanded[*own]; ++i)
      for (unsigned j = 0; j < numDemanded[*other]; ++j) {
        PortOrder first(silent, graph.tensors[*own].orders[i]);
        PortOrder second(guide, graph.tensors[*other].orders[j]);
        if (!node.isKey)
          addFormsBetween(index, first, second);
        addFormsUnderRules(index, first, second);
      }
  }
  if (isBeyondLimits)
    unjoined.push_back(index);
}

bool LayoutGraphBuilder::raiseLimits() {
  unsigned orders = std::min(2 * maxOrders, maxLabels);
  unsigned forms = std::min(2 * maxForms, maxStates);
  bool isMore = orders > maxOrders || forms > maxForms;
  maxOrders = orders;
  maxForms = forms;
  return isMore && work < maxWork;
}

/// What led to forms beyond the limits, once more.
void LayoutGraphBuilder::askAgain() {
  std::vector<Postponed> again = std::move(postponed);
  postponed.clear();
  asked.clear();
  for (const Postponed &each : again) {
    // Copied: the table of orders grows.
    AtomSequence order(graph.orders[each.order]);
    extend(each.node, each.port, order);
  }
}

void LayoutGraphBuilder::propagateQueue() {
  while (!queue.empty() && work < maxWork && !isCancelled()) {
    NewOrder found = queue.front();
    queue.pop_front();
    // Copied: the table of orders grows.
    AtomSequence order(
        graph.orders[graph.tensors[found.tensor].orders[found.label]]);
    for (unsigned i = 0; i < touches[found.tensor].size(); ++i) {
      Touch touch = touches[found.tensor][i];
      extend(touch.node, touch.port, order);
    }
  }
}

/// Whether `order` cuts a dimension of unknown extent. What one branch yields
/// or one iteration carries may then not have these factors.
static bool cutsUnknown(Type type, ArrayRef<Atom> order) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked && llvm::any_of(order, [&](const Atom &atom) {
           return !atom.extent.isRest() && atom.dim < ranked.getRank() &&
                  ranked.isDynamicDim(atom.dim);
         });
}

void LayoutGraphBuilder::extend(unsigned index, unsigned port,
                                ArrayRef<Atom> order) {
  bool isKey = graph.nodes[index].isKey;
  if (isKey && !ruleForms.contains(index))
    return;
  ++work;
  isBeyondLimits = false;
  if (!isKey)
    extendNode(index, port, order);
  extendUnderRules(index, port, graph.orders.insert(order));
  if (isBeyondLimits)
    postponed.push_back({index, port, graph.orders.insert(order)});
}

void LayoutGraphBuilder::extendNode(unsigned index, unsigned port,
                                    ArrayRef<Atom> order) {
  if (graph.nodes[index].slicedAxis) {
    extendSlicing(index, port, order);
    return;
  }
  if (graph.nodes[index].tie) {
    if (llvm::any_of(graph.nodes[index].ports, [&](const LayoutNodePort &port) {
          return cutsUnknown(port.value.getType(), order);
        }))
      return;
    SmallVector<OrderTable::Id> orders(graph.nodes[index].ports.size(),
                                       graph.orders.insert(order));
    addForm(index, orders);
    return;
  }
  if (isa<StorageOpInterface>(graph.nodes[index].op))
    extendOperation(index, port, order);
}

/// The orders of a whole whose slices along `axis` are stored in `slice`: the
/// dimension stands anywhere.
static SmallVector<AtomSequence> getWholeOrders(ArrayRef<Atom> slice,
                                                int64_t axis, int64_t rank) {
  AtomSequence others = Layout::getTensor().getAtoms(rank - 1);
  if (!slice.empty())
    others.assign(slice.begin(), slice.end());
  for (Atom &atom : others)
    atom.dim += int64_t(atom.dim) >= axis;
  SmallVector<AtomSequence> orders;
  for (int64_t place = 0; place < rank; ++place) {
    AtomSequence whole = others;
    whole.insert(whole.begin() + place, Atom{unsigned(axis)});
    Layout layout =
        llvm::cantFail(Layout::getUnnamed(LayoutClass::Tensor, whole));
    orders.emplace_back(layout.getOrder());
  }
  return orders;
}

void LayoutGraphBuilder::extendSlicing(unsigned index, unsigned port,
                                       ArrayRef<Atom> order) {
  const LayoutNode &node = graph.nodes[index];
  bool isWhole = port == node.wholePort;
  int64_t axis = *node.slicedAxis;
  auto type =
      cast<RankedTensorType>(node.ports[node.wholePort].value.getType());
  if (llvm::any_of(order, [](const Atom &atom) { return atom.factor != 0; }))
    return;
  SmallVector<AtomSequence> wholes{AtomSequence(order)};
  if (!isWhole)
    wholes = getWholeOrders(order, axis, type.getRank());
  unsigned wholePort = node.wholePort;
  for (const AtomSequence &whole : wholes) {
    SmallVector<OrderTable::Id> orders(2);
    orders[wholePort] = graph.orders.insert(whole);
    orders[1 - wholePort] = graph.orders.insert(*getSliceOrder(whole, axis));
    addForm(index, orders);
  }
}

void LayoutGraphBuilder::extendOperation(unsigned index, unsigned port,
                                         ArrayRef<Atom> order) {
  OrderTable::Id id = graph.orders.insert(order);
  extendAlongAxes(index, port, id);
  if (!cast<StorageOpInterface>(graph.nodes[index].op).followsAxes())
    extendIndependently(index, port, id);
}

/// Whether the forms of `op` may depend on the values of its operands.
static bool dependsOnValues(Operation *op) {
  return llvm::any_of(op->getOperands(), [](Value operand) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    return !type || (type.getRank() < 2 && type.getElementType().isInteger());
  });
}

/// The number of the operation's kind: equal ones have equal forms.
unsigned LayoutGraphBuilder::getKind(unsigned index) {
  unsigned &kind = kindOfNode[index];
  if (kind != unknownKind)
    return kind;
  Operation *op = graph.nodes[index].op;
  OpKey key = {op->getName().getAsOpaquePointer(),
               op->getAttrDictionary().getAsOpaquePointer()};
  llvm::SmallDenseMap<Value, uintptr_t> firstPlace;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    key.push_back(operand.getType().getAsOpaquePointer());
    // The same value twice is another operation.
    key.push_back(reinterpret_cast<const void *>(
        firstPlace.try_emplace(operand, i).first->second));
  }
  for (Type type : op->getResultTypes())
    key.push_back(type.getAsOpaquePointer());
  if (dependsOnValues(op))
    key.push_back(op);
  kind = kinds.try_emplace(std::move(key), kinds.size()).first->second;
  return kind;
}

/// Ports along the same axes, as the operands of Concat are, lead from one
/// order to one form. Returns of each port the first that is alike.
ArrayRef<unsigned> LayoutGraphBuilder::getFirstAlike(unsigned index) {
  auto [it, isNew] = firstAlike.try_emplace(getKind(index));
  if (!isNew)
    return it->second;
  auto mapped = dyn_cast<AxisMapOpInterface>(graph.nodes[index].op);
  AxisMap map = mapped ? mapped.getAxisMap() : AxisMap::opaque();
  std::map<std::vector<DimAxes>, unsigned> firstOf;
  it->second.resize(graph.nodes[index].ports.size());
  std::iota(it->second.begin(), it->second.end(), 0);
  unsigned port = 0;
  for (auto tensors : {map.getOperands(), map.getResults()})
    for (const std::optional<TensorAxes> &axes : tensors) {
      if (axes)
        it->second[port] =
            firstOf.try_emplace({axes->begin(), axes->end()}, port)
                .first->second;
      ++port;
    }
  return it->second;
}

const LayoutGraphBuilder::Answer &
LayoutGraphBuilder::ask(unsigned index, unsigned port, OrderTable::Id order) {
  Question question = {getKind(index), port, order};
  auto [it, isNew] = answers.try_emplace(question);
  if (!isNew)
    return it->second;
  Answer answer;
  // Copied: the table of orders grows.
  AtomSequence atoms(graph.orders[order]);
  for (const StoredForm &form : findForms(graph.nodes[index].op, port, atoms)) {
    answer.forms.push_back(getIds(form));
    answer.isBlocked |= form.isBlocked();
  }
  return answers[question] = std::move(answer);
}

/// Whether the forms that `port` and `order` lead to were added already for a
/// port that is alike. What padding an operand may have depends on which one it
/// is.
bool LayoutGraphBuilder::wasAsked(unsigned index, unsigned port,
                                  OrderTable::Id order) {
  if (graph.nodes[index].ports.size() <= fewPorts)
    return false;
  unsigned first = getFirstAlike(index)[port];
  return !ask(index, first, order).isBlocked &&
         !asked.insert({index, first, order}).second;
}

void LayoutGraphBuilder::extendAlongAxes(unsigned index, unsigned port,
                                         OrderTable::Id order) {
  if (wasAsked(index, port, order))
    return;
  // Copied: what is added is asked for in turn.
  Answer answer = ask(index, port, order);
  for (const OrderIds &ids : answer.forms)
    if (hasKnownPadding(index, port, ids))
      addForm(index, ids);
}

ArrayRef<std::pair<unsigned, unsigned>>
LayoutGraphBuilder::getSilentPorts(unsigned index) {
  if (graph.nodes[index].ports.size() > fewPorts)
    return {};
  auto [it, isNew] = silentPorts.try_emplace(getKind(index));
  if (isNew)
    llvm::append_range(it->second, findSilentPorts(graph.nodes[index].op));
  return it->second;
}

ArrayRef<LayoutGraphBuilder::OrderIds>
LayoutGraphBuilder::askBetween(unsigned index, PortOrder own, PortOrder guide) {
  auto [it, isNew] = guidedAnswers.try_emplace(GuidedQuestion(
      getKind(index), own.first, own.second, guide.first, guide.second));
  if (isNew) {
    ++work;
    for (const StoredForm &form : findFormsBetween(
             graph.nodes[index].op, own.first, graph.orders[own.second],
             guide.first, graph.orders[guide.second]))
      it->second.push_back(getIds(form));
  }
  return it->second;
}

void LayoutGraphBuilder::addFormsBetween(unsigned index, PortOrder own,
                                         PortOrder guide) {
  for (const OrderIds &ids : askBetween(index, own, guide))
    addForm(index, ids);
}

/// Whether padding that may be anything occurs in the operands, but for `port`,
/// only where their producers leave it so.
bool LayoutGraphBuilder::hasKnownPadding(unsigned index, unsigned port,
                                         ArrayRef<OrderTable::Id> orders) {
  for (auto [i, each] : llvm::enumerate(graph.nodes[index].ports)) {
    ArrayRef<Atom> order = graph.orders[orders[i]];
    if (!each.use || i == port || !isBlocked(order) ||
        getPadding(order) == Padding::Zero)
      continue;
    if (!each.tensor || !findLabel(*each.tensor, orders[i]))
      return false;
  }
  return true;
}

/// Whether another combination of orders may be tried. Of many ports there are
/// more than can be, as of the operands of an Einsum.
bool LayoutGraphBuilder::canCombine(unsigned index) {
  constexpr size_t few = 4;
  constexpr uint64_t maxTries = 1 << 16;
  size_t numPorts = graph.nodes[index].ports.size();
  return numPorts <= few || ++numCombined[index] <= maxTries / numPorts;
}

/// Combines `order` of `given` with the orders of the other ports that are
/// known so far. What becomes known later is combined with it then.
void LayoutGraphBuilder::extendIndependently(unsigned index, unsigned given,
                                             OrderTable::Id order) {
  Operation *op = graph.nodes[index].op;
  auto storage = cast<StorageOpInterface>(op);
  unsigned numOperands = op->getNumOperands();
  std::optional<unsigned> tensor = graph.nodes[index].ports[given].tensor;
  auto label = tensor ? findLabel(*tensor, order) : std::nullopt;
  if (!label)
    return;
  // An odometer of which one wheel stands still.
  SmallVector<unsigned> choice(graph.nodes[index].ports.size(), 0);
  choice[given] = *label;
  auto advance = [&] {
    for (auto [i, port] : llvm::enumerate(graph.nodes[index].ports)) {
      if (i == given)
        continue;
      size_t count =
          port.tensor ? graph.tensors[*port.tensor].orders.size() : 1;
      if (++choice[i] < count)
        return true;
      choice[i] = 0;
    }
    return false;
  };
  do {
    if (graph.nodes[index].forms.size() >= maxForms || ++work > maxWork ||
        !canCombine(index)) {
      isBeyondLimits = true;
      return;
    }
    StoredForm form;
    for (auto [i, port] : llvm::enumerate(graph.nodes[index].ports)) {
      ArrayRef<Atom> stored;
      if (port.tensor)
        stored = graph.orders[graph.tensors[*port.tensor].orders[choice[i]]];
      (i < numOperands
           ? static_cast<SmallVectorImpl<AtomSequence> &>(form.operands)
           : form.results)
          .emplace_back(stored);
    }
    if (form.isRowMajor() || (form.isFactored() && !storage.admitsFactors()) ||
        !admitsStored(op, form))
      continue;
    addForm(index, form);
  } while (advance());
}
