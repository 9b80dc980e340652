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
#include "inlay/IR/Slicings.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace mlir;

void LayoutGraphBuilder::build() {
  graph.assumptions = sizes.getAssumptions();
  addBlock(graph.func.getBody().front(), /*repetitions=*/1);
  addFreePorts();
  addPatterns();
  kindOfNode.assign(graph.nodes.size(), unknownKind);
  for (unsigned node = 0; node < graph.nodes.size(); ++node)
    addTouches(node);
  for (unsigned node = 0; node < graph.nodes.size(); ++node)
    addFirstForms(node);
  addDemandedOrders();
  addFastOrders();
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
    repetitionsOf[block] = times;
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
  addSlicings(op, nodeOf.size());
}

void LayoutGraphBuilder::addSlicings(Operation *op, unsigned numTies) {
  for (auto [i, slicing] : llvm::enumerate(getSlicings(op))) {
    unsigned node = addNode(op, numTies + i);
    graph.nodes[node].slicedAxis = slicing.axis;
    graph.nodes[node].wholePort = slicing.isTaken ? 0 : 1;
    addUse(node, *slicing.from);
    addDefinition(node, slicing.to);
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
