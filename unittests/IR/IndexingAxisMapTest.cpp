//===- IndexingAxisMapTest.cpp - Axis maps of gathers and resampling ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpectedAxisMap.h"

using namespace inlay::testing;

TEST(IndexingAxisMap, GatherReplacesItsAxis) {
  EXPECT_TRUE(axisMapHolds("%x: tensor<2x3xf32>, %i: tensor<i64>",
                           "inlay.gather %x, %i {axis = -1 : i64} : "
                           "(tensor<2x3xf32>, tensor<i64>) -> tensor<2xf32>"));
  expectAxisMap("%x: tensor<2x3x4xf32>, %i: tensor<5x1xi64>",
                "inlay.gather %x, %i {axis = 1 : i64} : (tensor<2x3x4xf32>, "
                "tensor<5x1xi64>) -> tensor<2x5x1x4xf32>",
                "parallel d0=2, indexed d1=3, parallel d2=4, parallel d3=5, "
                "parallel d4=1 : [d0, d1, d2], [d3, d4] -> [d0, d3, d4, d2]");
}

TEST(IndexingAxisMap, GatheredElementsKeepTheOtherPlaces) {
  expectAxisMap("%x: tensor<3x4xf32>, %i: tensor<3x2xi64>",
                "inlay.gather_elements %x, %i {axis = 1 : i64} : "
                "(tensor<3x4xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>",
                "parallel d0=3, indexed d1=4, parallel d2=2 : [d0, d1], [d0, "
                "d2] -> [d0, d2]");
  expectAxisMap("%x: tensor<3x4xf32>, %i: tensor<2x2xi64>",
                "inlay.gather_elements %x, %i {axis = 1 : i64} : "
                "(tensor<3x4xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>",
                "indexed d0=3, indexed d1=4, parallel d2=2 : [d0, d1], [d0, "
                "d2] -> [d0, d2]");
}

TEST(IndexingAxisMap, TuplesIndexLeadingDimensions) {
  EXPECT_TRUE(axisMapHolds("%x: tensor<2x3x4xf32>, %i: tensor<5x2xi64>",
                           "inlay.gather_nd %x, %i : (tensor<2x3x4xf32>, "
                           "tensor<5x2xi64>) -> tensor<5x4xf32>"));
  expectAxisMap("%x: tensor<2x3x4xf32>, %i: tensor<2x5x1xi64>",
                "inlay.gather_nd %x, %i {batch_dims = 1 : i64} : "
                "(tensor<2x3x4xf32>, tensor<2x5x1xi64>) -> tensor<2x5x4xf32>",
                "parallel d0=2, indexed d1=3, parallel d2=4, parallel d3=5, "
                "indexed d4=1 : [d0, d1, d2], [d0, d3, d4] -> [d0, d3, d2]");
}

TEST(IndexingAxisMap, ScatteredUpdatesAreReduced) {
  expectAxisMap("%x: tensor<3x4xf32>, %i: tensor<3x2xi64>, %u: tensor<3x2xf32>",
                "inlay.scatter_elements %x, %i, %u {axis = 1 : i64, reduction "
                "= \"add\"} : (tensor<3x4xf32>, tensor<3x2xi64>, "
                "tensor<3x2xf32>) -> tensor<3x4xf32>",
                "parallel d0=3, indexed d1=4, reduced d2=2 : [d0, d1], [d0, "
                "d2], [d0, d2] -> [d0, d1]");
  expectAxisMap("%x: tensor<3x4xf32>, %i: tensor<2x1xi64>, %u: tensor<2x4xf32>",
                "inlay.scatter_nd %x, %i, %u : (tensor<3x4xf32>, "
                "tensor<2x1xi64>, tensor<2x4xf32>) -> tensor<3x4xf32>",
                "indexed d0=3, parallel d1=4, reduced d2=2, indexed d3=1 : "
                "[d0, d1], [d2, d3], [d2, d1] -> [d0, d1]");
}

TEST(IndexingAxisMap, OneHotCreatesAnAxis) {
  EXPECT_EQ(printAxisMap(
                "%i: tensor<2x3xi64>, %v: tensor<2xf32>",
                "%d = inlay.constant dense<4> : tensor<i64>\n%y = "
                "inlay.one_hot %i, %d, %v {axis = 1 : i64} : (tensor<2x3xi64>, "
                "tensor<i64>, tensor<2xf32>) -> tensor<2x4x3xf32>"),
            "parallel d0=2, parallel d1=3, created d2=4 : [d0, d1], _, _ -> "
            "[d0, d2, d1]");
}

TEST(IndexingAxisMap, PlacesOfNonZeroElementsHaveNoMap) {
  EXPECT_TRUE(axisMapIsOpaque(
      "%x: tensor<2x3xf32>",
      "inlay.non_zero %x : (tensor<2x3xf32>) -> tensor<2x?xi64>"));
}

TEST(IndexingAxisMap, ResizeResamplesScaledDimensionsOnly) {
  expectAxisMap(
      "%x: tensor<1x2x3x4xf32>",
      "inlay.resize %x {scales = array<f32: 1.0, 1.0, 2.0, 2.0>, mode = "
      "\"linear\"} : (tensor<1x2x3x4xf32>) -> tensor<1x2x6x8xf32>",
      "parallel d0=1, parallel d1=2, window d2=3, window d3=4 : [d0, d1, d2, "
      "d3] -> [d0, d1, d2, d3]");
  expectAxisMap(
      "%x: tensor<1x2x3x4xf32>",
      "inlay.resize %x {sizes = array<i64: 3, 8>, axes = array<i64: 2, 3>, "
      "mode = \"cubic\"} : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x8xf32>",
      "parallel d0=1, parallel d1=2, parallel d2=3, window d3=4 : [d0, d1, d2, "
      "d3] -> [d0, d1, d2, d3]");
}

TEST(IndexingAxisMap, GridsIndexSpace) {
  expectAxisMap("%x: tensor<2x3x4x5xf32>, %g: tensor<2x3x2x2xf32>",
                "inlay.grid_sample %x, %g : (tensor<2x3x4x5xf32>, "
                "tensor<2x3x2x2xf32>) -> tensor<2x3x3x2xf32>",
                "parallel d0=2, parallel d1=3, indexed d2=4, indexed d3=5, "
                "parallel d4=2, parallel d5=3, parallel d6=2, indexed d7=2 : "
                "[d0, d1, d2, d3], [d0, d5, d6, d7] -> [d0, d1, d5, d6]");
}

TEST(IndexingAxisMap, RegionsIndexImages) {
  expectAxisMap(
      "%x: tensor<2x3x4x5xf32>, %r: tensor<3x4xf32>, %i: tensor<3xi64>",
      "inlay.roi_align %x, %r, %i {output_height = 2 : i64} : "
      "(tensor<2x3x4x5xf32>, tensor<3x4xf32>, tensor<3xi64>) -> "
      "tensor<3x3x2x1xf32>",
      "indexed d0=2, parallel d1=3, indexed d2=4, indexed d3=5, parallel d4=3, "
      "indexed d5=4, created d6=2, created d7=1 : [d0, d1, d2, d3], [d4, d5], "
      "[d4] -> [d4, d1, d6, d7]");
}

TEST(IndexingAxisMap, NumbersOfChosenBoxesHaveNoMap) {
  EXPECT_TRUE(
      axisMapIsOpaque("%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>",
                      "inlay.non_max_suppression %b, %s : (tensor<1x6x4xf32>, "
                      "tensor<1x2x6xf32>) -> tensor<?x3xi64>"));
}
