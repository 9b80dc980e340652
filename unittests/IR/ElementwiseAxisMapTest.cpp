//===- ElementwiseAxisMapTest.cpp - Axis maps of elementwise operators ----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AxisMapChecker.h"

using namespace inlay::testing;

TEST(ElementwiseAxisMap, UnaryOperatorsKeepEveryPosition) {
  for (const char *name : {"abs", "relu", "sigmoid", "leaky_relu", "identity"})
    EXPECT_TRUE(
        axisMapHolds("%x: tensor<2x3x4xf32>", "inlay." + std::string(name) +
                                                  " %x : (tensor<2x3x4xf32>)"
                                                  " -> tensor<2x3x4xf32>"));
}

TEST(ElementwiseAxisMap, OperandsOfLowerRankAlignAtTheEnd) {
  const char *arguments = "%x: tensor<2x3xf32>, %y: tensor<3xf32>";
  const char *add = "inlay.add %x, %y : (tensor<2x3xf32>, tensor<3xf32>)"
                    " -> tensor<2x3xf32>";
  EXPECT_EQ(printAxisMap(arguments, add),
            "parallel d0=2, parallel d1=3 : [d0, d1], [d1] -> [d0, d1]");
  EXPECT_TRUE(axisMapHolds(arguments, add));
}

TEST(ElementwiseAxisMap, StretchedDimensionsHaveNoAxis) {
  EXPECT_TRUE(
      axisMapHolds("%x: tensor<2x1x4xf32>, %y: tensor<3x1xf32>",
                   "inlay.mul %x, %y : (tensor<2x1x4xf32>, tensor<3x1xf32>)"
                   " -> tensor<2x3x4xf32>"));
}

TEST(ElementwiseAxisMap, UnrankedOperandsGiveNoMap) {
  EXPECT_TRUE(axisMapIsOpaque("%x: tensor<*xf32>",
                              "inlay.abs %x : (tensor<*xf32>)"
                              " -> tensor<*xf32>"));
}

TEST(ElementwiseAxisMap, WhereBroadcastsAllThree) {
  EXPECT_TRUE(
      axisMapHolds("%c: tensor<2x1xi1>, %x: tensor<3xf32>, %y: tensor<2x3xf32>",
                   "inlay.where %c, %x, %y : (tensor<2x1xi1>, tensor<3xf32>,"
                   " tensor<2x3xf32>) -> tensor<2x3xf32>"));
}

TEST(ElementwiseAxisMap, VariadicOperatorsBroadcast) {
  EXPECT_TRUE(axisMapHolds(
      "%x: tensor<2x3xf32>, %y: tensor<3xf32>, %z: tensor<2x1xf32>",
      "inlay.sum %x, %y, %z : (tensor<2x3xf32>, tensor<3xf32>,"
      " tensor<2x1xf32>) -> tensor<2x3xf32>"));
}

TEST(ElementwiseAxisMap, BoundsOfClipTakeNoPart) {
  EXPECT_TRUE(
      axisMapHolds("%x: tensor<2x3xf32>, %a: tensor<f32>, %b: tensor<f32>",
                   "inlay.clip %x min %a max %b : (tensor<2x3xf32>,"
                   " tensor<f32>, tensor<f32>) -> tensor<2x3xf32>"));
}

TEST(ElementwiseAxisMap, SlopeThatBroadcastsAlignsAtTheEnd) {
  const char *arguments = "%x: tensor<2x3x3xf32>, %s: tensor<3xf32>";
  const char *prelu = "inlay.prelu %x, %s : (tensor<2x3x3xf32>, tensor<3xf32>)"
                      " -> tensor<2x3x3xf32>";
  EXPECT_EQ(printAxisMap(arguments, prelu),
            "parallel d0=2, parallel d1=3, parallel d2=3 : [d0, d1, d2], [d2] "
            "-> [d0, d1, d2]");
  EXPECT_TRUE(axisMapHolds(arguments, prelu));
}

TEST(ElementwiseAxisMap, SlopeThatDoesNotBroadcastIsPerChannel) {
  const char *arguments = "%x: tensor<2x3x4xf32>, %s: tensor<3xf32>";
  const char *prelu = "inlay.prelu %x, %s : (tensor<2x3x4xf32>, tensor<3xf32>)"
                      " -> tensor<2x3x4xf32>";
  EXPECT_EQ(printAxisMap(arguments, prelu),
            "parallel d0=2, parallel d1=3, parallel d2=4 : [d0, d1, d2], [d1] "
            "-> [d0, d1, d2]");
  EXPECT_TRUE(axisMapHolds(arguments, prelu));
}

TEST(ElementwiseAxisMap, SlopeOfUnknownMeaningGivesNoMap) {
  EXPECT_TRUE(
      axisMapIsOpaque("%x: tensor<2x3x?xf32>, %s: tensor<3xf32>",
                      "inlay.prelu %x, %s : (tensor<2x3x?xf32>, tensor<3xf32>)"
                      " -> tensor<2x3x?xf32>"));
}

TEST(ElementwiseAxisMap, ConversionsKeepEveryPosition) {
  EXPECT_TRUE(axisMapHolds("%x: tensor<2x3xf32>",
                           "inlay.cast %x {to = 7 : i64} : (tensor<2x3xf32>)"
                           " -> tensor<2x3xi64>"));
  EXPECT_TRUE(axisMapHolds("%x: tensor<2x3xf32>, %t: tensor<5xf16>",
                           "inlay.cast_like %x, %t : (tensor<2x3xf32>,"
                           " tensor<5xf16>) -> tensor<2x3xf16>"));
}

TEST(ElementwiseAxisMap, DropoutAtInferenceKeepsEveryPosition) {
  EXPECT_TRUE(axisMapHolds("%x: tensor<2x3xf32>",
                           "%y:2 = inlay.dropout %x : (tensor<2x3xf32>)"
                           " -> (tensor<2x3xf32>, tensor<2x3xi1>)"));
}

TEST(ElementwiseAxisMap, RandomDropoutGivesNoMap) {
  EXPECT_TRUE(axisMapIsOpaque(
      "%x: tensor<2x3xf32>",
      "%y:2 = inlay.dropout %x {training_mode = 1 : i64} : (tensor<2x3xf32>)"
      " -> (tensor<2x3xf32>, tensor<2x3xi1>)"));
}
