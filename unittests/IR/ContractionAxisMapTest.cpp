//===- ContractionAxisMapTest.cpp - Axis maps of contractions -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpectedAxisMap.h"

using namespace inlay::testing;

TEST(ContractionAxisMap, ConvolutionContractsInputChannels) {
  expectAxisMap(
      "%x: tensor<2x3x5x4xf32>, %w: tensor<4x3x3x2xf32>, %b: tensor<4xf32>",
      "inlay.conv %x, %w, %b {pads = array<i64: 1, 0, 1, 0>} : "
      "(tensor<2x3x5x4xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>) -> "
      "tensor<2x4x5x3xf32>",
      "parallel d0=2, contracted d1=3, parallel d2=4, window d3=5, reduced "
      "d4=3, window d5=4, reduced d6=2 : [d0, d1, d3, d5], [d2, d1, d4, d6], "
      "[d2] -> [d0, d2, d3, d5]");
}

TEST(ContractionAxisMap, PointwiseConvolutionIsParallelInSpace) {
  expectAxisMap("%x: tensor<2x3x4xf32>, %w: tensor<2x3x1xf32>",
                "inlay.conv %x, %w : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> "
                "tensor<2x2x4xf32>",
                "parallel d0=2, contracted d1=3, parallel d2=2, parallel d3=4, "
                "reduced d4=1 : [d0, d1, d3], [d2, d1, d4] -> [d0, d2, d3]");
  expectAxisMap("%x: tensor<2x3x4xf32>, %w: tensor<2x3x1xf32>",
                "inlay.conv %x, %w {strides = array<i64: 2>} : "
                "(tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x2x2xf32>",
                "parallel d0=2, contracted d1=3, parallel d2=2, window d3=4, "
                "reduced d4=1 : [d0, d1, d3], [d2, d1, d4] -> [d0, d2, d3]");
}

TEST(ContractionAxisMap, GroupsAreAFactorOfTheChannels) {
  expectAxisMap(
      "%x: tensor<1x4x4xf32>, %w: tensor<6x2x3xf32>, %b: tensor<6xf32>",
      "inlay.conv %x, %w, %b {group = 2 : i64} : (tensor<1x4x4xf32>, "
      "tensor<6x2x3xf32>, tensor<6xf32>) -> tensor<1x6x2xf32>",
      "parallel d0=1, parallel d1=2, contracted d2=2, parallel d3=3, window "
      "d4=4, reduced d5=3 : [d0, (d1 d2), d4], [(d1 d3), d2, d5], [(d1 d3)] -> "
      "[d0, (d1 d3), d4]");
  expectAxisMap("%x: tensor<1x4x4xf32>, %w: tensor<4x1x3xf32>",
                "inlay.conv %x, %w {group = 4 : i64} : (tensor<1x4x4xf32>, "
                "tensor<4x1x3xf32>) -> tensor<1x4x2xf32>",
                "parallel d0=1, parallel d1=4, window d2=4, reduced d3=3 : "
                "[d0, d1, d2], [d1, (), d3] -> [d0, d1, d2]");
}

TEST(ContractionAxisMap, TransposedConvolutionHasItsWeightTheOtherWayRound) {
  expectAxisMap(
      "%x: tensor<1x4x3xf32>, %w: tensor<4x3x2xf32>, %b: tensor<6xf32>",
      "inlay.conv_transpose %x, %w, %b {group = 2 : i64, strides = array<i64: "
      "2>} : (tensor<1x4x3xf32>, tensor<4x3x2xf32>, tensor<6xf32>) -> "
      "tensor<1x6x6xf32>",
      "parallel d0=1, parallel d1=2, contracted d2=2, parallel d3=3, window "
      "d4=3, reduced d5=2 : [d0, (d1 d2), d4], [(d1 d2), d3, d5], [(d1 d3)] -> "
      "[d0, (d1 d3), d4]");
}

TEST(ContractionAxisMap, QuantizationPerChannelRunsAlongOutputChannels) {
  EXPECT_TRUE(axisMapHolds(
      "%x: tensor<1x2x3xui8>, %w: tensor<3x2x2xi8>, %z: tensor<3xi8>",
      "inlay.conv_integer %x, %w w_zero_point %z : (tensor<1x2x3xui8>, "
      "tensor<3x2x2xi8>, tensor<3xi8>) -> tensor<1x3x2xi32>"));
  EXPECT_TRUE(axisMapHolds(
      "%x: tensor<1x2x3xui8>, %xs: tensor<f32>, %xz: tensor<ui8>, %w: "
      "tensor<3x2x2xi8>, %ws: tensor<3xf32>, %wz: tensor<3xi8>, %ys: "
      "tensor<f32>, %yz: tensor<ui8>, %b: tensor<3xi32>",
      "inlay.qlinear_conv %x scale %xs zero_point %xz, %w scale %ws zero_point "
      "%wz, to scale %ys zero_point %yz, bias %b : (tensor<1x2x3xui8>, "
      "tensor<f32>, tensor<ui8>, tensor<3x2x2xi8>, tensor<3xf32>, "
      "tensor<3xi8>, tensor<f32>, tensor<ui8>, tensor<3xi32>) -> "
      "tensor<1x3x2xui8>"));
}

TEST(ContractionAxisMap, MatrixProductsBroadcastTheirBatches) {
  EXPECT_TRUE(axisMapHolds("%a: tensor<2x3xf32>, %b: tensor<3x4xf32>",
                           "inlay.matmul %a, %b : (tensor<2x3xf32>, "
                           "tensor<3x4xf32>) -> tensor<2x4xf32>"));
  EXPECT_TRUE(axisMapHolds("%a: tensor<5x2x3xf32>, %b: tensor<3x4xf32>",
                           "inlay.matmul %a, %b : (tensor<5x2x3xf32>, "
                           "tensor<3x4xf32>) -> tensor<5x2x4xf32>"));
  EXPECT_TRUE(axisMapHolds("%a: tensor<3xf32>, %b: tensor<3x4xf32>",
                           "inlay.matmul %a, %b : (tensor<3xf32>, "
                           "tensor<3x4xf32>) -> tensor<4xf32>"));
  EXPECT_TRUE(axisMapHolds("%a: tensor<2x3xf32>, %b: tensor<3xf32>",
                           "inlay.matmul %a, %b : (tensor<2x3xf32>, "
                           "tensor<3xf32>) -> tensor<2xf32>"));
  expectAxisMap(
      "%a: tensor<5x1x2x3xf32>, %b: tensor<6x3x4xf32>",
      "inlay.matmul %a, %b : (tensor<5x1x2x3xf32>, tensor<6x3x4xf32>) -> "
      "tensor<5x6x2x4xf32>",
      "parallel d0=5, parallel d1=6, parallel d2=2, parallel d3=4, contracted "
      "d4=3 : [d0, (), d2, d4], [d1, d4, d3] -> [d0, d1, d2, d3]");
  expectAxisMap(
      "%a: tensor<3xf32>, %b: tensor<3xf32>",
      "inlay.matmul %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>",
      "contracted d0=3 : [d0], [d0] -> []");
}

TEST(ContractionAxisMap, SquaresUseTheirOperandTwice) {
  EXPECT_EQ(printAxisMap("%a: tensor<3x3xf32>",
                         "inlay.matmul %a, %a : (tensor<3x3xf32>, "
                         "tensor<3x3xf32>) -> tensor<3x3xf32>"),
            "parallel d0=3, parallel d1=3, contracted d2=3 : [d0, d2], [d2, "
            "d1] -> [d0, d1]");
}

TEST(ContractionAxisMap, QuantizationRunsAlongRowsAndColumns) {
  EXPECT_TRUE(axisMapHolds(
      "%a: tensor<2x3xui8>, %as: tensor<f32>, %az: tensor<ui8>, %b: "
      "tensor<3x4xi8>, %bs: tensor<4xf32>, %bz: tensor<4xi8>, %ys: "
      "tensor<f32>, %yz: tensor<ui8>",
      "inlay.qlinear_matmul %a scale %as zero_point %az, %b scale %bs "
      "zero_point %bz, to scale %ys zero_point %yz : (tensor<2x3xui8>, "
      "tensor<f32>, tensor<ui8>, tensor<3x4xi8>, tensor<4xf32>, tensor<4xi8>, "
      "tensor<f32>, tensor<ui8>) -> tensor<2x4xui8>"));
  expectAxisMap("%a: tensor<2x3xui8>, %b: tensor<3x4xi8>, %p: tensor<2xui8>, "
                "%q: tensor<4xi8>",
                "inlay.matmul_integer %a, %b a_zero_point %p b_zero_point %q : "
                "(tensor<2x3xui8>, tensor<3x4xi8>, tensor<2xui8>, "
                "tensor<4xi8>) -> tensor<2x4xi32>",
                "parallel d0=2, parallel d1=4, contracted d2=3 : [d0, d2], "
                "[d2, d1], [d0], [d1] -> [d0, d1]");
}

TEST(ContractionAxisMap, GemmTransposesAndBroadcasts) {
  EXPECT_TRUE(axisMapHolds(
      "%a: tensor<3x2xf32>, %b: tensor<4x3xf32>, %c: tensor<4xf32>",
      "inlay.gemm %a, %b, %c {transA = 1 : i64, transB = 1 : i64} : "
      "(tensor<3x2xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>"));
  EXPECT_TRUE(axisMapHolds(
      "%a: tensor<3x2xf32>, %b: tensor<4x3xf32>, %c: tensor<f32>",
      "inlay.gemm %a, %b, %c {transA = 1 : i64, transB = 1 : i64} : "
      "(tensor<3x2xf32>, tensor<4x3xf32>, tensor<f32>) -> tensor<2x4xf32>"));
  EXPECT_TRUE(axisMapHolds(
      "%a: tensor<3x2xf32>, %b: tensor<4x3xf32>, %c: tensor<1x4xf32>",
      "inlay.gemm %a, %b, %c {transA = 1 : i64, transB = 1 : i64} : "
      "(tensor<3x2xf32>, tensor<4x3xf32>, tensor<1x4xf32>) -> "
      "tensor<2x4xf32>"));
  expectAxisMap(
      "%a: tensor<3x2xf32>, %b: tensor<4x3xf32>, %c: tensor<2x1xf32>",
      "inlay.gemm %a, %b, %c {transA = 1 : i64, transB = 1 : i64} : "
      "(tensor<3x2xf32>, tensor<4x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>",
      "parallel d0=2, parallel d1=4, contracted d2=3 : [d2, d0], [d1, d2], "
      "[d0, ()] -> [d0, d1]");
}

TEST(ContractionAxisMap, EinsumIsReadLabelByLabel) {
  EXPECT_TRUE(axisMapHolds(
      "%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>",
      "inlay.einsum \"bij,bjk->bik\"(%a, %b) : (tensor<2x3x4xf32>, "
      "tensor<2x4x5xf32>) -> tensor<2x3x5xf32>"));
  EXPECT_TRUE(
      axisMapHolds("%a: tensor<2x3xf32>, %b: tensor<4x5xf32>",
                   "inlay.einsum \"ij, kl -> l\"(%a, %b) : (tensor<2x3xf32>, "
                   "tensor<4x5xf32>) -> tensor<5xf32>"));
  expectAxisMap("%a: tensor<2x3x4xf32>, %b: tensor<1x4x5xf32>",
                "inlay.einsum \"...ij,...jk\"(%a, %b) : (tensor<2x3x4xf32>, "
                "tensor<1x4x5xf32>) -> tensor<2x3x5xf32>",
                "parallel d0=2, parallel d1=3, contracted d2=4, parallel d3=5 "
                ": [d0, d1, d2], [(), d2, d3] -> [d0, d1, d3]");
}

TEST(ContractionAxisMap, DiagonalsGiveNoMap) {
  EXPECT_TRUE(axisMapIsOpaque(
      "%a: tensor<3x3xf32>",
      "inlay.einsum \"ii->i\"(%a) : (tensor<3x3xf32>) -> tensor<3xf32>"));
}

TEST(ContractionAxisMap, UnrankedOperandsGiveNoMap) {
  EXPECT_TRUE(axisMapIsOpaque("%a: tensor<*xf32>, %b: tensor<3x4xf32>",
                              "inlay.matmul %a, %b : (tensor<*xf32>, "
                              "tensor<3x4xf32>) -> tensor<*xf32>"));
  EXPECT_TRUE(axisMapIsOpaque("%x: tensor<*xf32>, %w: tensor<3x4x1xf32>",
                              "inlay.conv %x, %w : (tensor<*xf32>, "
                              "tensor<3x4x1xf32>) -> tensor<?x3x?xf32>"));
}
