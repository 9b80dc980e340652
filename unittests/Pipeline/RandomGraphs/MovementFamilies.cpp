//===- MovementFamilies.cpp - Views, cuts and copies ----------------------===//
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

static bool isAny(const KnownValue &) { return true; }

static GraphGenerator::Predicate hasRank(int64_t least) {
  return [least](const KnownValue &value) { return value.getRank() >= least; };
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static bool addTranspose(GraphGenerator &graph) {
  auto value = graph.pick(hasRank(2));
  if (!value)
    return false;
  if (graph.chance(10))
    return graph.add("transpose", {*value});
  int64_t rank = value->getRank();
  Shape perm = graph.drawPermutation(rank);
  // The permutations of models: channels to the end and back, matrices.
  if (graph.chance(40)) {
    perm = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    if (rank >= 3 && graph.chance(70))
      graph.chance(50)
          ? std::rotate(perm.begin() + 1, perm.begin() + 2, perm.end())
          : std::rotate(perm.begin() + 1, perm.end() - 1, perm.end());
    else
      std::swap(perm[rank - 1], perm[rank - 2]);
  }
  return graph.add("transpose", {*value}, {graph.getInts("perm", perm)});
}

/// Merges neighbours and splits what can be split.
static Shape drawReshape(GraphGenerator &graph, ArrayRef<int64_t> shape) {
  Shape result;
  for (int64_t extent : shape) {
    if (!result.empty() && graph.chance(30)) {
      result.back() *= extent;
      continue;
    }
    result.push_back(extent);
  }
  Shape split;
  for (int64_t extent : result) {
    int64_t factor = graph.choose<int64_t>({2, 3, 4, 5, 7, 11});
    if (extent > factor && extent % factor == 0 && graph.chance(40)) {
      split.push_back(graph.chance(50) ? factor : extent / factor);
      extent /= split.back();
    }
    if (graph.chance(8))
      split.push_back(1);
    split.push_back(extent);
  }
  return split;
}

static bool addReshape(GraphGenerator &graph) {
  auto value = graph.pick(hasRank(1));
  if (!value)
    return false;
  Shape shape = drawReshape(graph, value->getShape());
  if (llvm::is_contained(shape, 0))
    return graph.add(
        "reshape", {*value},
        {graph.getInts("shape", shape), graph.getInt("allowzero", 1)});
  if (graph.chance(10))
    return graph.add("reshape",
                     {*value, graph.addConstant(HostTensor::getInts(shape))});
  for (auto [i, extent] : llvm::enumerate(shape))
    if (i < value->getShape().size() && extent == value->getShape()[i] &&
        graph.chance(50))
      extent = 0;
  if (!shape.empty() && graph.chance(40))
    shape[graph.draw(shape.size())] = -1;
  return graph.add("reshape", {*value}, {graph.getInts("shape", shape)});
}

/// Splits, moves and merges dimensions, as shuffled channels and attention do;
/// what comes next may take the merged dimension in parts.
static bool addShuffle(GraphGenerator &graph) {
  auto value = graph.pickFloats(2);
  if (!value || llvm::is_contained(value->getShape(), 0))
    return false;
  Shape split = drawReshape(graph, value->getShape());
  if (!graph.add("reshape", {*value}, {graph.getInts("shape", split)}))
    return false;
  Shape perm = graph.drawPermutation(split.size());
  if (!graph.add("transpose", {graph.getLast()}, {graph.getInts("perm", perm)}))
    return true;
  KnownValue moved = graph.getLast();
  int64_t axis = graph.draw(0, moved.getRank() - 1);
  if (graph.chance(50)
          ? !graph.add("flatten", {moved}, {graph.getInt("axis", axis)})
          : !graph.add(
                "reshape", {moved},
                {graph.getInts("shape", drawReshape(graph, moved.getShape()))}))
    return true;
  KnownValue merged = graph.getLast();
  if (graph.chance(50))
    graph.add("relu", {merged});
  else if (merged.getRank() > 0)
    graph.add("matmul",
              {merged, graph.addConstant(merged.getType(),
                                         {merged.getShape().back(), 3}, -1, 1)},
              {}, Sums);
  return true;
}

/// To the shape of another value, computed.
static bool addReshapeLike(GraphGenerator &graph) {
  auto value = graph.pick(hasRank(1));
  auto like = graph.pick([&](const KnownValue &other) {
    return value && other.getRank() > 0 &&
           other.tensor.getNumElements() == value->tensor.getNumElements();
  });
  if (!value || !like || !graph.add("shape", {*like}, {}, {ElementType::Int64}))
    return false;
  return graph.add("reshape", {*value, graph.getLast()});
}

static bool addFlatten(GraphGenerator &graph) {
  auto value = graph.pick(hasRank(1));
  return value &&
         graph.add("flatten", {*value},
                   {graph.getInt("axis", graph.draw(-value->getRank(),
                                                    value->getRank()))});
}

static bool addSqueeze(GraphGenerator &graph) {
  auto value = graph.pick([](const KnownValue &value) {
    return llvm::is_contained(value.getShape(), 1);
  });
  if (!value)
    return false;
  Shape axes;
  for (auto [i, extent] : llvm::enumerate(value->getShape()))
    if (extent == 1 && graph.chance(70))
      axes.push_back(graph.chance(30) ? int64_t(i) - value->getRank() : i);
  if (axes.empty())
    return graph.add("squeeze", {*value});
  return graph.add("squeeze", {*value}, {graph.getInts("axes", axes)});
}

static bool addUnsqueeze(GraphGenerator &graph) {
  auto value =
      graph.pick([](const KnownValue &value) { return value.getRank() < 5; });
  if (!value)
    return false;
  int64_t rank = value->getRank() + graph.draw(1, 2);
  Shape axes = graph.drawPermutation(rank);
  axes.resize(rank - value->getRank());
  if (graph.chance(30))
    axes[0] -= rank;
  return graph.add("unsqueeze", {*value}, {graph.getInts("axes", axes)});
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static bool addExpand(GraphGenerator &graph) {
  auto value = graph.pick(isAny);
  if (!value)
    return false;
  Shape shape(value->getShape());
  for (int64_t &extent : shape)
    extent = extent == 1 && graph.chance(70) ? graph.drawExtent()
             : graph.chance(20)              ? 1
                                             : extent;
  if (graph.chance(30))
    shape.insert(shape.begin(), graph.drawExtent());
  return graph.add("expand", {*value}, {graph.getInts("shape", shape)});
}

static bool addTile(GraphGenerator &graph) {
  auto value = graph.pick(hasRank(1));
  if (!value)
    return false;
  Shape repeats;
  for (int64_t i = 0; i < value->getRank(); ++i)
    repeats.push_back(graph.chance(70) ? 1 : graph.draw(2, 3));
  return graph.add("tile", {*value}, {graph.getInts("repeats", repeats)});
}

static bool addConcat(GraphGenerator &graph) {
  auto value = graph.pick(hasRank(1));
  if (!value)
    return false;
  int64_t axis = graph.drawAxis(value->getRank());
  int64_t place = axis < 0 ? axis + value->getRank() : axis;
  KnownValues operands = {*value};
  for (int64_t count = graph.draw(0, 2); count >= 0; --count) {
    auto other = graph.pick([&](const KnownValue &other) {
      if (other.getType() != value->getType() ||
          other.getRank() != value->getRank())
        return false;
      for (auto [i, extent] : llvm::enumerate(other.getShape()))
        if (int64_t(i) != place && extent != value->getShape()[i])
          return false;
      return true;
    });
    if (other && graph.chance(80)) {
      operands.push_back(*other);
      continue;
    }
    Shape shape(value->getShape());
    shape[place] = graph.drawExtent();
    bool isBool = value->getType() == ElementType::Bool;
    operands.push_back(graph.getOperand(value->getType(), shape,
                                        isBool ? 0 : -3, isBool ? 1 : 3));
  }
  return graph.add("concat", operands, {graph.getInt("axis", axis)});
}

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

static bool addSplit(GraphGenerator &graph) {
  auto value = graph.pick(hasRank(1));
  if (!value)
    return false;
  int64_t axis = graph.drawAxis(value->getRank());
  int64_t left = value->getShape()[axis < 0 ? axis + value->getRank() : axis];
  Shape parts;
  int64_t count = graph.draw(2, 3);
  if (graph.chance(30))
    return graph.add(
        "split", {*value},
        {graph.getInt("axis", axis), graph.getInt("num_outputs", count)},
        SmallVector<ElementType>(count, value->getType()));
  for (; count > 1; --count) {
    parts.push_back(graph.draw(0, left));
    left -= parts.back();
  }
  parts.push_back(left);
  return graph.add("split", {*value},
                   {graph.getInt("axis", axis), graph.getInts("split", parts)},
                   SmallVector<ElementType>(parts.size(), value->getType()));
}

static bool addSlice(GraphGenerator &graph) {
  auto value = graph.pick(hasRank(1));
  if (!value)
    return false;
  Shape axes = graph.drawAxes(value->getRank(), 40), starts, ends, steps;
  if (axes.empty())
    return false;
  for (int64_t axis : axes) {
    int64_t extent =
        value->getShape()[axis < 0 ? axis + value->getRank() : axis];
    int64_t step = graph.choose<int64_t>({1, 1, 1, 2, -1, -2});
    int64_t low = graph.draw(0, extent / 2), high = graph.draw(low, extent);
    starts.push_back(step > 0 ? low : high);
    ends.push_back(step > 0 ? high : graph.chance(50) ? low : -100);
    steps.push_back(step);
  }
  if (graph.chance(15)) {
    KnownValues operands = {*value};
    for (const Shape &each : {starts, ends})
      operands.push_back(graph.addConstant(HostTensor::getInts(each)));
    return graph.add("slice", operands,
                     {graph.getSegments({1, 1, 1, 0, 0}),
                      graph.getInts("axes", axes),
                      graph.getInts("steps", steps)});
  }
  return graph.add("slice", {*value},
                   {graph.getSegments({1, 0, 0, 0, 0}),
                    graph.getInts("starts", starts),
                    graph.getInts("ends", ends), graph.getInts("axes", axes),
                    graph.getInts("steps", steps)});
}

static bool addPad(GraphGenerator &graph) {
  auto value = graph.pickFloats(1);
  if (!value)
    return false;
  Shape axes;
  bool hasAxes = graph.chance(40);
  if (hasAxes)
    axes = graph.drawAxes(value->getRank(), 50);
  Shape pads;
  for (size_t i = 0; i < 2 * (hasAxes ? axes.size() : value->getRank()); ++i)
    pads.push_back(graph.choose<int64_t>({0, 0, 0, 1, 2, -1}));
  Attributes attributes = {graph.getInts("pads", pads)};
  if (hasAxes)
    attributes.push_back(graph.getInts("axes", axes));
  KnownValues operands = {*value};
  const char *mode = graph.choose<const char *>(
      {"constant", "constant", "reflect", "edge", "wrap"});
  attributes.push_back(graph.getString("mode", mode));
  bool hasValue = StringRef(mode) == "constant" && graph.chance(50);
  if (hasValue)
    operands.push_back(graph.getOperand(value->getType(), {}));
  attributes.push_back(graph.getSegments({1, 0, hasValue, 0}));
  return graph.add("pad", operands, attributes);
}

static bool addTrilu(GraphGenerator &graph) {
  auto value = graph.pickFloats(2);
  return value && graph.add("trilu", {*value},
                            {graph.getInt("k", graph.draw(-1, 1)),
                             graph.getInt("upper", graph.draw(2))});
}

static bool addBlocks(GraphGenerator &graph) {
  auto value = graph.pickFloats(4, 4);
  if (!value)
    return false;
  if (graph.chance(50))
    return graph.add("space_to_depth", {*value},
                     {graph.getInt("blocksize", graph.draw(1, 3))});
  return graph.add(
      "depth_to_space", {*value},
      {graph.getInt("blocksize", graph.draw(1, 3)),
       graph.getString("mode", graph.choose<const char *>({"DCR", "CRD"}))});
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static bool addShape(GraphGenerator &graph) {
  auto value = graph.pick(isAny);
  if (!value)
    return false;
  if (graph.chance(30))
    return graph.add("size", {*value}, {}, {ElementType::Int64});
  Attributes attributes;
  if (graph.chance(40))
    attributes.push_back(graph.getInt("start", graph.draw(-2, 2)));
  if (graph.chance(40))
    attributes.push_back(graph.getInt("end", graph.draw(-2, 4)));
  return graph.add("shape", {*value}, attributes, {ElementType::Int64});
}

/// Expands a value to the shape of another, computed.
static bool addExpandLike(GraphGenerator &graph) {
  auto value = graph.pickFloats();
  auto like = graph.pick(isAny);
  if (!value || !like || !graph.add("shape", {*like}, {}, {ElementType::Int64}))
    return false;
  if (graph.chance(30))
    return graph.add("constant_of_shape", {graph.getLast()}, {},
                     {ElementType::Float});
  return graph.add("expand", {*value, graph.getLast()});
}

ArrayRef<OpFamily> inlay::testing::getMovementFamilies() {
  static const OpFamily families[] = {
      {addTranspose, 45}, {addReshape, 16},  {addReshapeLike, 3},
      {addShuffle, 12},   {addFlatten, 4},   {addSqueeze, 6},
      {addUnsqueeze, 5},  {addExpand, 5},    {addTile, 4},
      {addConcat, 10},    {addSplit, 6},     {addSlice, 8},
      {addPad, 8},        {addTrilu, 2},     {addBlocks, 5},
      {addShape, 3},      {addExpandLike, 3}};
  return families;
}
