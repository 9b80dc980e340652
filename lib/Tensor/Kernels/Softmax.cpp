//===- Softmax.cpp - Reference kernels of the softmax family --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Softmax.h"
#include "AxisView.h"
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using llvm::Expected;
using Lane = llvm::MutableArrayRef<double>;

template <typename F>
static Expected<HostTensor> mapRows(const HostTensor &x, int64_t axis,
                                    bool coerce2D, llvm::StringRef name, F fn) {
  if (llvm::Error error = checkFloat(x, "the operand of " + name))
    return std::move(error);
  if (coerce2D && axis == x.getRank())
    return mapLanes<double>(x, AxisView::flattenFrom(x.getShape(), axis), fn);
  if (llvm::Error error = checkAxis(x, axis, name))
    return std::move(error);
  return mapLanes<double>(x,
                          coerce2D ? AxisView::flattenFrom(x.getShape(), axis)
                                   : AxisView(x.getShape(), axis),
                          fn);
}

/// Lanes are never empty: mapLanes visits none of an empty tensor.
static double getLargest(llvm::ArrayRef<double> lane) {
  double largest = lane[0];
  for (double value : lane)
    if (value > largest || std::isnan(value))
      largest = value;
  return largest;
}

static void softmaxLane(Lane lane) {
  double largest = getLargest(lane), sum = 0;
  for (double &value : lane) {
    value = std::exp(value - largest);
    sum += value;
  }
  for (double &value : lane)
    value /= sum;
}

static void logSoftmaxLane(Lane lane) {
  double largest = getLargest(lane), sum = 0;
  for (double value : lane)
    sum += std::exp(value - largest);
  double logSum = std::log(sum);
  for (double &value : lane)
    value = value - largest - logSum;
}

static void hardmaxLane(Lane lane) {
  size_t best = 0;
  for (size_t i = 1; i < lane.size(); ++i)
    if (lane[i] > lane[best])
      best = i;
  std::fill(lane.begin(), lane.end(), 0.0);
  lane[best] = 1.0;
}

Expected<HostTensor> kernels::softmax(const HostTensor &x, int64_t axis,
                                      bool coerce2D) {
  return mapRows(x, axis, coerce2D, "Softmax", softmaxLane);
}

Expected<HostTensor> kernels::logSoftmax(const HostTensor &x, int64_t axis,
                                         bool coerce2D) {
  return mapRows(x, axis, coerce2D, "LogSoftmax", logSoftmaxLane);
}

Expected<HostTensor> kernels::hardmax(const HostTensor &x, int64_t axis,
                                      bool coerce2D) {
  return mapRows(x, axis, coerce2D, "Hardmax", hardmaxLane);
}
