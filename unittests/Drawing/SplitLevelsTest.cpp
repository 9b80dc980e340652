//===- SplitLevelsTest.cpp - Sections of large levels ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Drawing/GraphDrawing.h"
#include "inlay/Drawing/Picture.h"
#include "gtest/gtest.h"

using namespace inlay;

/// Nodes in a row; node i writes tensor i.
static Picture makeChain(unsigned length) {
  Picture picture;
  picture.levels.resize(1);
  for (unsigned i = 0; i < length; ++i) {
    PictureNode node;
    node.name = "n" + std::to_string(i);
    node.outputs.push_back(i);
    picture.nodes.push_back(node);
    picture.tensors.push_back({"t" + std::to_string(i), "f32", "4", "", 16});
    picture.levels[0].nodes.push_back(i);
    if (i != 0)
      picture.levels[0].edges.push_back({i - 1, i, i - 1});
  }
  return picture;
}

/// What each place of a level is, by name.
static const PictureNode &getNode(const Picture &picture, unsigned level,
                                  unsigned place) {
  return picture.nodes[picture.levels[level].nodes[place]];
}

TEST(SplitLevels, LeavesSmallLevelsAlone) {
  Picture picture = makeChain(maxDrawnNodes);
  splitLevels(picture);
  EXPECT_EQ(picture.levels.size(), 1u);
  EXPECT_EQ(picture.nodes.size(), maxDrawnNodes);
}

TEST(SplitLevels, MakesSectionsInOrder) {
  Picture picture = makeChain(1000);
  splitLevels(picture);
  const PictureLevel &outer = picture.levels[0];
  ASSERT_GE(outer.nodes.size(), 2u);
  unsigned next = 0;
  for (unsigned i = 0; i < outer.nodes.size(); ++i) {
    const PictureNode &section = getNode(picture, 0, i);
    EXPECT_EQ(section.kind, PictureKind::Section);
    const PictureLevel &inner = picture.levels[section.levels.front()];
    EXPECT_LE(inner.nodes.size(), maxDrawnNodes);
    // Every node is in one of them, in its place.
    for (unsigned node : inner.nodes)
      if (picture.nodes[node].kind != PictureKind::Port)
        EXPECT_EQ(picture.nodes[node].name, "n" + std::to_string(next++));
  }
  EXPECT_EQ(next, 1000u);
  EXPECT_EQ(outer.edges.size(), outer.nodes.size() - 1);
}

TEST(SplitLevels, TensorsEnterAndLeaveThroughPorts) {
  Picture picture = makeChain(1000);
  splitLevels(picture);
  unsigned inner = getNode(picture, 0, 1).levels.front();
  unsigned numIn = 0, numOut = 0;
  for (const PictureEdge &edge : picture.levels[inner].edges) {
    numIn += getNode(picture, inner, edge.from).kind == PictureKind::Port;
    numOut += getNode(picture, inner, edge.to).kind == PictureKind::Port;
  }
  EXPECT_EQ(numIn, 1u);
  EXPECT_LE(numOut, 1u);
}

// Tensors pass everywhere but in front of node 250.
TEST(SplitLevels, CutsWhereFewPass) {
  Picture picture = makeChain(700);
  for (unsigned i = 2; i < 700; ++i)
    if (i != 250)
      picture.levels[0].edges.push_back({i - 2, i, i - 2});
  splitLevels(picture);
  bool isCutThere = false;
  for (unsigned node : picture.levels[0].nodes) {
    unsigned inner = picture.nodes[node].levels.front();
    isCutThere |= getNode(picture, inner, 0).name == "n250";
  }
  EXPECT_TRUE(isCutThere);
}

// So many that the sections are too many, too.
TEST(SplitLevels, SplitsSections) {
  Picture picture = makeChain(200'000);
  splitLevels(picture);
  EXPECT_LE(picture.levels[0].nodes.size(), maxDrawnNodes);
}
