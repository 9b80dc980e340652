//===- Pool.cpp - Reference pooling ---------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Pool.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Dispatch.h"
#include "inlay/Tensor/Strides.h"
#include "inlay/Tensor/Window.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::MutableArrayRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

namespace {
/// The windows of one axis: which taps of the window at an output position lie
/// inside the input.
struct AxisWindows {
  int64_t input, output, kernel, stride, dilation, padBegin, padEnd;

  int64_t getStart(int64_t position) const {
    return position * stride - padBegin;
  }
  int64_t getFirstTap(int64_t position) const {
    int64_t before = -getStart(position);
    return before > 0 ? (before + dilation - 1) / dilation : 0;
  }
  /// One after the last tap before `limit`.
  int64_t getEndTap(int64_t position, int64_t limit) const {
    int64_t room = limit - getStart(position);
    return room > 0 ? std::min(kernel, (room - 1) / dilation + 1) : 0;
  }
};

/// The pooling windows over one channel of one image.
class PoolWindows {
public:
  static Expected<PoolWindows> get(const HostTensor &x,
                                   const PoolParams &params);

  /// Input and output elements per channel.
  int64_t getInputSize() const { return inputSize; }
  int64_t getOutputSize() const { return product(output); }
  ArrayRef<int64_t> getOutput() const { return output; }

  /// Calls fn(offset in the input) for the taps of window `position` that lie
  /// inside, in row-major order.
  template <typename F>
  void forEachTap(ArrayRef<int64_t> position, F fn) const {
    int64_t first = 0;
    llvm::SmallVector<int64_t, 4> counts, steps;
    for (auto [i, axis] : llvm::enumerate(axes)) {
      int64_t tap = axis.getFirstTap(position[i]);
      int64_t end = axis.getEndTap(position[i], axis.input);
      counts.push_back(std::max<int64_t>(end - tap, 0));
      steps.push_back(axis.dilation * strides[i]);
      first += (axis.getStart(position[i]) + tap * axis.dilation) * strides[i];
    }
    int64_t count = counts.pop_back_val(), step = steps.pop_back_val();
    if (count == 0)
      return;
    for (IndexCounter outer(counts); !outer.atEnd(); outer.next()) {
      int64_t offset = first + outer.getOffset(steps);
      for (int64_t i = 0; i < count; ++i)
        fn(offset + i * step);
    }
  }

  /// Taps of a window inside the input and its pads.
  int64_t countPaddedTaps(ArrayRef<int64_t> position) const {
    int64_t count = 1;
    for (auto [i, axis] : llvm::enumerate(axes))
      count *= axis.getEndTap(position[i], axis.input + axis.padEnd);
    return count;
  }

  /// The number a tap has when the first axis counts fastest.
  int64_t toColumnMajor(int64_t offset) const {
    int64_t result = 0, stride = 1;
    for (auto [i, axis] : llvm::enumerate(axes)) {
      result += offset / strides[i] % axis.input * stride;
      stride *= axis.input;
    }
    return result;
  }

private:
  llvm::SmallVector<AxisWindows, 3> axes;
  Sizes output;
  Strides strides;
  int64_t inputSize = 0;
};
} // namespace

Expected<PoolWindows> PoolWindows::get(const HostTensor &x,
                                       const PoolParams &params) {
  if (Error error = checkNumeric(x, "input of a pooling"))
    return std::move(error);
  if (x.getRank() < 3)
    return modelError("pooling needs rank 3 or more, found " +
                      formatShape(x.getShape()));
  ArrayRef<int64_t> input = x.getShape().drop_front(2);
  Expected<Sizes> output =
      inferWindowSizes(input, {params.kernel, params.strides, params.dilations},
                       params.pads, params.ceilMode);
  if (!output)
    return output.takeError();
  PoolWindows windows;
  windows.output = *output;
  windows.strides = getRowMajorStrides(input);
  windows.inputSize = product(input);
  size_t rank = input.size();
  auto get = [](ArrayRef<int64_t> values, size_t i, int64_t missing) {
    return values.empty() ? missing : values[i];
  };
  for (size_t i = 0; i < rank; ++i)
    windows.axes.push_back({input[i], (*output)[i], params.kernel[i],
                            get(params.strides, i, 1),
                            get(params.dilations, i, 1), get(params.pads, i, 0),
                            get(params.pads, rank + i, 0)});
  return windows;
}

static HostTensor::Shape getResultShape(const HostTensor &x,
                                        ArrayRef<int64_t> spatial) {
  HostTensor::Shape shape(x.getShape().take_front(2));
  llvm::append_range(shape, spatial);
  return shape;
}

/// Pools each channel: out[position] = fn(elements, position), computing in T.
template <typename T, typename F>
static Expected<HostTensor> poolChannels(const HostTensor &x,
                                         const PoolWindows &windows, F fn) {
  Expected<HostTensor> result =
      HostTensor::allocate(x.getType(), getResultShape(x, windows.getOutput()));
  if (!result || result->getNumElements() == 0)
    return result;
  std::vector<T> in(windows.getInputSize()), out(windows.getOutputSize());
  for (int64_t channel = 0; channel < x.getDim(0) * x.getDim(1); ++channel) {
    loadElements(x, channel * windows.getInputSize(), MutableArrayRef<T>(in));
    auto to = out.begin();
    for (IndexCounter i(windows.getOutput()); !i.atEnd(); i.next())
      *to++ = fn(ArrayRef<T>(in), i.getIndex(), channel);
    storeElements(*result, channel * windows.getOutputSize(), ArrayRef<T>(out));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Max
//===----------------------------------------------------------------------===//

template <typename T> static T getLowest(ElementType type) {
  if constexpr (std::is_same_v<T, double>)
    return -std::numeric_limits<double>::infinity();
  if (!isSignedInteger(type))
    return T(0);
  return T(uint64_t(-1) << (getBitWidth(type) - 1));
}

/// Whether a maximum of `best` so far becomes `value`. The first NaN stays.
template <typename T> static bool replaces(T value, T best) {
  return value > best || (value != value && best == best);
}

Expected<MaxPoolResult> kernels::maxPool(const HostTensor &x,
                                         const PoolParams &params,
                                         bool columnMajor) {
  Expected<PoolWindows> windows = PoolWindows::get(x, params);
  if (!windows)
    return windows.takeError();
  Expected<HostTensor> indices = HostTensor::allocate(
      ElementType::Int64, getResultShape(x, windows->getOutput()));
  if (!indices)
    return indices.takeError();
  int64_t *nextIndex = indices->getMutable<int64_t>().data();
  auto pool = [&]<typename T>(T) {
    T lowest = getLowest<T>(x.getType());
    auto findMax = [&](ArrayRef<T> in, ArrayRef<int64_t> at, int64_t channel) {
      T best = lowest;
      int64_t where = -1;
      windows->forEachTap(at, [&](int64_t offset) {
        if (where >= 0 && !replaces(in[offset], best))
          return;
        best = in[offset];
        where = offset;
      });
      if (where >= 0 && columnMajor)
        where = windows->toColumnMajor(where);
      *nextIndex++ = where < 0 ? -1 : channel * windows->getInputSize() + where;
      return best;
    };
    return poolChannels<T>(x, *windows, findMax);
  };
  Expected<HostTensor> values = dispatchCompute(x.getType(), pool);
  if (!values)
    return values.takeError();
  return MaxPoolResult{std::move(*values), std::move(*indices)};
}

//===----------------------------------------------------------------------===//
// Average and Lp
//===----------------------------------------------------------------------===//

Expected<HostTensor> kernels::averagePool(const HostTensor &x,
                                          const PoolParams &params,
                                          bool countIncludePad) {
  Expected<PoolWindows> windows = PoolWindows::get(x, params);
  if (!windows)
    return windows.takeError();
  auto average = [&](ArrayRef<double> in, ArrayRef<int64_t> at, int64_t) {
    double sum = 0;
    int64_t count = 0;
    windows->forEachTap(at, [&](int64_t offset) {
      sum += in[offset];
      ++count;
    });
    if (countIncludePad)
      count = windows->countPaddedTaps(at);
    return count == 0 ? 0 : sum / double(count);
  };
  return poolChannels<double>(x, *windows, average);
}

static Error checkNorm(int64_t p) {
  if (p > 0)
    return Error::success();
  return modelError("p of a norm must be positive, found " + Twine(p));
}

/// |value|^p, and its inverse for sums.
static double power(double value, int64_t p) {
  return p == 1   ? std::fabs(value)
         : p == 2 ? value * value
                  : std::pow(std::fabs(value), double(p));
}
static double root(double sum, int64_t p) {
  return p == 1 ? sum : p == 2 ? std::sqrt(sum) : std::pow(sum, 1 / double(p));
}

Expected<HostTensor> kernels::lpPool(const HostTensor &x,
                                     const PoolParams &params, int64_t p) {
  if (Error error = checkNorm(p))
    return std::move(error);
  Expected<PoolWindows> windows = PoolWindows::get(x, params);
  if (!windows)
    return windows.takeError();
  auto norm = [&](ArrayRef<double> in, ArrayRef<int64_t> at, int64_t) {
    double sum = 0;
    windows->forEachTap(at,
                        [&](int64_t offset) { sum += power(in[offset], p); });
    return root(sum, p);
  };
  return poolChannels<double>(x, *windows, norm);
}

//===----------------------------------------------------------------------===//
// Global pooling
//===----------------------------------------------------------------------===//

/// Applies fn to all elements of each channel.
template <typename T, typename F>
static Expected<HostTensor> poolGlobally(const HostTensor &x, F fn) {
  if (Error error = checkNumeric(x, "input of a pooling"))
    return std::move(error);
  if (x.getRank() < 2)
    return modelError("pooling needs rank 2 or more, found " +
                      formatShape(x.getShape()));
  llvm::SmallVector<int64_t, 3> ones(x.getRank() - 2, 1);
  Expected<HostTensor> result =
      HostTensor::allocate(x.getType(), getResultShape(x, ones));
  if (!result || result->getNumElements() == 0)
    return result;
  std::vector<T> in(product(x.getShape().drop_front(2)));
  for (int64_t channel = 0; channel < result->getNumElements(); ++channel) {
    loadElements(x, channel * in.size(), MutableArrayRef<T>(in));
    storeElements(*result, channel, ArrayRef<T>(fn(ArrayRef<T>(in))));
  }
  return result;
}

Expected<HostTensor> kernels::globalAveragePool(const HostTensor &x) {
  return poolGlobally<double>(x, [](ArrayRef<double> in) {
    double sum = 0;
    for (double value : in)
      sum += value;
    return in.empty() ? 0 : sum / double(in.size());
  });
}

Expected<HostTensor> kernels::globalMaxPool(const HostTensor &x) {
  return dispatchCompute(x.getType(), [&]<typename T>(T) {
    T lowest = getLowest<T>(x.getType());
    return poolGlobally<T>(x, [&](ArrayRef<T> in) {
      T best = in.empty() ? lowest : in[0];
      for (T value : in)
        best = replaces(value, best) ? value : best;
      return best;
    });
  });
}

Expected<HostTensor> kernels::globalLpPool(const HostTensor &x, int64_t p) {
  if (Error error = checkNorm(p))
    return std::move(error);
  return poolGlobally<double>(x, [&](ArrayRef<double> in) {
    double sum = 0;
    for (double value : in)
      sum += power(value, p);
    return root(sum, p);
  });
}
