//===- RecurrentAxisMapTest.cpp - Axis maps of recurrent operators --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpectedAxisMap.h"

using namespace inlay::testing;

TEST(RecurrentAxisMap, OnlyBatchesAreApart) {
  expectAxisMap(
      "%x: tensor<3x2x4xf32>, %w: tensor<1x5x4xf32>, %r: tensor<1x5x5xf32>",
      "%y, %h = inlay.rnn %x, %w, %r : (tensor<3x2x4xf32>, tensor<1x5x4xf32>, "
      "tensor<1x5x5xf32>) -> (tensor<3x1x2x5xf32>, tensor<1x2x5xf32>)",
      "window d0=3, parallel d1=2, contracted d2=4, window d3=1, window d4=5, "
      "reduced d5=5 : [d0, d1, d2], [d3, d4, d2], [d3, d4, d5] -> [d0, d3, d1, "
      "d4], [d3, d1, d4]");
}

TEST(RecurrentAxisMap, GatesAreFactorsOfRows) {
  expectAxisMap(
      "%x: tensor<2x3x4xf32>, %w: tensor<1x6x4xf32>, %r: tensor<1x6x2xf32>, "
      "%b: tensor<1x12xf32>, %n: tensor<2xi32>, %s: tensor<2x1x2xf32>",
      "%y, %h = inlay.gru %x, %w, %r bias %b lengths %n hidden %s {layout = 1 "
      ": i64} : (tensor<2x3x4xf32>, tensor<1x6x4xf32>, tensor<1x6x2xf32>, "
      "tensor<1x12xf32>, tensor<2xi32>, tensor<2x1x2xf32>) -> "
      "(tensor<2x3x1x2xf32>, tensor<2x1x2xf32>)",
      "window d0=3, parallel d1=2, contracted d2=4, window d3=1, window d4=2, "
      "reduced d5=2, reduced d6=3, reduced d7=6 : [d1, d0, d2], [d3, (d6 d4), "
      "d2], [d3, (d6 d4), d5], [d3, (d7 d4)], [d1], [d1, d3, d4] -> [d1, d0, "
      "d3, d4], [d1, d3, d4]");
}

TEST(RecurrentAxisMap, CellsAndPeepholesAreLikeStatesAndBiases) {
  EXPECT_TRUE(axisMapHolds(
      "%x: tensor<3x2x2xf32>, %w: tensor<2x8x2xf32>, %r: tensor<2x8x2xf32>, "
      "%c: tensor<2x2x2xf32>, %p: tensor<2x6xf32>",
      "%y, %h, %d = inlay.lstm %x, %w, %r cell %c peepholes %p {direction = "
      "\"bidirectional\"} : (tensor<3x2x2xf32>, tensor<2x8x2xf32>, "
      "tensor<2x8x2xf32>, tensor<2x2x2xf32>, tensor<2x6xf32>) -> "
      "(tensor<3x2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>)"));
}

TEST(RecurrentAxisMap, AnUnknownHiddenSizeHasNoFactors) {
  EXPECT_TRUE(axisMapIsOpaque(
      "%x: tensor<3x2x4xf32>, %w: tensor<1x?x4xf32>, %r: tensor<1x?x?xf32>",
      "%y, %h = inlay.rnn %x, %w, %r : (tensor<3x2x4xf32>, tensor<1x?x4xf32>, "
      "tensor<1x?x?xf32>) -> (tensor<3x1x2x?xf32>, tensor<1x2x?xf32>)"));
}
