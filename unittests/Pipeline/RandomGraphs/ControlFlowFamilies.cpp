//===- ControlFlowFamilies.cpp - If, Loop and Scan ------------------------===//
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

namespace {
/// A loop while its body is filled where it will stand.
class LoopDraft {
public:
  LoopDraft(GraphGenerator &graph, StringRef name, unsigned numResults,
            ArrayRef<Value> operands, ArrayRef<NamedAttribute> attributes)
      : graph(graph),
        state(graph.getLoc(name, numResults), "inlay." + name.str()) {
    state.addOperands(operands);
    state.addAttributes(attributes);
    OperationState draft(state.location, state.name);
    draft.addOperands(operands);
    draft.addAttributes(attributes);
    draft.addRegion();
    op = graph.getBuilder().create(draft);
    op->getRegion(0).emplaceBlock();
  }

  /// An argument of the body and its value in the first iteration.
  KnownValue addArgument(Type type, const HostTensor &tensor) {
    Location loc = graph.getBuilder().getUnknownLoc();
    return {op->getRegion(0).front().addArgument(type, loc), tensor,
            graph.isExactGraph()};
  }
  KnownValues fill(const std::function<KnownValues()> &body) {
    ++graph.loopDepth;
    KnownValues yielded = graph.fillBlock(op->getRegion(0).front(), body);
    --graph.loopDepth;
    return yielded;
  }
  Operation *finish(ArrayRef<Type> results) {
    state.addRegion()->takeBody(op->getRegion(0));
    state.addTypes(results);
    op->erase();
    return graph.getBuilder().create(state);
  }

private:
  GraphGenerator &graph;
  OperationState state;
  Operation *op;
};
} // namespace

static Type getType(GraphGenerator &graph, ElementType element,
                    ArrayRef<int64_t> shape) {
  return RankedTensorType::get(
      shape, getMlirElementType(graph.getBuilder().getContext(), element));
}

static bool addLoop(GraphGenerator &graph) {
  auto initial = graph.pickFloats(1);
  if (!initial || graph.getDepth() > 1 || graph.loopDepth > 0)
    return false;
  KnownValue trips = graph.getOperand(ElementType::Int64, {}, 1, 3);
  if (trips.tensor.getInt(0) < 0 || trips.tensor.getInt(0) > 3)
    return false;
  Type type = initial->value.getType();
  LoopDraft draft(graph, "loop", 1, {trips.value, initial->value},
                  {graph.getSegments({1, 0, 1})});
  KnownValue number = draft.addArgument(getType(graph, ElementType::Int64, {}),
                                        HostTensor(ElementType::Int64, {}));
  draft.addArgument(getType(graph, ElementType::Bool, {}),
                    HostTensor(ElementType::Bool, {}));
  KnownValue carried = draft.addArgument(type, initial->tensor);
  KnownValues yielded = draft.fill([&]() -> KnownValues {
    graph.addVisible(number);
    graph.addVisible(carried);
    KnownValue go = graph.addConstant(ElementType::Bool, {}, 1, 1);
    addSome(graph, graph.draw(0, 3));
    return {go, drawStep(graph, carried)};
  });
  Operation *loop = draft.finish({type});
  if (yielded[1].value.getType() == type)
    return graph.settle(loop, {*initial, yielded[1]}, Exact);
  loop->erase();
  return false;
}

/// A state that the slices of a tensor are subtracted from.
static bool addScan(GraphGenerator &graph) {
  auto scanned = graph.pickFloats(2);
  auto whole = scanned ? dyn_cast<RankedTensorType>(scanned->value.getType())
                       : RankedTensorType();
  if (!whole || graph.getDepth() > 1 || graph.loopDepth > 0)
    return false;
  ElementType element = scanned->getType();
  int64_t axis = graph.draw(0, scanned->getRank() - 1);
  Shape shape(scanned->getShape()), slice(whole.getShape());
  shape.erase(shape.begin() + axis);
  slice.erase(slice.begin() + axis);
  KnownValue state = graph.getOperand(element, shape);
  Type type = state.value.getType();
  LoopDraft draft(graph, "scan", 2, {state.value, scanned->value},
                  {graph.getInt("num_scan_inputs", 1),
                   graph.getInts("scan_input_axes", {axis})});
  HostTensor zeros(element, shape);
  KnownValue carried = draft.addArgument(type, zeros);
  KnownValue part = draft.addArgument(getType(graph, element, slice), zeros);
  KnownValues yielded = draft.fill([&]() -> KnownValues {
    graph.addVisible(carried);
    graph.addVisible(part);
    KnownValue next = drawStep(graph, carried);
    if (graph.add("sub", {next, part}))
      next = graph.getLast();
    return {next, drawStep(graph, part)};
  });
  Shape collected = shape;
  collected.insert(collected.begin(), ShapedType::kDynamic);
  Operation *scan = draft.finish({type, getType(graph, element, collected)});
  if (yielded[0].value.getType() == type)
    return graph.settle(scan, {state, *scanned, yielded[0], yielded[1]}, Exact);
  scan->erase();
  return false;
}

ArrayRef<OpFamily> inlay::testing::getControlFlowFamilies() {
  static const OpFamily families[] = {{addIf, 4}, {addLoop, 3}, {addScan, 2}};
  return families;
}
