//===- Resize.cpp - Reference Resize and Upsample -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every mode is separable: each axis has a table that gives, per index of the
// result, the indices of the input it is made of and their weights. Tables are
// applied one axis after the other.
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Resize.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Dispatch.h"
#include "inlay/Tensor/Strides.h"
#include "llvm/ADT/Sequence.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

namespace {
/// One resized axis. Coordinates are computed in single precision, as in ONNX
/// Runtime, so that ties fall alike.
struct ResizedAxis {
  int64_t axis;
  int64_t input;
  int64_t output;
  float scale;
  /// Between whose ends corners are aligned: the result's size, before it was
  /// rounded down where a scale is given.
  float width;
  float roiBegin = 0;
  float roiEnd = 1;
};

struct Tap {
  int64_t index;
  double weight;
};
/// Per index of the result; no taps where the extrapolation value goes.
using Table = std::vector<llvm::SmallVector<Tap, 4>>;
} // namespace

static float getCoordinate(const ResizedAxis &axis,
                           CoordinateTransformation transformation,
                           int64_t index) {
  float x = index, last = axis.input - 1;
  float halfPixel = (x + 0.5f) / axis.scale - 0.5f;
  switch (transformation) {
  case CoordinateTransformation::HalfPixel:
    return halfPixel;
  case CoordinateTransformation::PytorchHalfPixel:
    return axis.output > 1 ? halfPixel : 0;
  case CoordinateTransformation::HalfPixelSymmetric: {
    float adjustment = axis.output / (axis.input * axis.scale);
    float center = axis.input / 2.0f;
    return center * (1 - adjustment) + halfPixel;
  }
  case CoordinateTransformation::Asymmetric:
    return x / axis.scale;
  case CoordinateTransformation::AlignCorners:
    return axis.width == 1 ? 0 : x * last / (axis.width - 1);
  case CoordinateTransformation::TfHalfPixelForNN:
    return (x + 0.5f) / axis.scale;
  case CoordinateTransformation::TfCropAndResize:
    if (axis.output <= 1)
      return 0.5f * (axis.roiBegin + axis.roiEnd) * last;
    return axis.roiBegin * last +
           x * (axis.roiEnd - axis.roiBegin) * last / (axis.width - 1);
  }
  llvm_unreachable("all transformations are handled");
}

static double round(double coordinate, NearestMode mode) {
  // How far a tie may have moved in single precision, as in ONNX Runtime.
  constexpr double tie = 1e-6;
  switch (mode) {
  case NearestMode::RoundPreferFloor:
    return std::ceil(coordinate - 0.5 - tie);
  case NearestMode::RoundPreferCeil:
    return std::floor(coordinate + 0.5 + tie);
  case NearestMode::Floor:
    return std::floor(coordinate);
  case NearestMode::Ceil:
    return std::ceil(coordinate);
  }
  llvm_unreachable("all modes are handled");
}

/// The weight of an element at distance `d`.
static double getWeight(const ResizeParams &params, double d) {
  d = std::fabs(d);
  if (params.mode == ResizeMode::Linear)
    return std::max(0.0, 1 - d);
  double a = params.cubicCoeffA;
  if (d <= 1)
    return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

/// The elements around `coordinate` within reach of the mode's kernel, which
/// antialiasing stretches by 1 / scale.
static llvm::SmallVector<Tap, 4> getTaps(const ResizeParams &params,
                                         const ResizedAxis &axis,
                                         double coordinate) {
  double shrink = params.antialias ? std::min(1.0f, axis.scale) : 1.0f;
  double reach = (params.mode == ResizeMode::Cubic ? 2 : 1) / shrink;
  int64_t first = std::ceil(coordinate - reach);
  int64_t last = std::floor(coordinate + reach);
  llvm::SmallVector<Tap, 4> taps;
  double sum = 0;
  for (int64_t i = first; i <= last; ++i) {
    double weight = getWeight(params, (double(i) - coordinate) * shrink);
    bool isOutside = i < 0 || i >= axis.input;
    if (weight == 0 || (isOutside && params.excludeOutside))
      continue;
    taps.push_back({std::clamp<int64_t>(i, 0, axis.input - 1), weight});
    sum += weight;
  }
  if (params.antialias || params.excludeOutside)
    for (Tap &tap : taps)
      tap.weight /= sum;
  return taps;
}

static Table buildTable(const ResizeParams &params, const ResizedAxis &axis) {
  bool crops = params.coordinates == CoordinateTransformation::TfCropAndResize;
  Table table(axis.output);
  for (int64_t i = 0; i < axis.output; ++i) {
    double at = getCoordinate(axis, params.coordinates, i);
    if (crops && !(at >= 0 && at <= axis.input - 1))
      continue;
    if (params.mode != ResizeMode::Nearest) {
      table[i] = getTaps(params, axis, at);
      continue;
    }
    double nearest =
        std::clamp<double>(round(at, params.nearest), 0, axis.input - 1);
    table[i].push_back({int64_t(nearest), 1.0});
  }
  return table;
}

//===----------------------------------------------------------------------===//
// Application
//===----------------------------------------------------------------------===//

/// The axes that change anything, of a result that has elements.
static llvm::SmallVector<ResizedAxis> getAxes(const HostTensor &x,
                                              const ResizeParams &params,
                                              const ResizeGeometry &geometry) {
  bool crops = params.coordinates == CoordinateTransformation::TfCropAndResize;
  size_t count = params.axes.empty() ? x.getRank() : params.axes.size();
  llvm::SmallVector<ResizedAxis> axes;
  for (size_t i = 0; i < count; ++i) {
    int64_t axis = params.axes.empty() ? int64_t(i) : params.axes[i];
    int64_t input = x.getDim(axis), output = geometry.shape[axis];
    float scale = geometry.scales[axis];
    if (!crops && input == output && scale == 1)
      continue;
    float width = params.sizes.empty() ? float(input) * scale : float(output);
    ResizedAxis resized{axis, input, output, scale, width};
    if (crops) {
      resized.roiBegin = params.roi[i];
      resized.roiEnd = params.roi[count + i];
    }
    axes.push_back(resized);
  }
  return axes;
}

/// Nearest neighbours move elements of any type.
static Expected<HostTensor> takeNearest(const HostTensor &x, int64_t axis,
                                        const Table &table,
                                        const ResizeParams &params) {
  std::vector<int64_t> indices;
  bool extrapolates = false;
  for (const auto &taps : table) {
    indices.push_back(taps.empty() ? 0 : taps[0].index);
    extrapolates |= taps.empty();
  }
  Expected<HostTensor> result = takeAlongAxis(x, axis, indices);
  if (!result || !extrapolates)
    return result;
  if (Error error = checkNumeric(x, "input of a resize that extrapolates"))
    return std::move(error);
  AxisSplit split = splitAtAxis(result->getShape(), axis);
  for (int64_t i = 0; i < split.outer; ++i)
    for (int64_t j = 0; j < split.size; ++j)
      for (int64_t k = 0; table[j].empty() && k < split.inner; ++k)
        result->setDouble((i * split.size + j) * split.inner + k,
                          params.extrapolationValue);
  return result;
}

/// Sums weighted elements along an axis of a tensor of doubles.
static Expected<HostTensor> interpolate(const HostTensor &x, int64_t axis,
                                        const Table &table,
                                        const ResizeParams &params) {
  HostTensor::Shape shape(x.getShape());
  shape[axis] = table.size();
  Expected<HostTensor> result =
      HostTensor::allocate(ElementType::Double, shape);
  if (!result)
    return result;
  AxisSplit split = splitAtAxis(x.getShape(), axis);
  const double *from = x.getData<double>().data();
  double *to = result->getMutable<double>().data();
  for (int64_t i = 0; i < split.outer; ++i, from += split.size * split.inner)
    for (const auto &taps : table) {
      if (taps.empty())
        std::fill_n(to, split.inner, params.extrapolationValue);
      for (Tap tap : taps)
        for (int64_t k = 0; k < split.inner; ++k)
          to[k] += tap.weight * from[tap.index * split.inner + k];
      to += split.inner;
    }
  return result;
}

static Expected<HostTensor> toDoubleTensor(const HostTensor &x) {
  Expected<HostTensor> wide =
      HostTensor::allocate(ElementType::Double, x.getShape());
  if (wide)
    loadElements(x, 0, wide->getMutable<double>());
  return wide;
}

/// Cubic weights overshoot what an integer type holds.
static void saturate(HostTensor &values, ElementType type) {
  int bits = getBitWidth(type);
  double low = isSignedInteger(type) ? -std::ldexp(1, bits - 1) : 0;
  double high = low + std::ldexp(1, bits) - 1;
  for (double &value : values.getMutable<double>())
    value = std::clamp(value, low, high);
}

Expected<HostTensor> kernels::resize(const HostTensor &x,
                                     const ResizeParams &params) {
  bool moves = params.mode == ResizeMode::Nearest;
  if (!moves)
    if (Error error = checkNumeric(x, "input of a resize that interpolates"))
      return std::move(error);
  Expected<ResizeGeometry> geometry = inferResize(x.getShape(), params);
  if (!geometry)
    return geometry.takeError();
  Expected<HostTensor> result =
      HostTensor::allocate(x.getType(), geometry->shape);
  if (!result || result->getNumElements() == 0)
    return result;
  if (x.getNumElements() == 0)
    return modelError("cannot resize " + formatShape(x.getShape()) + " to " +
                      formatShape(geometry->shape));
  Expected<HostTensor> current = moves ? x : toDoubleTensor(x);
  for (const ResizedAxis &axis : getAxes(x, params, *geometry)) {
    if (!current)
      return current;
    Table table = buildTable(params, axis);
    current = moves ? takeNearest(*current, axis.axis, table, params)
                    : interpolate(*current, axis.axis, table, params);
  }
  if (!current || moves)
    return current;
  if (isInteger(x.getType()))
    saturate(*current, x.getType());
  storeElements(*result, 0, current->getData<double>());
  return result;
}
