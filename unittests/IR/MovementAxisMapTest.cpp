//===- MovementAxisMapTest.cpp - Axis maps of moved elements --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpectedAxisMap.h"

using namespace inlay::testing;

TEST(MovementAxisMap, TransposePermutes) {
  expectAxisMap("%x: tensor<2x3x4xf32>",
                "inlay.transpose %x {perm = array<i64: 2, 0, 1>} : "
                "(tensor<2x3x4xf32>) -> tensor<4x2x3xf32>",
                "parallel d0=2, parallel d1=3, parallel d2=4 : [d0, d1, d2] -> "
                "[d2, d0, d1]");
  expectAxisMap("%x: tensor<2x3x4xf32>",
                "inlay.transpose %x : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>",
                "parallel d0=2, parallel d1=3, parallel d2=4 : [d0, d1, d2] -> "
                "[d2, d1, d0]");
}

TEST(MovementAxisMap, ReshapeHasCommonFactors) {
  EXPECT_TRUE(axisMapHolds("%x: tensor<2x3x1x4xf32>",
                           "inlay.reshape %x {shape = array<i64: 0, 1, -1>} : "
                           "(tensor<2x3x1x4xf32>) -> tensor<2x1x12xf32>"));
  expectAxisMap("%x: tensor<2x12xf32>",
                "inlay.reshape %x {shape = array<i64: 6, 4>} : "
                "(tensor<2x12xf32>) -> tensor<6x4xf32>",
                "parallel d0=2, parallel d1=3, parallel d2=4 : [d0, (d1 d2)] "
                "-> [(d0 d1), d2]");
}

TEST(MovementAxisMap, ReshapeWithoutCommonFactorsHasNoMap) {
  EXPECT_TRUE(axisMapIsOpaque("%x: tensor<2x3xf32>",
                              "inlay.reshape %x {shape = array<i64: 3, 2>} : "
                              "(tensor<2x3xf32>) -> tensor<3x2xf32>"));
}

TEST(MovementAxisMap, CopiedExtentsMayBeUnknown) {
  EXPECT_EQ(printAxisMap("%x: tensor<?x?x8xf32>",
                         "inlay.reshape %x {shape = array<i64: 0, 0, 2, 4>} : "
                         "(tensor<?x?x8xf32>) -> tensor<?x?x2x4xf32>"),
            "parallel d0, parallel d1, parallel d2=2, parallel d3=4 : [d0, d1, "
            "(d2 d3)] -> [d0, d1, d2, d3]");
  EXPECT_TRUE(axisMapIsOpaque("%x: tensor<?x?x8xf32>",
                              "inlay.reshape %x {shape = array<i64: -1, 2, 4>} "
                              ": (tensor<?x?x8xf32>) -> tensor<?x2x4xf32>"));
}

TEST(MovementAxisMap, FlattenMerges) {
  EXPECT_TRUE(axisMapHolds("%x: tensor<2x3x4xf32>",
                           "inlay.flatten %x {axis = 0 : i64} : "
                           "(tensor<2x3x4xf32>) -> tensor<1x24xf32>"));
  EXPECT_TRUE(axisMapHolds("%x: tensor<2x3x4xf32>",
                           "inlay.flatten %x {axis = -1 : i64} : "
                           "(tensor<2x3x4xf32>) -> tensor<6x4xf32>"));
  expectAxisMap("%x: tensor<2x3x4xf32>",
                "inlay.flatten %x {axis = 2 : i64} : (tensor<2x3x4xf32>) -> "
                "tensor<6x4xf32>",
                "parallel d0=2, parallel d1=3, parallel d2=4 : [d0, d1, d2] -> "
                "[(d0 d1), d2]");
}

TEST(MovementAxisMap, UnitDimensionsComeAndGo) {
  EXPECT_TRUE(axisMapHolds("%x: tensor<1x3x1x4xf32>",
                           "inlay.squeeze %x {axes = array<i64: 0>} : "
                           "(tensor<1x3x1x4xf32>) -> tensor<3x1x4xf32>"));
  expectAxisMap("%x: tensor<1x3x1x4xf32>",
                "inlay.squeeze %x : (tensor<1x3x1x4xf32>) -> tensor<3x4xf32>",
                "parallel d0=3, parallel d1=4 : [(), d0, (), d1] -> [d0, d1]");
  expectAxisMap("%x: tensor<3x4xf32>",
                "inlay.unsqueeze %x {axes = array<i64: 0, -1>} : "
                "(tensor<3x4xf32>) -> tensor<1x3x4x1xf32>",
                "parallel d0=3, parallel d1=4 : [d0, d1] -> [(), d0, d1, ()]");
}

TEST(MovementAxisMap, BlocksAreFactorsOfDepthAndSpace) {
  EXPECT_TRUE(axisMapHolds("%x: tensor<1x8x2x3xf32>",
                           "inlay.depth_to_space %x {blocksize = 2 : i64} : "
                           "(tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32>"));
  EXPECT_TRUE(axisMapHolds("%x: tensor<1x2x4x6xf32>",
                           "inlay.space_to_depth %x {blocksize = 2 : i64} : "
                           "(tensor<1x2x4x6xf32>) -> tensor<1x8x2x3xf32>"));
  expectAxisMap("%x: tensor<1x8x2x3xf32>",
                "inlay.depth_to_space %x {blocksize = 2 : i64, mode = \"CRD\"} "
                ": (tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32>",
                "parallel d0=1, parallel d1=2, parallel d2=2, parallel d3=3, "
                "parallel d4=2, parallel d5=2 : [d0, (d1 d4 d5), d2, d3] -> "
                "[d0, d1, (d2 d4), (d3 d5)]");
}

TEST(MovementAxisMap, RepetitionIsACreatedAxis) {
  expectAxisMap(
      "%x: tensor<3x1xf32>",
      "inlay.expand %x {shape = array<i64: 2, 1, 4>} : (tensor<3x1xf32>) -> "
      "tensor<2x3x4xf32>",
      "created d0=2, parallel d1=3, created d2=4 : [d1, ()] -> [d0, d1, d2]");
  expectAxisMap("%x: tensor<2x3x1xf32>",
                "inlay.tile %x {repeats = array<i64: 2, 1, 2>} : "
                "(tensor<2x3x1xf32>) -> tensor<4x3x2xf32>",
                "created d0=2, parallel d1=2, parallel d2=3, created d3=2 : "
                "[d1, d2, ()] -> [(d0 d1), d2, d3]");
}

TEST(MovementAxisMap, ExpansionOfAnUnknownExtentHasNoMap) {
  EXPECT_TRUE(axisMapIsOpaque("%x: tensor<?xf32>",
                              "inlay.expand %x {shape = array<i64: 4>} : "
                              "(tensor<?xf32>) -> tensor<4xf32>"));
}

TEST(MovementAxisMap, ConcatAndSplitShareAnAxis) {
  expectAxisMap(
      "%x: tensor<2x3xf32>, %y: tensor<2x1xf32>",
      "inlay.concat %x, %y {axis = -1 : i64} : (tensor<2x3xf32>, "
      "tensor<2x1xf32>) -> tensor<2x4xf32>",
      "parallel d0=2, concatenated d1=4 : [d0, d1], [d0, d1] -> [d0, d1]");
  expectAxisMap(
      "%x: tensor<2x4xf32>",
      "%y:2 = inlay.split %x {axis = 1 : i64, split = array<i64: 1, 3>} : "
      "(tensor<2x4xf32>) -> (tensor<2x1xf32>, tensor<2x3xf32>)",
      "parallel d0=2, concatenated d1=4 : [d0, d1] -> [d0, d1], [d0, d1]");
}

TEST(MovementAxisMap, SlicesIndexWhatTheyCut) {
  expectAxisMap(
      "%x: tensor<4x5x6xf32>",
      "inlay.slice %x {starts = array<i64: 1, 0>, ends = array<i64: 3, 9>, "
      "axes = array<i64: 1, 2>} : (tensor<4x5x6xf32>) -> tensor<4x2x6xf32>",
      "parallel d0=4, indexed d1=5, parallel d2=6 : [d0, d1, d2] -> [d0, d1, "
      "d2]");
  expectAxisMap(
      "%x: tensor<4xf32>",
      "inlay.slice %x {starts = array<i64: -1>, ends = array<i64: -9>, steps = "
      "array<i64: -1>} : (tensor<4xf32>) -> tensor<4xf32>",
      "indexed d0=4 : [d0] -> [d0]");
}

TEST(MovementAxisMap, PadsAreWindows) {
  expectAxisMap("%x: tensor<2x3xf32>",
                "inlay.pad %x {pads = array<i64: 0, 1, 0, 2>, mode = "
                "\"reflect\"} : (tensor<2x3xf32>) -> tensor<2x6xf32>",
                "parallel d0=2, window d1=3 : [d0, d1] -> [d0, d1]");
  expectAxisMap("%x: tensor<2x3xf32>",
                "inlay.pad %x {pads = array<i64: 1, 0>, axes = array<i64: -1>} "
                ": (tensor<2x3xf32>) -> tensor<2x4xf32>",
                "parallel d0=2, window d1=3 : [d0, d1] -> [d0, d1]");
}

TEST(MovementAxisMap, TrianglesDependOnPositions) {
  expectAxisMap(
      "%x: tensor<2x3x3xf32>",
      "inlay.trilu %x {k = 1 : i64} : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>",
      "parallel d0=2, indexed d1=3, indexed d2=3 : [d0, d1, d2] -> [d0, d1, "
      "d2]");
}

TEST(MovementAxisMap, SizeForgetsAllDimensions) {
  expectAxisMap("%x: tensor<2x3xf32>",
                "inlay.size %x : (tensor<2x3xf32>) -> tensor<i64>",
                "reduced d0=2, reduced d1=3 : [d0, d1] -> []");
}

TEST(MovementAxisMap, ShapesAndDiagonalsHaveNoMap) {
  EXPECT_TRUE(
      axisMapIsOpaque("%x: tensor<2x3xf32>",
                      "inlay.shape %x : (tensor<2x3xf32>) -> tensor<2xi64>"));
  EXPECT_TRUE(axisMapIsOpaque(
      "%x: tensor<2x3xf32>",
      "inlay.eye_like %x : (tensor<2x3xf32>) -> tensor<2x3xf32>"));
}
