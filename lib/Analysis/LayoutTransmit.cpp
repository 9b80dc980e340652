//===- LayoutTransmit.cpp - Layouts of a whole graph ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Backward: what consumers want of values, as far as operations can tell.
// 2. Inputs and constants that nothing is wanted of become Tensors.
// 3. Forward: what is still unknown follows from operands.
//
// Operations are visited in the order of their blocks, which is a topological
// one, and regions with their operation. Going backward, an operation is
// visited after all its users, so that what is wanted of its results is
// complete; the strongest of several wants does not depend on their order.
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/LayoutTransmit.h"
#include "inlay/IR/InlayOps.h"

using namespace inlay;
using namespace mlir;

namespace {
/// An operation with regions is visited twice, before and after what is in
/// them, and any other once, as both.
struct Visit {
  Operation *op;
  bool enters, leaves;
};

class Transmission {
public:
  Transmission(func::FuncOp function, const TransmitOptions &options);

  void sweepBackward();
  void setDefaults();
  void sweepForward();

  llvm::DenseMap<Value, LayoutAttr> takeLayouts() { return std::move(layouts); }

private:
  /// The layout as `value` can have it: another class, or null, where its rank
  /// is out of bounds.
  LayoutAttr fit(Value value, LayoutAttr layout) const;
  LayoutList getLayouts(ValueRange values) const;

  /// Notes that a consumer would have `value` in `layout`.
  void want(Value value, LayoutAttr layout);
  /// Gives `value` the layout that its producer knows.
  void settle(Value value, LayoutAttr layout);
  /// Gives `value`, if it is undecided, the layout that its producer infers;
  /// null where that cannot tell.
  void decide(Value value, LayoutAttr inferred);
  bool isDecided(Value value) const {
    return layouts.contains(value) && !contested.contains(value);
  }

  void wantResults(Operation *op);
  void wantOperands(Operation *op);
  void decideArguments(Operation *op);
  void decideResults(Operation *op);
  LayoutList inferResults(Operation *op) const;

  func::FuncOp function;
  const TransmitOptions &options;
  LayoutAttr tensor;
  std::vector<Visit> order;
  llvm::DenseMap<Value, LayoutAttr> layouts;
  /// A bit for each class among the wants of values of which several layouts
  /// are wanted.
  llvm::DenseMap<Value, unsigned> contested;
};
} // namespace

static std::vector<Visit> getProgramOrder(Region &body) {
  std::vector<Visit> order, pending;
  auto push = [&](Region &region) {
    for (Block &block : llvm::reverse(region))
      for (Operation &op : llvm::reverse(block))
        pending.push_back({&op, true, op.getNumRegions() == 0});
  };
  push(body);
  while (!pending.empty()) {
    Visit visit = pending.back();
    pending.pop_back();
    order.push_back(visit);
    if (visit.leaves)
      continue;
    pending.push_back({visit.op, false, true});
    for (Region &region : llvm::reverse(visit.op->getRegions()))
      push(region);
  }
  return order;
}

static unsigned getClassBit(LayoutAttr layout) {
  return 1u << unsigned(layout.getLayout().getClass());
}

Transmission::Transmission(func::FuncOp function,
                           const TransmitOptions &options)
    : function(function), options(options),
      tensor(getTensorLayout(function.getContext())),
      order(getProgramOrder(function.getBody())) {}

//===----------------------------------------------------------------------===//
// Layouts of single values
//===----------------------------------------------------------------------===//

LayoutAttr Transmission::fit(Value value, LayoutAttr layout) const {
  std::optional<int64_t> rank = getRank(value);
  if (!rank || !layout)
    return {};
  std::optional<unsigned> named = layout.getLayout().getRank();
  if (named && *named != *rank)
    return {};
  if (options.getBounds(layout.getLayout().getClass()).contains(*rank))
    return layout;
  return options.getBounds(LayoutClass::Tensor).contains(*rank) ? tensor
                                                                : LayoutAttr();
}

LayoutList Transmission::getLayouts(ValueRange values) const {
  LayoutList list;
  for (Value value : values)
    list.push_back(layouts.lookup(value));
  return list;
}

void Transmission::want(Value value, LayoutAttr layout) {
  layout = fit(value, layout);
  if (!layout)
    return;
  LayoutAttr &strongest = layouts[value];
  if (strongest && strongest != layout)
    contested[value] |= getClassBit(strongest) | getClassBit(layout);
  strongest = getStronger(strongest, layout);
}

void Transmission::settle(Value value, LayoutAttr layout) {
  layout = fit(value, layout);
  if (!layout)
    return;
  layouts[value] = layout;
  contested.erase(value);
}

void Transmission::decide(Value value, LayoutAttr inferred) {
  inferred = fit(value, inferred);
  auto wants = contested.find(value);
  bool isWanted = inferred && wants != contested.end() &&
                  (wants->second & getClassBit(inferred));
  if (isWanted)
    settle(value, inferred);
  else if (!layouts.contains(value))
    settle(value, inferred ? inferred : tensor);
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

void Transmission::sweepBackward() {
  for (const Visit &visit : llvm::reverse(order)) {
    if (visit.leaves)
      wantResults(visit.op);
    if (visit.enters)
      wantOperands(visit.op);
  }
}

/// From the results of an operation to what becomes them.
void Transmission::wantResults(Operation *op) {
  auto transmit = dyn_cast<LayoutTransmitOpInterface>(op);
  if (!transmit)
    return;
  for (auto [result, layout] :
       llvm::zip(op->getResults(), transmit.getKnownLayouts().results))
    settle(result, layout);
  if (op->getNumRegions() == 0)
    return;
  for (ValueFlow flow : transmit.getControlFlow().leaving)
    want(flow.from->get(), layouts.lookup(flow.to));
}

/// From the results and the arguments of regions to the operands.
void Transmission::wantOperands(Operation *op) {
  auto transmit = dyn_cast<LayoutTransmitOpInterface>(op);
  if (!transmit)
    return;
  LayoutList operands = transmit.getKnownLayouts().operands;
  LayoutList results = getLayouts(op->getResults());
  if (operands.empty() &&
      llvm::any_of(results, [](auto each) { return bool(each); })) {
    operands.resize(op->getNumOperands());
    transmit.inferOperandLayouts(results, operands);
  }
  for (auto [operand, layout] : llvm::zip(op->getOperands(), operands))
    want(operand, layout);
  if (op->getNumRegions() == 0)
    return;
  for (ValueFlow flow : transmit.getControlFlow().entering)
    want(flow.from->get(), layouts.lookup(flow.to));
}

//===----------------------------------------------------------------------===//
// Defaults
//===----------------------------------------------------------------------===//

void Transmission::setDefaults() {
  for (Value input : function.getArguments())
    decide(input, {});
  for (const Visit &visit : order)
    if (visit.op->hasTrait<OpTrait::ConstantLike>())
      for (Value constant : visit.op->getResults())
        decide(constant, {});
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

void Transmission::sweepForward() {
  for (const Visit &visit : order) {
    if (visit.enters)
      decideArguments(visit.op);
    if (visit.leaves)
      decideResults(visit.op);
  }
}

void Transmission::decideArguments(Operation *op) {
  if (op->getNumRegions() == 0)
    return;
  if (auto transmit = dyn_cast<LayoutTransmitOpInterface>(op))
    for (ValueFlow flow : transmit.getControlFlow().entering)
      decide(flow.to, layouts.lookup(flow.from->get()));
  for (Region &region : op->getRegions())
    for (Value argument : region.getArguments())
      decide(argument, {});
}

void Transmission::decideResults(Operation *op) {
  if (llvm::all_of(op->getResults(),
                   [&](Value result) { return isDecided(result); }))
    return;
  for (auto [result, layout] : llvm::zip(op->getResults(), inferResults(op)))
    decide(result, layout);
}

LayoutList Transmission::inferResults(Operation *op) const {
  LayoutList results(op->getNumResults());
  auto transmit = dyn_cast<LayoutTransmitOpInterface>(op);
  if (!transmit)
    return results;
  transmit.inferResultLayouts(getLayouts(op->getOperands()), results);
  if (op->getNumRegions() == 0)
    return results;
  for (ValueFlow flow : transmit.getControlFlow().leaving) {
    LayoutAttr &result = results[cast<OpResult>(flow.to).getResultNumber()];
    result =
        getStronger(result, fit(flow.to, layouts.lookup(flow.from->get())));
  }
  return results;
}

//===----------------------------------------------------------------------===//
// LayoutTransmit
//===----------------------------------------------------------------------===//

LayoutTransmit::LayoutTransmit(func::FuncOp function,
                               const TransmitOptions &options) {
  Transmission transmission(function, options);
  transmission.sweepBackward();
  transmission.setDefaults();
  transmission.sweepForward();
  layouts = transmission.takeLayouts();
}
