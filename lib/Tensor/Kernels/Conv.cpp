//===- Conv.cpp - Reference Conv ------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution is, per image and group, the product of the weights (output
// channels x taps of all input channels) with the windows (those taps x output
// positions). Windows are made row by row as the product asks for them.
//
//===----------------------------------------------------------------------===//

#include "BlockedGemm.h"
#include "ContractionCore.h"
#include "ConvShape.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Strides.h"

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::MutableArrayRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static void setDefault(llvm::SmallVectorImpl<int64_t> &values,
                       ArrayRef<int64_t> given, size_t count, int64_t value) {
  values.assign(given.begin(), given.end());
  if (given.empty())
    values.assign(count, value);
}

Expected<ConvShape> kernels::getConvShape(const HostTensor &x,
                                          const HostTensor &w,
                                          const ConvParams &params) {
  if (x.getRank() < 3 || w.getRank() != x.getRank())
    return modelError("a convolution needs operands of one rank of at least 3, "
                      "found " +
                      formatShape(x.getShape()) + " and " +
                      formatShape(w.getShape()));
  if (params.group <= 0 || x.getDim(1) % params.group != 0)
    return modelError("group must divide the " + Twine(x.getDim(1)) +
                      " input channels, found " + Twine(params.group));
  ConvShape shape;
  shape.images = x.getDim(0);
  shape.group = params.group;
  shape.inputChannels = x.getDim(1) / params.group;
  size_t rank = x.getRank() - 2;
  llvm::append_range(shape.input, x.getShape().drop_front(2));
  llvm::append_range(shape.kernel, w.getShape().drop_front(2));
  setDefault(shape.strides, params.strides, rank, 1);
  setDefault(shape.dilations, params.dilations, rank, 1);
  setDefault(shape.pads, params.pads, 2 * rank, 0);
  return shape;
}

Error kernels::checkBias(const HostTensor *bias, int64_t channels) {
  if (!bias || (bias->getRank() == 1 && bias->getDim(0) == channels &&
                (isFloat(bias->getType()) || isInteger(bias->getType()))))
    return Error::success();
  return modelError("bias must hold " + Twine(channels) + " numbers, found " +
                    formatShape(bias->getShape()));
}

/// Checks weights and finds the output's spatial sizes.
static Error finishShape(const HostTensor &w, ConvShape &shape) {
  if (w.getDim(1) != shape.inputChannels)
    return modelError("weights must have " + Twine(shape.inputChannels) +
                      " input channels, found " + formatShape(w.getShape()));
  if (w.getDim(0) % shape.group != 0)
    return modelError("group " + Twine(shape.group) + " must divide the " +
                      Twine(w.getDim(0)) + " output channels");
  shape.outputChannels = w.getDim(0) / shape.group;
  Expected<Sizes> sizes = inferWindowSizes(
      shape.input, {shape.kernel, shape.strides, shape.dilations}, shape.pads);
  if (!sizes)
    return sizes.takeError();
  shape.output = *sizes;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

namespace {
/// The rows of the window matrix of one image and group. Row k belongs to one
/// input channel and one tap and holds, per output position, the element that
/// the tap meets there; 0 in the pads.
template <typename T> class Windows {
public:
  explicit Windows(const ConvShape &shape)
      : shape(shape), taps(product(shape.kernel)), plane(product(shape.input)),
        last(shape.input.size() - 1),
        inputStrides(getRowMajorStrides(shape.input)),
        elements(shape.inputChannels * plane),
        isIdentity(taps == 1 && shape.input == shape.output &&
                   llvm::all_of(shape.strides, isOne) &&
                   llvm::all_of(shape.pads, isZero)) {}

  void setImage(const HostTensor &x, int64_t image, int64_t group) {
    int64_t first = (image * shape.group + group) * elements.size();
    loadElements(x, first, MutableArrayRef<T>(elements));
  }

  /// Part of row `k`, from output position `position` on.
  void loadRow(int64_t k, int64_t position, MutableArrayRef<T> to) const {
    const T *from = elements.data() + k / taps * plane;
    if (isIdentity) {
      std::copy_n(from + position, to.size(), to.data());
      return;
    }
    Tap tap = getTap(k % taps);
    int64_t length = shape.output[last];
    while (!to.empty()) {
      int64_t column = position % length;
      size_t count = std::min<int64_t>(length - column, to.size());
      loadLine(from, tap, position / length, column, to.take_front(count));
      to = to.drop_front(count);
      position += count;
    }
  }

private:
  /// A tap's distance from output position 0, per axis, pads counted.
  using Tap = llvm::SmallVector<int64_t, 4>;

  static bool isOne(int64_t value) { return value == 1; }
  static bool isZero(int64_t value) { return value == 0; }

  Tap getTap(int64_t index) const {
    Tap tap(shape.kernel.size());
    for (int64_t i = last; i >= 0; index /= shape.kernel[i--])
      tap[i] = index % shape.kernel[i] * shape.dilations[i] - shape.pads[i];
    return tap;
  }

  /// Part of one line along the last axis. `line` numbers the lines.
  void loadLine(const T *from, const Tap &tap, int64_t line, int64_t column,
                MutableArrayRef<T> to) const {
    for (int64_t i = last - 1; i >= 0; line /= shape.output[i--]) {
      int64_t at = line % shape.output[i] * shape.strides[i] + tap[i];
      if (at < 0 || at >= shape.input[i]) {
        std::fill(to.begin(), to.end(), T(0));
        return;
      }
      from += at * inputStrides[i];
    }
    int64_t stride = shape.strides[last];
    int64_t at = column * stride + tap[last];
    int64_t end = shape.input[last];
    size_t i = 0;
    for (; i < to.size() && at < 0; ++i, at += stride)
      to[i] = T(0);
    for (; i < to.size() && at < end; ++i, at += stride)
      to[i] = from[at];
    for (; i < to.size(); ++i)
      to[i] = T(0);
  }

  const ConvShape &shape;
  int64_t taps;
  int64_t plane;
  int64_t last;
  Strides inputStrides;
  std::vector<T> elements;
  bool isIdentity;
};
} // namespace

//===----------------------------------------------------------------------===//
// Conv
//===----------------------------------------------------------------------===//

template <typename T>
static void convolve(const ConvShape &shape, const HostTensor &x,
                     const HostTensor &w, const HostTensor *bias,
                     HostTensor &result) {
  int64_t channels = shape.outputChannels;
  int64_t positions = product(shape.output);
  int64_t depth = shape.inputChannels * product(shape.kernel);
  std::vector<T> biases(shape.group * channels, T(0));
  if (bias)
    loadElements(*bias, 0, MutableArrayRef<T>(biases));
  Windows<T> windows(shape);
  BlockedGemm<T> gemm;
  int64_t group = 0, image = 0;
  auto loadA = [&](int64_t row, int64_t k, MutableArrayRef<T> to) {
    loadElements(w, (group * channels + row) * depth + k, to);
  };
  auto loadB = [&](int64_t k, int64_t position, MutableArrayRef<T> to) {
    windows.loadRow(k, position, to);
  };
  auto store = [&](int64_t row, int64_t position, MutableArrayRef<T> sums) {
    int64_t channel = group * channels + row;
    for (T &sum : sums)
      sum += biases[channel];
    storeElements(result,
                  (image * shape.group * channels + channel) * positions +
                      position,
                  ArrayRef<T>(sums));
  };
  for (image = 0; image < shape.images; ++image)
    for (group = 0; group < shape.group; ++group) {
      windows.setImage(x, image, group);
      gemm.run({channels, positions, depth, loadA, loadB, store});
    }
}

Expected<HostTensor> kernels::convTo(ElementType resultType,
                                     const HostTensor &x, const HostTensor &w,
                                     const HostTensor *bias,
                                     const ConvParams &params) {
  if (Error error = checkFactors(x, w))
    return std::move(error);
  Expected<ConvShape> shape = getConvShape(x, w, params);
  if (!shape)
    return shape.takeError();
  if (Error error = finishShape(w, *shape))
    return std::move(error);
  if (Error error = checkBias(bias, w.getDim(0)))
    return std::move(error);
  HostTensor::Shape resultShape{shape->images, w.getDim(0)};
  llvm::append_range(resultShape, shape->output);
  Expected<HostTensor> result = HostTensor::allocate(resultType, resultShape);
  if (!result || result->getNumElements() == 0)
    return result;
  if (sumsInDouble(x.getType()))
    convolve<double>(*shape, x, w, bias, *result);
  else
    convolve<uint64_t>(*shape, x, w, bias, *result);
  return result;
}

Expected<HostTensor> kernels::conv(const HostTensor &x, const HostTensor &w,
                                   const HostTensor *bias,
                                   const ConvParams &params) {
  return convTo(x.getType(), x, w, bias, params);
}
