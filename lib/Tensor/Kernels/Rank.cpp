//===- Rank.cpp - Reference kernels that order elements of an axis --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ArgMax, ArgMin, TopK, and the running sums and products.
//
//===----------------------------------------------------------------------===//

#include "AxisView.h"
#include "inlay/Tensor/Kernels/Reduce.h"
#include <numeric>

using namespace inlay;
using namespace inlay::kernels;
using llvm::Expected;

/// The index of the best element; of equal ones the first, or the last. NaN is
/// better than any number, as in NumPy.
template <typename T, typename F>
static int64_t findBest(llvm::ArrayRef<T> lane, bool selectLast, F better) {
  int64_t best = 0;
  for (int64_t i = 1; i < int64_t(lane.size()); ++i) {
    bool isNaN = lane[i] != lane[i], isBestNaN = lane[best] != lane[best];
    bool isEqual = isNaN ? isBestNaN : lane[i] == lane[best];
    bool isBetter = isNaN ? !isBestNaN : better(lane[i], lane[best]);
    if (isBetter || (selectLast && isEqual))
      best = i;
  }
  return best;
}

/// fn(lane) for every lane, as an int64 tensor without (or with one of) the
/// axis.
template <typename F>
static Expected<HostTensor> searchLanes(const HostTensor &x, int64_t axis,
                                        bool keepDims, F fn) {
  if (llvm::Error error = checkNumeric(x, "the operand of ArgMax and ArgMin"))
    return std::move(error);
  if (llvm::Error error = checkAxis(x, axis, "ArgMax and ArgMin"))
    return std::move(error);
  AxisView view(x.getShape(), axis);
  if (view.size == 0)
    return modelError(
        "ArgMax and ArgMin need at least one element along axis " +
        llvm::Twine(axis));
  HostTensor::Shape shape(x.getShape());
  shape[axis] = 1;
  if (!keepDims)
    shape.erase(shape.begin() + axis);
  Expected<HostTensor> out = HostTensor::allocate(ElementType::Int64, shape);
  if (!out)
    return out.takeError();
  if (out->getNumElements() == 0)
    return out;
  llvm::MutableArrayRef<int64_t> indices = out->getMutable<int64_t>();
  dispatchCompute(x.getType(), [&](auto zero) {
    using T = decltype(zero);
    visitLanes<T>(x, view,
                  [&](int64_t outer, int64_t inner, llvm::ArrayRef<T> lane) {
                    indices[outer * view.inner + inner] = fn(lane);
                  });
  });
  return out;
}

Expected<HostTensor> kernels::argMax(const HostTensor &x, int64_t axis,
                                     bool keepDims, bool selectLastIndex) {
  return searchLanes(x, axis, keepDims, [=](auto lane) {
    return findBest(lane, selectLastIndex,
                    [](auto a, auto b) { return a > b; });
  });
}

Expected<HostTensor> kernels::argMin(const HostTensor &x, int64_t axis,
                                     bool keepDims, bool selectLastIndex) {
  return searchLanes(x, axis, keepDims, [=](auto lane) {
    return findBest(lane, selectLastIndex,
                    [](auto a, auto b) { return a < b; });
  });
}

//===----------------------------------------------------------------------===//
// TopK
//===----------------------------------------------------------------------===//

/// Less-than with NaN above every number.
template <typename T> static bool isBelow(T a, T b) {
  bool nanA = a != a, nanB = b != b;
  return nanA || nanB ? !nanA && nanB : a < b;
}

/// The indices of the best k elements of the lane, best first.
template <typename T>
static void selectBest(llvm::ArrayRef<T> lane, int64_t k, bool largest,
                       std::vector<int64_t> &order) {
  order.resize(lane.size());
  std::iota(order.begin(), order.end(), 0);
  std::partial_sort(order.begin(), order.begin() + k, order.end(),
                    [&](int64_t a, int64_t b) {
                      if (isBelow(lane[a], lane[b]))
                        return !largest;
                      if (isBelow(lane[b], lane[a]))
                        return largest;
                      return a < b;
                    });
}

template <typename T>
static void selectLanes(const HostTensor &x, const AxisView &view, int64_t k,
                        bool largest, TopKResult &result) {
  std::vector<T> values(result.values.getNumElements());
  llvm::MutableArrayRef<int64_t> indices = result.indices.getMutable<int64_t>();
  std::vector<int64_t> order;
  visitLanes<T>(x, view,
                [&](int64_t outer, int64_t inner, llvm::ArrayRef<T> lane) {
                  selectBest(lane, k, largest, order);
                  for (int64_t i = 0; i < k; ++i) {
                    int64_t at = (outer * k + i) * view.inner + inner;
                    values[at] = lane[order[i]];
                    indices[at] = order[i];
                  }
                });
  storeElements(result.values, 0, llvm::ArrayRef<T>(values));
}

Expected<TopKResult> kernels::topK(const HostTensor &x, int64_t k, int64_t axis,
                                   bool largest, bool sorted) {
  (void)sorted; // sorted is one of the orders that unsorted allows
  if (llvm::Error error = checkNumeric(x, "the operand of TopK"))
    return std::move(error);
  if (llvm::Error error = checkAxis(x, axis, "TopK"))
    return std::move(error);
  if (k < 0 || k > x.getDim(axis))
    return modelError("the k of TopK must be in [0, " +
                      llvm::Twine(x.getDim(axis)) + "], but is " +
                      llvm::Twine(k));
  HostTensor::Shape shape(x.getShape());
  shape[axis] = k;
  Expected<HostTensor> values = HostTensor::allocate(x.getType(), shape);
  if (!values)
    return values.takeError();
  Expected<HostTensor> indices =
      HostTensor::allocate(ElementType::Int64, shape);
  if (!indices)
    return indices.takeError();
  TopKResult result{std::move(*values), std::move(*indices)};
  if (result.values.getNumElements() != 0)
    dispatchCompute(x.getType(), [&](auto zero) {
      selectLanes<decltype(zero)>(x, AxisView(x.getShape(), axis), k, largest,
                                  result);
    });
  return result;
}

//===----------------------------------------------------------------------===//
// Running sums
//===----------------------------------------------------------------------===//

/// Replaces lane[i] by the sum of the elements before it, itself included
/// unless `exclusive`.
template <typename T>
static void sumLane(llvm::MutableArrayRef<T> lane, bool exclusive,
                    bool reverse) {
  T running = 0;
  for (size_t i = 0; i < lane.size(); ++i) {
    T &element = lane[reverse ? lane.size() - 1 - i : i];
    T next = running + element;
    element = exclusive ? running : next;
    running = next;
  }
}

Expected<HostTensor> kernels::cumSum(const HostTensor &x, int64_t axis,
                                     bool exclusive, bool reverse) {
  if (llvm::Error error = checkNumeric(x, "the operand of CumSum"))
    return std::move(error);
  if (llvm::Error error = checkAxis(x, axis, "CumSum"))
    return std::move(error);
  AxisView view(x.getShape(), axis);
  if (isFloat(x.getType()))
    return mapLanes<double>(x, view, [=](llvm::MutableArrayRef<double> lane) {
      sumLane(lane, exclusive, reverse);
    });
  // Unsigned arithmetic wraps, and its low bits are those of signed sums.
  return mapLanes<uint64_t>(x, view, [=](llvm::MutableArrayRef<uint64_t> lane) {
    sumLane(lane, exclusive, reverse);
  });
}
