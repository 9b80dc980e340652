//===- ResizeGeometry.cpp - Modes and sizes of a resize -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/ResizeGeometry.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Strides.h"
#include "inlay/Tensor/Window.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace inlay;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::optional<ResizeMode> inlay::parseResizeMode(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ResizeMode>>(name)
      .Case("nearest", ResizeMode::Nearest)
      .Cases("linear", "bilinear", ResizeMode::Linear)
      .Case("cubic", ResizeMode::Cubic)
      .Default(std::nullopt);
}

std::optional<CoordinateTransformation>
inlay::parseCoordinateTransformation(llvm::StringRef name) {
  using enum CoordinateTransformation;
  return llvm::StringSwitch<std::optional<CoordinateTransformation>>(name)
      .Case("half_pixel", HalfPixel)
      .Case("half_pixel_symmetric", HalfPixelSymmetric)
      .Case("asymmetric", Asymmetric)
      .Case("align_corners", AlignCorners)
      .Case("pytorch_half_pixel", PytorchHalfPixel)
      .Case("tf_half_pixel_for_nn", TfHalfPixelForNN)
      .Case("tf_crop_and_resize", TfCropAndResize)
      .Default(std::nullopt);
}

std::optional<NearestMode> inlay::parseNearestMode(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<NearestMode>>(name)
      .Case("round_prefer_floor", NearestMode::RoundPreferFloor)
      .Case("round_prefer_ceil", NearestMode::RoundPreferCeil)
      .Case("floor", NearestMode::Floor)
      .Case("ceil", NearestMode::Ceil)
      .Default(std::nullopt);
}

std::optional<AspectRatioPolicy>
inlay::parseAspectRatioPolicy(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<AspectRatioPolicy>>(name)
      .Case("stretch", AspectRatioPolicy::Stretch)
      .Case("not_larger", AspectRatioPolicy::NotLarger)
      .Case("not_smaller", AspectRatioPolicy::NotSmaller)
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static Error checkParams(int64_t rank, const ResizeParams &params) {
  size_t count = params.axes.empty() ? rank : params.axes.size();
  size_t given = params.scales.size() + params.sizes.size();
  if (given != count || (!params.scales.empty() && !params.sizes.empty()))
    return modelError("resize needs " + Twine(count) +
                      " scales or sizes, found " + Twine(params.scales.size()) +
                      " and " + Twine(params.sizes.size()));
  llvm::SmallVector<bool, 8> seen(rank, false);
  for (int64_t axis : params.axes) {
    if (Error error = checkAxis(axis, rank))
      return error;
    if (std::exchange(seen[axis], true))
      return modelError("resize names axis " + Twine(axis) + " twice");
  }
  if (params.coordinates == CoordinateTransformation::TfCropAndResize &&
      params.roi.size() != 2 * count)
    return modelError("resize needs " + Twine(2 * count) +
                      " region bounds, found " + Twine(params.roi.size()));
  for (float scale : params.scales)
    if (!(scale > 0) || !std::isfinite(scale))
      return modelError("scales of a resize must be positive");
  for (int64_t size : params.sizes)
    if (size < 0 && size != unknownDim)
      return modelError("sizes of a resize must not be negative, found " +
                        Twine(size));
  return Error::success();
}

/// A size computed in floating point, within what a tensor may have.
static Expected<int64_t> toSize(double size) {
  if (!(size >= 0 && size < 0x1p62))
    return modelError("size of a resize overflows");
  return int64_t(size);
}

static float divideSizes(int64_t output, int64_t input) {
  return float(output) / float(input);
}

/// The scale that all axes share under a policy that keeps the aspect ratio,
/// or nothing when a size is not known.
static std::optional<float> getCommonScale(ArrayRef<int64_t> inputs,
                                           const ResizeParams &params) {
  std::optional<float> common;
  for (auto [input, size] : llvm::zip(inputs, params.sizes)) {
    if (input == unknownDim || size == unknownDim)
      return std::nullopt;
    float scale = divideSizes(size, input);
    if (!common)
      common = scale;
    common = params.aspectRatio == AspectRatioPolicy::NotLarger
                 ? std::min(*common, scale)
                 : std::max(*common, scale);
  }
  return common;
}

/// Size and scale of the i-th resized axis, whose input size is `input`.
static Error inferAxis(const ResizeParams &params, size_t i, int64_t input,
                       std::optional<float> common, int64_t &output,
                       double &scale) {
  bool keepsAspect = params.aspectRatio != AspectRatioPolicy::Stretch;
  output = unknownDim;
  if (!params.scales.empty()) {
    scale = params.scales[i];
    if (input == unknownDim)
      return Error::success();
    // In single precision, as ONNX's shape inference has it.
    Expected<int64_t> size =
        toSize(std::floor(float(input) * params.scales[i]));
    if (!size)
      return size.takeError();
    output = *size;
    return Error::success();
  }
  int64_t wanted = params.sizes[i];
  if (input == 0 && wanted != 0 && wanted != unknownDim)
    return modelError("cannot resize an empty axis to " + Twine(wanted));
  if (!keepsAspect)
    output = wanted;
  if (input == unknownDim || wanted == unknownDim || (keepsAspect && !common))
    return Error::success();
  scale = input == 0 ? 1 : keepsAspect ? *common : divideSizes(wanted, input);
  if (!keepsAspect)
    return Error::success();
  Expected<int64_t> size = toSize(std::floor(scale * double(input) + 0.5));
  if (!size)
    return size.takeError();
  output = *size;
  return Error::success();
}

Expected<ResizeGeometry> inlay::inferResize(ArrayRef<int64_t> inputShape,
                                            const ResizeParams &params) {
  int64_t rank = inputShape.size();
  if (Error error = checkParams(rank, params))
    return std::move(error);
  ResizeGeometry geometry;
  geometry.shape.assign(inputShape.begin(), inputShape.end());
  geometry.scales.assign(rank, 1.0);
  llvm::SmallVector<int64_t, 6> axes(params.axes), inputs;
  if (params.axes.empty())
    llvm::append_range(axes, llvm::seq<int64_t>(0, rank));
  for (int64_t axis : axes)
    inputs.push_back(inputShape[axis]);
  std::optional<float> common;
  if (!params.sizes.empty() && params.aspectRatio != AspectRatioPolicy::Stretch)
    common = getCommonScale(inputs, params);
  for (auto [i, axis] : llvm::enumerate(axes))
    if (Error error = inferAxis(params, i, inputs[i], common,
                                geometry.shape[axis], geometry.scales[axis]))
      return std::move(error);
  return geometry;
}
