//===- GraphDrawing.cpp - Where nodes and edges stand ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Drawing/GraphDrawing.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <cmath>
#include <mutex>
#include <string>

// Its headers have C's linkage in them and are not written for our warnings.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#include <gvc.h>
extern "C" gvplugin_library_t gvplugin_dot_layout_LTX_library;
#pragma clang diagnostic pop

using namespace inlay;

//===----------------------------------------------------------------------===//
// Edges that are drawn
//===----------------------------------------------------------------------===//

/// The row of each node when each stands as high as it may.
static std::vector<unsigned> getRows(const DrawnGraph &graph) {
  std::vector<unsigned> waits(graph.nodes.size()), rows(graph.nodes.size());
  std::vector<std::vector<unsigned>> users(graph.nodes.size());
  for (const DrawnGraph::Edge &edge : graph.edges) {
    ++waits[edge.to];
    users[edge.from].push_back(edge.to);
  }
  std::vector<unsigned> ready;
  for (unsigned node = 0; node < waits.size(); ++node)
    if (waits[node] == 0)
      ready.push_back(node);
  for (size_t i = 0; i < ready.size(); ++i)
    for (unsigned user : users[ready[i]]) {
      rows[user] = std::max(rows[user], rows[ready[i]] + 1);
      if (--waits[user] == 0)
        ready.push_back(user);
    }
  return rows;
}

/// Which edges are drawn: all but the longest, until the rest are short enough.
static std::vector<bool> chooseDrawn(const DrawnGraph &graph) {
  std::vector<unsigned> rows = getRows(graph);
  auto getSpan = [&](unsigned i) {
    const DrawnGraph::Edge &edge = graph.edges[i];
    return rows[edge.to] - std::min(rows[edge.from], rows[edge.to]);
  };
  std::vector<unsigned> byLength(graph.edges.size());
  uint64_t total = 0;
  for (unsigned i = 0; i < byLength.size(); ++i) {
    byLength[i] = i;
    total += getSpan(i);
  }
  llvm::stable_sort(byLength, [&](unsigned a, unsigned b) {
    return getSpan(a) > getSpan(b);
  });
  std::vector<bool> drawn(graph.edges.size(), true);
  size_t numDrawn = drawn.size();
  for (unsigned i : byLength) {
    if (total <= uint64_t(maxMeanSpan) * graph.nodes.size() &&
        numDrawn <= maxMeanEdges * graph.nodes.size())
      break;
    drawn[i] = false;
    --numDrawn;
    total -= getSpan(i);
  }
  return drawn;
}

//===----------------------------------------------------------------------===//
// Graphviz
//===----------------------------------------------------------------------===//

/// Its one engine, linked in: others are looked for in a list of plugins that
/// a machine may lack, or have of another version.
static GVC_t *createGraphviz() {
  static const lt_symlist_t builtins[] = {
      {"gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library},
      {nullptr, nullptr}};
  return gvContextPlugins(builtins, /*demand_loading=*/0);
}

namespace {
/// Everything of Graphviz that one drawing has.
class Canvas {
public:
  Canvas() : context(createGraphviz()) {
    // It speaks on standard error, which is not its own.
    agseterrf([](char *) { return 0; });
    graph = agopen(mutableText("g"), Agdirected, nullptr);
    for (auto [name, value] : graphAttributes)
      agattr(graph, AGRAPH, mutableText(name), mutableText(value));
    for (auto [name, value] : nodeAttributes)
      agattr(graph, AGNODE, mutableText(name), mutableText(value));
    agattr(graph, AGEDGE, mutableText("arrowhead"), mutableText("none"));
  }
  Canvas(const Canvas &) = delete;
  Canvas &operator=(const Canvas &) = delete;
  ~Canvas() {
    if (isLaidOut)
      gvFreeLayout(context, graph);
    agclose(graph);
    gvFreeContext(context);
  }

  void add(const DrawnGraph::Node &node) {
    Agnode_t *made = agnode(graph, nullptr, /*createflag=*/1);
    setInches(made, "width", node.width);
    setInches(made, "height", node.height);
    nodes.push_back(made);
  }
  void add(const DrawnGraph::Edge &edge) {
    edges.push_back(
        agedge(graph, nodes[edge.from], nodes[edge.to], nullptr, 1));
  }
  void skipEdge() { edges.push_back(nullptr); }

  bool layOut() {
    isLaidOut = gvLayout(context, graph, "dot") == 0;
    return isLaidOut;
  }
  GraphDrawing read() const;

private:
  struct Attribute {
    const char *name, *value;
  };
  /// The limits keep what it takes in proportion to the graph.
  static constexpr Attribute graphAttributes[] = {
      {"nodesep", "0.22"}, {"ranksep", "0.36"}, {"nslimit", "2"},
      {"nslimit1", "2"},   {"mclimit", "0.5"},  {"splines", "spline"}};
  static constexpr Attribute nodeAttributes[] = {{"shape", "box"},
                                                 {"fixedsize", "true"},
                                                 {"label", ""},
                                                 {"width", "1"},
                                                 {"height", "1"}};

  /// C's parameters that are not written to lack their const.
  static char *mutableText(const char *text) {
    return const_cast<char *>(text);
  }
  static void setInches(Agnode_t *node, const char *name, unsigned points) {
    std::string inches = std::to_string(points / 72.0);
    agset(node, mutableText(name), inches.data());
  }
  /// Its y grows upwards.
  Point flip(pointf point) const {
    return {int(std::lround(point.x - GD_bb(graph).LL.x)),
            int(std::lround(GD_bb(graph).UR.y - point.y))};
  }
  std::vector<Point> readCurve(Agedge_t *edge) const;

  GVC_t *context;
  Agraph_t *graph;
  bool isLaidOut = false;
  std::vector<Agnode_t *> nodes;
  std::vector<Agedge_t *> edges;
};
} // namespace

std::vector<Point> Canvas::readCurve(Agedge_t *edge) const {
  std::vector<Point> points;
  if (!edge || !ED_spl(edge) || ED_spl(edge)->size == 0)
    return points;
  const bezier &curve = ED_spl(edge)->list[0];
  for (int i = 0; i < curve.size; ++i)
    points.push_back(flip(curve.list[i]));
  return points;
}

GraphDrawing Canvas::read() const {
  GraphDrawing drawing;
  const boxf &box = GD_bb(graph);
  drawing.size = {int(std::ceil(box.UR.x - box.LL.x)),
                  int(std::ceil(box.UR.y - box.LL.y))};
  for (Agnode_t *node : nodes)
    drawing.nodes.push_back(flip(ND_coord(node)));
  for (Agedge_t *edge : edges)
    drawing.edges.push_back(readCurve(edge));
  return drawing;
}

llvm::Expected<GraphDrawing> inlay::drawGraph(const DrawnGraph &graph) {
  if (graph.nodes.empty())
    return GraphDrawing{};
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<bool> drawn = chooseDrawn(graph);
  Canvas canvas;
  for (const DrawnGraph::Node &node : graph.nodes)
    canvas.add(node);
  for (auto [edge, isDrawn] : llvm::zip_equal(graph.edges, drawn)) {
    if (isDrawn)
      canvas.add(edge);
    else
      canvas.skipEdge();
  }
  if (!canvas.layOut())
    return makeError(ExitCode::Internal, "Graphviz could not draw a graph of " +
                                             llvm::Twine(graph.nodes.size()) +
                                             " nodes");
  return canvas.read();
}
