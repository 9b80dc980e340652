//===- FeatureFamilies.cpp - What works on N, C and spatial axes ----------===//
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
/// The attributes of a window over the spatial dimensions.
struct DrawnWindow {
  Shape kernel;
  Attributes attributes;
};
} // namespace

static DrawnWindow drawWindow(GraphGenerator &graph, ArrayRef<int64_t> shape) {
  DrawnWindow window;
  Shape strides, pads(2 * (shape.size() - 2), 0), dilations;
  for (auto [i, extent] : llvm::enumerate(shape.drop_front(2))) {
    window.kernel.push_back(graph.draw(1, std::clamp<int64_t>(extent, 1, 3)));
    strides.push_back(graph.chance(70) ? 1 : 2);
    dilations.push_back(graph.chance(85) ? 1 : 2);
    for (size_t side : {i, i + shape.size() - 2})
      pads[side] = graph.draw(0, window.kernel.back() / 2);
  }
  window.attributes = {graph.getInts("kernel_shape", window.kernel),
                       graph.getInts("strides", strides),
                       graph.getInts("dilations", dilations)};
  if (graph.chance(20))
    window.attributes.push_back(graph.getString(
        "auto_pad", graph.choose<const char *>({"SAME_UPPER", "SAME_LOWER"})));
  else
    window.attributes.push_back(graph.getInts("pads", pads));
  return window;
}

/// A divisor of `channels`, often 1, `channels` where it is depthwise.
static int64_t drawGroup(GraphGenerator &graph, int64_t channels) {
  if (graph.chance(60) || channels == 0)
    return 1;
  if (graph.chance(50))
    return channels;
  int64_t group = graph.draw(1, channels);
  return channels % group == 0 ? group : 1;
}

static bool addConv(GraphGenerator &graph) {
  auto x = graph.pickFloats(3, 5);
  if (!x)
    return false;
  bool isTransposed = graph.chance(20);
  int64_t channels = x->getShape()[1], group = drawGroup(graph, channels);
  DrawnWindow window = drawWindow(graph, x->getShape());
  int64_t features = group * graph.draw(1, 3);
  if (group == 1 && graph.chance(70))
    features = graph.drawExtent();
  Shape shape = {features, channels / group};
  if (isTransposed)
    shape = {channels, features / group};
  llvm::append_range(shape, window.kernel);
  KnownValues operands = {*x, graph.getOperand(x->getType(), shape, -1, 1)};
  if (graph.chance(50))
    operands.push_back(graph.getOperand(x->getType(), {features}));
  window.attributes.push_back(graph.getInt("group", group));
  return graph.add(isTransposed ? "conv_transpose" : "conv", operands,
                   window.attributes, Sums);
}

static bool addIntegerConv(GraphGenerator &graph) {
  auto x = graph.pick([](const KnownValue &value) {
    return value.getType() == ElementType::Int8 && value.getRank() > 2 &&
           value.getRank() < 6;
  });
  if (!x)
    return false;
  DrawnWindow window = drawWindow(graph, x->getShape());
  int64_t features = graph.drawExtent();
  Shape shape = {features, x->getShape()[1]};
  llvm::append_range(shape, window.kernel);
  KnownValue w = graph.getOperand(ElementType::Int8, shape, -1, 1);
  if (graph.chance(50)) {
    window.attributes.push_back(graph.getSegments({1, 1, 0, 0}));
    return graph.add("conv_integer", {*x, w}, window.attributes,
                     {ElementType::Int32});
  }
  auto scale = [&](const Shape &shape) {
    return graph.addConstant(ElementType::Float, shape, 1, 2);
  };
  auto zero = [&](const Shape &shape) {
    return graph.addConstant(ElementType::Int8, shape, 0, 0);
  };
  Shape perChannel = graph.chance(50) ? Shape{features} : Shape();
  KnownValues operands = {*x,        scale({}),         zero({}),
                          w,         scale(perChannel), zero(perChannel),
                          scale({}), zero({})};
  if (graph.chance(50))
    operands.push_back(graph.getOperand(ElementType::Int32, {features}));
  return graph.add("qlinear_conv", operands, window.attributes);
}

static bool addPool(GraphGenerator &graph) {
  auto x = graph.pickFloats(3, 5);
  if (!x)
    return false;
  DrawnWindow window = drawWindow(graph, x->getShape());
  if (graph.chance(20))
    window.attributes.push_back(graph.getInt("ceil_mode", 1));
  if (graph.chance(50)) {
    // Indices, where they have uses, count in the order of traversal.
    return graph.add("max_pool", {*x}, window.attributes,
                     {x->getType(), ElementType::Int64}, Jumps);
  }
  if (graph.chance(60) || graph.isExactGraph()) {
    window.attributes.push_back(
        graph.getInt("count_include_pad", graph.draw(2)));
    return graph.add("average_pool", {*x}, window.attributes, Sums);
  }
  return graph.add("lp_pool", {*x}, window.attributes, Inexact | Jumps);
}

static bool addGlobalPool(GraphGenerator &graph) {
  auto x = graph.pickFloats(3, 5);
  if (!x)
    return false;
  if (graph.chance(50))
    return graph.add("global_max_pool", {*x});
  if (graph.chance(80) || graph.isExactGraph())
    return graph.add("global_average_pool", {*x}, {}, Sums);
  return graph.add("global_lp_pool", {*x}, {}, Inexact | Jumps);
}

static bool addBatchNorm(GraphGenerator &graph) {
  auto x = graph.pickFloats(2, 5);
  if (!x || (graph.isExactGraph() && graph.chance(70)))
    return false;
  Shape shape = {x->getShape()[1]};
  KnownValues operands = {*x};
  for (unsigned i = 0; i < 3; ++i)
    operands.push_back(graph.getOperand(x->getType(), shape));
  operands.push_back(graph.addConstant(x->getType(), shape, 1, 4));
  return graph.add("batch_normalization", operands, {},
                   {x->getType(), x->getType(), x->getType()});
}

static bool addFeatureNorm(GraphGenerator &graph) {
  auto x = graph.pickFloats(3, 5);
  if (!x || graph.isExactGraph())
    return false;
  Shape shape = {x->getShape()[1]};
  if (graph.chance(30))
    return graph.add("lrn", {*x}, {graph.getInt("size", graph.draw(1, 3))},
                     Inexact);
  KnownValues operands = {*x, graph.getOperand(x->getType(), shape),
                          graph.getOperand(x->getType(), shape)};
  if (graph.chance(60))
    return graph.add("instance_normalization", operands, {}, Inexact);
  return graph.add(
      "group_normalization", operands,
      {graph.getInt("num_groups",
                    std::max<int64_t>(1, drawGroup(graph, shape[0])))},
      Inexact);
}

static bool addResize(GraphGenerator &graph) {
  auto x = graph.pickFloats(3, 5);
  if (!x)
    return false;
  SmallVector<float> scales(x->getRank(), 1);
  for (float &scale : MutableArrayRef(scales).drop_front(2))
    scale = graph.choose({1.f, 2.f, 3.f, 0.5f});
  Attributes attributes = {
      graph.getSegments({1, 0, 0, 0}),
      graph.getAttr("scales", graph.getBuilder().getDenseF32ArrayAttr(scales)),
      graph.getString("coordinate_transformation_mode", "asymmetric"),
      graph.getString("nearest_mode", "floor")};
  bool isLinear = !graph.isExactGraph() && graph.chance(40);
  attributes.push_back(
      graph.getString("mode", isLinear ? "linear" : "nearest"));
  return graph.add("resize", {*x}, attributes, isLinear ? Inexact : Exact);
}

/// Places of whole numbers, so that what is nearest is clear.
static bool addGridSample(GraphGenerator &graph) {
  auto x = graph.pickFloats(4, 4);
  if (!x)
    return false;
  KnownValue grid = graph.addConstant(
      x->getType(), {x->getShape()[0], graph.drawExtent(), 2, 2}, -1, 1);
  bool isLinear = !graph.isExactGraph() && graph.chance(50);
  return graph.add("grid_sample", {*x, grid},
                   {graph.getInt("align_corners", 1),
                    graph.getString("mode", isLinear ? "linear" : "nearest")},
                   isLinear ? Inexact : Exact);
}

ArrayRef<OpFamily> inlay::testing::getFeatureFamilies() {
  static const OpFamily families[] = {{addConv, 24},     {addIntegerConv, 4},
                                      {addPool, 8},      {addGlobalPool, 4},
                                      {addBatchNorm, 5}, {addFeatureNorm, 5},
                                      {addResize, 5},    {addGridSample, 2}};
  return families;
}
