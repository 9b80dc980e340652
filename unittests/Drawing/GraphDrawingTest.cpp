//===- GraphDrawingTest.cpp - Where nodes and edges stand -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Drawing/GraphDrawing.h"
#include "gtest/gtest.h"

using namespace inlay;

/// A row of nodes, each of which reads the one before.
static DrawnGraph makeChain(unsigned length) {
  DrawnGraph graph;
  for (unsigned i = 0; i < length; ++i) {
    graph.nodes.push_back({100, 40});
    if (i != 0)
      graph.edges.push_back({i - 1, i});
  }
  return graph;
}

static GraphDrawing draw(const DrawnGraph &graph) {
  auto drawing = drawGraph(graph);
  EXPECT_TRUE(bool(drawing));
  return std::move(*drawing);
}

TEST(GraphDrawing, NothingTakesNoRoom) {
  GraphDrawing drawing = draw({});
  EXPECT_EQ(drawing.size, Point());
}

TEST(GraphDrawing, ReadersStandBelow) {
  DrawnGraph graph = makeChain(4);
  graph.edges.push_back({0, 3});
  GraphDrawing drawing = draw(graph);
  for (auto [from, to] : graph.edges)
    EXPECT_GE(drawing.nodes[to].y - drawing.nodes[from].y, 40);
  for (Point point : drawing.nodes) {
    EXPECT_GE(point.x, 50);
    EXPECT_LE(point.x, drawing.size.x - 50);
    EXPECT_GE(point.y, 20);
    EXPECT_LE(point.y, drawing.size.y - 20);
  }
}

TEST(GraphDrawing, EdgesAreCurvesFromEndToEnd) {
  DrawnGraph graph = makeChain(3);
  GraphDrawing drawing = draw(graph);
  for (auto [edge, curve] : llvm::zip_equal(graph.edges, drawing.edges)) {
    ASSERT_GE(curve.size(), 4u);
    EXPECT_EQ(curve.size() % 3, 1u);
    EXPECT_NEAR(curve.front().y, drawing.nodes[edge.from].y + 20, 2);
    EXPECT_NEAR(curve.back().y, drawing.nodes[edge.to].y - 20, 2);
  }
}

TEST(GraphDrawing, NodesDoNotOverlap) {
  DrawnGraph graph;
  graph.nodes.assign(9, {120, 30});
  for (unsigned i = 1; i < 9; ++i)
    graph.edges.push_back({0, i});
  GraphDrawing drawing = draw(graph);
  for (unsigned i = 1; i < 9; ++i)
    for (unsigned j = 1; j < i; ++j)
      EXPECT_GE(std::abs(drawing.nodes[i].x - drawing.nodes[j].x), 120);
}

TEST(GraphDrawing, IsTheSameEveryTime) {
  DrawnGraph graph = makeChain(30);
  graph.edges.push_back({3, 17});
  GraphDrawing first = draw(graph), second = draw(graph);
  EXPECT_EQ(first.nodes, second.nodes);
  EXPECT_EQ(first.edges, second.edges);
}

// One value that every node reads: the far readers are not reached by a line.
TEST(GraphDrawing, LeavesOutTheLongestEdges) {
  DrawnGraph graph = makeChain(120);
  for (unsigned i = 2; i < 120; ++i)
    graph.edges.push_back({0, i});
  GraphDrawing drawing = draw(graph);
  auto isDrawn = [&](unsigned edge) { return !drawing.edges[edge].empty(); };
  EXPECT_FALSE(isDrawn(graph.edges.size() - 1));
  EXPECT_TRUE(isDrawn(119));
  for (unsigned i = 0; i < 119; ++i)
    EXPECT_TRUE(isDrawn(i));
}

TEST(GraphDrawing, DrawsLongEdgesThatAreFew) {
  DrawnGraph graph = makeChain(120);
  graph.edges.push_back({0, 119});
  EXPECT_FALSE(draw(graph).edges.back().empty());
}
