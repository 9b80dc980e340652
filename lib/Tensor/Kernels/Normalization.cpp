//===- Normalization.cpp - Reference kernels of normalisations ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of them are the mean and variance over some axes of some shape of x, then
// a scale and a bias that broadcast. Between the steps values stay doubles, so
// that the result is rounded once.
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Normalization.h"
#include "AxisView.h"
#include "RowBuffer.h"
#include "inlay/Tensor/Kernels/Reduce.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Expected;

static constexpr ElementType Double = ElementType::Double;

namespace {
/// Statistics as doubles, with ones in place of the reduced dimensions.
struct Moments {
  HostTensor mean;
  HostTensor variance;
};
} // namespace

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// The mean of fn(x) over the axes, which stay with size 1.
template <typename F>
static Expected<HostTensor> meanOf(const HostTensor &x, ArrayRef<int64_t> axes,
                                   F fn) {
  Expected<HostTensor> mapped = mapElements<double>(x, Double, fn);
  if (!mapped)
    return mapped.takeError();
  return reduce(ReduceFunction::Mean, *mapped, axes, /*keepDims=*/true);
}

/// The population variance; around the mean, not as a difference of squares.
static Expected<Moments> computeMoments(const HostTensor &x,
                                        ArrayRef<int64_t> axes) {
  Expected<HostTensor> mean = meanOf(x, axes, [](double v) { return v; });
  if (!mean)
    return mean.takeError();
  Expected<HostTensor> squares = zipElements<double, double>(
      x, *mean, Double, x.getShape(),
      [](double v, double m) { return (v - m) * (v - m); });
  if (!squares)
    return squares.takeError();
  Expected<HostTensor> variance =
      reduce(ReduceFunction::Mean, *squares, axes, /*keepDims=*/true);
  if (!variance)
    return variance.takeError();
  return Moments{std::move(*mean), std::move(*variance)};
}

static Expected<HostTensor> invertStdDev(const HostTensor &variance,
                                         float epsilon) {
  return mapElements<double>(variance, Double, [=](double v) {
    return 1.0 / std::sqrt(v + double(epsilon));
  });
}

/// a op b of the shape of a, as `type`.
template <typename F>
static Expected<HostTensor> combine(Expected<HostTensor> a, const HostTensor &b,
                                    ElementType type, F fn) {
  if (!a)
    return a.takeError();
  return zipElements<double, double>(*a, b, type, a->getShape(), fn);
}

static Expected<HostTensor> subtract(Expected<HostTensor> a,
                                     const HostTensor &b) {
  return combine(std::move(a), b, Double,
                 [](double x, double y) { return x - y; });
}
static Expected<HostTensor> multiply(Expected<HostTensor> a,
                                     const HostTensor &b,
                                     ElementType type = Double) {
  return combine(std::move(a), b, type,
                 [](double x, double y) { return x * y; });
}
static Expected<HostTensor> add(Expected<HostTensor> a, const HostTensor &b,
                                ElementType type) {
  return combine(std::move(a), b, type,
                 [](double x, double y) { return x + y; });
}

/// (x - mean) / sqrt(variance + epsilon), as doubles.
static Expected<HostTensor> standardize(const HostTensor &x,
                                        const Moments &moments, float epsilon) {
  Expected<HostTensor> factor = invertStdDev(moments.variance, epsilon);
  if (!factor)
    return factor.takeError();
  return multiply(subtract(x, moments.mean), *factor);
}

/// Standardises over axes of x seen under another shape.
static Expected<HostTensor> standardizeRows(const HostTensor &x, int64_t rows,
                                            float epsilon) {
  int64_t length = rows == 0 ? 0 : x.getNumElements() / rows;
  HostTensor flat = x.reshaped({rows, length});
  Expected<Moments> moments = computeMoments(flat, {1});
  if (!moments)
    return moments.takeError();
  Expected<HostTensor> y = standardize(flat, *moments, epsilon);
  if (!y)
    return y.takeError();
  return y->reshaped(x.getShape());
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

/// A tensor of rank one is a batch of one channel.
static int64_t getNumChannels(const HostTensor &x) {
  return x.getRank() < 2 ? 1 : x.getDim(1);
}

/// Features, and statistics of one float per channel.
static llvm::Error checkFeatures(const HostTensor &x, llvm::StringRef name) {
  if (llvm::Error error = checkFloat(x, "the input of " + name))
    return error;
  if (x.getRank() == 0)
    return modelError("the input of " + name + " must have a batch dimension");
  return llvm::Error::success();
}

/// `values`, `count` floats, as a tensor that broadcasts along dimension 1 of a
/// tensor of the given rank.
static Expected<HostTensor> alignToChannels(const HostTensor &values,
                                            int64_t count, int64_t rank,
                                            llvm::StringRef what) {
  if (llvm::Error error = checkFloat(values, "the " + what))
    return std::move(error);
  if (values.getNumElements() != count)
    return modelError("the " + what + " must have " + llvm::Twine(count) +
                      " elements, but has shape " +
                      formatShape(values.getShape()));
  HostTensor::Shape shape(std::max<int64_t>(rank - 1, 1), 1);
  shape[0] = count;
  return values.reshaped(shape);
}

/// y * scale + bias, one of each per channel, in the type of x.
static Expected<HostTensor> applyPerChannel(Expected<HostTensor> y,
                                            const HostTensor &scale,
                                            const HostTensor &bias,
                                            int64_t count, ElementType type) {
  if (!y)
    return y.takeError();
  int64_t rank = y->getRank();
  Expected<HostTensor> scales = alignToChannels(scale, count, rank, "scale");
  if (!scales)
    return scales.takeError();
  Expected<HostTensor> biases = alignToChannels(bias, count, rank, "bias");
  if (!biases)
    return biases.takeError();
  return add(multiply(std::move(y), *scales), *biases, type);
}

/// One factor and one term per channel, as x * factor + term.
static Expected<HostTensor> applyStatistics(const HostTensor &x,
                                            ArrayRef<HostTensor> aligned,
                                            float epsilon) {
  const HostTensor &mean = aligned[0], &variance = aligned[1];
  const HostTensor &scale = aligned[2], &bias = aligned[3];
  Expected<HostTensor> factor =
      multiply(invertStdDev(variance, epsilon), scale);
  if (!factor)
    return factor.takeError();
  Expected<HostTensor> moved = multiply(mean, *factor);
  if (!moved)
    return moved.takeError();
  Expected<HostTensor> term = subtract(bias, *moved);
  if (!term)
    return term.takeError();
  return add(multiply(x, *factor), *term, x.getType());
}

/// As runtimes compute it. (x - mean) * factor is the same but where variance
/// and epsilon are zero and the factor is infinite: there it makes infinities
/// of what is a NaN, the difference of two.
Expected<HostTensor>
kernels::batchNormalization(const HostTensor &x,
                            const BatchNormalizationParameters &parameters,
                            float epsilon) {
  if (llvm::Error error = checkFeatures(x, "BatchNormalization"))
    return std::move(error);
  llvm::SmallVector<HostTensor, 4> aligned;
  for (auto [values, what] : {std::pair(&parameters.mean, "mean"),
                              {&parameters.variance, "variance"},
                              {&parameters.scale, "scale"},
                              {&parameters.bias, "bias"}}) {
    Expected<HostTensor> vector =
        alignToChannels(*values, getNumChannels(x), x.getRank(), what);
    if (!vector)
      return vector.takeError();
    aligned.push_back(std::move(*vector));
  }
  return applyStatistics(x, aligned, epsilon);
}

/// old * momentum + current * (1 - momentum), shaped and typed like the old.
static Expected<HostTensor> updateRunning(const HostTensor &old,
                                          const HostTensor &current,
                                          float momentum) {
  return zipElements<double, double>(
      old, current.reshaped(old.getShape()), old.getType(), old.getShape(),
      [=](double before, double now) {
        return before * momentum + now * (1.0 - momentum);
      });
}

Expected<BatchNormalizationTrainingResult> kernels::batchNormalizationTraining(
    const HostTensor &x, const BatchNormalizationParameters &parameters,
    float epsilon, float momentum) {
  if (llvm::Error error = checkFeatures(x, "BatchNormalization"))
    return std::move(error);
  int64_t channels = getNumChannels(x), rank = x.getRank();
  for (const HostTensor *running : {&parameters.mean, &parameters.variance})
    if (Expected<HostTensor> aligned = alignToChannels(
            *running, channels, rank, "running mean or variance");
        !aligned)
      return aligned.takeError();
  llvm::SmallVector<int64_t> axes;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (axis != 1)
      axes.push_back(axis);
  Expected<Moments> moments = computeMoments(x, axes);
  if (!moments)
    return moments.takeError();

  Expected<HostTensor> y =
      applyPerChannel(standardize(x, *moments, epsilon), parameters.scale,
                      parameters.bias, channels, x.getType());
  if (!y)
    return y.takeError();
  Expected<HostTensor> mean =
      updateRunning(parameters.mean, moments->mean, momentum);
  if (!mean)
    return mean.takeError();
  Expected<HostTensor> variance =
      updateRunning(parameters.variance, moments->variance, momentum);
  if (!variance)
    return variance.takeError();
  return BatchNormalizationTrainingResult{std::move(*y), std::move(*mean),
                                          std::move(*variance)};
}

Expected<HostTensor> kernels::instanceNormalization(const HostTensor &x,
                                                    const HostTensor &scale,
                                                    const HostTensor &bias,
                                                    float epsilon) {
  if (llvm::Error error = checkFeatures(x, "InstanceNormalization"))
    return std::move(error);
  int64_t channels = getNumChannels(x);
  return applyPerChannel(standardizeRows(x, x.getDim(0) * channels, epsilon),
                         scale, bias, channels, x.getType());
}

Expected<HostTensor> kernels::groupNormalization(const HostTensor &x,
                                                 const HostTensor &scale,
                                                 const HostTensor &bias,
                                                 int64_t numGroups,
                                                 float epsilon, bool perGroup) {
  if (llvm::Error error = checkFeatures(x, "GroupNormalization"))
    return std::move(error);
  int64_t channels = getNumChannels(x);
  if (numGroups <= 0 || channels % numGroups != 0)
    return modelError("the groups of GroupNormalization must divide " +
                      llvm::Twine(channels) + " channels, but are " +
                      llvm::Twine(numGroups));
  Expected<HostTensor> y = standardizeRows(x, x.getDim(0) * numGroups, epsilon);
  if (!perGroup)
    return applyPerChannel(std::move(y), scale, bias, channels, x.getType());
  if (!y)
    return y.takeError();
  int64_t rows = x.getDim(0) * numGroups;
  HostTensor grouped = y->reshaped(
      {x.getDim(0), numGroups, rows == 0 ? 0 : x.getNumElements() / rows});
  Expected<HostTensor> result =
      applyPerChannel(grouped, scale, bias, numGroups, x.getType());
  if (!result)
    return result.takeError();
  return result->reshaped(x.getShape());
}

//===----------------------------------------------------------------------===//
// Trailing dimensions
//===----------------------------------------------------------------------===//

static llvm::Error checkTrailing(const HostTensor &x, const HostTensor &scale,
                                 const HostTensor *bias, int64_t axis,
                                 llvm::StringRef name) {
  if (llvm::Error error = checkFloat(x, "the input of " + name))
    return error;
  if (llvm::Error error = checkAxis(x, axis, name))
    return error;
  for (const HostTensor *operand : {&scale, bias}) {
    if (!operand)
      continue;
    if (llvm::Error error =
            checkFloat(*operand, "the scale or bias of " + name))
      return error;
    if (!isBroadcastableTo(operand->getShape(), x.getShape()))
      return modelError("the scale and bias of " + name +
                        " must broadcast to the input's shape " +
                        formatShape(x.getShape()) + ", but one has shape " +
                        formatShape(operand->getShape()));
  }
  return llvm::Error::success();
}

static llvm::SmallVector<int64_t> getTrailingAxes(const HostTensor &x,
                                                  int64_t axis) {
  llvm::SmallVector<int64_t> axes;
  for (int64_t i = axis; i < x.getRank(); ++i)
    axes.push_back(i);
  return axes;
}

Expected<LayerNormalizationResult>
kernels::layerNormalization(const HostTensor &x, const HostTensor &scale,
                            const HostTensor *bias, int64_t axis, float epsilon,
                            ElementType stashType) {
  if (llvm::Error error =
          checkTrailing(x, scale, bias, axis, "LayerNormalization"))
    return std::move(error);
  if (!isFloat(stashType))
    return modelError("the stash type of LayerNormalization must be a float, "
                      "but is " +
                      getName(stashType));
  Expected<Moments> moments = computeMoments(x, getTrailingAxes(x, axis));
  if (!moments)
    return moments.takeError();
  Expected<HostTensor> y = multiply(standardize(x, *moments, epsilon), scale,
                                    bias ? Double : x.getType());
  if (bias)
    y = add(std::move(y), *bias, x.getType());
  if (!y)
    return y.takeError();
  auto identity = [](double v) { return v; };
  Expected<HostTensor> mean =
      mapElements<double>(moments->mean, stashType, identity);
  if (!mean)
    return mean.takeError();
  Expected<HostTensor> invStdDev =
      mapElements<double>(moments->variance, stashType, [=](double v) {
        return 1.0 / std::sqrt(v + double(epsilon));
      });
  if (!invStdDev)
    return invStdDev.takeError();
  return LayerNormalizationResult{std::move(*y), std::move(*mean),
                                  std::move(*invStdDev)};
}

Expected<HostTensor> kernels::rmsNormalization(const HostTensor &x,
                                               const HostTensor &scale,
                                               int64_t axis, float epsilon) {
  if (llvm::Error error =
          checkTrailing(x, scale, nullptr, axis, "RMSNormalization"))
    return std::move(error);
  Expected<HostTensor> meanSquare =
      meanOf(x, getTrailingAxes(x, axis), [](double v) { return v * v; });
  if (!meanSquare)
    return meanSquare.takeError();
  Expected<HostTensor> factor = invertStdDev(*meanSquare, epsilon);
  if (!factor)
    return factor.takeError();
  return multiply(multiply(x, *factor), scale, x.getType());
}

//===----------------------------------------------------------------------===//
// One axis, or any
//===----------------------------------------------------------------------===//

Expected<HostTensor> kernels::lrn(const HostTensor &x, int64_t size,
                                  float alpha, float beta, float bias) {
  if (llvm::Error error = checkFloat(x, "the input of LRN"))
    return std::move(error);
  if (llvm::Error error = checkAxis(x, 1, "LRN"))
    return std::move(error);
  if (size < 1)
    return modelError("the size of LRN must be positive, but is " +
                      llvm::Twine(size));
  int64_t channels = x.getDim(1);
  int64_t before = std::min((size - 1) / 2, channels);
  int64_t after = std::min(size / 2, channels);
  double factor = double(alpha) / double(size);
  std::vector<double> in;
  return mapLanes<double>(
      x, AxisView(x.getShape(), 1), [&](llvm::MutableArrayRef<double> lane) {
        in.assign(lane.begin(), lane.end());
        for (int64_t c = 0; c < channels; ++c) {
          double sum = 0;
          int64_t end = std::min(c + after + 1, channels);
          for (int64_t i = std::max<int64_t>(c - before, 0); i < end; ++i)
            sum += in[i] * in[i];
          lane[c] = in[c] / std::pow(bias + factor * sum, double(beta));
        }
      });
}

Expected<HostTensor> kernels::lpNormalization(const HostTensor &x, int64_t p,
                                              int64_t axis) {
  if (llvm::Error error = checkFloat(x, "the input of LpNormalization"))
    return std::move(error);
  if (llvm::Error error = checkAxis(x, axis, "LpNormalization"))
    return std::move(error);
  if (p != 1 && p != 2)
    return modelError("the p of LpNormalization must be 1 or 2, but is " +
                      llvm::Twine(p));
  return mapLanes<double>(x, AxisView(x.getShape(), axis),
                          [=](llvm::MutableArrayRef<double> lane) {
                            double norm = 0;
                            for (double value : lane)
                              norm += p == 1 ? std::fabs(value) : value * value;
                            if (p == 2)
                              norm = std::sqrt(norm);
                            for (double &value : lane)
                              value = norm == 0 ? 0.0 : value / norm;
                          });
}

Expected<HostTensor>
kernels::meanVarianceNormalization(const HostTensor &x,
                                   ArrayRef<int64_t> axes) {
  if (llvm::Error error =
          checkFloat(x, "the input of MeanVarianceNormalization"))
    return std::move(error);
  Expected<Moments> moments = computeMoments(x, axes);
  if (!moments)
    return moments.takeError();
  Expected<HostTensor> factor =
      mapElements<double>(moments->variance, Double,
                          [](double v) { return 1.0 / (std::sqrt(v) + 1e-9); });
  if (!factor)
    return factor.takeError();
  return multiply(subtract(x, moments->mean), *factor, x.getType());
}
