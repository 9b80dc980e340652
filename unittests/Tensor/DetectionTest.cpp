//===- DetectionTest.cpp - NonMaxSuppression and RoiAlign -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorTesting.h"
#include "inlay/Tensor/Kernels/NonMaxSuppression.h"
#include "inlay/Tensor/Kernels/RoiAlign.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using namespace inlay::testing;

//===----------------------------------------------------------------------===//
// NonMaxSuppression
//===----------------------------------------------------------------------===//

/// Two boxes that share a third of what they cover, and one apart; corners are
/// (y, x, y, x).
static HostTensor getBoxes() {
  return floats({1, 3, 4}, {0, 0, 2, 2, 0, 1, 2, 3, 5, 5, 6, 6});
}

TEST(NonMaxSuppression, WhatOverlapsABetterOneGivesWay) {
  HostTensor scores = floats({1, 1, 3}, {0.5, 0.9, 0.1});
  SuppressionOptions options{3, 0.3};
  expectValues(take(nonMaxSuppression(getBoxes(), scores, options)),
               {0, 0, 1, 0, 0, 2});
  options.iouThreshold = 0.4;
  expectValues(take(nonMaxSuppression(getBoxes(), scores, options)),
               {0, 0, 1, 0, 0, 0, 0, 0, 2});
}

TEST(NonMaxSuppression, CornersComeInAnyOrder) {
  HostTensor turned = floats({1, 2, 4}, {2, 2, 0, 0, 2, 1, 0, 3});
  HostTensor scores = floats({1, 1, 2}, {0.5, 0.9});
  expectValues(take(nonMaxSuppression(turned, scores, {3, 0.3})), {0, 0, 1});
}

TEST(NonMaxSuppression, BoxesMayBeGivenByTheirCentres) {
  HostTensor boxes = floats({1, 2, 4}, {1, 1, 2, 2, 2, 1, 2, 2});
  HostTensor scores = floats({1, 1, 2}, {0.5, 0.9});
  SuppressionOptions options{3, 0.3};
  options.areCentered = true;
  expectValues(take(nonMaxSuppression(boxes, scores, options)), {0, 0, 1});
  options.iouThreshold = 0.4;
  EXPECT_EQ(take(nonMaxSuppression(boxes, scores, options)).getDim(0), 2);
}

TEST(NonMaxSuppression, OfEqualOnesTheFirstIsBetter) {
  HostTensor scores = floats({1, 1, 3}, {0.5, 0.5, 0.5});
  expectValues(take(nonMaxSuppression(getBoxes(), scores, {1, 0.3})),
               {0, 0, 0});
}

TEST(NonMaxSuppression, ScoresMustExceedTheThreshold) {
  HostTensor scores = floats({1, 1, 3}, {0.5, 0.25, 0.75});
  SuppressionOptions options{3, 1};
  options.scoreThreshold = 0.5;
  expectValues(take(nonMaxSuppression(getBoxes(), scores, options)), {0, 0, 2});
}

TEST(NonMaxSuppression, ClassesChooseForThemselves) {
  HostTensor scores = floats({1, 2, 3}, {0.5, 0.9, 0.1, 0.9, 0.5, 0.1});
  expectValues(take(nonMaxSuppression(getBoxes(), scores, {1, 0.3})),
               {0, 0, 1, 0, 1, 0});
}

TEST(NonMaxSuppression, NothingIsChosenOfNone) {
  HostTensor scores = floats({1, 1, 3}, {0.5, 0.9, 0.1});
  EXPECT_EQ(shapeOf(take(nonMaxSuppression(getBoxes(), scores, {}))),
            (std::vector<int64_t>{0, 3}));
}

TEST(NonMaxSuppression, WhatIsNotANumberIsWorst) {
  HostTensor scores = floats({1, 1, 3}, {NAN, -1, 0.5});
  expectValues(take(nonMaxSuppression(getBoxes(), scores, {3, 1})),
               {0, 0, 2, 0, 0, 1, 0, 0, 0});
}

TEST(NonMaxSuppression, RefusesWhatDoesNotFit) {
  HostTensor scores = floats({1, 1, 2}, {0.5, 0.9});
  EXPECT_NE(takeMessage(nonMaxSuppression(getBoxes(), scores, {3}))
                .find("boxes of shape 1x3x4 and scores of shape 1x1x2"),
            std::string::npos);
  HostTensor fitting = floats({1, 1, 3}, {0.5, 0.9, 0.1});
  EXPECT_NE(takeMessage(nonMaxSuppression(getBoxes(), fitting, {3, 1.5}))
                .find("must be in [0, 1]"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// RoiAlign
//===----------------------------------------------------------------------===//

/// One image of 4 x 4, whose elements are 10 * row + column.
static HostTensor getImage() {
  std::vector<double> pixels;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column)
      pixels.push_back(10 * row + column);
  return floats({1, 1, 4, 4}, pixels);
}

static HostTensor getImageNumber(int64_t number) {
  return HostTensor::getInts({number});
}

static HostTensor align(llvm::ArrayRef<double> corners,
                        const RoiAlignOptions &options) {
  return take(roiAlign(getImage(), floats({1, 4}, corners), getImageNumber(0),
                       options));
}

// Regions are (x, y, x, y).
TEST(RoiAlign, BinsAverageTheirSamples) {
  RoiAlignOptions options;
  options.width = 2;
  options.samplingRatio = 1;
  options.halfPixel = false;
  // Samples at (1, 0.5) and (1, 1.5).
  expectValues(align({0, 0, 2, 2}, options), {10.5, 11.5});
  options.halfPixel = true;
  expectValues(align({0.5, 0.5, 2.5, 2.5}, options), {10.5, 11.5});
}

TEST(RoiAlign, ThereAreAsManySamplesAsPixels) {
  RoiAlignOptions options;
  options.halfPixel = false;
  // Two along each dimension, at 0.5 and 1.5.
  expectValues(align({0, 0, 2, 2}, options), {11});
  // Three, at 0.5, 1.5 and 2.5.
  expectValues(align({0, 0, 3, 3}, options), {16.5}, 1e-6);
}

TEST(RoiAlign, OnlyShiftedRegionsMayBeSmallerThanAPixel) {
  RoiAlignOptions options;
  options.halfPixel = false;
  expectValues(align({1, 1, 1, 1}, options), {16.5});
  options.halfPixel = true;
  expectValues(align({1, 1, 1, 1}, options), {0});
}

TEST(RoiAlign, RegionsAreScaled) {
  RoiAlignOptions options;
  options.halfPixel = false;
  options.spatialScale = 0.5F;
  expectValues(align({0, 0, 4, 4}, options), {11});
}

TEST(RoiAlign, SamplesBeyondTheImageAreZero) {
  RoiAlignOptions options;
  options.halfPixel = false;
  options.samplingRatio = 1;
  expectValues(align({6, 0, 8, 2}, options), {0});
  // Within a pixel of the border they are those of the border.
  expectValues(align({-2, 0, 0.5, 2}, options), {10});
}

TEST(RoiAlign, TheLargestIsThatOfWeightedPixels) {
  RoiAlignOptions options;
  options.halfPixel = false;
  options.samplingRatio = 1;
  options.takesLargest = true;
  // Between rows 1 and 2 and columns 1 and 2: a quarter of 22.
  expectValues(align({1, 1, 2, 2}, options), {5.5});
}

TEST(RoiAlign, RegionsNameTheirImage) {
  HostTensor images = floats({2, 2, 1, 1}, {1, 2, 3, 4});
  HostTensor regions = floats({2, 4}, {0, 0, 1, 1, 0, 0, 1, 1});
  expectValues(take(roiAlign(images, regions, HostTensor::getInts({1, 0}), {})),
               {3, 4, 1, 2});
}

TEST(RoiAlign, ManyChannelsAreLikeSingleOnes) {
  constexpr int64_t channels = 37, pixels = 6 * 7;
  HostTensor image(ElementType::Float, {1, channels, 6, 7});
  for (int64_t i = 0; i < image.getNumElements(); ++i)
    image.setDouble(i, double(i * 7919 % 1009) / 100);
  HostTensor region = floats({1, 4}, {0.25, 1, 5.5, 4.75});
  RoiAlignOptions options;
  options.height = 2;
  options.width = 3;
  for (int64_t ratio : {2, 3})
    for (bool takesLargest : {false, true}) {
      options.samplingRatio = ratio;
      options.takesLargest = takesLargest;
      HostTensor all =
          take(roiAlign(image, region, getImageNumber(0), options));
      for (int64_t c = 0; c < channels; ++c) {
        HostTensor own(ElementType::Float, {1, 1, 6, 7});
        for (int64_t i = 0; i < pixels; ++i)
          own.setDouble(i, image.getDouble(c * pixels + i));
        HostTensor alone =
            take(roiAlign(own, region, getImageNumber(0), options));
        for (int64_t i = 0; i < 6; ++i)
          ASSERT_EQ(all.getDouble(c * 6 + i), alone.getDouble(i))
              << "channel " << c << ", " << ratio << " samples";
      }
    }
}

TEST(RoiAlign, RefusesMoreSamplesThanAnyBinNeeds) {
  HostTensor region = floats({1, 4}, {0, 0, 1, 1});
  RoiAlignOptions options;
  for (int64_t ratio : {int64_t(1) << 12, int64_t(1) << 40}) {
    options.samplingRatio = ratio;
    EXPECT_NE(
        takeMessage(roiAlign(getImage(), region, getImageNumber(0), options))
            .find("samples"),
        std::string::npos);
  }
}

TEST(RoiAlign, RefusesWhatDoesNotFit) {
  HostTensor region = floats({1, 4}, {0, 0, 1, 1});
  EXPECT_EQ(takeMessage(roiAlign(getImage(), region, getImageNumber(1), {})),
            "a region is of image 1 of 1");
  EXPECT_NE(
      takeMessage(roiAlign(getImage(), floats({1, 4}, {0, 0, 1, INFINITY}),
                           getImageNumber(0), {}))
          .find("too many samples"),
      std::string::npos);
  EXPECT_NE(takeMessage(roiAlign(getImage(), floats({1, 3}, {0, 0, 1}),
                                 getImageNumber(0), {}))
                .find("do not fit"),
            std::string::npos);
}
