//===- GridSample.cpp - Reference GridSample ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/GridSample.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Dispatch.h"
#include "inlay/Tensor/Strides.h"
#include <cmath>

// Whether a product and a sum are rounded once decides ties: the same on all
// machines.
#pragma STDC FP_CONTRACT OFF

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::MutableArrayRef;

namespace {
/// How one axis of the input is sampled.
struct Sampler {
  int64_t size;
  GridSampleMode mode;
  GridSamplePadding padding;
  bool alignCorners;

  /// The bounds of the input: centers or edges of its outer elements.
  double getLow() const { return alignCorners ? 0 : -0.5; }
  double getHigh() const { return double(size) - (alignCorners ? 1 : 0.5); }
};

struct Tap {
  int64_t offset;
  double weight;
};
using Taps = llvm::SmallVector<Tap, 16>;
} // namespace

/// From [-1, 1] to elements, in single precision: grids are given in it, and
/// ties shall fall as they do in ONNX Runtime.
static float denormalize(const Sampler &sampler, float x) {
  float size = sampler.size;
  if (sampler.alignCorners)
    return (x + 1) / 2 * (size - 1);
  return ((x + 1) * size - 1) / 2;
}

/// Mirrors `x` at the bounds until it is between them.
static double reflect(const Sampler &sampler, double x) {
  double low = sampler.getLow(), range = sampler.getHigh() - low;
  if (range <= 0 || !std::isfinite(x))
    return low;
  double folded = std::fmod(std::fabs(x - low), 2 * range);
  return low + std::min(folded, 2 * range - folded);
}

/// Moves a coordinate to where taps around it fit an int64_t.
static double confine(const Sampler &sampler, double x) {
  bool isOutside = !(x >= sampler.getLow() && x <= sampler.getHigh());
  // A cubic's taps may reach inside from outside, so that only the elements
  // they meet are moved to the border, not the point itself.
  if (isOutside && sampler.padding == GridSamplePadding::Border &&
      sampler.mode != GridSampleMode::Cubic)
    return std::isnan(x) ? 0 : std::clamp(x, 0.0, double(sampler.size - 1));
  if (isOutside && sampler.padding == GridSamplePadding::Reflection)
    return reflect(sampler, x);
  // No kernel reaches further than two elements.
  constexpr double farAway = 4;
  return std::isnan(x)
             ? -farAway
             : std::clamp(x, -farAway, double(sampler.size) + farAway);
}

/// The element an index stands for, or -1 for zero.
static int64_t mapIndex(const Sampler &sampler, int64_t index) {
  if (index >= 0 && index < sampler.size)
    return index;
  if (sampler.padding == GridSamplePadding::Zeros)
    return -1;
  if (sampler.padding == GridSamplePadding::Reflection)
    index = reflect(sampler, index);
  return std::clamp<int64_t>(index, 0, sampler.size - 1);
}

static double getCubicWeight(double d) {
  constexpr double a = -0.75;
  d = std::fabs(d);
  if (d <= 1)
    return ((a + 2) * d - (a + 3)) * d * d + 1;
  return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
}

/// The elements of one axis that make up coordinate `x` of the grid.
static Taps getAxisTaps(const Sampler &sampler, double x) {
  Taps taps;
  auto add = [&](double index, double weight) {
    int64_t at = mapIndex(sampler, int64_t(index));
    if (at >= 0)
      taps.push_back({at, weight});
  };
  double at = denormalize(sampler, x);
  if (sampler.mode == GridSampleMode::Nearest)
    at = std::nearbyint(at);
  at = confine(sampler, at);
  double left = std::floor(at);
  switch (sampler.mode) {
  case GridSampleMode::Nearest:
    add(at, 1);
    break;
  case GridSampleMode::Linear:
    add(left, left + 1 - at);
    add(left + 1, at - left);
    break;
  case GridSampleMode::Cubic:
    for (int i = -1; i <= 2; ++i)
      add(left + i, getCubicWeight(at - left - i));
    break;
  }
  return taps;
}

/// All elements of one channel that make up a point; the grid has the last
/// axis first.
static Taps getTaps(ArrayRef<Sampler> samplers, ArrayRef<double> point) {
  Taps taps{{0, 1.0}};
  for (auto [i, sampler] : llvm::enumerate(samplers)) {
    Taps along = getAxisTaps(sampler, point[samplers.size() - 1 - i]);
    Taps next;
    for (Tap outer : taps)
      for (Tap inner : along)
        next.push_back({outer.offset * sampler.size + inner.offset,
                        outer.weight * inner.weight});
    taps = std::move(next);
  }
  return taps;
}

static Error checkGrid(const HostTensor &x, const HostTensor &grid,
                       GridSampleMode mode) {
  if (Error error = checkNumeric(x, "input of GridSample"))
    return error;
  if (Error error = checkFloat(grid, "grid of GridSample"))
    return error;
  int64_t spatial = x.getRank() - 2;
  if ((spatial != 2 && spatial != 3) || grid.getRank() != x.getRank() ||
      grid.getDim(0) != x.getDim(0) || grid.getShape().back() != spatial)
    return modelError("grid of shape " + formatShape(grid.getShape()) +
                      " does not fit an input of shape " +
                      formatShape(x.getShape()));
  if (mode == GridSampleMode::Cubic && spatial != 2)
    return modelError("cubic sampling needs rank 4, found " +
                      formatShape(x.getShape()));
  return Error::success();
}

Expected<HostTensor> kernels::gridSample(const HostTensor &x,
                                         const HostTensor &grid,
                                         GridSampleMode mode,
                                         GridSamplePadding padding,
                                         bool alignCorners) {
  if (Error error = checkGrid(x, grid, mode))
    return std::move(error);
  ArrayRef<int64_t> spatial = x.getShape().drop_front(2);
  ArrayRef<int64_t> sampled = grid.getShape().drop_front().drop_back();
  HostTensor::Shape shape(x.getShape().take_front(2));
  llvm::append_range(shape, sampled);
  Expected<HostTensor> result = HostTensor::allocate(x.getType(), shape);
  if (!result || result->getNumElements() == 0)
    return result;
  if (x.getNumElements() == 0)
    return modelError("cannot sample an input of shape " +
                      formatShape(x.getShape()));

  llvm::SmallVector<Sampler, 3> samplers;
  for (int64_t size : spatial)
    samplers.push_back({size, mode, padding, alignCorners});
  int64_t channels = x.getDim(1), rank = spatial.size();
  int64_t plane = product(spatial), points = product(sampled);
  std::vector<double> image(channels * plane), coordinates(points * rank);
  for (int64_t n = 0; n < x.getDim(0); ++n) {
    loadElements(x, n * image.size(), MutableArrayRef<double>(image));
    loadElements(grid, n * coordinates.size(),
                 MutableArrayRef<double>(coordinates));
    for (int64_t i = 0; i < points; ++i) {
      Taps taps = getTaps(samplers,
                          ArrayRef<double>(coordinates).slice(i * rank, rank));
      for (int64_t channel = 0; channel < channels; ++channel) {
        double sum = 0;
        for (Tap tap : taps)
          sum += tap.weight * image[channel * plane + tap.offset];
        result->setDouble((n * channels + channel) * points + i, sum);
      }
    }
  }
  return result;
}
