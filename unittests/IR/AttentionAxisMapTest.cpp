//===- AttentionAxisMapTest.cpp - Axis maps of attention ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AxisMapChecker.h"

using namespace inlay::testing;

namespace {
const char *const heads = "%q: tensor<2x4x3x5xf32>, %k: tensor<2x2x6x5xf32>,"
                          " %v: tensor<2x2x6x7xf32>";
const char *const types =
    " : (tensor<2x4x3x5xf32>, tensor<2x2x6x5xf32>, tensor<2x2x6x7xf32>)"
    " -> (tensor<2x4x3x7xf32>, tensor<2x2x6x5xf32>, tensor<2x2x6x7xf32>,"
    " tensor<2x4x3x6xf32>)";
const char *const merged = "%q: tensor<2x3x20xf32>, %k: tensor<2x6x10xf32>,"
                           " %v: tensor<2x6x14xf32>";
const char *const mergedTypes =
    " {q_num_heads = 4 : i64, kv_num_heads = 2 : i64}"
    " : (tensor<2x3x20xf32>, tensor<2x6x10xf32>, tensor<2x6x14xf32>)"
    " -> (tensor<2x3x28xf32>, tensor<2x2x6x5xf32>, tensor<2x2x6x7xf32>,"
    " tensor<2x4x3x6xf32>)";
} // namespace

TEST(AttentionAxisMap, ContractsHeadSizeAndKeys) {
  std::string text = std::string("%y:4 = inlay.attention %q, %k, %v") + types;
  EXPECT_EQ(printAxisMap(heads, text),
            "parallel d0=2, parallel d1=2, parallel d2=2, parallel d3=3, "
            "contracted d4=6, contracted d5=5, parallel d6=7 : [d0, (d1 d2), "
            "d3, d5], [d0, d1, d4, d5], [d0, d1, d4, d6] -> [d0, (d1 d2), d3, "
            "d6], _, _, _");
  EXPECT_TRUE(axisMapHolds(heads, text));
}

TEST(AttentionAxisMap, MergesHeadsWithSizes) {
  std::string text =
      std::string("%y:4 = inlay.attention %q, %k, %v") + mergedTypes;
  EXPECT_TRUE(axisMapHolds(merged, text));
}

TEST(AttentionAxisMap, FollowsTheMask) {
  std::string arguments = std::string(heads) + ", %m: tensor<4x1x6xf32>";
  EXPECT_TRUE(axisMapHolds(
      arguments,
      "%y:4 = inlay.attention %q, %k, %v mask %m : (tensor<2x4x3x5xf32>,"
      " tensor<2x2x6x5xf32>, tensor<2x2x6x7xf32>, tensor<4x1x6xf32>)"
      " -> (tensor<2x4x3x7xf32>, tensor<2x2x6x5xf32>, tensor<2x2x6x7xf32>,"
      " tensor<2x4x3x6xf32>)"));
}

TEST(AttentionAxisMap, FollowsTheLengths) {
  std::string arguments = std::string(heads) + ", %n: tensor<2xi64>";
  EXPECT_TRUE(axisMapHolds(
      arguments,
      "%y:4 = inlay.attention %q, %k, %v lengths %n {is_causal = 1 : i64}"
      " : (tensor<2x4x3x5xf32>, tensor<2x2x6x5xf32>, tensor<2x2x6x7xf32>,"
      " tensor<2xi64>) -> (tensor<2x4x3x7xf32>, tensor<2x2x6x5xf32>,"
      " tensor<2x2x6x7xf32>, tensor<2x4x3x6xf32>)"));
}

TEST(AttentionAxisMap, IsOpaqueBehindAPast) {
  EXPECT_TRUE(axisMapIsOpaque(
      "%x: tensor<1x2x3x4xf32>, %p: tensor<1x2x5x4xf32>",
      "%y:4 = inlay.attention %x, %x, %x past %p, %p : (tensor<1x2x3x4xf32>,"
      " tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x5x4xf32>,"
      " tensor<1x2x5x4xf32>) -> (tensor<1x2x3x4xf32>, tensor<1x2x8x4xf32>,"
      " tensor<1x2x8x4xf32>, tensor<1x2x3x8xf32>)"));
}

TEST(AttentionAxisMap, IsOpaqueWhereTheMaskEndsBeforeTheKeys) {
  EXPECT_TRUE(axisMapIsOpaque(
      "%x: tensor<1x2x3x4xf32>, %m: tensor<3x2xf32>",
      "%y:4 = inlay.attention %x, %x, %x mask %m : (tensor<1x2x3x4xf32>,"
      " tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<3x2xf32>)"
      " -> (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>,"
      " tensor<1x2x3x3xf32>)"));
}

TEST(RotaryEmbeddingAxisMap, MixesWithinAHead) {
  const char *arguments = "%x: tensor<2x3x5x4xf32>, %c: tensor<2x5x2xf32>,"
                          " %s: tensor<2x5x2xf32>";
  EXPECT_TRUE(axisMapHolds(
      arguments, "inlay.rotary_embedding %x, %c, %s : (tensor<2x3x5x4xf32>,"
                 " tensor<2x5x2xf32>, tensor<2x5x2xf32>)"
                 " -> tensor<2x3x5x4xf32>"));
  EXPECT_TRUE(axisMapHolds(
      "%x: tensor<2x5x12xf32>, %c: tensor<7x2xf32>, %s: tensor<7x2xf32>,"
      " %i: tensor<2x5xi64>",
      "inlay.rotary_embedding %x, %c, %s at %i {num_heads = 3 : i64}"
      " : (tensor<2x5x12xf32>, tensor<7x2xf32>, tensor<7x2xf32>,"
      " tensor<2x5xi64>) -> tensor<2x5x12xf32>"));
}
