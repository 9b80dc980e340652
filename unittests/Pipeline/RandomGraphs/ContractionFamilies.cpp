//===- ContractionFamilies.cpp - Matrix products --------------------------===//
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

/// A value that fits, or an operand of `shape`.
static KnownValue pickFitting(GraphGenerator &graph, ElementType type,
                              const Shape &shape,
                              const GraphGenerator::Predicate &fits) {
  if (graph.chance(50))
    if (auto found = graph.pick([&](const KnownValue &value) {
          return value.getType() == type && fits(value);
        }))
      return *found;
  return graph.getOperand(type, shape, -1, 1);
}

static bool addMatMul(GraphGenerator &graph) {
  auto a = graph.pickFloats(1);
  if (!a)
    return false;
  int64_t inner = a->getShape().back();
  Shape shape;
  if (a->getRank() > 2 && graph.chance(50)) {
    shape.assign(a->getShape().begin(), a->getShape().end() - 2);
    for (int64_t &extent : shape)
      if (graph.chance(20))
        extent = 1;
  }
  shape.push_back(inner);
  if (graph.chance(90))
    shape.push_back(graph.drawExtent());
  KnownValue b =
      pickFitting(graph, a->getType(), shape, [&](const KnownValue &value) {
        ArrayRef<int64_t> own = value.getShape();
        return !own.empty() &&
               own[own.size() == 1 ? 0 : own.size() - 2] == inner;
      });
  return graph.add("matmul", {*a, b}, {}, Sums);
}

/// The other operand first.
static bool addLeftMatMul(GraphGenerator &graph) {
  auto b = graph.pickFloats(2);
  if (!b)
    return false;
  int64_t inner = b->getShape()[b->getRank() - 2];
  KnownValue a =
      graph.getOperand(b->getType(), {graph.drawExtent(), inner}, -1, 1);
  return graph.add("matmul", {a, *b}, {}, Sums);
}

static bool addGemm(GraphGenerator &graph) {
  auto a = graph.pickFloats(2, 2);
  if (!a)
    return false;
  bool transA = graph.chance(40), transB = graph.chance(40);
  int64_t inner = a->getShape()[transA ? 0 : 1];
  int64_t rows = a->getShape()[transA ? 1 : 0];
  int64_t columns = graph.drawExtent();
  Shape shape = {inner, columns};
  if (transB)
    std::swap(shape[0], shape[1]);
  KnownValues operands = {
      *a, pickFitting(graph, a->getType(), shape, [&](const KnownValue &value) {
        return value.getRank() == 2 && value.getShape()[transB] == inner;
      })};
  columns = operands[1].getShape()[!transB];
  if (graph.chance(60)) {
    Shape c = {rows, columns};
    for (int64_t &extent : c)
      if (graph.chance(30))
        extent = 1;
    if (graph.chance(40))
      c.erase(c.begin());
    operands.push_back(graph.getOperand(a->getType(), c));
  }
  return graph.add("gemm", operands,
                   {graph.getInt("transA", transA),
                    graph.getInt("transB", transB),
                    graph.getFloat("alpha", graph.draw(1, 2)),
                    graph.getFloat("beta", graph.draw(1, 2))},
                   Sums);
}

/// Letters for the dimensions of two operands; those of the result are some of
/// them, in any order.
static bool addEinsum(GraphGenerator &graph) {
  auto a = graph.pickFloats(1, 4);
  if (!a)
    return false;
  std::string left = StringRef("abcd").take_front(a->getRank()).str(), right;
  Shape shape;
  for (int64_t dim : graph.drawPermutation(a->getRank()))
    if (graph.chance(50)) {
      right += left[dim];
      shape.push_back(a->getShape()[dim]);
    }
  if (graph.chance(70) || right.empty()) {
    right += 'z';
    shape.push_back(graph.drawExtent());
  }
  std::string all = left + (StringRef(right).contains('z') ? "z" : "");
  std::string result;
  for (int64_t dim : graph.drawPermutation(all.size()))
    if (graph.chance(65))
      result += all[dim];
  if (graph.chance(20)) {
    result.clear();
    for (int64_t dim : graph.drawPermutation(left.size()))
      result += left[dim];
    return graph.add("einsum", {*a},
                     {graph.getString("equation", left + "->" + result)}, Sums);
  }
  KnownValue b = graph.getOperand(a->getType(), shape, -1, 1);
  return graph.add(
      "einsum", {*a, b},
      {graph.getString("equation", left + "," + right + "->" + result)}, Sums);
}

static bool addIntegerMatMul(GraphGenerator &graph) {
  auto a = graph.pick([](const KnownValue &value) {
    return value.getType() == ElementType::Int8 && value.getRank() > 1;
  });
  if (!a)
    return false;
  Shape shape = {a->getShape().back(), graph.drawExtent()};
  KnownValues operands = {*a, graph.getOperand(ElementType::Int8, shape)};
  bool hasA = graph.chance(50), hasB = graph.chance(50);
  if (hasA)
    operands.push_back(graph.getOperand(ElementType::Int8, {}));
  if (hasB)
    operands.push_back(graph.getOperand(
        ElementType::Int8, graph.chance(50) ? Shape() : Shape{shape[1]}));
  return graph.add("matmul_integer", operands,
                   {graph.getSegments({1, 1, hasA, hasB})},
                   {ElementType::Int32});
}

static bool addQuantizedMatMul(GraphGenerator &graph) {
  auto a = graph.pick([](const KnownValue &value) {
    return value.getType() == ElementType::Int8 && value.getRank() > 1;
  });
  if (!a)
    return false;
  KnownValue b = graph.getOperand(
      ElementType::Int8, {a->getShape().back(), graph.drawExtent()}, -1, 1);
  auto scale = [&] { return graph.addConstant(ElementType::Float, {}, 1, 2); };
  auto zero = [&] { return graph.addConstant(ElementType::Int8, {}, -1, 1); };
  KnownValues operands = {*a,      scale(), zero(),  b,
                          scale(), zero(),  scale(), zero()};
  return graph.add("qlinear_matmul", operands);
}

ArrayRef<OpFamily> inlay::testing::getContractionFamilies() {
  static const OpFamily families[] = {
      {addMatMul, 10}, {addLeftMatMul, 3},    {addGemm, 7},
      {addEinsum, 5},  {addIntegerMatMul, 3}, {addQuantizedMatMul, 2}};
  return families;
}
