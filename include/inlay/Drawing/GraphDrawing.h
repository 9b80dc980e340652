//===- GraphDrawing.h - Where nodes and edges stand -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph from top to bottom: where its nodes stand and how its edges run.
// Graphviz does it; docs/RationaleReport.md says why.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_DRAWING_GRAPHDRAWING_H
#define INLAY_DRAWING_GRAPHDRAWING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace inlay {

/// A graph to be drawn, in points (1/72 inch; a pixel of a page).
struct DrawnGraph {
  struct Node {
    unsigned width, height;
  };
  struct Edge {
    unsigned from, to;
  };

  std::vector<Node> nodes;
  /// None leads from a node to itself; together they have no cycle.
  std::vector<Edge> edges;
};

struct Point {
  int x = 0, y = 0;

  friend bool operator==(const Point &, const Point &) = default;
};

struct GraphDrawing {
  Point size;
  /// The middle of each node; y grows downwards.
  std::vector<Point> nodes;
  /// A Bézier curve of each edge: its start and three points for each piece.
  /// Empty where the edge is too long to be followed by eye.
  std::vector<std::vector<Point>> edges;
};

/// The rows that an edge spans on average, at most; of those beyond, the
/// longest have no curve. What drawing takes grows with it.
inline constexpr unsigned maxMeanSpan = 12;
/// The edges of a node on average, at most, likewise.
inline constexpr unsigned maxMeanEdges = 4;
/// The most nodes that a graph to be drawn has.
inline constexpr unsigned maxDrawnNodes = 600;

/// Equal graphs are drawn equal. One thread at a time draws.
llvm::Expected<GraphDrawing> drawGraph(const DrawnGraph &graph);

} // namespace inlay

#endif // INLAY_DRAWING_GRAPHDRAWING_H
