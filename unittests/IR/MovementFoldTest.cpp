//===- MovementFoldTest.cpp - Movements that move nothing -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperationQueries.h"
#include <gtest/gtest.h>

using namespace inlay::testing;

TEST(MovementFold, TransposeWithIdentityPermutation) {
  EXPECT_TRUE(foldsToFirstOperand(
      "%x: tensor<?x3xf32>", "inlay.transpose %x {perm = array<i64: 0, 1>} : "
                             "(tensor<?x3xf32>) -> tensor<?x3xf32>"));
  EXPECT_TRUE(foldsToFirstOperand(
      "%x: tensor<3xf32>",
      "inlay.transpose %x : (tensor<3xf32>) -> tensor<3xf32>"));
  EXPECT_FALSE(foldsToFirstOperand(
      "%x: tensor<3x3xf32>",
      "inlay.transpose %x : (tensor<3x3xf32>) -> tensor<3x3xf32>"));
  EXPECT_FALSE(foldsToFirstOperand(
      "%x: tensor<3x3xf32>", "inlay.transpose %x {perm = array<i64: 0, 1>} : "
                             "(tensor<3x3xf32>) -> tensor<?x3xf32>"));
}

TEST(MovementFold, ReshapeToItsOwnShape) {
  EXPECT_TRUE(foldsToFirstOperand("%x: tensor<2x3xf32>",
                                  "inlay.reshape %x {shape = array<i64: 2, 3>} "
                                  ": (tensor<2x3xf32>) -> tensor<2x3xf32>"));
  EXPECT_TRUE(foldsToFirstOperand(
      "%x: tensor<?x3xf32>", "inlay.reshape %x {shape = array<i64: -1, 3>} : "
                             "(tensor<?x3xf32>) -> tensor<?x3xf32>"));
  EXPECT_TRUE(foldsToFirstOperand(
      "%x: tensor<?x3xf32>",
      "inlay.flatten %x : (tensor<?x3xf32>) -> tensor<?x3xf32>"));
  EXPECT_FALSE(foldsToFirstOperand(
      "%x: tensor<?x?xf32>", "inlay.reshape %x {shape = array<i64: -1, 3>} : "
                             "(tensor<?x?xf32>) -> tensor<?x?xf32>"));
  EXPECT_FALSE(foldsToFirstOperand(
      "%x: tensor<?x0xf32>",
      "inlay.reshape %x {shape = array<i64: 5, 0>, allowzero = 1 : i64} : "
      "(tensor<?x0xf32>) -> tensor<?x0xf32>"));
}

TEST(MovementFold, ExpandAndTileOfNothing) {
  EXPECT_TRUE(foldsToFirstOperand("%x: tensor<2x3xf32>",
                                  "inlay.expand %x {shape = array<i64: 2, 3>} "
                                  ": (tensor<2x3xf32>) -> tensor<2x3xf32>"));
  EXPECT_TRUE(foldsToFirstOperand("%x: tensor<?x3xf32>",
                                  "inlay.expand %x {shape = array<i64: 1>} : "
                                  "(tensor<?x3xf32>) -> tensor<?x3xf32>"));
  EXPECT_TRUE(foldsToFirstOperand("%x: tensor<?xf32>",
                                  "inlay.tile %x {repeats = array<i64: 1>} : "
                                  "(tensor<?xf32>) -> tensor<?xf32>"));
  EXPECT_FALSE(foldsToFirstOperand("%x: tensor<?xf32>",
                                   "inlay.expand %x {shape = array<i64: 4>} : "
                                   "(tensor<?xf32>) -> tensor<?xf32>"));
  EXPECT_FALSE(foldsToFirstOperand("%x: tensor<?xf32>",
                                   "inlay.tile %x {repeats = array<i64: 2>} : "
                                   "(tensor<?xf32>) -> tensor<?xf32>"));
}

TEST(MovementFold, SliceOfEverythingForwards) {
  EXPECT_TRUE(
      foldsToFirstOperand("%x: tensor<4xf32>",
                          "inlay.slice %x {starts = array<i64: 0>, ends = "
                          "array<i64: 9>} : (tensor<4xf32>) -> tensor<4xf32>"));
  EXPECT_FALSE(foldsToFirstOperand(
      "%x: tensor<4xf32>",
      "inlay.slice %x {starts = array<i64: -1>, ends = array<i64: -9>, steps = "
      "array<i64: -1>} : (tensor<4xf32>) -> tensor<4xf32>"));
  EXPECT_FALSE(
      foldsToFirstOperand("%x: tensor<?xf32>",
                          "inlay.slice %x {starts = array<i64: 0>, ends = "
                          "array<i64: 9>} : (tensor<?xf32>) -> tensor<?xf32>"));
}

TEST(MovementFold, PadOfZero) {
  EXPECT_TRUE(foldsToFirstOperand("%x: tensor<?xf32>",
                                  "inlay.pad %x {pads = array<i64: 0, 0>} : "
                                  "(tensor<?xf32>) -> tensor<?xf32>"));
  EXPECT_FALSE(foldsToFirstOperand("%x: tensor<?xf32>",
                                   "inlay.pad %x {pads = array<i64: 0, 1>} : "
                                   "(tensor<?xf32>) -> tensor<?xf32>"));
}

TEST(MovementFold, ConcatAndSplitOfOne) {
  EXPECT_TRUE(foldsToFirstOperand(
      "%x: tensor<?xf32>",
      "inlay.concat %x {axis = 0 : i64} : (tensor<?xf32>) -> tensor<?xf32>"));
  EXPECT_TRUE(
      foldsToFirstOperand("%x: tensor<4xf32>",
                          "inlay.split %x : (tensor<4xf32>) -> tensor<4xf32>"));
  EXPECT_FALSE(foldsToFirstOperand(
      "%x: tensor<?xf32>", "inlay.concat %x, %x {axis = 0 : i64} : "
                           "(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>"));
}

TEST(MovementFold, BlocksOfOne) {
  EXPECT_TRUE(
      foldsToFirstOperand("%x: tensor<1x4x2x2xf32>",
                          "inlay.depth_to_space %x {blocksize = 1 : i64} : "
                          "(tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>"));
  EXPECT_TRUE(
      foldsToFirstOperand("%x: tensor<1x4x2x2xf32>",
                          "inlay.space_to_depth %x {blocksize = 1 : i64} : "
                          "(tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>"));
  EXPECT_FALSE(
      foldsToFirstOperand("%x: tensor<?x?x?x?xf32>",
                          "inlay.depth_to_space %x {blocksize = 2 : i64} : "
                          "(tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>"));
}

TEST(MovementFold, ResizeToTheSameSize) {
  EXPECT_TRUE(foldsToFirstOperand(
      "%x: tensor<?x4xf32>", "inlay.resize %x {scales = array<f32: 1.0, 1.0>} "
                             ": (tensor<?x4xf32>) -> tensor<?x4xf32>"));
  EXPECT_TRUE(foldsToFirstOperand(
      "%x: tensor<?x4xf32>",
      "inlay.resize %x {sizes = array<i64: 4>, axes = array<i64: 1>} : "
      "(tensor<?x4xf32>) -> tensor<?x4xf32>"));
  EXPECT_FALSE(foldsToFirstOperand(
      "%x: tensor<1x4xf32>", "inlay.resize %x {scales = array<f32: 1.0, 1.1>} "
                             ": (tensor<1x4xf32>) -> tensor<1x4xf32>"));
  EXPECT_FALSE(foldsToFirstOperand(
      "%x: tensor<1x4xf32>",
      "inlay.resize %x {scales = array<f32: 1.0, 1.0>, roi = array<f32: 0.0, "
      "0.0, 1.0, 0.5>, coordinate_transformation_mode = "
      "\"tf_crop_and_resize\"} : (tensor<1x4xf32>) -> tensor<1x4xf32>"));
}
