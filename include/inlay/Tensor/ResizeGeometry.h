//===- ResizeGeometry.h - Modes and sizes of a resize -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Resize asks for, and the sizes and scales that follow, on sizes alone.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_RESIZEGEOMETRY_H
#define INLAY_TENSOR_RESIZEGEOMETRY_H

#include "inlay/Tensor/HostTensor.h"

namespace inlay {

enum class ResizeMode : uint8_t { Nearest, Linear, Cubic };
enum class CoordinateTransformation : uint8_t {
  HalfPixel,
  HalfPixelSymmetric,
  Asymmetric,
  AlignCorners,
  PytorchHalfPixel,
  TfHalfPixelForNN,
  TfCropAndResize,
};
enum class NearestMode : uint8_t {
  RoundPreferFloor,
  RoundPreferCeil,
  Floor,
  Ceil
};
enum class AspectRatioPolicy : uint8_t { Stretch, NotLarger, NotSmaller };

/// ONNX's names of the attribute values, as in "tf_half_pixel_for_nn". The mode
/// of old Upsample, "bilinear", is linear too.
std::optional<ResizeMode> parseResizeMode(llvm::StringRef name);
std::optional<CoordinateTransformation>
parseCoordinateTransformation(llvm::StringRef name);
std::optional<NearestMode> parseNearestMode(llvm::StringRef name);
std::optional<AspectRatioPolicy> parseAspectRatioPolicy(llvm::StringRef name);

/// Either `scales` or `sizes` is given, one number per entry of `axes` (per
/// axis of the input when `axes` is empty).
struct ResizeParams {
  ResizeMode mode = ResizeMode::Nearest;
  CoordinateTransformation coordinates = CoordinateTransformation::HalfPixel;
  NearestMode nearest = NearestMode::RoundPreferFloor;
  AspectRatioPolicy aspectRatio = AspectRatioPolicy::Stretch;
  float cubicCoeffA = -0.75f;
  float extrapolationValue = 0;
  bool excludeOutside = false;
  bool antialias = false;
  llvm::ArrayRef<int64_t> axes;
  llvm::ArrayRef<float> scales;
  llvm::ArrayRef<int64_t> sizes;
  /// Begins, then ends, of `axes`; TfCropAndResize only.
  llvm::ArrayRef<float> roi;
};

/// Sizes and scales of all axes. A size is `unknownDim` (Window.h) where it
/// follows from an unknown one.
struct ResizeGeometry {
  HostTensor::Shape shape;
  llvm::SmallVector<double, 4> scales;
};
llvm::Expected<ResizeGeometry> inferResize(llvm::ArrayRef<int64_t> inputShape,
                                           const ResizeParams &params);

} // namespace inlay

#endif // INLAY_TENSOR_RESIZEGEOMETRY_H
