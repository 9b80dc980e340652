//===- SplitLevels.cpp - Sections of large levels -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Drawing/GraphDrawing.h"
#include "inlay/Drawing/Picture.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace inlay;

/// The fewest nodes of a section, but for the last one.
static constexpr unsigned minSection = maxDrawnNodes / 4;

/// The most tensors that are drawn where they enter a section, and leave it.
static constexpr unsigned maxPorts = 100;

/// How many tensors pass in front of each node.
static std::vector<unsigned> countPassing(const PictureLevel &level) {
  llvm::DenseMap<unsigned, std::pair<unsigned, unsigned>> lives;
  for (const PictureEdge &edge : level.edges) {
    auto [it, isNew] =
        lives.try_emplace(edge.tensor, std::pair(edge.from, edge.to));
    it->second.first = std::min(it->second.first, edge.from);
    it->second.second = std::max(it->second.second, edge.to);
  }
  std::vector<int> change(level.nodes.size() + 1);
  for (const auto &[tensor, life] : lives) {
    ++change[life.first + 1];
    --change[life.second + 1];
  }
  std::vector<unsigned> counts(level.nodes.size());
  int count = 0;
  for (size_t i = 0; i < counts.size(); ++i)
    counts[i] = count += change[i];
  return counts;
}

/// Where sections begin, and the end of the last one.
static std::vector<unsigned> chooseCuts(const PictureLevel &level) {
  std::vector<unsigned> passing = countPassing(level), cuts = {0};
  unsigned size = level.nodes.size();
  while (size - cuts.back() > maxDrawnNodes / 2) {
    unsigned first = cuts.back() + minSection;
    unsigned last = std::min(cuts.back() + maxDrawnNodes / 2, size - 1);
    unsigned best = first;
    for (unsigned place = first; place <= last; ++place)
      if (passing[place] <= passing[best])
        best = place;
    cuts.push_back(best);
  }
  cuts.push_back(size);
  return cuts;
}

namespace {
/// Makes sections of one level.
class LevelSplitter {
public:
  LevelSplitter(Picture &picture, unsigned index)
      : picture(picture), index(index), level(picture.levels[index]),
        cuts(chooseCuts(level)), portsIn(cuts.size() - 1),
        portsOut(cuts.size() - 1) {}

  void split();

private:
  unsigned getSection(unsigned place) const {
    return std::upper_bound(cuts.begin(), cuts.end(), place) - cuts.begin() - 1;
  }
  void makeSections();
  void addEdge(const PictureEdge &edge);
  std::optional<unsigned> addPort(unsigned section, unsigned tensor, bool isIn);
  void addInside(unsigned section, std::optional<unsigned> from,
                 std::optional<unsigned> to, unsigned tensor);

  Picture &picture;
  unsigned index;
  /// As it was.
  PictureLevel level;
  std::vector<unsigned> cuts;
  std::vector<unsigned> levelOf;
  PictureLevel outer;
  std::vector<std::map<unsigned, unsigned>> portsIn, portsOut;
  /// Section, tensor and the places of edges that are there.
  std::set<std::tuple<unsigned, unsigned, unsigned, unsigned>> seen;
};
} // namespace

void LevelSplitter::makeSections() {
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    PictureLevel inner;
    inner.nodes.assign(level.nodes.begin() + cuts[i],
                       level.nodes.begin() + cuts[i + 1]);
    PictureNode section;
    section.kind = PictureKind::Section;
    section.name = "part " + std::to_string(i + 1) + " of " +
                   std::to_string(cuts.size() - 1);
    section.opType = std::to_string(inner.nodes.size()) + " nodes";
    section.levels.push_back(picture.levels.size());
    inner.title = section.name;
    levelOf.push_back(picture.levels.size());
    picture.levels.push_back(std::move(inner));
    outer.nodes.push_back(picture.nodes.size());
    picture.nodes.push_back(std::move(section));
  }
}

/// The place of the node where a tensor enters or leaves a section; nothing
/// where there are too many.
std::optional<unsigned> LevelSplitter::addPort(unsigned section,
                                               unsigned tensor, bool isIn) {
  PictureLevel &inner = picture.levels[levelOf[section]];
  auto &ports = isIn ? portsIn[section] : portsOut[section];
  if (ports.size() == maxPorts && !ports.count(tensor))
    return std::nullopt;
  auto [it, isNew] = ports.try_emplace(tensor, inner.nodes.size());
  if (!isNew)
    return it->second;
  PictureNode port;
  port.kind = PictureKind::Port;
  port.name = picture.tensors[tensor].name;
  port.opType = isIn ? "from above" : "to below";
  (isIn ? port.outputs : port.inputs).push_back(tensor);
  inner.nodes.push_back(picture.nodes.size());
  picture.nodes.push_back(std::move(port));
  return it->second;
}

void LevelSplitter::addInside(unsigned section, std::optional<unsigned> from,
                              std::optional<unsigned> to, unsigned tensor) {
  if (from && to && seen.insert({section, tensor, *from, *to}).second)
    picture.levels[levelOf[section]].edges.push_back({*from, *to, tensor});
}

void LevelSplitter::addEdge(const PictureEdge &edge) {
  unsigned from = getSection(edge.from), to = getSection(edge.to);
  unsigned placeFrom = edge.from - cuts[from], placeTo = edge.to - cuts[to];
  if (from == to)
    return addInside(from, placeFrom, placeTo, edge.tensor);
  addInside(from, placeFrom, addPort(from, edge.tensor, /*isIn=*/false),
            edge.tensor);
  addInside(to, addPort(to, edge.tensor, /*isIn=*/true), placeTo, edge.tensor);
  PictureNode &source = picture.nodes[outer.nodes[from]];
  PictureNode &sink = picture.nodes[outer.nodes[to]];
  if (!llvm::is_contained(source.outputs, edge.tensor))
    source.outputs.push_back(edge.tensor);
  if (!llvm::is_contained(sink.inputs, edge.tensor)) {
    sink.inputs.push_back(edge.tensor);
    outer.edges.push_back({from, to, edge.tensor});
  }
}

void LevelSplitter::split() {
  outer.title = level.title;
  makeSections();
  for (const PictureEdge &edge : level.edges)
    addEdge(edge);
  picture.levels[index] = std::move(outer);
}

void inlay::splitLevels(Picture &picture) {
  size_t numLevels = picture.levels.size();
  // A level of sections may have too many of them.
  for (unsigned i = 0; i < numLevels; ++i)
    while (picture.levels[i].nodes.size() > maxDrawnNodes)
      LevelSplitter(picture, i).split();
}
