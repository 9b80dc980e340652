//===- InputDemands.cpp - Which values suit the inputs --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations are visited once, users before what they use. Each adds what it
// asks of its operands itself, and what follows from the demands on its
// results. A subgraph is visited before the operation that holds it: its
// terminator takes over what is asked of the operation's results, and the
// operation what is asked of the subgraph's arguments.
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/InputDemands.h"
#include "ValueRanges.h"
#include "llvm/ADT/DenseMap.h"

using namespace inlay;
using namespace mlir;

namespace {
class DemandFinder {
public:
  explicit DemandFinder(func::FuncOp graph) : graph(graph), ranges(graph) {}

  std::vector<ValueDemand> run();

private:
  void visit(Operation *op);
  void follow(ArrayRef<ValueFlow> flows);
  void transfer(OpResult result, const ValueDemand &demand, DemandSink sink);
  void add(Value value, const ValueDemand &demand);

  func::FuncOp graph;
  ValueRanges ranges;
  DenseMap<Value, ValueDemand> demands;
};
} // namespace

/// The flow of values into and out of the regions of an operation.
static ControlFlow getFlow(Operation *op) {
  if (auto wrapper = dyn_cast<InLayoutOp>(op)) {
    ControlFlow flow;
    Block &body = wrapper.getBody().front();
    for (auto [operand, argument] :
         llvm::zip(op->getOpOperands(), body.getArguments()))
      flow.entering.push_back({&operand, argument});
    for (auto [operand, result] :
         llvm::zip(body.getTerminator()->getOpOperands(), op->getResults()))
      flow.leaving.push_back({&operand, result});
    return flow;
  }
  auto interface = dyn_cast<LayoutTransmitOpInterface>(op);
  return interface ? interface.getControlFlow() : ControlFlow();
}

void DemandFinder::add(Value value, const ValueDemand &demand) {
  if (!value || value.getDefiningOp<ConstantOp>())
    return;
  ValueDemand rest = relax(demand, ranges.get(value));
  if (!rest.isEmpty())
    demands[value].meet(rest);
}

void DemandFinder::follow(ArrayRef<ValueFlow> flows) {
  for (const ValueFlow &flow : flows)
    if (auto it = demands.find(flow.to); it != demands.end())
      add(flow.from->get(), ValueDemand(it->second));
}

/// What moves elements by its very class.
static bool movesElements(Operation *op) {
  auto classified = dyn_cast<FusionOpInterface>(op);
  if (!classified || op->getNumOperands() == 0)
    return false;
  FusionClass own = classified.getFusionClass();
  return own == FusionClass::View || own == FusionClass::Transform ||
         own == FusionClass::Broadcast || own == FusionClass::Window;
}

void DemandFinder::transfer(OpResult result, const ValueDemand &demand,
                            DemandSink sink) {
  Operation *op = result.getOwner();
  auto lookup = [this](Value value) { return ranges.get(value); };
  ResultDemand asked{result, demand, lookup, sink};
  if (auto interface = dyn_cast<DemandTransferOpInterface>(op))
    interface.transferDemand(asked);
  else if (movesElements(op))
    transferMove(op, asked);
}

void DemandFinder::visit(Operation *op) {
  auto sink = [this](Value value, const ValueDemand &demand) {
    add(value, demand);
  };
  if (op->hasTrait<OpTrait::IsTerminator>() && op->getParentOp() != graph)
    follow(getFlow(op->getParentOp()).leaving);
  if (op->getNumRegions() != 0) {
    ControlFlow flow = getFlow(op);
    follow(flow.entering);
    follow(flow.leaving);
  }
  if (auto interface = dyn_cast<OperandDemandOpInterface>(op))
    interface.demandOfOperands(sink);
  for (OpResult result : op->getResults())
    if (auto it = demands.find(result); it != demands.end())
      // A copy: the table may grow meanwhile.
      transfer(result, ValueDemand(it->second), sink);
}

std::vector<ValueDemand> DemandFinder::run() {
  SmallVector<Operation *> operations;
  graph.getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { operations.push_back(op); });
  for (Operation *op : llvm::reverse(operations))
    visit(op);
  std::vector<ValueDemand> inputs;
  for (BlockArgument input : graph.getArguments())
    inputs.push_back(demands.lookup(input));
  return inputs;
}

std::vector<ValueDemand> inlay::findInputDemands(func::FuncOp graph) {
  return DemandFinder(graph).run();
}
