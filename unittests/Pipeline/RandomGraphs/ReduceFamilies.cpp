//===- ReduceFamilies.cpp - Along axes ------------------------------------===//
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

static Attributes drawReduceAttributes(GraphGenerator &graph, int64_t rank) {
  Attributes attributes;
  if (graph.chance(85))
    attributes.push_back(graph.getInts("axes", graph.drawAxes(rank, 40)));
  if (graph.chance(60))
    attributes.push_back(graph.getInt("keepdims", graph.draw(2)));
  if (graph.chance(10))
    attributes.push_back(graph.getInt("noop_with_empty_axes", 1));
  return attributes;
}

static bool addReduce(GraphGenerator &graph) {
  auto value = graph.pickFloats();
  if (!value)
    return false;
  Attributes attributes = drawReduceAttributes(graph, value->getRank());
  if (graph.chance(40))
    return graph.add(graph.choose<const char *>({"reduce_max", "reduce_min"}),
                     {*value}, attributes);
  if (graph.isExactGraph() || graph.chance(50))
    return graph.add(graph.choose<const char *>(
                         {"reduce_sum", "reduce_sum", "reduce_mean",
                          "reduce_l1", "reduce_sum_square", "reduce_prod"}),
                     {*value}, attributes, Sums);
  return graph.add(graph.choose<const char *>(
                       {"reduce_l2", "reduce_log_sum", "reduce_log_sum_exp"}),
                   {*value}, attributes, Sums | Inexact | Jumps);
}

/// Axes that are computed, or at least not known here.
static bool addReduceOperand(GraphGenerator &graph) {
  auto value = graph.pickFloats(1);
  if (!value)
    return false;
  KnownValue axes = graph.getOperand(ElementType::Int64, {1}, -value->getRank(),
                                     value->getRank() - 1);
  return graph.add("reduce_sum", {*value, axes},
                   {graph.getInt("keepdims", graph.draw(2))}, Sums);
}

static bool addArg(GraphGenerator &graph) {
  auto value = graph.pickFloats(1);
  return value &&
         graph.add(graph.choose<const char *>({"argmax", "argmin"}), {*value},
                   {graph.getInt("axis", graph.drawAxis(value->getRank())),
                    graph.getInt("keepdims", graph.draw(2)),
                    graph.getInt("select_last_index", graph.draw(2))},
                   {ElementType::Int64}, Jumps);
}

static bool addCumSum(GraphGenerator &graph) {
  auto value = graph.pickFloats(1);
  return value &&
         graph.add("cumsum", {*value},
                   {graph.getInt("axis", graph.drawAxis(value->getRank())),
                    graph.getInt("exclusive", graph.draw(2)),
                    graph.getInt("reverse", graph.draw(2))},
                   Sums);
}

static bool addTopK(GraphGenerator &graph) {
  auto value = graph.pickFloats(1);
  if (!value)
    return false;
  int64_t axis = graph.drawAxis(value->getRank());
  int64_t extent = value->getShape()[axis < 0 ? axis + value->getRank() : axis];
  return graph.add("topk", {*value},
                   {graph.getInt("axis", axis),
                    graph.getInt("k", graph.draw(0, extent)),
                    graph.getInt("largest", graph.draw(2))},
                   {value->getType(), ElementType::Int64}, Jumps);
}

static bool addSoftmax(GraphGenerator &graph) {
  auto value = graph.pickFloats(1);
  if (!value)
    return false;
  Attributes attributes = {
      graph.getInt("axis", graph.drawAxis(value->getRank()))};
  if (graph.chance(30))
    attributes.push_back(
        graph.getAttr("coerce_2d", graph.getBuilder().getUnitAttr()));
  if (graph.chance(30) || graph.isExactGraph())
    return graph.add("hardmax", {*value}, attributes, Jumps);
  return graph.add(graph.choose<const char *>({"softmax", "log_softmax"}),
                   {*value}, attributes, Inexact);
}

static bool addLayerNorm(GraphGenerator &graph) {
  auto value = graph.pickFloats(1);
  if (!value || graph.isExactGraph())
    return false;
  int64_t axis = graph.drawAxis(value->getRank());
  Shape shape(
      value->getShape().drop_front(axis < 0 ? axis + value->getRank() : axis));
  KnownValue scale = graph.getOperand(value->getType(), shape);
  Attributes attributes = {graph.getInt("axis", axis)};
  if (graph.chance(40))
    return graph.add("rms_normalization", {*value, scale}, attributes, Inexact);
  KnownValues operands = {*value, scale};
  if (graph.chance(60))
    operands.push_back(graph.getOperand(value->getType(), shape));
  return graph.add("layer_normalization", operands, attributes,
                   {value->getType(), ElementType::Float, ElementType::Float},
                   Inexact);
}

static bool addNormalization(GraphGenerator &graph) {
  auto value = graph.pickFloats(1);
  if (!value || graph.isExactGraph())
    return false;
  if (graph.chance(50))
    return graph.add("lp_normalization", {*value},
                     {graph.getInt("axis", graph.drawAxis(value->getRank())),
                      graph.getInt("p", graph.draw(1, 2))},
                     Inexact | Jumps);
  return graph.add(
      "mean_variance_normalization", {*value},
      {graph.getInts("axes", graph.drawAxes(value->getRank(), 50))},
      Inexact | Jumps);
}

ArrayRef<OpFamily> inlay::testing::getReduceFamilies() {
  static const OpFamily families[] = {{addReduce, 14},   {addReduceOperand, 2},
                                      {addArg, 5},       {addCumSum, 3},
                                      {addTopK, 4},      {addSoftmax, 6},
                                      {addLayerNorm, 5}, {addNormalization, 3}};
  return families;
}
