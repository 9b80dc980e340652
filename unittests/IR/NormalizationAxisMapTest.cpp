//===- NormalizationAxisMapTest.cpp - Axis maps of normalisations ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AxisMapChecker.h"

using namespace inlay::testing;

namespace {
const char *const features = "%x: tensor<2x4x3xf32>, %s: tensor<4xf32>,"
                             " %b: tensor<4xf32>, %m: tensor<4xf32>,"
                             " %v: tensor<4xf32>";
const char *const batchTypes =
    " : (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,"
    " tensor<4xf32>) -> (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>)";
const char *const featureTypes = " : (tensor<2x4x3xf32>, tensor<4xf32>,"
                                 " tensor<4xf32>) -> tensor<2x4x3xf32>";
} // namespace

TEST(NormalizationAxisMap, BatchNormalizationIsElementwisePerChannel) {
  std::string text =
      std::string("%y:3 = inlay.batch_normalization %x, %s, %b, %m, %v") +
      batchTypes;
  EXPECT_EQ(printAxisMap(features, text),
            "parallel d0=2, parallel d1=4, parallel d2=3 : [d0, d1, d2], [d1], "
            "[d1], [d1], [d1] -> [d0, d1, d2], [d1], [d1]");
  EXPECT_TRUE(axisMapHolds(features, text));
}

TEST(NormalizationAxisMap, TrainingMixesAllButTheChannels) {
  std::string text =
      std::string("%y:3 = inlay.batch_normalization %x, %s, %b, %m, %v"
                  " {training_mode = 1 : i64}") +
      batchTypes;
  EXPECT_EQ(printAxisMap(features, text),
            "window d0=2, parallel d1=4, window d2=3 : [d0, d1, d2], [d1], "
            "[d1], [d1], [d1] -> [d0, d1, d2], [d1], [d1]");
  EXPECT_TRUE(axisMapHolds(features, text));
}

TEST(NormalizationAxisMap, InstanceNormalizationMixesPositions) {
  std::string text =
      std::string("inlay.instance_normalization %x, %s, %b") + featureTypes;
  EXPECT_EQ(printAxisMap(features, text),
            "parallel d0=2, parallel d1=4, window d2=3 : [d0, d1, d2], [d1], "
            "[d1] -> [d0, d1, d2]");
  EXPECT_TRUE(axisMapHolds(features, text));
}

TEST(NormalizationAxisMap, GroupNormalizationMixesWithinAGroup) {
  std::string text = std::string("inlay.group_normalization %x, %s, %b"
                                 " {num_groups = 2 : i64}") +
                     featureTypes;
  EXPECT_TRUE(axisMapHolds(features, text));
}

TEST(NormalizationAxisMap, ScalesPerGroupFollowTheGroups) {
  EXPECT_TRUE(axisMapHolds(
      "%x: tensor<2x6x3xf32>, %s: tensor<2xf32>, %b: tensor<2xf32>",
      "inlay.group_normalization %x, %s, %b"
      " {num_groups = 2 : i64, per_group_scale} : (tensor<2x6x3xf32>,"
      " tensor<2xf32>, tensor<2xf32>) -> tensor<2x6x3xf32>"));
}

TEST(NormalizationAxisMap, LocalResponseMixesChannelsOnly) {
  EXPECT_TRUE(axisMapHolds("%x: tensor<2x5x2x2xf32>",
                           "inlay.lrn %x {size = 3 : i64, alpha = 0.5 : f32}"
                           " : (tensor<2x5x2x2xf32>) -> tensor<2x5x2x2xf32>"));
}

TEST(NormalizationAxisMap, LayerNormalizationMixesFromAxisOn) {
  const char *arguments =
      "%x: tensor<2x3x4xf32>, %s: tensor<3x4xf32>, %b: tensor<4xf32>";
  const char *text =
      "%y:3 = inlay.layer_normalization %x, %s, %b {axis = 1 : i64}"
      " : (tensor<2x3x4xf32>, tensor<3x4xf32>, tensor<4xf32>)"
      " -> (tensor<2x3x4xf32>, tensor<2x1x1xf32>, tensor<2x1x1xf32>)";
  EXPECT_EQ(printAxisMap(arguments, text),
            "parallel d0=2, window d1=3, window d2=4 : [d0, d1, d2], [d1, d2], "
            "[d2] -> [d0, d1, d2], [d0, (), ()], [d0, (), ()]");
  EXPECT_TRUE(axisMapHolds(arguments, text));
}

TEST(NormalizationAxisMap, RootMeanSquareMixesFromAxisOn) {
  EXPECT_TRUE(axisMapHolds("%x: tensor<2x3x4xf32>, %s: tensor<4xf32>",
                           "inlay.rms_normalization %x, %s"
                           " : (tensor<2x3x4xf32>, tensor<4xf32>)"
                           " -> tensor<2x3x4xf32>"));
}

TEST(NormalizationAxisMap, NormsMixTheirAxisOnly) {
  EXPECT_TRUE(axisMapHolds("%x: tensor<2x3x4xf32>",
                           "inlay.lp_normalization %x {axis = 1 : i64}"
                           " : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>"));
  EXPECT_TRUE(axisMapHolds("%x: tensor<2x3x2x2xf32>",
                           "inlay.mean_variance_normalization %x"
                           " : (tensor<2x3x2x2xf32>) -> tensor<2x3x2x2xf32>"));
}

TEST(NormalizationAxisMap, SoftmaxMixesItsAxisOnly) {
  for (const char *name : {"softmax", "log_softmax", "hardmax"}) {
    std::string text = "inlay." + std::string(name) +
                       " %x {axis = 1 : i64} : (tensor<2x3x4xf32>)"
                       " -> tensor<2x3x4xf32>";
    EXPECT_EQ(printAxisMap("%x: tensor<2x3x4xf32>", text),
              "parallel d0=2, window d1=3, parallel d2=4 : [d0, d1, d2] -> "
              "[d0, d1, d2]");
    EXPECT_TRUE(axisMapHolds("%x: tensor<2x3x4xf32>", text));
  }
}

TEST(NormalizationAxisMap, CoercedSoftmaxMixesFromAxisOn) {
  const char *text = "inlay.softmax %x {axis = 1 : i64, coerce_2d}"
                     " : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>";
  EXPECT_EQ(
      printAxisMap("%x: tensor<2x3x4xf32>", text),
      "parallel d0=2, window d1=3, window d2=4 : [d0, d1, d2] -> [d0, d1, d2]");
  EXPECT_TRUE(axisMapHolds("%x: tensor<2x3x4xf32>", text));
}

TEST(NormalizationAxisMap, LossesSelectAlongTheClasses) {
  const char *arguments =
      "%x: tensor<2x3x4xf32>, %t: tensor<2x4xi64>, %w: tensor<3xf32>";
  const char *types = " : (tensor<2x3x4xf32>, tensor<2x4xi64>, tensor<3xf32>)";
  std::string none = std::string("inlay.negative_log_likelihood_loss %x, %t, %w"
                                 " {reduction = \"none\"}") +
                     types + " -> tensor<2x4xf32>";
  EXPECT_EQ(printAxisMap(arguments, none),
            "parallel d0=2, indexed d1=3, parallel d2=4 : [d0, d1, d2], [d0, "
            "d2], [d1] -> [d0, d2]");
  EXPECT_TRUE(axisMapHolds(arguments, none));
  std::string mean =
      std::string("inlay.negative_log_likelihood_loss %x, %t, %w") + types +
      " -> tensor<f32>";
  EXPECT_EQ(printAxisMap(arguments, mean),
            "reduced d0=2, indexed d1=3, reduced d2=4 : [d0, d1, d2], [d0, "
            "d2], [d1] -> []");
  EXPECT_TRUE(axisMapHolds(arguments, mean));
}

TEST(NormalizationAxisMap, CrossEntropySelectsAlongTheClasses) {
  EXPECT_TRUE(axisMapHolds(
      "%x: tensor<2x3x4xf32>, %t: tensor<2x4xi64>",
      "%y:2 = inlay.softmax_cross_entropy_loss %x, %t {reduction = \"none\"}"
      " : (tensor<2x3x4xf32>, tensor<2x4xi64>)"
      " -> (tensor<2x4xf32>, tensor<2x3x4xf32>)"));
}
