//===- RoiAlign.cpp - Reference RoiAlign ----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/RoiAlign.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Dispatch.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::MutableArrayRef;

/// Samples of a bin at most: a quarter of a GiB.
static constexpr int64_t maxSamples = 1 << 22;

//===----------------------------------------------------------------------===//
// Where samples lie
//===----------------------------------------------------------------------===//

namespace {
/// A region along one dimension of the image, cut into bins.
template <typename T> struct Span {
  T begin, binSize;
  int64_t samples;

  /// The place of sample `i` of a bin.
  T getPlace(int64_t bin, int64_t i) const {
    return begin + T(bin) * binSize + (T(i) + T(0.5)) * binSize / T(samples);
  }
};

/// Two neighbours and how much each counts; nothing beyond the image.
struct Neighbours {
  bool isInside = false;
  int64_t low = 0, high = 0;
  double weight = 0;
};
} // namespace

template <typename T>
static Expected<Span<T>> getSpan(T first, T last, int64_t bins,
                                 const RoiAlignOptions &options) {
  T offset = options.halfPixel ? T(0.5) : T(0);
  T begin = first * T(options.spatialScale) - offset;
  T size = last * T(options.spatialScale) - offset - begin;
  if (!options.halfPixel)
    size = std::max(size, T(1));
  Span<T> span{begin, size / T(bins), options.samplingRatio};
  T wanted = options.samplingRatio > 0 ? T(options.samplingRatio)
                                       : std::ceil(span.binSize);
  if (!(wanted <= T(maxSamples)))
    return modelError("a region from " + std::to_string(first) + " to " +
                      std::to_string(last) + " has too many samples");
  // One that ends before it begins has none.
  span.samples = wanted > 0 ? int64_t(wanted) : 0;
  return span;
}

/// The pixels around a place; the outer ones go on for a pixel.
template <typename T> static Neighbours getNeighbours(T place, int64_t extent) {
  if (!(place >= T(-1) && place <= T(extent)))
    return {};
  place = std::max(place, T(0));
  auto low = int64_t(place);
  if (low >= extent - 1)
    return {true, extent - 1, extent - 1, 0};
  return {true, low, low + 1, double(place - T(low))};
}

//===----------------------------------------------------------------------===//
// Bins
//===----------------------------------------------------------------------===//

namespace {
/// The pixels of a channel that a sample is made of.
struct Sample {
  int64_t pixels[4] = {0, 0, 0, 0};
  double weights[4] = {0, 0, 0, 0};
};
} // namespace

static Sample getSample(const Neighbours &y, const Neighbours &x,
                        int64_t width) {
  if (!y.isInside || !x.isInside)
    return {};
  return {{y.low * width + x.low, y.low * width + x.high,
           y.high * width + x.low, y.high * width + x.high},
          {(1 - y.weight) * (1 - x.weight), (1 - y.weight) * x.weight,
           y.weight * (1 - x.weight), y.weight * x.weight}};
}

/// All samples of a bin.
template <typename T>
static void getSamples(const Span<T> &rows, int64_t row, const Span<T> &columns,
                       int64_t column, int64_t height, int64_t width,
                       std::vector<Sample> &samples) {
  samples.clear();
  for (int64_t i = 0; i < rows.samples; ++i) {
    Neighbours y = getNeighbours(rows.getPlace(row, i), height);
    for (int64_t j = 0; j < columns.samples; ++j)
      samples.push_back(getSample(
          y, getNeighbours(columns.getPlace(column, j), width), width));
  }
}

/// The pixels of an image, all channels of one side by side.
using Pixels = ArrayRef<double>;

/// What `combine` makes of all samples, one pixel after another, for so many
/// channels from `first` on: few enough to stay in registers.
template <size_t width, typename F>
static void combineChannels(Pixels image, ArrayRef<Sample> samples,
                            size_t first, MutableArrayRef<double> channels,
                            F combine) {
  double values[width];
  std::copy_n(&channels[first], width, values);
  for (const Sample &sample : samples)
    for (unsigned i = 0; i < 4; ++i) {
      const double *pixel = &image[sample.pixels[i] * channels.size()] + first;
      for (size_t c = 0; c < width; ++c)
        values[c] = combine(values[c], sample.weights[i] * pixel[c]);
    }
  std::copy_n(values, width, &channels[first]);
}

template <typename F>
static void combineSamples(Pixels image, ArrayRef<Sample> samples,
                           MutableArrayRef<double> channels, F combine) {
  constexpr size_t width = 16;
  size_t c = 0;
  for (; c + width <= channels.size(); c += width)
    combineChannels<width>(image, samples, c, channels, combine);
  for (; c < channels.size(); ++c)
    combineChannels<1>(image, samples, c, channels, combine);
}

/// Per channel.
static void getAverages(Pixels image, ArrayRef<Sample> samples,
                        MutableArrayRef<double> channels) {
  std::ranges::fill(channels, 0);
  combineSamples(image, samples, channels,
                 [](double sum, double value) { return sum + value; });
  auto count = double(samples.size());
  // The same, without the time that divisions take.
  if (std::has_single_bit(samples.size()))
    for (double &channel : channels)
      channel *= 1 / count;
  else if (!samples.empty())
    for (double &channel : channels)
      channel /= count;
}

static void getLargest(Pixels image, ArrayRef<Sample> samples,
                       MutableArrayRef<double> channels) {
  std::ranges::fill(channels, samples.empty() ? 0 : -HUGE_VAL);
  combineSamples(image, samples, channels, [](double most, double value) {
    return std::max(most, value);
  });
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

namespace {
class Aligner {
public:
  Aligner(const HostTensor &x, const RoiAlignOptions &options,
          HostTensor &result)
      : x(x), options(options), result(result),
        image(x.getDim(1) * x.getDim(2) * x.getDim(3)), bin(x.getDim(1)),
        region(x.getDim(1) * options.height * options.width) {}

  /// Computes region `n`, whose corners are given.
  template <typename T>
  Error run(int64_t n, ArrayRef<double> corners, int64_t imageNumber);

private:
  void load(int64_t imageNumber);
  void fillBin(int64_t at);

  const HostTensor &x;
  const RoiAlignOptions &options;
  HostTensor &result;
  /// The image of the region before, a bin, and what the region becomes.
  std::vector<double> image, bin, region;
  /// Of a bin.
  std::vector<Sample> samples;
  std::optional<int64_t> loaded;
};
} // namespace

void Aligner::load(int64_t imageNumber) {
  if (loaded == imageNumber)
    return;
  int64_t pixels = x.getDim(2) * x.getDim(3), channels = x.getDim(1);
  std::vector<double> channel(pixels);
  for (int64_t c = 0; c < channels; ++c) {
    loadElements(x, (imageNumber * channels + c) * pixels,
                 MutableArrayRef<double>(channel));
    for (int64_t i = 0; i < pixels; ++i)
      image[i * channels + c] = channel[i];
  }
  loaded = imageNumber;
}

/// One bin of every channel, that of the first channel being element `at` of
/// the region.
void Aligner::fillBin(int64_t at) {
  (options.takesLargest ? getLargest : getAverages)(image, samples, bin);
  for (auto [c, value] : llvm::enumerate(bin))
    region[at + c * options.height * options.width] = value;
}

template <typename T>
Error Aligner::run(int64_t n, ArrayRef<double> corners, int64_t imageNumber) {
  auto columns =
      getSpan<T>(T(corners[0]), T(corners[2]), options.width, options);
  if (!columns)
    return columns.takeError();
  auto rows = getSpan<T>(T(corners[1]), T(corners[3]), options.height, options);
  if (!rows)
    return rows.takeError();
  if (rows->samples * columns->samples > maxSamples)
    return modelError("a bin has " + llvm::Twine(rows->samples) + " x " +
                      llvm::Twine(columns->samples) + " samples, more than " +
                      llvm::Twine(maxSamples));
  load(imageNumber);
  int64_t at = 0;
  for (int64_t row = 0; row < options.height; ++row)
    for (int64_t column = 0; column < options.width; ++column) {
      getSamples(*rows, row, *columns, column, x.getDim(2), x.getDim(3),
                 samples);
      fillBin(at++);
    }
  storeElements(result, n * int64_t(region.size()), ArrayRef<double>(region));
  return Error::success();
}

static Error checkOperands(const HostTensor &x, const HostTensor &rois,
                           const HostTensor &images) {
  if (Error error = checkFloat(x, "the input of RoiAlign"))
    return error;
  if (Error error = checkFloat(rois, "the regions of RoiAlign"))
    return error;
  if (x.getRank() != 4 || rois.getRank() != 2 || rois.getDim(1) != 4 ||
      images.getRank() != 1 || images.getDim(0) != rois.getDim(0))
    return modelError("input of shape " + formatShape(x.getShape()) +
                      ", regions of shape " + formatShape(rois.getShape()) +
                      " and their images of shape " +
                      formatShape(images.getShape()) +
                      " do not fit, expected N x C x H x W, (regions, 4) and "
                      "(regions)");
  for (int64_t image : images.getInts())
    if (image < 0 || image >= x.getDim(0))
      return modelError("a region is of image " + llvm::Twine(image) + " of " +
                        llvm::Twine(x.getDim(0)));
  return Error::success();
}

Expected<HostTensor> kernels::roiAlign(const HostTensor &x,
                                       const HostTensor &rois,
                                       const HostTensor &images,
                                       const RoiAlignOptions &options) {
  if (Error error = checkOperands(x, rois, images))
    return std::move(error);
  auto result =
      HostTensor::allocate(x.getType(), {rois.getDim(0), x.getDim(1),
                                         options.height, options.width});
  // Without pixels there are no samples, and everything is zero.
  if (!result || x.getNumElements() == 0)
    return result;
  Aligner aligner(x, options, *result);
  for (int64_t n = 0; n < rois.getDim(0); ++n) {
    double corners[4];
    loadElements(rois, n * 4, MutableArrayRef<double>(corners));
    bool isDouble = x.getType() == ElementType::Double;
    if (Error error = isDouble
                          ? aligner.run<double>(n, corners, images.getInt(n))
                          : aligner.run<float>(n, corners, images.getInt(n)))
      return std::move(error);
  }
  return result;
}
