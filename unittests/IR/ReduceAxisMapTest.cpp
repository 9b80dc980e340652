//===- ReduceAxisMapTest.cpp - Axis maps along axes -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AxisMapChecker.h"

using namespace inlay::testing;

namespace {
const char *const input = "%x: tensor<2x3x4xf32>";
} // namespace

TEST(ReduceAxisMap, ReducedDimensionsAreDropped) {
  const char *text = "inlay.reduce_sum %x {axes = array<i64: 1>,"
                     " keepdims = 0 : i64} : (tensor<2x3x4xf32>)"
                     " -> tensor<2x4xf32>";
  EXPECT_EQ(
      printAxisMap(input, text),
      "parallel d0=2, reduced d1=3, parallel d2=4 : [d0, d1, d2] -> [d0, d2]");
  EXPECT_TRUE(axisMapHolds(input, text));
}

TEST(ReduceAxisMap, KeptDimensionsHaveNoAxis) {
  const char *text = "inlay.reduce_max %x {axes = array<i64: -1, 0>}"
                     " : (tensor<2x3x4xf32>) -> tensor<1x3x1xf32>";
  EXPECT_EQ(printAxisMap(input, text), "reduced d0=2, parallel d1=3, reduced "
                                       "d2=4 : [d0, d1, d2] -> [(), d1, ()]");
  EXPECT_TRUE(axisMapHolds(input, text));
}

TEST(ReduceAxisMap, NoAxesMeansAll) {
  const char *text = "inlay.reduce_mean %x : (tensor<2x3x4xf32>)"
                     " -> tensor<1x1x1xf32>";
  EXPECT_EQ(printAxisMap(input, text), "reduced d0=2, reduced d1=3, reduced "
                                       "d2=4 : [d0, d1, d2] -> [(), (), ()]");
  EXPECT_TRUE(axisMapHolds(input, text));
}

TEST(ReduceAxisMap, NoAxesMeansNoneWhenAskedFor) {
  const char *text = "inlay.reduce_l1 %x {noop_with_empty_axes = 1 : i64}"
                     " : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>";
  EXPECT_EQ(printAxisMap(input, text), "parallel d0=2, parallel d1=3, parallel "
                                       "d2=4 : [d0, d1, d2] -> [d0, d1, d2]");
  EXPECT_TRUE(axisMapHolds(input, text));
}

TEST(ReduceAxisMap, AxesOfRunTimeMayBeAny) {
  EXPECT_EQ(
      printAxisMap(
          "%x: tensor<2x3x4xf32>, %a: tensor<1xi64>",
          "inlay.reduce_sum %x, axes %a : (tensor<2x3x4xf32>, tensor<1xi64>)"
          " -> tensor<?x?x?xf32>"),
      "window d0=2, window d1=3, window d2=4 : [d0, d1, d2], _ -> [d0, d1, "
      "d2]");
}

TEST(ReduceAxisMap, DroppedAxesOfRunTimeGiveNoMap) {
  EXPECT_TRUE(axisMapIsOpaque(
      "%x: tensor<2x3x4xf32>, %a: tensor<1xi64>",
      "inlay.reduce_sum %x, axes %a {keepdims = 0 : i64}"
      " : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<?x?xf32>"));
}

TEST(ReduceAxisMap, PositionsOfExtremesAreIndexed) {
  const char *text = "inlay.argmax %x {axis = 1 : i64, keepdims = 0 : i64}"
                     " : (tensor<2x3x4xf32>) -> tensor<2x4xi64>";
  EXPECT_EQ(
      printAxisMap(input, text),
      "parallel d0=2, indexed d1=3, parallel d2=4 : [d0, d1, d2] -> [d0, d2]");
  EXPECT_TRUE(axisMapHolds(input, text));
}

TEST(ReduceAxisMap, RunningSumsMixTheirAxisOnly) {
  EXPECT_TRUE(axisMapHolds(input, "inlay.cumsum %x {axis = -2 : i64}"
                                  " : (tensor<2x3x4xf32>)"
                                  " -> tensor<2x3x4xf32>"));
}

TEST(ReduceAxisMap, TheBestAreIndexedAlongTheirAxis) {
  EXPECT_TRUE(axisMapHolds(
      input,
      "%y:2 = inlay.topk %x {k = 2 : i64, axis = 1 : i64}"
      " : (tensor<2x3x4xf32>) -> (tensor<2x2x4xf32>, tensor<2x2x4xi64>)"));
}
