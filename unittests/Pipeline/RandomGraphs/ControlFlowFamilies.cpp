//===- ControlFlowFamilies.cpp - If and Loop ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphGenerator.h"

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

/// A scalar of booleans: constant, an input, or computed.
static KnownValue drawCondition(GraphGenerator &graph) {
  auto value = graph.pick([&](const KnownValue &value) {
    return value.isExact && value.getType() == graph.getFloatType();
  });
  if (value && graph.chance(60) &&
      graph.add("reduce_max", {*value}, {graph.getInt("keepdims", 0)}) &&
      graph.add(
          "less",
          {graph.getLast(), graph.addConstant(value->getType(), {}, -1, 4)}, {},
          {ElementType::Bool}, Jumps))
    return graph.getLast();
  return graph.getOperand(ElementType::Bool, {}, 0, 1);
}

static void addSome(GraphGenerator &graph, int64_t count) {
  for (int64_t tries = 0; count > 0 && tries < 100; ++tries)
    count -= graph.addAny();
}

/// Something of the same element type and rank.
static KnownValue pickAlike(GraphGenerator &graph, const KnownValue &value) {
  bool isBool = value.getType() == ElementType::Bool;
  if (auto found = graph.pick([&](const KnownValue &other) {
        return other.getType() == value.getType() &&
               other.getRank() == value.getRank();
      }))
    return *found;
  return graph.addConstant(value.getType(), value.getShape(), isBool ? 0 : -2,
                           isBool ? 1 : 2);
}

static bool addIf(GraphGenerator &graph) {
  if (graph.getDepth() > 1 || graph.loopDepth > 0)
    return false;
  OpBuilder &builder = graph.getBuilder();
  KnownValue condition = drawCondition(graph);
  Location loc = graph.getLoc("if", 2);
  // The branches are filled where they will stand.
  OperationState draft(loc, IfOp::getOperationName(), condition.value, {});
  OperationState state(loc, IfOp::getOperationName(), condition.value, {});
  draft.addRegion();
  draft.addRegion();
  Operation *op = builder.create(draft);
  KnownValues first =
      graph.fillBlock(op->getRegion(0).emplaceBlock(), [&]() -> KnownValues {
        addSome(graph, graph.draw(1, 4));
        auto pickAny = [&] {
          return *graph.pick([](const KnownValue &) { return true; });
        };
        return {pickAny(), pickAny()};
      });
  KnownValues second =
      graph.fillBlock(op->getRegion(1).emplaceBlock(), [&]() -> KnownValues {
        addSome(graph, graph.draw(0, 4));
        return {pickAlike(graph, first[0]), pickAlike(graph, first[1])};
      });
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  KnownValues operands = first;
  llvm::append_range(operands, second);
  for (auto [a, b] : llvm::zip_equal(first, second))
    state.addTypes(joinTypes(a.value.getType(), b.value.getType()));
  op->erase();
  return graph.settle(builder.create(state), operands, Exact);
}

/// A value of the shape of `carried`, computed from it.
static KnownValue drawStep(GraphGenerator &graph, const KnownValue &carried) {
  KnownValue value = carried;
  for (int64_t count = graph.draw(1, 3); count > 0; --count) {
    Shape perm = graph.drawPermutation(value.getRank()), inverse(perm);
    for (auto [i, dim] : llvm::enumerate(perm))
      inverse[dim] = i;
    bool isTurned = graph.chance(50);
    if (isTurned &&
        graph.add("transpose", {value}, {graph.getInts("perm", perm)}))
      value = graph.getLast();
    else
      isTurned = false;
    KnownValue other = graph.getOperand(value.getType(), value.getShape());
    bool isBinary = graph.chance(60);
    if (isBinary ? graph.add("sub", {value, other}) : graph.add("neg", {value}))
      value = graph.getLast();
    if (isTurned &&
        graph.add("transpose", {value}, {graph.getInts("perm", inverse)}))
      value = graph.getLast();
  }
  return value;
}

static bool addLoop(GraphGenerator &graph) {
  auto initial = graph.pickFloats(1);
  if (!initial || graph.getDepth() > 1 || graph.loopDepth > 0)
    return false;
  OpBuilder &builder = graph.getBuilder();
  KnownValue trips = graph.getOperand(ElementType::Int64, {}, 1, 3);
  if (trips.tensor.getInt(0) < 0 || trips.tensor.getInt(0) > 3)
    return false;
  Location loc = graph.getLoc("loop", 1);
  auto makeState = [&] {
    OperationState state(loc, LoopOp::getOperationName());
    state.addOperands({trips.value, initial->value});
    state.addAttribute("operandSegmentSizes",
                       builder.getDenseI32ArrayAttr({1, 0, 1}));
    return state;
  };
  OperationState draft = makeState(), state = makeState();
  draft.addRegion();
  Operation *op = builder.create(draft);
  Block &body = op->getRegion(0).emplaceBlock();
  auto addArgument = [&](ElementType type) {
    return body.addArgument(
        RankedTensorType::get({},
                              getMlirElementType(builder.getContext(), type)),
        builder.getUnknownLoc());
  };
  KnownValue number{addArgument(ElementType::Int64),
                    HostTensor(ElementType::Int64, {})};
  addArgument(ElementType::Bool);
  KnownValue carried{
      body.addArgument(initial->value.getType(), builder.getUnknownLoc()),
      initial->tensor, /*isExact=*/graph.isExactGraph()};
  ++graph.loopDepth;
  KnownValues yielded = graph.fillBlock(body, [&]() -> KnownValues {
    graph.addVisible(number);
    graph.addVisible(carried);
    KnownValue go = graph.addConstant(ElementType::Bool, {}, 1, 1);
    addSome(graph, graph.draw(0, 3));
    return {go, drawStep(graph, carried)};
  });
  --graph.loopDepth;
  state.addRegion()->takeBody(op->getRegion(0));
  state.addTypes(initial->value.getType());
  op->erase();
  bool isSame = yielded[1].value.getType() == initial->value.getType();
  Operation *loop = builder.create(state);
  if (isSame)
    return graph.settle(loop, {*initial, yielded[1]}, Exact);
  loop->erase();
  return false;
}

ArrayRef<OpFamily> inlay::testing::getControlFlowFamilies() {
  static const OpFamily families[] = {{addIf, 4}, {addLoop, 3}};
  return families;
}
