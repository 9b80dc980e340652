//===- LayoutGraphBuilder.cpp - Building layout problems ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutGraphBuilder.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/PaddedForm.h"
#include "inlay/LayoutAssign/FindForm.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace inlay;
using namespace mlir;

void LayoutGraphBuilder::build() {
  graph.assumptions = sizes.getAssumptions();
  addBlock(graph.func.getBody().front(), /*repetitions=*/1);
  addFreePorts();
  kindOfNode.assign(graph.nodes.size(), unknownKind);
  for (unsigned node = 0; node < graph.nodes.size(); ++node)
    addTouches(node);
  for (unsigned node = 0; node < graph.nodes.size(); ++node)
    addFirstForms(node);
  addDemandedOrders();
  propagate();
  spreadOpen();
  buildProblem();
}

//===----------------------------------------------------------------------===//
// Tensors and nodes
//===----------------------------------------------------------------------===//

/// A tensor may be stored in several ways where two dimensions have more than
/// one element, or one that may have factors: what Flatten makes of one image.
static bool hasSeveralOrders(RankedTensorType type) {
  SmallVector<int64_t> extents(type.getShape());
  llvm::erase(extents, 1);
  return extents.size() > 1 ||
         (extents.size() == 1 &&
          (ShapedType::isDynamic(extents[0]) || extents[0] > 3));
}

void LayoutGraphBuilder::addTensor(Value value, uint64_t repetitions) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !hasSeveralOrders(type))
    return;
  LayoutTensor tensor;
  tensor.value = value;
  tensor.orders.push_back(OrderTable::rowMajor);
  tensor.bytes = llvm::SaturatingMultiply(sizes.getBytes(value), repetitions);
  graph.tensorOfValue[value] = graph.tensors.size();
  graph.tensors.push_back(std::move(tensor));
  keys.emplace_back();
  keys.back().push_back(getKey(type, OrderTable::rowMajor));
  touches.emplace_back();
}

static ControlFlow getControlFlow(Operation *op) {
  auto transmit = dyn_cast<LayoutTransmitOpInterface>(op);
  return transmit ? transmit.getControlFlow() : ControlFlow();
}

/// How often the regions of `op` run, as far as it is known; once otherwise.
static uint64_t getTripCount(Operation *op) {
  constexpr uint64_t most = 1 << 20;
  return std::clamp<uint64_t>(getControlFlow(op).maxTrips.value_or(1), 1, most);
}

void LayoutGraphBuilder::addBlock(Block &first, uint64_t repetitions) {
  // Regions nest as deep as a model says: no recursion.
  SmallVector<std::pair<Block *, uint64_t>> blocks = {{&first, repetitions}};
  while (!blocks.empty()) {
    auto [block, times] = blocks.pop_back_val();
    for (Value argument : block->getArguments())
      addTensor(argument, times);
    for (Operation &op : *block) {
      for (Value result : op.getResults())
        addTensor(result, times);
      // Groups that are there already are finished: row-major as they stand.
      if (!isFinished(&op))
        for (Region &region : op.getRegions())
          for (Block &body : region)
            blocks.emplace_back(
                &body, llvm::SaturatingMultiply(times, getTripCount(&op)));
      addOperation(&op);
    }
  }
}

unsigned LayoutGraphBuilder::addNode(Operation *op,
                                     std::optional<unsigned> tie) {
  LayoutNode node;
  node.op = op;
  node.tie = tie;
  graph.nodes.push_back(std::move(node));
  return graph.nodes.size() - 1;
}

void LayoutGraphBuilder::addUse(unsigned node, OpOperand &operand) {
  LayoutNodePort port;
  port.use = &operand;
  port.value = operand.get();
  graph.nodes[node].ports.push_back(port);
}

void LayoutGraphBuilder::addDefinition(unsigned node, Value value) {
  LayoutNodePort port;
  port.value = value;
  graph.nodes[node].ports.push_back(port);
}

void LayoutGraphBuilder::addOperation(Operation *op) {
  if (isa<GroupOp>(op))
    return;
  if (op->getNumRegions() != 0) {
    addTies(op);
    return;
  }
  if (isa<ConstantOp>(op) || op->getNumResults() == 0)
    return;
  if (!isa<StorageOpInterface>(op) && !findRule(op))
    return;
  // A constant that becomes an output needs a node to be copied by: this one.
  if (op->getNumOperands() == 1 &&
      op->getOperand(0).getDefiningOp<ConstantOp>() &&
      llvm::all_of(op->getUsers(), [&](Operation *user) {
        return user == graph.func.getBody().front().getTerminator();
      }))
    return;
  unsigned node = addNode(op, std::nullopt);
  graph.nodeOfOp[op] = node;
  for (OpOperand &operand : op->getOpOperands())
    addUse(node, operand);
  for (Value result : op->getResults())
    addDefinition(node, result);
}

/// What flows into and out of subgraphs is stored alike all the way: an If's
/// result and what its branches yield, a value that a loop carries.
void LayoutGraphBuilder::addTies(Operation *op) {
  ControlFlow flow = getControlFlow(op);
  SmallVector<ValueFlow> flows(flow.entering);
  llvm::append_range(flows, flow.leaving);
  llvm::EquivalenceClasses<const void *> tied;
  for (const ValueFlow &each : flows)
    tied.unionSets(each.from, each.to.getAsOpaquePointer());
  llvm::MapVector<const void *, unsigned> nodeOf;
  llvm::SmallPtrSet<const void *, 8> added;
  auto getNode = [&](const ValueFlow &each) {
    auto [it, isNew] = nodeOf.try_emplace(tied.getLeaderValue(each.from), 0);
    if (isNew)
      it->second = addNode(op, nodeOf.size() - 1);
    return it->second;
  };
  for (const ValueFlow &each : flows) {
    unsigned node = getNode(each);
    if (added.insert(each.from).second)
      addUse(node, *each.from);
    if (added.insert(each.to.getAsOpaquePointer()).second)
      addDefinition(node, each.to);
  }
}

/// Inputs and outputs that the target lets be stored in any way.
void LayoutGraphBuilder::addFreePorts() {
  const IoPolicy &policy = graph.target.io;
  if (policy.inputs == IoLayout::Any)
    for (BlockArgument argument : graph.func.getArguments())
      if (!options.ioOrders.contains(
              getInputName(graph.func, argument.getArgNumber())))
        addDefinition(addNode(graph.func, argument.getArgNumber()), argument);
  if (policy.outputs == IoLayout::Any)
    for (OpOperand &operand :
         graph.func.getBody().front().getTerminator()->getOpOperands())
      if (!options.ioOrders.contains(
              getOutputName(graph.func, operand.getOperandNumber())))
        addUse(addNode(operand.getOwner(), operand.getOperandNumber()),
               operand);
}

/// The operands that only say a type, as the second one of CastLike: the same
/// ones wherever the operator stands.
llvm::SmallBitVector LayoutGraphBuilder::findIndifferent(Operation *op) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  if (!fusion || op->getNumOperands() < 2 ||
      fusion.getFusionClass() != FusionClass::Elementwise)
    return {};
  auto [it, isNew] =
      indifferent.try_emplace(std::pair(op->getName(), op->getNumOperands()));
  if (!isNew)
    return it->second;
  AxisMap map = cast<AxisMapOpInterface>(op).getAxisMap();
  if (map.isOpaque()) {
    indifferent.erase(it);
    return {};
  }
  it->second.resize(op->getNumOperands());
  for (auto [i, axes] : llvm::enumerate(map.getOperands()))
    it->second[i] = !axes;
  return it->second;
}

void LayoutGraphBuilder::addTouches(unsigned index) {
  LayoutNode &node = graph.nodes[index];
  llvm::SmallBitVector indifferentOperands;
  if (!node.tie)
    indifferentOperands = findIndifferent(node.op);
  for (auto [i, port] : llvm::enumerate(node.ports)) {
    auto it = graph.tensorOfValue.find(port.value);
    if (it == graph.tensorOfValue.end())
      continue;
    port.tensor = it->second;
    port.ignoresOrder =
        i < indifferentOperands.size() && indifferentOperands[i];
    touches[it->second].push_back({index, unsigned(i)});
  }
}

//===----------------------------------------------------------------------===//
// The forms that nodes begin with
//===----------------------------------------------------------------------===//

void LayoutGraphBuilder::addFirstForms(unsigned index) {
  auto storage = dyn_cast<StorageOpInterface>(graph.nodes[index].op);
  bool isTie = graph.nodes[index].tie.has_value();
  SmallVector<OrderTable::Id> rowMajor(graph.nodes[index].ports.size(),
                                       OrderTable::rowMajor);
  // A key operator runs in what the target says and in nothing else.
  if (addRuleForms(index))
    return;
  if (isTie || !storage || storage.admitsRowMajor()) {
    addForm(index, rowMajor);
    // State 0 is what the model says.
    if (graph.nodes[index].forms.size() > 1)
      std::rotate(graph.nodes[index].forms.begin(),
                  std::prev(graph.nodes[index].forms.end()),
                  graph.nodes[index].forms.end());
    return;
  }
  for (unsigned port = 0; port < graph.nodes[index].ports.size(); ++port)
    extend(index, port, {});
  // A transpose of unknown rank says nothing about orders.
  if (graph.nodes[index].forms.empty())
    addForm(index, rowMajor);
}

void LayoutGraphBuilder::addDemandedOrders() {
  auto demand = [&](Value value, ArrayRef<Atom> order) {
    auto it = graph.tensorOfValue.find(value);
    if (it != graph.tensorOfValue.end() && !order.empty())
      addLabel(it->second, graph.orders.insert(order));
  };
  for (BlockArgument argument : graph.func.getArguments())
    demand(argument, options.getIoOrder(
                         getInputName(graph.func, argument.getArgNumber())));
  Operation *end = graph.func.getBody().front().getTerminator();
  for (OpOperand &operand : end->getOpOperands())
    demand(operand.get(), options.getIoOrder(getOutputName(
                              graph.func, operand.getOperandNumber())));
  if (graph.target.candidates.empty())
    return;
  for (unsigned i = 0; i < graph.tensors.size(); ++i)
    for (const auto &permutation : graph.target.getCandidates(
             cast<RankedTensorType>(graph.tensors[i].value.getType())
                 .getRank())) {
      AtomSequence order;
      for (unsigned dim : permutation)
        order.push_back({dim});
      demand(graph.tensors[i].value, order);
    }
}

//===----------------------------------------------------------------------===//
// Which orders come into question
//===----------------------------------------------------------------------===//

/// Nearest demands first, and first within the limits that one begins with.
void LayoutGraphBuilder::propagate() {
  propagateQueue();
  if (options.maxExtraWork == 0)
    return;
  maxWork = llvm::SaturatingAdd(2 * work, options.maxExtraWork);
  while (!postponed.empty() && raiseLimits()) {
    askAgain();
    propagateQueue();
  }
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
  while (!queue.empty() && work < maxWork) {
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
  if (graph.nodes[index].isKey)
    return;
  ++work;
  isBeyondLimits = false;
  extendNode(index, port, order);
  if (isBeyondLimits)
    postponed.push_back({index, port, graph.orders.insert(order)});
}

void LayoutGraphBuilder::extendNode(unsigned index, unsigned port,
                                    ArrayRef<Atom> order) {
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

void LayoutGraphBuilder::extendOperation(unsigned index, unsigned port,
                                         ArrayRef<Atom> order) {
  extendAlongAxes(index, port, graph.orders.insert(order));
  if (!cast<StorageOpInterface>(graph.nodes[index].op).followsAxes())
    extendIndependently(index);
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
  constexpr size_t few = 8;
  if (graph.nodes[index].ports.size() <= few)
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

void LayoutGraphBuilder::extendIndependently(unsigned index) {
  Operation *op = graph.nodes[index].op;
  auto storage = cast<StorageOpInterface>(op);
  unsigned numOperands = op->getNumOperands();
  // All combinations of the orders known so far, as an odometer.
  SmallVector<unsigned> choice(graph.nodes[index].ports.size(), 0);
  auto advance = [&] {
    for (auto [i, port] : llvm::enumerate(graph.nodes[index].ports)) {
      size_t count =
          port.tensor ? graph.tensors[*port.tensor].orders.size() : 1;
      if (++choice[i] < count)
        return true;
      choice[i] = 0;
    }
    return false;
  };
  do {
    if (graph.nodes[index].forms.size() >= maxForms || ++work > maxWork) {
      isBeyondLimits = true;
      return;
    }
    StoredForm form;
    for (auto [i, port] : llvm::enumerate(graph.nodes[index].ports)) {
      ArrayRef<Atom> order;
      if (port.tensor)
        order = graph.orders[graph.tensors[*port.tensor].orders[choice[i]]];
      (i < numOperands
           ? static_cast<SmallVectorImpl<AtomSequence> &>(form.operands)
           : form.results)
          .emplace_back(order);
    }
    if (form.isRowMajor() || (form.isFactored() && !storage.admitsFactors()) ||
        !admitsStored(op, form))
      continue;
    addForm(index, form);
  } while (advance());
}

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
  return !node.isKey && (node.tie || isa<StorageOpInterface>(node.op));
}

/// What misses an order keeps it from everything that it would have come to.
void LayoutGraphBuilder::spreadOpen() {
  for (const Postponed &each : postponed)
    for (const LayoutNodePort &port : graph.nodes[each.node].ports)
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
