//===- ElementwiseFamilies.cpp - Element by element -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphGenerator.h"
#include <cmath>

using namespace inlay;
using namespace inlay::testing;
using namespace mlir;

/// A shape that broadcasts to `shape`: of lower rank, with ones in it.
static Shape drawBroadcast(GraphGenerator &graph, ArrayRef<int64_t> shape) {
  Shape result(shape.drop_front(
      graph.chance(50) ? graph.draw(0, int64_t(shape.size())) : 0));
  bool hasUnits = graph.chance(50);
  for (int64_t &extent : result)
    if (hasUnits && graph.chance(40))
      extent = 1;
  return result;
}

/// Something to combine `value` with: itself, another value, a constant.
static KnownValue drawPartner(GraphGenerator &graph, const KnownValue &value) {
  unsigned kind = graph.draw(100);
  if (kind < 8)
    return value;
  if (kind < 55)
    if (auto other = graph.pick([&](const KnownValue &other) {
          return other.getType() == value.getType() &&
                 (other.getShape() == value.getShape() || kind < 20);
        }))
      return *other;
  return graph.getOperand(value.getType(),
                          drawBroadcast(graph, value.getShape()),
                          value.getType() == ElementType::Bool ? 0 : -3,
                          value.getType() == ElementType::Bool ? 1 : 3);
}

static bool addUnary(GraphGenerator &graph) {
  auto value = graph.pickFloats();
  if (!value)
    return false;
  return graph.add(graph.choose<const char *>(
                       {"abs", "neg", "relu", "identity", "abs", "neg"}),
                   {*value});
}

static bool addRounding(GraphGenerator &graph) {
  auto value = graph.pickFloats();
  if (!value)
    return false;
  return graph.add(graph.choose<const char *>({"sign", "ceil", "floor", "round",
                                               "thresholded_relu", "shrink",
                                               "hard_sigmoid"}),
                   {*value}, {}, Jumps);
}

/// Smooth functions. What they make of integers is not integers, so that exact
/// graphs have few of them.
static bool addSmooth(GraphGenerator &graph) {
  auto value = graph.pickFloats();
  if (!value || (graph.isExactGraph() && graph.chance(85)))
    return false;
  return graph.add(
      graph.choose<const char *>(
          {"exp", "erf", "sin", "cos", "atan", "sinh", "tanh", "asinh",
           "sigmoid", "softplus", "softsign", "hard_swish", "mish", "elu",
           "leaky_relu", "selu", "celu", "gelu", "swish"}),
      {*value});
}

/// Steep somewhere.
static bool addSteep(GraphGenerator &graph) {
  auto value = graph.pickFloats();
  if (!value || (graph.isExactGraph() && graph.chance(85)))
    return false;
  return graph.add(
      graph.choose<const char *>({"sqrt", "log", "reciprocal", "tan", "asin",
                                  "acos", "cosh", "acosh", "atanh"}),
      {*value}, {}, Jumps);
}

static bool addTest(GraphGenerator &graph) {
  auto value = graph.pickFloats();
  return value && graph.add(graph.choose<const char *>({"is_nan", "is_inf"}),
                            {*value}, {}, {ElementType::Bool}, Jumps);
}

static bool isArithmetic(const KnownValue &value) {
  return isFloat(value.getType()) || value.getType() == ElementType::Int32 ||
         value.getType() == ElementType::Int64;
}

static bool addBinary(GraphGenerator &graph) {
  auto a = graph.pick(isArithmetic);
  if (!a)
    return false;
  KnownValue b = drawPartner(graph, *a);
  if (graph.chance(50))
    std::swap(*a, b);
  return graph.add(
      graph.choose<const char *>({"add", "sub", "add", "sub", "mul", "add"}),
      {*a, b});
}

static bool addDivision(GraphGenerator &graph) {
  auto a = graph.pick(isArithmetic);
  if (!a)
    return false;
  KnownValue b =
      graph.getOperand(a->getType(), drawBroadcast(graph, a->getShape()), 1, 4);
  const char *name = graph.choose<const char *>({"div", "pow", "mod"});
  Attributes attributes;
  if (StringRef(name) == "mod" && isFloat(a->getType()))
    attributes.push_back(graph.getInt("fmod", 1));
  return graph.add(name, {*a, b}, attributes, Jumps);
}

static bool addVariadic(GraphGenerator &graph) {
  auto a = graph.pickFloats();
  if (!a)
    return false;
  KnownValues operands = {*a};
  for (int64_t count = graph.draw(0, 3); count > 0; --count)
    operands.push_back(drawPartner(graph, *a));
  // Operands are added one after the other, however they are stored.
  return graph.add(graph.choose<const char *>({"sum", "mean", "max", "min"}),
                   operands);
}

static bool addComparison(GraphGenerator &graph) {
  auto a = graph.pick(isArithmetic);
  return a && graph.add(
                  graph.choose<const char *>({"equal", "less", "less_or_equal",
                                              "greater", "greater_or_equal"}),
                  {*a, drawPartner(graph, *a)}, {}, {ElementType::Bool}, Jumps);
}

static bool addLogic(GraphGenerator &graph) {
  auto a = graph.pick([](const KnownValue &value) {
    return value.getType() == ElementType::Bool;
  });
  if (!a)
    return addComparison(graph);
  if (graph.chance(30))
    return graph.add("not", {*a});
  return graph.add(graph.choose<const char *>({"and", "or", "xor"}),
                   {*a, drawPartner(graph, *a)});
}

static bool addBitwise(GraphGenerator &graph) {
  auto a = graph.pick([](const KnownValue &value) {
    return value.getType() == ElementType::Int32;
  });
  if (!a)
    return false;
  if (graph.chance(30))
    return graph.add("bitwise_not", {*a});
  return graph.add(
      graph.choose<const char *>({"bitwise_and", "bitwise_or", "bitwise_xor"}),
      {*a, drawPartner(graph, *a)});
}

static bool addWhere(GraphGenerator &graph) {
  auto a = graph.pick(isArithmetic);
  if (!a)
    return false;
  auto condition = graph.pick([](const KnownValue &value) {
    return value.getType() == ElementType::Bool;
  });
  if (!condition || graph.chance(50))
    condition = graph.getOperand(ElementType::Bool,
                                 drawBroadcast(graph, a->getShape()), 0, 1);
  KnownValue b = drawPartner(graph, *a);
  if (graph.chance(50))
    std::swap(*a, b);
  return graph.add("where", {*condition, *a, b}, {}, {a->getType()});
}

static bool addPRelu(GraphGenerator &graph) {
  auto a = graph.pickFloats();
  return a &&
         graph.add("prelu",
                   {*a, graph.getOperand(a->getType(),
                                         drawBroadcast(graph, a->getShape()))});
}

static bool addClip(GraphGenerator &graph) {
  auto a = graph.pick(isArithmetic);
  if (!a)
    return false;
  bool hasMin = graph.chance(70), hasMax = graph.chance(70);
  KnownValues operands = {*a};
  if (hasMin)
    operands.push_back(graph.getOperand(a->getType(), {}, -5, -2));
  if (hasMax)
    operands.push_back(graph.getOperand(a->getType(), {}, 2, 5));
  return graph.add("clip", operands, {graph.getSegments({1, hasMin, hasMax})});
}

static bool addCast(GraphGenerator &graph) {
  auto a = graph.pick([](const KnownValue &) { return true; });
  if (!a)
    return false;
  ElementType to = graph.chance(60)
                       ? graph.getFloatType()
                       : graph.choose({ElementType::Int32, ElementType::Int64,
                                       ElementType::Bool});
  if (graph.chance(15))
    if (auto like = graph.pick(
            [&](const KnownValue &value) { return value.getType() == to; }))
      return graph.add("cast_like", {*a, *like}, {}, {to}, Jumps);
  return graph.add("cast", {*a}, {graph.getInt("to", int64_t(to))}, {to},
                   Jumps);
}

static bool addDropout(GraphGenerator &graph) {
  auto a = graph.pickFloats();
  return a && graph.add("dropout", {*a}, {graph.getSegments({1, 0, 0})},
                        {a->getType(), ElementType::Bool});
}

ArrayRef<OpFamily> inlay::testing::getElementwiseFamilies() {
  static const OpFamily families[] = {
      {addUnary, 12},     {addRounding, 3}, {addSmooth, 10},  {addSteep, 3},
      {addTest, 1},       {addBinary, 30},  {addDivision, 4}, {addVariadic, 8},
      {addComparison, 3}, {addLogic, 4},    {addBitwise, 2},  {addWhere, 6},
      {addPRelu, 3},      {addClip, 8},     {addCast, 6},     {addDropout, 1}};
  return families;
}
