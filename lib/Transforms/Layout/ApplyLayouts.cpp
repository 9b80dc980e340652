//===- ApplyLayouts.cpp - Writing chosen layouts into the IR --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ApplyLayouts.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/PaddedForm.h"
#include "inlay/Layout/AxisOrder.h"
#include "inlay/LayoutAssign/FindForm.h"
#include <deque>

using namespace inlay;
using namespace mlir;

/// `type` with its class and axis names, stored in `order`.
static Type withOrder(Type type, ArrayRef<Atom> order) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked || getStorageOrder(type) == order)
    return type;
  auto encoding = dyn_cast_if_present<LayoutAttr>(ranked.getEncoding());
  Layout layout = encoding ? encoding.getLayout() : Layout::getTensor();
  llvm::Expected<Layout> stored =
      layout.getAxes().empty()
          ? Layout::getUnnamed(layout.getClass(), AtomSequence(order))
          : Layout::getNamed(layout.getAxes(), AtomSequence(order));
  // The problem has only orders that exist.
  return RankedTensorType::get(
      ranked.getShape(), ranked.getElementType(),
      LayoutAttr::get(type.getContext(), llvm::cantFail(std::move(stored))));
}

namespace {
class Applier {
public:
  Applier(const LayoutGraph &graph, const Solution &solution,
          const LayoutGraphOptions &options)
      : graph(graph), solution(solution), options(options) {}

  void run();

private:
  void setTypes();
  void setIoTypes();
  void insertListed();
  void insertNeeded();
  void serve(OpOperand &operand);

  const LayoutGraph &graph;
  const Solution &solution;
  const LayoutGraphOptions &options;
  /// Orders that are not the problem's, for those that refer to them.
  std::deque<SmallVector<AtomSequence>> adapted;
  /// What operands need that is not row-major.
  DenseMap<OpOperand *, ArrayRef<Atom>> needed;
  DenseSet<OpOperand *> indifferent;
  /// Relayouts by what they copy and the type they give.
  DenseMap<std::pair<Value, Type>, Value> shared;
};
} // namespace

void Applier::run() {
  setTypes();
  setIoTypes();
  insertListed();
  insertNeeded();
}

static bool areAlike(Value value, ArrayRef<Atom> a, ArrayRef<Atom> b) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && areStoredAlike(a, b, type.getShape());
}

/// Where dimensions of one element stand is nobody's concern but costs a
/// reshape when neighbours disagree: the orders in which `node` follows its
/// producers, where they place elements as `orders` do; else nothing.
static SmallVector<AtomSequence>
followProducers(const LayoutNode &node, ArrayRef<ArrayRef<Atom>> orders) {
  if (node.tie || node.isKey || !isa<StorageOpInterface>(node.op))
    return {};
  for (auto [i, port] : llvm::enumerate(node.ports)) {
    if (!port.use || port.value.getDefiningOp<ConstantOp>())
      continue;
    ArrayRef<Atom> stored = getStorageOrder(port.value.getType());
    if (stored == orders[i] || !areAlike(port.value, stored, orders[i]))
      continue;
    auto form = findForm(node.op, i, stored);
    if (!form)
      continue;
    SmallVector<AtomSequence> found(form->operands.begin(),
                                    form->operands.end());
    llvm::append_range(found, form->results);
    bool isSame = llvm::all_of(llvm::enumerate(node.ports), [&](auto entry) {
      Value value = entry.value().value;
      const AtomSequence &order = found[entry.index()];
      return areAlike(value, order, orders[entry.index()]) &&
             (order.empty() || canCutBlocks(value.getType(), order));
    });
    return isSame ? found : SmallVector<AtomSequence>();
  }
  return {};
}

void Applier::setTypes() {
  for (const LayoutNode &node : graph.getNodes()) {
    SmallVector<ArrayRef<Atom>> orders;
    for (OrderTable::Id order : graph.getForm(node, solution.states).orders)
      orders.push_back(graph.getOrders()[order]);
    bool isFree = node.tie || !graph.isInSpelledPattern(node.op);
    auto found =
        isFree ? followProducers(node, orders) : SmallVector<AtomSequence>();
    if (!found.empty()) {
      adapted.push_back(std::move(found));
      orders.assign(adapted.back().begin(), adapted.back().end());
    }
    for (auto [port, atoms] : llvm::zip_equal(node.ports, orders)) {
      if (!port.use)
        Value(port.value).setType(withOrder(port.value.getType(), atoms));
      else if (port.ignoresOrder)
        indifferent.insert(port.use);
      else if (!atoms.empty())
        needed[port.use] = atoms;
    }
  }
}

void Applier::setIoTypes() {
  func::FuncOp func = graph.getFunction();
  SmallVector<Type> inputs, outputs;
  for (BlockArgument argument : func.getArguments()) {
    ArrayRef<Atom> order =
        options.getIoOrder(getInputName(func, argument.getArgNumber()));
    if (!order.empty())
      argument.setType(withOrder(argument.getType(), order));
    inputs.push_back(argument.getType());
  }
  Operation *end = func.getBody().front().getTerminator();
  for (OpOperand &operand : end->getOpOperands()) {
    ArrayRef<Atom> order =
        options.getIoOrder(getOutputName(func, operand.getOperandNumber()));
    if (!order.empty())
      needed[&operand] = order;
    outputs.push_back(
        withOrder(operand.get().getType(), needed.lookup(&operand)));
  }
  func.setFunctionType(FunctionType::get(func.getContext(), inputs, outputs));
}

//===----------------------------------------------------------------------===//
// Relayouts
//===----------------------------------------------------------------------===//

/// The innermost block that holds all uses, directly or in regions, without
/// being in a loop or a group that the value comes from outside of.
static Block *findBlock(Value source, ArrayRef<OpOperand *> uses) {
  Block *home = source.getParentBlock();
  Block *common = uses.front()->getOwner()->getBlock();
  for (OpOperand *use : uses)
    while (common != home && !common->findAncestorOpInBlock(*use->getOwner()))
      common = common->getParentOp()->getBlock();
  for (Block *block = common; block != home;
       block = block->getParentOp()->getBlock()) {
    auto parent = dyn_cast<LayoutTransmitOpInterface>(block->getParentOp());
    if (isa<GroupOp>(block->getParentOp()) ||
        (parent && parent.getControlFlow().repeats))
      common = block->getParentOp()->getBlock();
  }
  return common;
}

/// A relayout at a transpose of the model stands for it; others have no origin.
static Location getRelayoutLoc(Value source, ArrayRef<OpOperand *> uses) {
  if (auto transpose = source.getDefiningOp<TransposeOp>())
    return transpose.getLoc();
  for (OpOperand *use : uses)
    if (isa<TransposeOp>(use->getOwner()))
      return use->getOwner()->getLoc();
  return UnknownLoc::get(source.getContext());
}

static Value createBeforeUses(Value source, Type type,
                              ArrayRef<OpOperand *> uses) {
  Block *block = findBlock(source, uses);
  Operation *first = nullptr;
  for (OpOperand *use : uses) {
    Operation *ancestor = block->findAncestorOpInBlock(*use->getOwner());
    if (!first || ancestor->isBeforeInBlock(first))
      first = ancestor;
  }
  OpBuilder builder(first);
  return builder.create<RelayoutOp>(getRelayoutLoc(source, uses), type, source);
}

static Value createBehind(Value source, Type type) {
  OpBuilder builder(source.getContext());
  builder.setInsertionPointAfterValue(source);
  return builder.create<RelayoutOp>(getRelayoutLoc(source, {}), type, source);
}

void Applier::insertListed() {
  const LayoutProblem &problem = graph.getProblem();
  // The last copy of a net in an order, for those that are made from it.
  DenseMap<std::pair<NetId, unsigned>, Value> copies;
  DenseSet<std::pair<NetId, unsigned>> sources;
  for (const Relayout &relayout : solution.relayouts)
    sources.insert({relayout.net, relayout.from});
  for (const Relayout &relayout : solution.relayouts) {
    const LayoutTensor &tensor = graph.getTensorOfNet(relayout.net);
    LayoutPort producer = problem.getProducer(relayout.net);
    LabelId made = producer.labelOfState[solution.states[producer.var]];
    Value source = tensor.value;
    if (made != relayout.from)
      if (Value copy = copies.lookup({relayout.net, relayout.from}))
        source = copy;
    SmallVector<OpOperand *> uses;
    for (UseId use : relayout.uses)
      uses.push_back(graph.getOperand(use));
    ArrayRef<Atom> order = uses.empty()
                               ? graph.getOrders()[tensor.orders[relayout.to]]
                               : needed.lookup(uses.front());
    Type type = withOrder(tensor.value.getType(), order);
    bool isSource = sources.contains({relayout.net, relayout.to});
    Value copy = uses.empty() || isSource
                     ? createBehind(source, type)
                     : createBeforeUses(source, type, uses);
    copies[{relayout.net, relayout.to}] = copy;
    for (OpOperand *use : uses)
      use->set(copy);
  }
}

void Applier::serve(OpOperand &operand) {
  Value value = operand.get();
  ArrayRef<Atom> order = needed.lookup(&operand);
  if (getStorageOrder(value.getType()) == order)
    return;
  Type type = withOrder(value.getType(), order);
  Value &copy = shared[{value, type}];
  if (!copy)
    copy = createBehind(value, type);
  operand.set(copy);
}

/// What is left costs nothing: constants, and orders that differ in where
/// dimensions of one element stand.
void Applier::insertNeeded() {
  SmallVector<OpOperand *> operands;
  graph.getFunction().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<RelayoutOp>(op))
      for (OpOperand &operand : op->getOpOperands())
        if (!indifferent.contains(&operand))
          operands.push_back(&operand);
    return isa<InLayoutOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  for (OpOperand *operand : operands)
    serve(*operand);
}

void inlay::applyLayouts(const LayoutGraph &graph, const Solution &solution,
                         const LayoutGraphOptions &options) {
  Applier(graph, solution, options).run();
}
