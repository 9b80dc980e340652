//===- LayoutGraphCosts.cpp - What forms and copies cost ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A state costs what the target says of the form that it stands for, a copy
// what it says of the two orders. Operations that have no choice cost too: what
// a module costs does not depend on which of its operators were in question.
//
//===----------------------------------------------------------------------===//

#include "FormFacts.h"
#include "LayoutGraphBuilder.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/Layout/Move.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace mlir;

static bool hasFactors(const Target &target) {
  return !target.costs.forms.empty() ||
         llvm::any_of(target.layouts, [](const OpLayout &rule) {
           return llvm::any_of(rule.choices, [](const LayoutChoice &choice) {
             return choice.factor != CostFactor();
           });
         });
}

void LayoutGraphBuilder::addCosts() {
  if (hasFactors(graph.target)) {
    addFormCosts();
    addCostsOfOthers();
  } else {
    addAwkwardForms();
  }
  if (graph.target.costs.relayout != 0 || !graph.target.costs.copies.empty())
    addTransposeCosts();
  graph.openVariables.resize(
      openVariables.empty() ? 0 : graph.problem.getNumVariables());
  for (VarId var : openVariables)
    graph.openVariables.set(var);
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

/// What `op` reads and writes, as often as it runs.
uint64_t LayoutGraphBuilder::getTraffic(Operation *op, uint64_t repetitions) {
  uint64_t bytes = 0;
  for (Value operand : op->getOperands())
    bytes = llvm::SaturatingAdd(bytes, sizes.getBytes(operand));
  for (Value result : op->getResults())
    bytes = llvm::SaturatingAdd(bytes, sizes.getBytes(result));
  return llvm::SaturatingMultiply(bytes, repetitions);
}

LayoutGraphBuilder::Priced
LayoutGraphBuilder::price(Operation *op, StringRef onnxType,
                          const OpLayout *rule,
                          ArrayRef<ArrayRef<Atom>> orders) {
  return {findFormFacts(op, onnxType, orders, graph.target.defaultDim),
          getChoiceFactor(op, rule, orders)};
}

uint64_t LayoutGraphBuilder::getCost(Priced &priced, uint64_t bytes) {
  priced.facts.bytes = bytes;
  return llvm::SaturatingAdd(
      graph.target.costs.getFactor(priced.facts).getFormCost(bytes),
      priced.choice.getFormCost(bytes));
}

/// Equal operators have equal factors.
LayoutGraphBuilder::Priced &
LayoutGraphBuilder::getPriced(unsigned index, const LayoutNodeForm &form) {
  auto [it, isNew] =
      pricedForms.try_emplace(std::pair(getKind(index), form.orders));
  if (isNew) {
    Operation *op = graph.nodes[index].op;
    SmallVector<ArrayRef<Atom>> orders;
    for (OrderTable::Id order : form.orders)
      orders.push_back(graph.orders[order]);
    it->second = price(op, getOpType(op), findRule(op), orders);
  }
  return it->second;
}

uint64_t LayoutGraphBuilder::getFormCost(unsigned index,
                                         const LayoutNodeForm &form,
                                         uint64_t bytes) {
  return getCost(getPriced(index, form), bytes);
}

/// Whether a reduction, or what normalises, combines elements that do not lie
/// side by side.
bool LayoutGraphBuilder::isAwkward(unsigned index, const LayoutNodeForm &form) {
  const FormFacts &facts = getPriced(index, form).facts;
  return (facts.opClass == OpClass::Reduction ||
          facts.opClass == OpClass::Normalization) &&
         facts.inner.value_or(1) > 1;
}

/// Where the target has no price for that, it decides between equal costs.
void LayoutGraphBuilder::addAwkwardForms() {
  for (unsigned index = 0; index < graph.nodes.size(); ++index) {
    const LayoutNode &node = graph.nodes[index];
    if (!node.var || node.tie || !mayReduce(node.op))
      continue;
    for (auto [state, form] : llvm::enumerate(node.forms))
      if (isAwkward(index, form))
        graph.problem.setAwkward(*node.var, state);
  }
}

/// The form that the operator has in the model, where it is among its forms.
static size_t findGivenForm(const LayoutNode &node) {
  for (auto [i, form] : llvm::enumerate(node.forms))
    if (llvm::all_of(form.labels, [](LabelId label) { return label == 0; }))
      return i;
  return 0;
}

void LayoutGraphBuilder::addFormCosts() {
  for (unsigned index = 0; index < graph.nodes.size(); ++index) {
    LayoutNode &node = graph.nodes[index];
    if (node.tie)
      continue;
    uint64_t bytes =
        getTraffic(node.op, repetitionsOf.lookup(node.op->getBlock()));
    SmallVector<uint64_t> costs;
    for (const LayoutNodeForm &form : node.forms)
      costs.push_back(getFormCost(index, form, bytes));
    if (llvm::all_of(costs, [](uint64_t cost) { return cost == 0; }))
      continue;
    graph.formCostAsGiven =
        llvm::SaturatingAdd(graph.formCostAsGiven, costs[findGivenForm(node)]);
    // What has no choice has a variable of its own here: another form might
    // have been left out.
    VarId var = node.var ? *node.var : graph.problem.addVariable(1);
    for (auto [state, cost] : llvm::enumerate(costs))
      graph.problem.setStateCost(var, state, {cost, 0});
    if (mayMissForms(node))
      openVariables.push_back(var);
  }
}

/// An operator that is slow as it stands would have what it combines innermost.
void LayoutGraphBuilder::addFastOrders() {
  if (!hasFactors(graph.target))
    return;
  for (unsigned index = 0; index < graph.nodes.size(); ++index) {
    const LayoutNode &node = graph.nodes[index];
    if (node.tie || node.isKey || !isa<StorageOpInterface>(node.op) ||
        node.op->getNumOperands() == 0 || !node.ports[0].tensor)
      continue;
    uint64_t bytes =
        getTraffic(node.op, repetitionsOf.lookup(node.op->getBlock()));
    if (getFormCost(index, node.forms[findGivenForm(node)], bytes) == 0)
      continue;
    if (AtomSequence order = findReducedLast(node.op); !order.empty())
      addLabel(*node.ports[0].tensor, graph.orders.insert(order));
  }
}

bool LayoutGraphBuilder::mayMissForms(const LayoutNode &node) {
  return !openTensors.empty() && canHearOfOrders(node) &&
         llvm::any_of(node.ports, [&](const LayoutNodePort &port) {
           return port.tensor && openTensors.test(*port.tensor);
         });
}

//===----------------------------------------------------------------------===//
// Operations that are no nodes
//===----------------------------------------------------------------------===//

/// The storage order that a wrapper names.
static AtomSequence readOrder(Value value, LayoutAttr known, StringRef name) {
  if (name.empty())
    return {};
  std::string axes = name.starts_with("(") ? "Tensor" : getAxesOf(value, known);
  auto layout = Layout::parse(axes + " as " + name.str());
  if (layout)
    return AtomSequence(layout->getOrder());
  llvm::consumeError(layout.takeError());
  return {};
}

/// An operator that an earlier round has wrapped stays in its form.
uint64_t LayoutGraphBuilder::getWrappedCost(InLayoutOp op,
                                            uint64_t repetitions) {
  Operation *wrapped = op.getWrapped();
  SmallVector<StringRef> names;
  for (Attribute name : op.getLayouts())
    names.push_back(cast<StringAttr>(name).getValue());
  if (!wrapped || names.size() < wrapped->getNumOperands() + 1)
    return 0;
  KnownLayouts known = getKnownLayouts(wrapped);
  SmallVector<AtomSequence> orders(wrapped->getNumOperands() +
                                   wrapped->getNumResults());
  for (OpOperand &operand : wrapped->getOpOperands()) {
    unsigned i = operand.getOperandNumber();
    orders[i] = readOrder(operand.get(), known.operands[i], names[i]);
  }
  orders[wrapped->getNumOperands()] =
      readOrder(wrapped->getResult(0), known.results[0],
                names[wrapped->getNumOperands()]);
  SmallVector<ArrayRef<Atom>> refs(orders.begin(), orders.end());
  bool isStatic = llvm::all_of(wrapped->getOperandTypes(), [](Type type) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    return !ranked || ranked.hasStaticShape();
  });
  Priced priced = price(
      wrapped, op.getOpType(),
      graph.target.findRule(op.getOpType(),
                            getElementWord(wrapped->getOperand(0).getType())),
      refs);
  // What pads blocks is not read for the operator's sake.
  return getCost(priced, getTraffic(isStatic ? wrapped : op, repetitions));
}

/// What has no forms to choose from is row-major.
void LayoutGraphBuilder::addCostsOfOthers() {
  uint64_t total = 0;
  graph.func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    uint64_t repetitions = repetitionsOf.lookup(op->getBlock());
    if (auto wrapper = dyn_cast<InLayoutOp>(op))
      total = llvm::SaturatingAdd(total, getWrappedCost(wrapper, repetitions));
    if (isFinished(op))
      return WalkResult::skip();
    if (op->getNumRegions() != 0 || op->getNumResults() == 0 ||
        op->getNumOperands() == 0 || graph.nodeOfOp.contains(op))
      return WalkResult::advance();
    SmallVector<ArrayRef<Atom>> rowMajor(op->getNumOperands() +
                                         op->getNumResults());
    Priced priced = price(op, getOpType(op), findRule(op), rowMajor);
    total = llvm::SaturatingAdd(total,
                                getCost(priced, getTraffic(op, repetitions)));
    return WalkResult::advance();
  });
  graph.formCostAsGiven = llvm::SaturatingAdd(graph.formCostAsGiven, total);
  graph.problem.setStateCost(fixed, 0, {total, 0});
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

CostFactor LayoutGraphBuilder::getCopyFactor(Value value, uint64_t bytes,
                                             ArrayRef<Atom> from,
                                             ArrayRef<Atom> to) {
  RankedTensorType type = sizes.getType(value);
  Move move = findMove(from, to, type.getShape());
  uint64_t bits =
      type.getElementType().isIntOrFloat() ? type.getElementTypeBitWidth() : 64;
  CopyFacts facts;
  facts.type = getElementWord(value.getType());
  facts.bytes = bytes;
  facts.run = llvm::divideCeil(
      llvm::SaturatingMultiply<uint64_t>(bits, uint64_t(move.run)), 8);
  facts.numMoved = move.numMoved;
  return graph.target.costs.getFactor(facts);
}

/// What a copy costs that moves `bytes`.
uint64_t LayoutGraphBuilder::getCopyCost(uint64_t bytes, CostFactor factor) {
  return llvm::SaturatingAdd(factor.scale(bytes), graph.target.costs.relayout);
}

void LayoutGraphBuilder::addPairCosts(const LayoutTensor &tensor) {
  for (unsigned from = 0; from < tensor.orders.size(); ++from)
    for (unsigned to = 0; to < tensor.orders.size(); ++to) {
      if (from == to)
        continue;
      uint64_t bytes = tensor.copyBytes[to];
      CostFactor factor =
          getCopyFactor(tensor.value, bytes, graph.orders[tensor.orders[from]],
                        graph.orders[tensor.orders[to]]);
      if (factor != CostFactor())
        graph.problem.setCopyCost(*tensor.net, from, to,
                                  {getCopyCost(bytes, factor), 1});
    }
}

/// What the transposes of the model cost beyond the bytes that they move.
void LayoutGraphBuilder::addTransposeCosts() {
  graph.func.walk([&](TransposeOp op) {
    auto it = graph.tensorOfValue.find(op.getInput());
    if (it == graph.tensorOfValue.end())
      return;
    AtomSequence order;
    for (int64_t dim : op.getPermutation())
      order.push_back({unsigned(dim)});
    uint64_t bytes = graph.tensors[it->second].bytes;
    CostFactor factor = getCopyFactor(op.getInput(), bytes, {}, order);
    graph.surchargeOfTranspose[op] = getCopyCost(bytes, factor) - bytes;
  });
}
