//===- QuantizeAxisMapTest.cpp - Axis maps of quantisation ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AxisMapChecker.h"

using namespace inlay::testing;

TEST(QuantizeAxisMap, OneScaleHoldsForAll) {
  EXPECT_TRUE(axisMapHolds(
      "%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<ui8>",
      "inlay.quantize_linear %x, %s, %z : (tensor<2x3xf32>, tensor<f32>,"
      " tensor<ui8>) -> tensor<2x3xui8>"));
}

TEST(QuantizeAxisMap, ScalesPerAxisFollowIt) {
  const char *arguments =
      "%x: tensor<2x3x2xf32>, %s: tensor<3xf32>, %z: tensor<3xi8>";
  const char *text = "inlay.quantize_linear %x, %s, %z {axis = -2 : i64}"
                     " : (tensor<2x3x2xf32>, tensor<3xf32>, tensor<3xi8>)"
                     " -> tensor<2x3x2xi8>";
  EXPECT_EQ(printAxisMap(arguments, text),
            "parallel d0=2, parallel d1=3, parallel d2=2 : [d0, d1, d2], [d1], "
            "[d1] -> [d0, d1, d2]");
  EXPECT_TRUE(axisMapHolds(arguments, text));
}

TEST(QuantizeAxisMap, BlocksSplitTheirAxis) {
  EXPECT_TRUE(axisMapHolds(
      "%x: tensor<2x6xi8>, %s: tensor<2x2xf32>",
      "inlay.dequantize_linear %x, %s {axis = 1 : i64, block_size = 3 : i64}"
      " : (tensor<2x6xi8>, tensor<2x2xf32>) -> tensor<2x6xf32>"));
}

TEST(QuantizeAxisMap, BlocksThatDoNotDivideGiveNoMap) {
  EXPECT_TRUE(axisMapIsOpaque(
      "%x: tensor<2x7xi8>, %s: tensor<2x3xf32>",
      "inlay.dequantize_linear %x, %s {axis = 1 : i64, block_size = 3 : i64}"
      " : (tensor<2x7xi8>, tensor<2x3xf32>) -> tensor<2x7xf32>"));
}

TEST(QuantizeAxisMap, DynamicQuantisationMixesEverything) {
  const char *text = "%y:3 = inlay.dynamic_quantize_linear %x"
                     " : (tensor<2x3xf32>)"
                     " -> (tensor<2x3xui8>, tensor<f32>, tensor<ui8>)";
  EXPECT_TRUE(axisMapHolds("%x: tensor<2x3xf32>", text));
}
