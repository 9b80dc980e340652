//===- IndexingFamilies.cpp - Elements by their positions -----------------===//
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

static bool addGather(GraphGenerator &graph) {
  auto data = graph.pickFloats(1);
  if (!data)
    return false;
  int64_t axis = graph.drawAxis(data->getRank());
  int64_t extent = data->getShape()[axis < 0 ? axis + data->getRank() : axis];
  Shape shape;
  for (int64_t rank = graph.draw(0, 2); rank > 0; --rank)
    shape.push_back(graph.draw(1, 4));
  if (extent == 0)
    return false;
  KnownValue indices =
      graph.getOperand(ElementType::Int64, shape, -extent, extent - 1);
  return graph.add("gather", {*data, indices}, {graph.getInt("axis", axis)});
}

static bool addElements(GraphGenerator &graph) {
  auto data = graph.pickFloats(1);
  if (!data)
    return false;
  int64_t axis = graph.drawAxis(data->getRank());
  int64_t place = axis < 0 ? axis + data->getRank() : axis;
  int64_t extent = data->getShape()[place];
  if (extent == 0)
    return false;
  Shape shape(data->getShape());
  shape[place] = graph.draw(1, extent);
  bool isScatter = graph.chance(50);
  for (int64_t &each : shape)
    if (each > 1 && graph.chance(20))
      each = graph.draw(1, each);
  if (!isScatter) {
    KnownValue indices =
        graph.getOperand(ElementType::Int64, shape, -extent, extent - 1);
    return graph.add("gather_elements", {*data, indices},
                     {graph.getInt("axis", axis)});
  }
  KnownValue updates = graph.getOperand(data->getType(), shape);
  // Positions that are written twice are added to, or written once.
  if (graph.chance(50))
    return graph.add(
        "scatter_elements",
        {*data, graph.getOperand(ElementType::Int64, shape, 0, extent - 1),
         updates},
        {graph.getInt("axis", axis), graph.getString("reduction", "add")},
        Sums);
  HostTensor indices(ElementType::Int64, shape);
  int64_t inner = 1;
  for (int64_t each : ArrayRef(shape).drop_front(place + 1))
    inner *= each;
  for (int64_t i = 0; i < indices.getNumElements(); ++i)
    indices.setInt(i, extent - 1 - i / inner % shape[place]);
  return graph.add("scatter_elements",
                   {*data, graph.addConstant(indices), updates},
                   {graph.getInt("axis", axis)});
}

/// One vector of positions in the first dimensions.
static bool addGatherND(GraphGenerator &graph) {
  auto data = graph.pickFloats(2);
  if (!data || llvm::is_contained(data->getShape(), 0))
    return false;
  int64_t count = graph.draw(2, 4);
  HostTensor indices(ElementType::Int64, {count, 2});
  for (int64_t i = 0; i < 2 * count; ++i)
    indices.setInt(i, graph.draw(0, data->getShape()[i % 2] - 1));
  return graph.add("gather_nd", {*data, graph.addConstant(indices)});
}

static bool addScatterND(GraphGenerator &graph) {
  auto data = graph.pickFloats(2);
  if (!data || llvm::is_contained(data->getShape(), 0))
    return false;
  HostTensor indices(ElementType::Int64, {data->getShape()[0], 1});
  for (int64_t i = 0; i < indices.getNumElements(); ++i)
    indices.setInt(i, indices.getNumElements() - 1 - i);
  KnownValue updates = graph.getOperand(data->getType(), data->getShape());
  return graph.add("scatter_nd", {*data, graph.addConstant(indices), updates});
}

/// What depends on the order in which elements are visited.
static bool addTraversal(GraphGenerator &graph) {
  auto value = graph.pickFloats(1);
  if (!value)
    return false;
  if (graph.chance(50))
    return graph.add("non_zero", {*value}, {}, {ElementType::Int64}, Jumps);
  if (value->getRank() != 2)
    return false;
  return graph.add("eye_like", {*value},
                   {graph.getInt("k", graph.draw(-1, 1))});
}

static bool addOneHot(GraphGenerator &graph) {
  auto indices = graph.pick([](const KnownValue &value) {
    return value.getType() == ElementType::Int64 && value.getRank() < 4;
  });
  if (!indices)
    return false;
  KnownValue depth = graph.addConstant(ElementType::Int64, {}, 3, 3);
  KnownValue values = graph.addConstant(graph.getFloatType(), {2}, -2, 2);
  return graph.add("one_hot", {*indices, depth, values},
                   {graph.getInt("axis", graph.draw(-1, indices->getRank()))},
                   {values.getType()});
}

ArrayRef<OpFamily> inlay::testing::getIndexingFamilies() {
  static const OpFamily families[] = {{addGather, 8},    {addElements, 6},
                                      {addGatherND, 2},  {addScatterND, 1},
                                      {addTraversal, 2}, {addOneHot, 1}};
  return families;
}
