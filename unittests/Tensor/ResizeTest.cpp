//===- ResizeTest.cpp - Tests of Resize and GridSample --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Resize.h"
#include "TensorTesting.h"
#include "inlay/Tensor/Kernels/GridSample.h"
#include "inlay/Tensor/Window.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using namespace inlay::testing;

namespace {
HostTensor ramp() { return floats({4}, {1, 2, 3, 4}); }

ResizeParams withScales(llvm::ArrayRef<float> scales, ResizeMode mode) {
  ResizeParams params;
  params.mode = mode;
  params.scales = scales;
  return params;
}
ResizeParams withSizes(llvm::ArrayRef<int64_t> sizes, ResizeMode mode) {
  ResizeParams params;
  params.mode = mode;
  params.sizes = sizes;
  return params;
}
} // namespace

TEST(Resize, TiesThatSinglePrecisionMovesAreStillTies) {
  // 1 / (2 / 7) is 3.4999998 in single precision.
  HostTensor x = floats({7}, {0, 1, 2, 3, 4, 5, 6});
  int64_t size = 2;
  ResizeParams params = withSizes(size, ResizeMode::Nearest);
  params.coordinates = CoordinateTransformation::Asymmetric;
  params.nearest = NearestMode::RoundPreferCeil;
  expectValues(take(resize(x, params)), {0, 4});
  params.nearest = NearestMode::RoundPreferFloor;
  expectValues(take(resize(x, params)), {0, 3});
}

TEST(Resize, SymmetricCoordinatesKeepTheCenterOfACommonScale) {
  // 2 x 7 to at most 2 x 2: the common scale 2/7 leaves 4/7 of the two, which
  // becomes one, and its center is the center of the two.
  HostTensor x = floats({2, 7}, {0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8});
  int64_t sizes[] = {2, 2};
  ResizeParams params = withSizes(sizes, ResizeMode::Linear);
  params.aspectRatio = AspectRatioPolicy::NotLarger;
  params.coordinates = CoordinateTransformation::HalfPixelSymmetric;
  HostTensor y = take(resize(x, params));
  EXPECT_EQ(shapeOf(y), (std::vector<int64_t>{1, 2}));
  expectValues(y, {4, 4}, 1e-5);
  // The center of the first pixel is (0 + 0.5) / (2 / 7) - 0.5 otherwise.
  params.coordinates = CoordinateTransformation::HalfPixel;
  expectValues(take(resize(x, params)), {8, 8}, 1e-5);
}

TEST(Resize, NearestRoundsAsAsked) {
  // Half-pixel coordinates of 4 to 2: 0.5 and 2.5.
  float half = 0.5f;
  ResizeParams params = withScales(half, ResizeMode::Nearest);
  expectValues(take(resize(ramp(), params)), {1, 3});
  params.nearest = NearestMode::RoundPreferCeil;
  expectValues(take(resize(ramp(), params)), {2, 4});
  params.nearest = NearestMode::Floor;
  expectValues(take(resize(ramp(), params)), {1, 3});
  params.nearest = NearestMode::Ceil;
  expectValues(take(resize(ramp(), params)), {2, 4});
}

TEST(Resize, UpsampleIsAsymmetricFloor) {
  float scale = 2;
  ResizeParams params = withScales(scale, ResizeMode::Nearest);
  params.coordinates = CoordinateTransformation::Asymmetric;
  params.nearest = NearestMode::Floor;
  expectValues(take(resize(ramp(), params)), {1, 1, 2, 2, 3, 3, 4, 4});
}

TEST(Resize, NearestMovesAnyType) {
  HostTensor x(ElementType::String, {1});
  x.getMutableStrings()[0] = "a";
  int64_t size = 2;
  HostTensor y = take(resize(x, withSizes(size, ResizeMode::Nearest)));
  EXPECT_EQ(y.getStrings()[1], "a");
  EXPECT_NE(takeMessage(resize(x, withSizes(size, ResizeMode::Linear))), "");
}

TEST(Resize, LinearInterpolatesAndRepeatsEdges) {
  int64_t size = 4;
  ResizeParams params = withSizes(size, ResizeMode::Linear);
  HostTensor x = floats({2}, {0, 4});
  expectValues(take(resize(x, params)), {0, 1, 3, 4});
  params.coordinates = CoordinateTransformation::AlignCorners;
  expectValues(take(resize(x, params)), {0, 4.0 / 3, 8.0 / 3, 4}, 1e-6);
  params.coordinates = CoordinateTransformation::Asymmetric;
  expectValues(take(resize(x, params)), {0, 2, 4, 4});
}

TEST(Resize, LinearIsSeparable) {
  std::vector<float> scales{1, 1, 2, 2};
  HostTensor x = floats({1, 1, 2, 2}, {1, 2, 3, 4});
  expectValues(take(resize(x, withScales(scales, ResizeMode::Linear))),
               {1, 1.25, 1.75, 2, 1.5, 1.75, 2.25, 2.5, 2.5, 2.75, 3.25, 3.5, 3,
                3.25, 3.75, 4});
}

TEST(Resize, CubicTakesFourNeighbours) {
  // Half way between 2 and 3 with A = -0.75: weights -3/32, 19/32, 19/32,
  // -3/32; the edges of the others repeat.
  float half = 0.5f;
  ResizeParams params = withScales(half, ResizeMode::Cubic);
  double first = (-3 * 1 + 19 * 1 + 19 * 2 - 3 * 3) / 32.0;
  expectValues(take(resize(ramp(), params)), {first, 5 - first}, 1e-6);
  params.excludeOutside = true;
  double inside = (19 * 1 + 19 * 2 - 3 * 3) / 35.0;
  expectValues(take(resize(ramp(), params)), {inside, 5 - inside}, 1e-6);
}

TEST(Resize, AntialiasStretchesTheKernel) {
  // At 0.5 and 2.5, triangles of reach 2: weights 1/8, 3/8, 3/8, 1/8.
  float half = 0.5f;
  ResizeParams params = withScales(half, ResizeMode::Linear);
  params.antialias = true;
  double first = (1 * 1 + 3 * 1 + 3 * 2 + 1 * 3) / 8.0;
  expectValues(take(resize(ramp(), params)), {first, 5 - first}, 1e-6);
  params.excludeOutside = true;
  double inside = (3 * 1 + 3 * 2 + 1 * 3) / 7.0;
  expectValues(take(resize(ramp(), params)), {inside, 5 - inside}, 1e-6);
}

TEST(Resize, CropTakesTheRegionAndExtrapolates) {
  int64_t size = 3;
  std::vector<float> roi{0, 2};
  ResizeParams params = withSizes(size, ResizeMode::Linear);
  params.coordinates = CoordinateTransformation::TfCropAndResize;
  params.extrapolationValue = 10;
  params.roi = roi;
  expectValues(take(resize(ramp(), params)), {1, 4, 10});
  params.mode = ResizeMode::Nearest;
  expectValues(take(resize(ramp(), params)), {1, 4, 10});
  params.roi = {};
  EXPECT_NE(takeMessage(resize(ramp(), params)), "");
}

TEST(Resize, PoliciesKeepTheAspectRatio) {
  std::vector<int64_t> sizes{7, 8}, axes{0, 1};
  ResizeParams params = withSizes(sizes, ResizeMode::Nearest);
  params.axes = axes;
  auto shape = [&](AspectRatioPolicy policy) {
    params.aspectRatio = policy;
    return take(inferResize({2, 4}, params)).shape;
  };
  EXPECT_EQ(shape(AspectRatioPolicy::Stretch), (HostTensor::Shape{7, 8}));
  EXPECT_EQ(shape(AspectRatioPolicy::NotLarger), (HostTensor::Shape{4, 8}));
  EXPECT_EQ(shape(AspectRatioPolicy::NotSmaller), (HostTensor::Shape{7, 14}));
}

TEST(Resize, InfersSizesWithUnknownOnes) {
  std::vector<float> scales{1, 0.7f};
  ResizeParams params = withScales(scales, ResizeMode::Nearest);
  // 10 * 0.7f is 7 in single precision, a little less in double.
  EXPECT_EQ(take(inferResize({unknownDim, 10}, params)).shape,
            (HostTensor::Shape{unknownDim, 7}));
  std::vector<int64_t> sizes{5, 6};
  EXPECT_EQ(
      take(inferResize({unknownDim, 10}, withSizes(sizes, ResizeMode::Nearest)))
          .shape,
      (HostTensor::Shape{5, 6}));
}

TEST(Resize, ResizesOnlyTheAxesNamed) {
  int64_t axis = 1, size = 4;
  ResizeParams params = withSizes(size, ResizeMode::Nearest);
  params.axes = axis;
  HostTensor y = take(resize(floats({2, 2}, {1, 2, 3, 4}), params));
  expectValues(y, {1, 1, 2, 2, 3, 3, 4, 4});
}

TEST(Resize, IntegersSaturate) {
  HostTensor x = makeTensor(ElementType::UInt8, {4}, {0, 255, 255, 0});
  float scale = 2;
  HostTensor y = take(resize(x, withScales(scale, ResizeMode::Cubic)));
  for (int64_t i = 2; i < 6; ++i)
    EXPECT_GT(y.getInt(i), 127);
}

TEST(Resize, RefusesScalesAndSizesThatDoNotFit) {
  float negative = -1, nan = NAN, huge = 1e30f;
  EXPECT_NE(
      takeMessage(resize(ramp(), withScales(negative, ResizeMode::Nearest))),
      "");
  EXPECT_NE(takeMessage(resize(ramp(), withScales(nan, ResizeMode::Nearest))),
            "");
  EXPECT_NE(takeMessage(resize(ramp(), withScales(huge, ResizeMode::Nearest))),
            "");
  EXPECT_NE(takeMessage(resize(ramp(), ResizeParams())), "");
  int64_t size = 2;
  EXPECT_NE(takeMessage(
                resize(floats({0}, {}), withSizes(size, ResizeMode::Nearest))),
            "");
}

TEST(Resize, ParsesNames) {
  EXPECT_EQ(parseCoordinateTransformation("tf_half_pixel_for_nn"),
            CoordinateTransformation::TfHalfPixelForNN);
  EXPECT_EQ(parseNearestMode("ceil"), NearestMode::Ceil);
  EXPECT_EQ(parseAspectRatioPolicy("not_larger"), AspectRatioPolicy::NotLarger);
  EXPECT_EQ(parseResizeMode("quadratic"), std::nullopt);
}

//===----------------------------------------------------------------------===//
// GridSample
//===----------------------------------------------------------------------===//

namespace {
/// Samples [[1, 2], [3, 4]] at one point (x, y).
double sample(double x, double y, GridSampleMode mode,
              GridSamplePadding padding, bool alignCorners) {
  HostTensor image = floats({1, 1, 2, 2}, {1, 2, 3, 4});
  HostTensor grid = floats({1, 1, 1, 2}, {x, y});
  return take(gridSample(image, grid, mode, padding, alignCorners))
      .getDouble(0);
}
} // namespace

TEST(GridSample, CornersAreCentersIfAligned) {
  auto zeros = GridSamplePadding::Zeros;
  EXPECT_EQ(sample(-1, -1, GridSampleMode::Linear, zeros, true), 1);
  EXPECT_EQ(sample(1, 0, GridSampleMode::Linear, zeros, true), 3);
  // Not aligned, a corner is met by three zeros.
  EXPECT_EQ(sample(-1, -1, GridSampleMode::Linear, zeros, false), 0.25);
  EXPECT_EQ(sample(0, 0, GridSampleMode::Linear, zeros, false), 2.5);
}

TEST(GridSample, PaddingDecidesWhatIsOutside) {
  auto nearest = GridSampleMode::Nearest;
  EXPECT_EQ(sample(3, -1, nearest, GridSamplePadding::Zeros, true), 0);
  EXPECT_EQ(sample(3, -1, nearest, GridSamplePadding::Border, true), 2);
  // 3 is two elements beyond the last: mirrored to the first.
  EXPECT_EQ(sample(3, -1, nearest, GridSamplePadding::Reflection, true), 1);
}

TEST(GridSample, CoordinatesThatAreNoNumbersDoNotCrash) {
  for (double x : {double(NAN), double(INFINITY), -1e30})
    for (auto mode : {GridSampleMode::Linear, GridSampleMode::Nearest,
                      GridSampleMode::Cubic})
      for (auto padding :
           {GridSamplePadding::Border, GridSamplePadding::Reflection}) {
        EXPECT_EQ(sample(x, x, mode, GridSamplePadding::Zeros, false), 0);
        EXPECT_GE(sample(x, x, mode, padding, true), 1);
      }
}

TEST(GridSample, CubicMeetsElementsExactly) {
  EXPECT_EQ(sample(1, 1, GridSampleMode::Cubic, GridSamplePadding::Zeros, true),
            4);
  EXPECT_NEAR(
      sample(0, 0, GridSampleMode::Cubic, GridSamplePadding::Border, true), 2.5,
      1e-6);
}

TEST(GridSample, CubicSeesInsideFromBeyondTheBorder) {
  // A point 0.5 to the right of the last column. Two taps meet that column
  // and the border, one the column before: weight(1.5) of it.
  double outside = sample(1 + 1.0, -1, GridSampleMode::Cubic,
                          GridSamplePadding::Border, true);
  double weight = -0.75 * std::pow(1.5, 3) + 3.75 * 1.5 * 1.5 - 6 * 1.5 + 3;
  EXPECT_NEAR(outside, 2 - weight, 1e-6);
  // Nothing but the border is met from further away.
  EXPECT_EQ(
      sample(9, -1, GridSampleMode::Cubic, GridSamplePadding::Border, true), 2);
  // A linear point is moved to the border.
  EXPECT_EQ(
      sample(2, -1, GridSampleMode::Linear, GridSamplePadding::Border, true),
      2);
}

TEST(GridSample, SamplesVolumes) {
  HostTensor volume = floats({1, 1, 2, 1, 1}, {1, 3});
  HostTensor grid = floats({1, 1, 1, 1, 3}, {0, 0, 0});
  expectValues(take(gridSample(volume, grid, GridSampleMode::Linear,
                               GridSamplePadding::Zeros, false)),
               {2});
  EXPECT_NE(takeMessage(gridSample(volume, grid, GridSampleMode::Cubic,
                                   GridSamplePadding::Zeros, false)),
            "");
}

TEST(GridSample, RefusesGridsThatDoNotFit) {
  HostTensor image = floats({1, 1, 2, 2}, {1, 2, 3, 4});
  auto message = [&](HostTensor grid) {
    return takeMessage(gridSample(image, grid, GridSampleMode::Linear,
                                  GridSamplePadding::Zeros, false));
  };
  EXPECT_NE(message(floats({1, 1, 1, 3}, {0, 0, 0})), "");
  EXPECT_NE(message(floats({2, 1, 1, 2}, {0, 0, 0, 0})), "");
  EXPECT_NE(message(makeTensor(ElementType::Int32, {1, 1, 1, 2}, {0, 0})), "");
}
