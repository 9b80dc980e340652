//===- ConvTranspose.cpp - Reference ConvTranspose ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transposed convolution is, per image and group, the product of the
// transposed weights (taps of all output channels x input channels) with the
// input (input channels x positions). Each row of the product is one tap's
// contribution and is added where the tap lies.
//
//===----------------------------------------------------------------------===//

#include "BlockedGemm.h"
#include "ContractionCore.h"
#include "ConvShape.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Kernels/Movement.h"
#include "inlay/Tensor/Strides.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::MutableArrayRef;
using llvm::Twine;

/// Checks weights and finds the output's spatial sizes.
static Error finishShape(const HostTensor &w, const ConvParams &params,
                         ConvShape &shape) {
  if (w.getDim(0) != shape.inputChannels * shape.group)
    return modelError("weights must have " +
                      Twine(shape.inputChannels * shape.group) +
                      " input channels, found " + formatShape(w.getShape()));
  shape.outputChannels = w.getDim(1);
  Expected<Sizes> sizes = inferTransposeSizes(
      shape.input, {shape.kernel, shape.strides, shape.dilations}, shape.pads,
      params.outputPadding);
  if (!sizes)
    return sizes.takeError();
  shape.output = *sizes;
  return Error::success();
}

/// Adds the values of the input positions from `position` on to where tap
/// `tap` of their windows lies in `plane`, one channel of the output.
template <typename T>
static void addTap(const ConvShape &shape, int64_t tap, int64_t position,
                   ArrayRef<T> values, T *plane) {
  size_t rank = shape.input.size();
  llvm::SmallVector<int64_t, 4> shift(rank);
  for (int64_t i = rank - 1; i >= 0; tap /= shape.kernel[i--])
    shift[i] = tap % shape.kernel[i] * shape.dilations[i] - shape.pads[i];
  for (T value : values) {
    int64_t rest = position++, offset = 0, size = 1;
    bool inside = true;
    for (int64_t i = rank - 1; i >= 0; rest /= shape.input[i--]) {
      int64_t at = rest % shape.input[i] * shape.strides[i] + shift[i];
      inside &= at >= 0 && at < shape.output[i];
      offset += inside ? at * size : 0;
      size *= shape.output[i];
    }
    if (inside)
      plane[offset] += value;
  }
}

/// `w` is transposed: group x taps of all output channels x input channels.
template <typename T>
static void convolveTransposed(const ConvShape &shape, const HostTensor &x,
                               const HostTensor &w, const HostTensor *bias,
                               HostTensor &result) {
  int64_t channels = shape.outputChannels, depth = shape.inputChannels;
  int64_t taps = product(shape.kernel), plane = product(shape.output);
  int64_t positions = product(shape.input), rows = channels * taps;
  std::vector<T> biases(shape.group * channels, T(0)), sums;
  if (bias)
    loadElements(*bias, 0, MutableArrayRef<T>(biases));
  BlockedGemm<T> gemm;
  int64_t block = 0, group = 0; // block numbers groups of all images
  auto loadA = [&](int64_t row, int64_t k, MutableArrayRef<T> to) {
    loadElements(w, (group * rows + row) * depth + k, to);
  };
  auto loadB = [&](int64_t k, int64_t position, MutableArrayRef<T> to) {
    loadElements(x, (block * depth + k) * positions + position, to);
  };
  auto store = [&](int64_t row, int64_t position, MutableArrayRef<T> values) {
    addTap(shape, row % taps, position, ArrayRef<T>(values),
           sums.data() + row / taps * plane);
  };
  for (; block < shape.images * shape.group; ++block) {
    group = block % shape.group;
    sums.clear();
    for (int64_t i = 0; i < channels; ++i)
      sums.insert(sums.end(), plane, biases[group * channels + i]);
    gemm.run({rows, positions, depth, loadA, loadB, store});
    storeElements(result, block * channels * plane, ArrayRef<T>(sums));
  }
}

Expected<HostTensor> kernels::convTranspose(const HostTensor &x,
                                            const HostTensor &w,
                                            const HostTensor *bias,
                                            const ConvParams &params) {
  if (Error error = checkFactors(x, w))
    return std::move(error);
  Expected<ConvShape> shape = getConvShape(x, w, params);
  if (!shape)
    return shape.takeError();
  if (Error error = finishShape(w, params, *shape))
    return std::move(error);
  int64_t channels;
  if (llvm::MulOverflow(shape->outputChannels, shape->group, channels))
    return modelError("number of output channels overflows");
  if (Error error = checkBias(bias, channels))
    return std::move(error);
  HostTensor::Shape resultShape{shape->images, channels};
  llvm::append_range(resultShape, shape->output);
  Expected<HostTensor> result = HostTensor::allocate(x.getType(), resultShape);
  if (!result || result->getNumElements() == 0)
    return result;

  int64_t rows = shape->outputChannels * product(shape->kernel);
  Expected<HostTensor> transposed = transpose(
      w.reshaped({shape->group, shape->inputChannels, rows}), {0, 2, 1});
  if (!transposed)
    return transposed;
  if (sumsInDouble(x.getType()))
    convolveTransposed<double>(*shape, x, *transposed, bias, *result);
  else
    convolveTransposed<uint64_t>(*shape, x, *transposed, bias, *result);
  return result;
}
