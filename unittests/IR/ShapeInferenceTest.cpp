//===- ShapeInferenceTest.cpp - Shapes that operators infer ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperationQueries.h"
#include <gtest/gtest.h>

using namespace inlay::testing;

TEST(ShapeInference, ConvolutionsKnowWhatTheirWeightTells) {
  EXPECT_EQ(inferResults(
                "%x: tensor<?x3x?x9xf32>, %w: tensor<8x3x3x3xf32>",
                "inlay.conv %x, %w {strides = array<i64: 2, 2>} : "
                "(tensor<?x3x?x9xf32>, tensor<8x3x3x3xf32>) -> !inlay.unknown"),
            "tensor<?x8x?x4xf32>");
  EXPECT_EQ(inferResults("%x: tensor<*xf32>, %w: tensor<8x3x3x3xf32>",
                         "inlay.conv %x, %w : (tensor<*xf32>, "
                         "tensor<8x3x3x3xf32>) -> !inlay.unknown"),
            "tensor<?x8x?x?xf32>");
  EXPECT_EQ(inferResults("%x: tensor<*xf32>, %w: tensor<*xf32>",
                         "inlay.conv %x, %w : (tensor<*xf32>, tensor<*xf32>) "
                         "-> !inlay.unknown"),
            "tensor<*xf32>");
}

TEST(ShapeInference, AutomaticPadsKeepSizes) {
  EXPECT_EQ(inferResults("%x: tensor<1x3x7x7xf32>, %w: tensor<8x3x3x3xf32>",
                         "inlay.conv %x, %w {auto_pad = \"SAME_UPPER\", "
                         "strides = array<i64: 2, 1>} : (tensor<1x3x7x7xf32>, "
                         "tensor<8x3x3x3xf32>) -> !inlay.unknown"),
            "tensor<1x8x4x7xf32>");
}

TEST(ShapeInference, TransposedConvolutionsGiveTheShapeAskedFor) {
  EXPECT_EQ(inferResults(
                "%x: tensor<1x3x?x4xf32>, %w: tensor<3x2x3x3xf32>",
                "inlay.conv_transpose %x, %w {group = 3 : i64, output_shape = "
                "array<i64: 8, 9>, strides = array<i64: 2, 2>} : "
                "(tensor<1x3x?x4xf32>, tensor<3x2x3x3xf32>) -> !inlay.unknown"),
            "tensor<1x6x8x9xf32>");
  EXPECT_EQ(inferResults(
                "%x: tensor<1x3x?x4xf32>, %w: tensor<3x2x3x3xf32>",
                "inlay.conv_transpose %x, %w {strides = array<i64: 2, 2>} : "
                "(tensor<1x3x?x4xf32>, tensor<3x2x3x3xf32>) -> !inlay.unknown"),
            "tensor<1x2x?x9xf32>");
}

TEST(ShapeInference, QuantizedContractionsHaveTheTypeOfTheirResult) {
  EXPECT_EQ(inferResults("%a: tensor<2x3xui8>, %b: tensor<3x4xi8>",
                         "inlay.matmul_integer %a, %b : (tensor<2x3xui8>, "
                         "tensor<3x4xi8>) -> !inlay.unknown"),
            "tensor<2x4xi32>");
}

TEST(ShapeInference, MatrixProductsOfVectors) {
  EXPECT_EQ(inferResults("%a: tensor<3xf32>, %b: tensor<?x3x4xf32>",
                         "inlay.matmul %a, %b : (tensor<3xf32>, "
                         "tensor<?x3x4xf32>) -> !inlay.unknown"),
            "tensor<?x4xf32>");
  EXPECT_EQ(inferResults("%a: tensor<3xf32>, %b: tensor<3xf32>",
                         "inlay.matmul %a, %b : (tensor<3xf32>, tensor<3xf32>) "
                         "-> !inlay.unknown"),
            "tensor<f32>");
}

TEST(ShapeInference, PoolingCountsWindows) {
  EXPECT_EQ(
      inferResults("%x: tensor<1x2x5x?xf32>",
                   "%y:2 = inlay.max_pool %x {kernel_shape = array<i64: 2, 2>, "
                   "strides = array<i64: 2, 2>, ceil_mode = 1 : i64} : "
                   "(tensor<1x2x5x?xf32>) -> (!inlay.unknown, !inlay.unknown)"),
      "tensor<1x2x3x?xf32>, tensor<1x2x3x?xi64>");
  EXPECT_EQ(inferResults("%x: tensor<*xf32>",
                         "inlay.average_pool %x {kernel_shape = array<i64: 2, "
                         "2>} : (tensor<*xf32>) -> !inlay.unknown"),
            "tensor<?x?x?x?xf32>");
}

TEST(ShapeInference, ReshapeDividesWhatIsLeft) {
  EXPECT_EQ(inferResults("%x: tensor<2x3x4xf32>",
                         "inlay.reshape %x {shape = array<i64: 0, -1>} : "
                         "(tensor<2x3x4xf32>) -> !inlay.unknown"),
            "tensor<2x12xf32>");
  EXPECT_EQ(inferResults("%x: tensor<?x3x4xf32>",
                         "inlay.reshape %x {shape = array<i64: 0, -1>} : "
                         "(tensor<?x3x4xf32>) -> !inlay.unknown"),
            "tensor<?x12xf32>");
  EXPECT_EQ(inferResults("%x: tensor<?x3x4xf32>",
                         "inlay.reshape %x {shape = array<i64: -1, 4>} : "
                         "(tensor<?x3x4xf32>) -> !inlay.unknown"),
            "tensor<?x4xf32>");
  EXPECT_EQ(inferResults("%x: tensor<*xf32>",
                         "inlay.reshape %x {shape = array<i64: 0, -1, 4>} : "
                         "(tensor<*xf32>) -> !inlay.unknown"),
            "tensor<?x?x4xf32>");
  EXPECT_EQ(
      inferResults("%x: tensor<0x3xf32>",
                   "inlay.reshape %x {shape = array<i64: 3, 0>, allowzero = 1 "
                   ": i64} : (tensor<0x3xf32>) -> !inlay.unknown"),
      "tensor<3x0xf32>");
}

TEST(ShapeInference, ReshapeFollowsTheComputationOfItsShape) {
  EXPECT_EQ(
      inferResults(
          "%x: tensor<?x3x4xf32>",
          "%s = inlay.shape %x : (tensor<?x3x4xf32>) -> !inlay.unknown\n%z = "
          "inlay.constant dense<0> : tensor<1xi64>\n%n = inlay.gather %s, %z : "
          "(!inlay.unknown, tensor<1xi64>) -> !inlay.unknown\n%m = "
          "inlay.constant dense<12> : tensor<1xi64>\n%t = inlay.concat %n, %m "
          "{axis = 0 : i64} : (!inlay.unknown, tensor<1xi64>) -> "
          "!inlay.unknown\n%y = inlay.reshape %x, shape %t : "
          "(tensor<?x3x4xf32>, !inlay.unknown) -> !inlay.unknown"),
      "tensor<?x12xf32>");
  EXPECT_EQ(
      inferResults(
          "%x: tensor<5x3x4xf32>",
          "%s = inlay.shape %x : (tensor<5x3x4xf32>) -> !inlay.unknown\n%z = "
          "inlay.constant dense<0> : tensor<1xi64>\n%n = inlay.gather %s, %z : "
          "(!inlay.unknown, tensor<1xi64>) -> !inlay.unknown\n%m = "
          "inlay.constant dense<12> : tensor<1xi64>\n%t = inlay.concat %n, %m "
          "{axis = 0 : i64} : (!inlay.unknown, tensor<1xi64>) -> "
          "!inlay.unknown\n%y = inlay.reshape %x, shape %t : "
          "(tensor<5x3x4xf32>, !inlay.unknown) -> !inlay.unknown"),
      "tensor<5x12xf32>");
  EXPECT_EQ(inferResults("%x: tensor<2x3xf32>, %t: tensor<3xi64>",
                         "inlay.reshape %x, shape %t : (tensor<2x3xf32>, "
                         "tensor<3xi64>) -> !inlay.unknown"),
            "tensor<?x?x?xf32>");
  EXPECT_EQ(inferResults("%x: tensor<2x3xf32>, %t: tensor<?xi64>",
                         "inlay.reshape %x, shape %t : (tensor<2x3xf32>, "
                         "tensor<?xi64>) -> !inlay.unknown"),
            "tensor<*xf32>");
}

TEST(ShapeInference, TheOnlyUnknownExtentIsWhatIsLeft) {
  EXPECT_EQ(
      inferResults("%x: tensor<2x6xf32>, %z: tensor<?xf32>",
                   "%n = inlay.shape %z : (tensor<?xf32>) -> tensor<1xi64>\n"
                   "%f = inlay.constant dense<4> : tensor<1xi64>\n"
                   "%t = inlay.concat %n, %f {axis = 0 : i64}"
                   " : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>\n"
                   "%y = inlay.reshape %x, shape %t"
                   " : (tensor<2x6xf32>, tensor<2xi64>) -> !inlay.unknown"),
      "tensor<3x4xf32>");
}

TEST(ShapeInference, SqueezeNeedsToKnowWhatGoes) {
  EXPECT_EQ(inferResults("%x: tensor<1x?x1xf32>",
                         "inlay.squeeze %x {axes = array<i64: 0, 1>} : "
                         "(tensor<1x?x1xf32>) -> !inlay.unknown"),
            "tensor<1xf32>");
  EXPECT_EQ(
      inferResults("%x: tensor<1x?x1xf32>",
                   "inlay.squeeze %x : (tensor<1x?x1xf32>) -> !inlay.unknown"),
      "tensor<*xf32>");
  EXPECT_EQ(
      inferResults("%x: tensor<1x3x1xf32>",
                   "inlay.squeeze %x : (tensor<1x3x1xf32>) -> !inlay.unknown"),
      "tensor<3xf32>");
  EXPECT_EQ(inferResults("%x: tensor<1x3x1xf32>, %a: tensor<1xi64>",
                         "inlay.squeeze %x, axes %a : (tensor<1x3x1xf32>, "
                         "tensor<1xi64>) -> !inlay.unknown"),
            "tensor<?x?xf32>");
}

TEST(ShapeInference, ExpandBroadcastsBothWays) {
  EXPECT_EQ(inferResults("%x: tensor<3x1xf32>",
                         "inlay.expand %x {shape = array<i64: 2, 1, 4>} : "
                         "(tensor<3x1xf32>) -> !inlay.unknown"),
            "tensor<2x3x4xf32>");
  EXPECT_EQ(inferResults("%x: tensor<3x1xf32>, %s: tensor<2xi64>",
                         "inlay.expand %x, shape %s : (tensor<3x1xf32>, "
                         "tensor<2xi64>) -> !inlay.unknown"),
            "tensor<3x?xf32>");
}

TEST(ShapeInference, SplitsAreEqualUnlessToldOtherwise) {
  EXPECT_EQ(inferResults("%x: tensor<6xf32>",
                         "%y:3 = inlay.split %x : (tensor<6xf32>) -> "
                         "(!inlay.unknown, !inlay.unknown, !inlay.unknown)"),
            "tensor<2xf32>, tensor<2xf32>, tensor<2xf32>");
  EXPECT_EQ(
      inferResults(
          "%x: tensor<7xf32>",
          "%y:3 = inlay.split %x {num_outputs = 3 : i64} : (tensor<7xf32>) -> "
          "(!inlay.unknown, !inlay.unknown, !inlay.unknown)"),
      "tensor<3xf32>, tensor<3xf32>, tensor<1xf32>");
}

TEST(ShapeInference, SlicesClampTheirBounds) {
  EXPECT_EQ(
      inferResults("%x: tensor<4x?x6xf32>",
                   "inlay.slice %x {starts = array<i64: -9, 1>, ends = "
                   "array<i64: 2, 9223372036854775807>, axes = array<i64: 2, "
                   "1>} : (tensor<4x?x6xf32>) -> !inlay.unknown"),
      "tensor<4x?x2xf32>");
  EXPECT_EQ(inferResults("%x: tensor<5xf32>",
                         "inlay.slice %x {starts = array<i64: -1>, ends = "
                         "array<i64: -9223372036854775808>, steps = array<i64: "
                         "-2>} : (tensor<5xf32>) -> !inlay.unknown"),
            "tensor<3xf32>");
  EXPECT_EQ(
      inferResults(
          "%x: tensor<4x5xf32>, %s: tensor<1xi64>",
          "inlay.slice %x starts %s ends %s {axes = array<i64: 1>} : "
          "(tensor<4x5xf32>, tensor<1xi64>, tensor<1xi64>) -> !inlay.unknown"),
      "tensor<4x?xf32>");
  EXPECT_EQ(
      inferResults(
          "%x: tensor<4x5xf32>, %s: tensor<1xi64>",
          "inlay.slice %x starts %s ends %s axes %s : (tensor<4x5xf32>, "
          "tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !inlay.unknown"),
      "tensor<?x?xf32>");
}

TEST(ShapeInference, PadsAddUp) {
  EXPECT_EQ(
      inferResults("%x: tensor<2x?x3xf32>",
                   "inlay.pad %x {pads = array<i64: 1, -1>, axes = array<i64: "
                   "0>} : (tensor<2x?x3xf32>) -> !inlay.unknown"),
      "tensor<2x?x3xf32>");
  EXPECT_EQ(inferResults("%x: tensor<2x3xf32>, %p: tensor<4xi64>",
                         "inlay.pad %x pads %p : (tensor<2x3xf32>, "
                         "tensor<4xi64>) -> !inlay.unknown"),
            "tensor<?x?xf32>");
}

TEST(ShapeInference, ShapesAndRangesHaveLengths) {
  EXPECT_EQ(inferResults("%x: tensor<2x?x4x5xf32>",
                         "inlay.shape %x {start = 1 : i64, end = -1 : i64} : "
                         "(tensor<2x?x4x5xf32>) -> !inlay.unknown"),
            "tensor<2xi64>");
  EXPECT_EQ(
      inferResults("",
                   "%a = inlay.constant dense<1> : tensor<i64>\n%b = "
                   "inlay.constant dense<8> : tensor<i64>\n%c = inlay.constant "
                   "dense<3> : tensor<i64>\n%r = inlay.range %a, %b, %c : "
                   "(tensor<i64>, tensor<i64>, tensor<i64>) -> !inlay.unknown"),
      "tensor<3xi64>");
  EXPECT_EQ(inferResults("%a: tensor<f32>",
                         "%r = inlay.range %a, %a, %a : (tensor<f32>, "
                         "tensor<f32>, tensor<f32>) -> !inlay.unknown"),
            "tensor<?xf32>");
}

TEST(ShapeInference, ConstantsOfShapeHaveTheTypeOfTheirValue) {
  EXPECT_EQ(inferResults("", "%y = inlay.constant_of_shape {shape = array<i64: "
                             "2, 3>} : () -> !inlay.unknown"),
            "tensor<2x3xf32>");
  EXPECT_EQ(
      inferResults("%s: tensor<2xi64>",
                   "%y = inlay.constant_of_shape shape %s {value = dense<1> : "
                   "tensor<1xi8>} : (tensor<2xi64>) -> !inlay.unknown"),
      "tensor<?x?xi8>");
}

TEST(ShapeInference, GathersReplaceDimensions) {
  EXPECT_EQ(
      inferResults("%x: tensor<2x?x4xf32>, %i: tensor<5x1xi64>",
                   "inlay.gather %x, %i {axis = 1 : i64} : (tensor<2x?x4xf32>, "
                   "tensor<5x1xi64>) -> !inlay.unknown"),
      "tensor<2x5x1x4xf32>");
  EXPECT_EQ(inferResults("%x: tensor<2x3x4xf32>, %i: tensor<5x2xi64>",
                         "inlay.gather_nd %x, %i : (tensor<2x3x4xf32>, "
                         "tensor<5x2xi64>) -> !inlay.unknown"),
            "tensor<5x4xf32>");
  EXPECT_EQ(inferResults("%x: tensor<2x3x4xf32>, %i: tensor<5x?xi64>",
                         "inlay.gather_nd %x, %i : (tensor<2x3x4xf32>, "
                         "tensor<5x?xi64>) -> !inlay.unknown"),
            "tensor<*xf32>");
}

TEST(ShapeInference, NonZeroElementsOfConstantsAreCounted) {
  EXPECT_EQ(
      inferResults(
          "",
          "%c = inlay.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>\n%y = "
          "inlay.non_zero %c : (tensor<2x2xi64>) -> !inlay.unknown"),
      "tensor<2x3xi64>");
  EXPECT_EQ(
      inferResults("%x: tensor<2x2xf32>",
                   "inlay.non_zero %x : (tensor<2x2xf32>) -> !inlay.unknown"),
      "tensor<2x?xi64>");
  EXPECT_EQ(inferResults("%x: tensor<f32>",
                         "inlay.non_zero %x : (tensor<f32>) -> !inlay.unknown"),
            "tensor<1x?xi64>");
}

TEST(ShapeInference, ResizeScalesOrSetsExtents) {
  EXPECT_EQ(inferResults("%x: tensor<?x3x5xf32>",
                         "inlay.resize %x {scales = array<f32: 1.0, 1.0, 1.5>} "
                         ": (tensor<?x3x5xf32>) -> !inlay.unknown"),
            "tensor<?x3x7xf32>");
  EXPECT_EQ(
      inferResults("%x: tensor<?x3x5xf32>",
                   "inlay.resize %x {sizes = array<i64: 8>, axes = array<i64: "
                   "-1>} : (tensor<?x3x5xf32>) -> !inlay.unknown"),
      "tensor<?x3x8xf32>");
  EXPECT_EQ(inferResults(
                "%x: tensor<1x3x5xf32>, %e: tensor<0xf32>, %s: tensor<3xi64>",
                "inlay.resize %x scales %e sizes %s : (tensor<1x3x5xf32>, "
                "tensor<0xf32>, tensor<3xi64>) -> !inlay.unknown"),
            "tensor<?x?x?xf32>");
}
