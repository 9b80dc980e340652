//===- Reduce.cpp - Reference kernels of reductions -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Reduce.h"
#include "RowBuffer.h"
#include <cmath>
#include <limits>

using namespace inlay;
using namespace inlay::kernels;
using llvm::Expected;

/// The shape of x with ones in place of the reduced dimensions.
static Expected<HostTensor::Shape> getKeptShape(const HostTensor &x,
                                                llvm::ArrayRef<int64_t> axes) {
  HostTensor::Shape shape(x.getShape());
  llvm::SmallVector<bool> seen(x.getRank(), false);
  for (int64_t axis : axes) {
    if (axis < 0 || axis >= x.getRank() || seen[axis])
      return modelError("the axes of a reduction must be distinct and in [0, " +
                        llvm::Twine(x.getRank()) + "), but one is " +
                        llvm::Twine(axis));
    seen[axis] = true;
    shape[axis] = 1;
  }
  return shape;
}

static HostTensor::Shape dropAxes(llvm::ArrayRef<int64_t> shape,
                                  llvm::ArrayRef<int64_t> axes) {
  HostTensor::Shape result;
  for (int64_t i = 0; i < int64_t(shape.size()); ++i)
    if (!llvm::is_contained(axes, i))
      result.push_back(shape[i]);
  return result;
}

//===----------------------------------------------------------------------===//
// Accumulation
//===----------------------------------------------------------------------===//

template <typename T> static T add(T a, T b) {
  if constexpr (std::is_same_v<T, double>)
    return a + b;
  else
    return T(uint64_t(a) + uint64_t(b)); // wraps
}

template <typename T> static T multiply(T a, T b) {
  if constexpr (std::is_same_v<T, double>)
    return a * b;
  else
    return T(uint64_t(a) * uint64_t(b));
}

template <typename T> static T magnitude(T a) {
  if constexpr (std::is_same_v<T, double>)
    return std::fabs(a);
  else
    return a < 0 ? T(-uint64_t(a)) : a;
}

namespace {
/// The results of a reduction while it is under way.
template <typename T> class Accumulator {
public:
  /// `kept` is the shape of x with ones in place of the reduced dimensions.
  Accumulator(const HostTensor &x, llvm::ArrayRef<int64_t> kept, T neutral)
      : x(x), loop(x.getShape(), {kept}),
        values(*inlay::getNumElements(kept), neutral) {}

  /// values[j] = fn(values[j], x[i], j) for every element i that belongs to j.
  template <typename F> void run(F fn) {
    RowBuffer<T> row;
    int64_t step = loop.getStep(0);
    loop.forEachRow([&](int64_t at, llvm::ArrayRef<int64_t> to) {
      forEachChunk(loop.getRowLength(), [&](int64_t begin, int64_t count) {
        row.load(x, at + begin, 1, count);
        int64_t index = to[0] + begin * step;
        if (step == 0) {
          T value = values[index];
          for (int64_t i = 0; i < count; ++i)
            value = fn(value, row[i], index);
          values[index] = value;
          return;
        }
        for (int64_t i = 0; i < count; ++i)
          values[index + i] = fn(values[index + i], row[i], index + i);
      });
    });
  }

  std::vector<T> &get() { return values; }

private:
  const HostTensor &x;
  BroadcastLoop loop;
  std::vector<T> values;
};
} // namespace

/// The value below (above) which there is none of the type.
template <typename T> static T getExtreme(ElementType type, bool lowest) {
  if constexpr (std::is_same_v<T, double>) {
    double infinity = std::numeric_limits<double>::infinity();
    return lowest ? -infinity : infinity;
  } else {
    unsigned bits = type == ElementType::Bool ? 1 : getBitWidth(type);
    uint64_t highest = ~uint64_t(0) >> (64 - bits + std::is_signed_v<T>);
    if (lowest)
      return std::is_signed_v<T> ? T(-int64_t(highest) - 1) : T(0);
    return T(highest);
  }
}

template <typename T>
static std::vector<T> accumulate(ReduceFunction f, const HostTensor &x,
                                 llvm::ArrayRef<int64_t> kept) {
  auto run = [&](T neutral, auto fn) {
    Accumulator<T> accumulator(x, kept, neutral);
    accumulator.run(fn);
    return std::move(accumulator.get());
  };
  switch (f) {
  case ReduceFunction::Max:
    return run(getExtreme<T>(x.getType(), /*lowest=*/true),
               [](T a, T v, int64_t) { return v > a || v != v ? v : a; });
  case ReduceFunction::Min:
    return run(getExtreme<T>(x.getType(), /*lowest=*/false),
               [](T a, T v, int64_t) { return v < a || v != v ? v : a; });
  case ReduceFunction::Prod:
    return run(1, [](T a, T v, int64_t) { return multiply(a, v); });
  case ReduceFunction::L1:
    return run(0, [](T a, T v, int64_t) { return add(a, magnitude(v)); });
  case ReduceFunction::L2:
  case ReduceFunction::SumSquare:
    return run(0, [](T a, T v, int64_t) { return add(a, multiply(v, v)); });
  default:
    return run(0, [](T a, T v, int64_t) { return add(a, v); });
  }
}

/// log(sum(exp(x))) around the largest element, so that nothing overflows.
static std::vector<double> logSumExp(const HostTensor &x,
                                     llvm::ArrayRef<int64_t> kept) {
  std::vector<double> shift = accumulate<double>(ReduceFunction::Max, x, kept);
  for (double &value : shift)
    if (!std::isfinite(value))
      value = 0; // infinity minus itself would be NaN
  Accumulator<double> sums(x, kept, 0.0);
  sums.run([&](double a, double v, int64_t j) {
    return a + std::exp(v - shift[j]);
  });
  for (size_t j = 0; j < shift.size(); ++j)
    sums.get()[j] = std::log(sums.get()[j]) + shift[j];
  return std::move(sums.get());
}

static std::vector<double> reduceFloats(ReduceFunction f, const HostTensor &x,
                                        llvm::ArrayRef<int64_t> kept,
                                        double count) {
  if (f == ReduceFunction::LogSumExp)
    return logSumExp(x, kept);
  std::vector<double> values = accumulate<double>(f, x, kept);
  for (double &value : values) {
    if (f == ReduceFunction::Mean)
      value /= count;
    else if (f == ReduceFunction::L2)
      value = std::sqrt(value);
    else if (f == ReduceFunction::LogSum)
      value = std::log(value);
  }
  return values;
}

static bool needsFloats(ReduceFunction f) {
  return f == ReduceFunction::L2 || f == ReduceFunction::LogSum ||
         f == ReduceFunction::LogSumExp;
}

/// `count` elements of x make up one of the result.
static void reduceInto(HostTensor &out, ReduceFunction f, const HostTensor &x,
                       llvm::ArrayRef<int64_t> kept, int64_t count) {
  if (isFloat(x.getType()) || needsFloats(f)) {
    std::vector<double> values = reduceFloats(f, x, kept, count);
    return storeElements(out, 0, llvm::ArrayRef<double>(values));
  }
  dispatchCompute(x.getType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> values = accumulate<T>(f, x, kept);
    if (f == ReduceFunction::Mean)
      for (T &value : values)
        value = count == 0 ? T(0) : T(value / T(count));
    storeElements(out, 0, llvm::ArrayRef<T>(values));
  });
}

Expected<HostTensor> kernels::reduce(ReduceFunction f, const HostTensor &x,
                                     llvm::ArrayRef<int64_t> axes,
                                     bool keepDims) {
  if (llvm::Error error = checkNumeric(x, "the operand of a reduction"))
    return std::move(error);
  if (x.getType() == ElementType::Bool && f != ReduceFunction::Max &&
      f != ReduceFunction::Min)
    return modelError("only Max and Min reduce bools");
  Expected<HostTensor::Shape> kept = getKeptShape(x, axes);
  if (!kept)
    return kept.takeError();
  Expected<HostTensor> out = HostTensor::allocate(x.getType(), *kept);
  if (!out)
    return out.takeError();
  int64_t count = 1;
  for (int64_t axis : axes)
    count *= x.getDim(axis);
  reduceInto(*out, f, x, *kept, count);
  return keepDims ? std::move(*out) : out->reshaped(dropAxes(*kept, axes));
}
