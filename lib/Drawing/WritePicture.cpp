//===- WritePicture.cpp - A picture as JSON -------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Drawing/GraphDrawing.h"
#include "inlay/Drawing/Picture.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <cmath>

using namespace inlay;
using llvm::json::OStream;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// How wide a letter is on the page, and how many a node shows at most.
static constexpr unsigned letterWidth = 7, maxLetters = 26;

/// Larger where more is moved: 20 points for up to 1 kB, 52 from 1 GB on.
static unsigned getMarkSize(std::optional<uint64_t> bytes) {
  double decades = std::log10(double(std::max<uint64_t>(bytes.value_or(0), 1)));
  return unsigned(20 + 32 * std::clamp((decades - 3) / 6, 0.0, 1.0));
}

static DrawnGraph::Node getSize(const PictureNode &node) {
  size_t letters = std::min<size_t>(
      std::max(node.opType.size(), node.name.size()), maxLetters);
  unsigned width = std::max<unsigned>(64, 18 + letterWidth * letters);
  switch (node.kind) {
  case PictureKind::Relayout: {
    unsigned size = getMarkSize(node.bytes);
    return {size, size};
  }
  case PictureKind::Input:
  case PictureKind::Output:
  case PictureKind::Port:
    return {width, 24};
  default:
    return {width, 40};
  }
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Text that a model has may be none in UTF-8, and as long as it likes.
static std::string clean(llvm::StringRef text) {
  constexpr size_t maxLength = 300;
  return llvm::json::fixUTF8(text.take_front(maxLength));
}

static llvm::StringRef getName(PictureKind kind) {
  switch (kind) {
  case PictureKind::Operator:
    return "operator";
  case PictureKind::Relayout:
    return "relayout";
  case PictureKind::Group:
    return "group";
  case PictureKind::Kernel:
    return "kernel";
  case PictureKind::Control:
    return "control";
  case PictureKind::Input:
    return "input";
  case PictureKind::Output:
    return "output";
  case PictureKind::Port:
    return "port";
  case PictureKind::Section:
    return "section";
  }
  llvm_unreachable("no such kind");
}

static void writeText(OStream &json, llvm::StringRef key,
                      llvm::StringRef text) {
  if (!text.empty())
    json.attribute(key, clean(text));
}

static void writeNumber(OStream &json, llvm::StringRef key,
                        std::optional<uint64_t> number) {
  if (number)
    json.attribute(key, int64_t(std::min<uint64_t>(*number, 1ull << 53)));
}

static void writeList(OStream &json, llvm::StringRef key,
                      llvm::ArrayRef<unsigned> list) {
  if (list.empty())
    return;
  json.attributeArray(key, [&] {
    for (unsigned index : list)
      json.value(index);
  });
}

static void writeTensor(OStream &json, const PictureTensor &tensor) {
  json.object([&] {
    writeText(json, "name", tensor.name);
    writeText(json, "type", tensor.type);
    writeText(json, "shape", tensor.shape);
    writeText(json, "order", tensor.order);
    writeNumber(json, "bytes", tensor.bytes);
  });
}

static void writeReason(OStream &json, const PictureReason &reason) {
  json.attributeObject("reason", [&] {
    writeText(json, "from", reason.from);
    writeText(json, "to", reason.to);
    writeText(json, "storedFor", reason.storedFor);
    writeText(json, "neededBy", reason.neededBy);
    writeText(json, "words", reason.words);
  });
}

static void writeCosts(OStream &json, const PictureNode &node) {
  writeNumber(json, "flops", node.flops);
  writeNumber(json, "bytes", node.bytes);
  writeNumber(json, "weights", node.weightBytes);
  writeNumber(json, "live", node.liveBytes);
  if (node.seconds)
    json.attribute("seconds", *node.seconds);
  writeText(json, "bound", node.bound);
}

static void writeNode(OStream &json, const PictureNode &node) {
  json.object([&] {
    json.attribute("kind", getName(node.kind));
    writeText(json, "name", node.name);
    writeText(json, "op", node.opType);
    writeList(json, "in", node.inputs);
    writeList(json, "constants", node.constants);
    writeList(json, "out", node.outputs);
    writeList(json, "levels", node.levels);
    writeList(json, "origins", node.origins);
    writeText(json, "layouts", node.layouts);
    writeText(json, "stages", node.stages);
    if (node.reason)
      writeReason(json, *node.reason);
    if (node.isFallback)
      json.attribute("fallback", true);
    writeCosts(json, node);
    if (node.numLeftOut)
      writeNumber(json, "leftOut", node.numLeftOut);
  });
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

/// The level with one edge for all tensors between two nodes. `drawnAs` says
/// which one each edge is.
static DrawnGraph getDrawnGraph(const Picture &picture,
                                const PictureLevel &level,
                                std::vector<unsigned> &drawnAs) {
  DrawnGraph graph;
  for (unsigned node : level.nodes)
    graph.nodes.push_back(getSize(picture.nodes[node]));
  llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned> edges;
  for (const PictureEdge &edge : level.edges) {
    auto [it, isNew] =
        edges.try_emplace({edge.from, edge.to}, graph.edges.size());
    if (isNew)
      graph.edges.push_back({edge.from, edge.to});
    drawnAs.push_back(it->second);
  }
  return graph;
}

/// [from, to, tensor, x, y, ...]; tensors that take the way of another have no
/// points of their own.
static void writeEdges(OStream &json, const PictureLevel &level,
                       const GraphDrawing &drawing,
                       llvm::ArrayRef<unsigned> drawnAs) {
  json.attributeArray("edges", [&] {
    for (auto [i, edge] : llvm::enumerate(level.edges))
      json.array([&] {
        json.value(level.nodes[edge.from]);
        json.value(level.nodes[edge.to]);
        json.value(edge.tensor);
        for (Point point : drawing.edges[drawnAs[i]]) {
          json.value(point.x);
          json.value(point.y);
        }
      });
  });
}

/// [node, x, y, width, height].
static void writePlaces(OStream &json, const PictureLevel &level,
                        const DrawnGraph &graph, const GraphDrawing &drawing) {
  json.attributeArray("nodes", [&] {
    for (auto [i, node] : llvm::enumerate(level.nodes))
      json.array([&] {
        json.value(node);
        json.value(drawing.nodes[i].x);
        json.value(drawing.nodes[i].y);
        json.value(graph.nodes[i].width);
        json.value(graph.nodes[i].height);
      });
  });
}

static llvm::Error writeLevel(OStream &json, const Picture &picture,
                              const PictureLevel &level) {
  std::vector<unsigned> drawnAs;
  DrawnGraph graph = getDrawnGraph(picture, level, drawnAs);
  auto drawing = drawGraph(graph);
  if (!drawing)
    return drawing.takeError();
  json.object([&] {
    writeText(json, "title", level.title);
    json.attribute("width", drawing->size.x);
    json.attribute("height", drawing->size.y);
    writePlaces(json, level, graph, *drawing);
    writeEdges(json, level, *drawing, drawnAs);
  });
  return llvm::Error::success();
}

llvm::Error
inlay::writePicture(const Picture &picture, OStream &json,
                    llvm::function_ref<void(size_t, size_t)> progress) {
  json.objectBegin();
  json.attributeArray("tensors", [&] {
    for (const PictureTensor &tensor : picture.tensors)
      writeTensor(json, tensor);
  });
  json.attributeArray("nodes", [&] {
    for (const PictureNode &node : picture.nodes)
      writeNode(json, node);
  });
  json.attributeBegin("levels");
  json.arrayBegin();
  for (auto [i, level] : llvm::enumerate(picture.levels)) {
    progress(i, picture.levels.size());
    if (llvm::Error error = writeLevel(json, picture, level))
      return error;
  }
  json.arrayEnd();
  json.attributeEnd();
  json.objectEnd();
  return llvm::Error::success();
}
