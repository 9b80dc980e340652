//===- NonMaxSuppression.cpp - Reference NonMaxSuppression ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/NonMaxSuppression.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <vector>

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

namespace {
/// From the lower corner up to the upper one.
template <typename T> struct Box {
  T left, top, right, bottom;

  T getArea() const { return (right - left) * (bottom - top); }
};
} // namespace

template <typename T> static Box<T> getBox(ArrayRef<T> numbers, bool centered) {
  if (centered) {
    T halfWidth = numbers[2] / 2, halfHeight = numbers[3] / 2;
    return {numbers[0] - halfWidth, numbers[1] - halfHeight,
            numbers[0] + halfWidth, numbers[1] + halfHeight};
  }
  return {std::min(numbers[1], numbers[3]), std::min(numbers[0], numbers[2]),
          std::max(numbers[1], numbers[3]), std::max(numbers[0], numbers[2])};
}

/// Whether two boxes share more than `threshold` of the area that they cover
/// together. What has no area shares none.
template <typename T>
static bool overlap(const Box<T> &a, const Box<T> &b, T threshold) {
  Box<T> common{std::max(a.left, b.left), std::max(a.top, b.top),
                std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
  if (!(common.right > common.left) || !(common.bottom > common.top))
    return false;
  T shared = common.getArea(), areaA = a.getArea(), areaB = b.getArea();
  T covered = areaA + areaB - shared;
  if (!(shared > 0) || !(areaA > 0) || !(areaB > 0) || !(covered > 0))
    return false;
  return shared / covered > threshold;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// The boxes that may be chosen, best first; what is not a number is worst.
template <typename T>
static std::vector<int64_t> rank(ArrayRef<T> scores,
                                 std::optional<double> threshold) {
  std::vector<int64_t> order;
  for (auto [i, score] : llvm::enumerate(scores))
    if (!threshold || score > T(*threshold))
      order.push_back(i);
  llvm::sort(order, [&](int64_t a, int64_t b) {
    bool isNumber = !std::isnan(scores[a]), isOther = !std::isnan(scores[b]);
    if (isNumber != isOther)
      return isNumber;
    return isNumber && scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
  return order;
}

/// The boxes of one class of one batch that are chosen.
template <typename T>
static std::vector<int64_t> choose(ArrayRef<Box<T>> boxes, ArrayRef<T> scores,
                                   const SuppressionOptions &options) {
  std::vector<int64_t> chosen;
  for (int64_t candidate : rank(scores, options.scoreThreshold)) {
    if (int64_t(chosen.size()) >= options.maxPerClass)
      break;
    bool givesWay = llvm::any_of(chosen, [&](int64_t better) {
      return overlap(boxes[better], boxes[candidate], T(options.iouThreshold));
    });
    if (!givesWay)
      chosen.push_back(candidate);
  }
  return chosen;
}

template <typename T>
static HostTensor run(const HostTensor &boxes, const HostTensor &scores,
                      const SuppressionOptions &options) {
  int64_t numBoxes = boxes.getDim(1), numClasses = scores.getDim(1);
  ArrayRef<T> corners = boxes.getData<T>(), marks = scores.getData<T>();
  std::vector<int64_t> rows;
  std::vector<Box<T>> own(numBoxes);
  for (int64_t batch = 0; batch < boxes.getDim(0); ++batch) {
    for (int64_t i = 0; i < numBoxes; ++i)
      own[i] = getBox(corners.slice((batch * numBoxes + i) * 4, 4),
                      options.areCentered);
    for (int64_t c = 0; c < numClasses; ++c) {
      auto row = marks.slice((batch * numClasses + c) * numBoxes, numBoxes);
      for (int64_t box : choose(ArrayRef<Box<T>>(own), row, options))
        rows.insert(rows.end(), {batch, c, box});
    }
  }
  return HostTensor::get<int64_t>(ElementType::Int64,
                                  {int64_t(rows.size() / 3), 3}, rows);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static Error checkOperands(const HostTensor &boxes, const HostTensor &scores,
                           const SuppressionOptions &options) {
  ElementType type = boxes.getType();
  if ((type != ElementType::Float && type != ElementType::Double) ||
      scores.getType() != type)
    return unsupportedError("boxes and scores of NonMaxSuppression must be "
                            "float or double, found " +
                            getName(type) + " and " +
                            getName(scores.getType()));
  ArrayRef<int64_t> b = boxes.getShape(), s = scores.getShape();
  if (b.size() != 3 || s.size() != 3 || b[0] != s[0] || b[1] != s[2] ||
      b[2] != 4)
    return modelError("boxes of shape " + formatShape(b) +
                      " and scores of shape " + formatShape(s) +
                      " do not fit, expected (batch, boxes, 4) and (batch, "
                      "classes, boxes)");
  if (!(options.iouThreshold >= 0 && options.iouThreshold <= 1))
    return modelError("the threshold of overlaps must be in [0, 1], but is " +
                      std::to_string(options.iouThreshold));
  return Error::success();
}

Expected<HostTensor>
kernels::nonMaxSuppression(const HostTensor &boxes, const HostTensor &scores,
                           const SuppressionOptions &options) {
  if (Error error = checkOperands(boxes, scores, options))
    return std::move(error);
  return boxes.getType() == ElementType::Double
             ? run<double>(boxes, scores, options)
             : run<float>(boxes, scores, options);
}
