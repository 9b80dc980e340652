//===- QuantizeFamilies.cpp - Scales per tensor, axis and block -----------===//
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

namespace {
struct DrawnScale {
  Shape shape;
  Attributes attributes;
};
} // namespace

/// The shape of a scale for a tensor of `shape`.
static DrawnScale drawScale(GraphGenerator &graph, ArrayRef<int64_t> shape) {
  int64_t rank = shape.size();
  if (rank == 0 || graph.chance(40))
    return {graph.chance(30) ? Shape{1} : Shape(), {}};
  int64_t axis = graph.drawAxis(rank);
  int64_t place = axis < 0 ? axis + rank : axis;
  if (graph.chance(60))
    return {{shape[place]}, {graph.getInt("axis", axis)}};
  int64_t block = graph.draw(1, std::max<int64_t>(shape[place], 1));
  Shape blocks(shape);
  blocks[place] = (shape[place] + block - 1) / block;
  return {blocks,
          {graph.getInt("axis", axis), graph.getInt("block_size", block)}};
}

static bool addQuantize(GraphGenerator &graph) {
  auto x = graph.pick(
      [](const KnownValue &value) { return isFloat(value.getType()); });
  if (!x)
    return false;
  DrawnScale scale = drawScale(graph, x->getShape());
  // Powers of two: results are exact.
  KnownValues operands = {*x,
                          graph.addConstant(x->getType(), scale.shape, 1, 2)};
  operands.push_back(graph.getOperand(ElementType::Int8, scale.shape, -2, 2));
  return graph.add("quantize_linear", operands, scale.attributes,
                   {ElementType::Int8}, Jumps);
}

static bool addDequantize(GraphGenerator &graph) {
  auto x = graph.pick([](const KnownValue &value) {
    return value.getType() == ElementType::Int8;
  });
  if (!x)
    return addQuantize(graph);
  DrawnScale scale = drawScale(graph, x->getShape());
  KnownValues operands = {
      *x, graph.addConstant(graph.getFloatType(), scale.shape, 1, 2)};
  if (graph.chance(60))
    operands.push_back(graph.getOperand(ElementType::Int8, scale.shape, -2, 2));
  return graph.add("dequantize_linear", operands, scale.attributes,
                   {graph.getFloatType()});
}

static bool addDynamicQuantize(GraphGenerator &graph) {
  auto x = graph.pick([](const KnownValue &value) {
    return value.getType() == ElementType::Float;
  });
  return x &&
         graph.add("dynamic_quantize_linear", {*x}, {},
                   {ElementType::UInt8, ElementType::Float, ElementType::UInt8},
                   Jumps);
}

ArrayRef<OpFamily> inlay::testing::getQuantizeFamilies() {
  static const OpFamily families[] = {
      {addQuantize, 5}, {addDequantize, 7}, {addDynamicQuantize, 1}};
  return families;
}
