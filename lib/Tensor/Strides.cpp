//===- Strides.cpp - Walking through strided elements ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Strides.h"
#include "inlay/Support/Error.h"
#include <algorithm>

using namespace inlay;
using llvm::ArrayRef;

Strides inlay::getRowMajorStrides(ArrayRef<int64_t> shape) {
  Strides strides(shape.size(), 1);
  // Shapes with a zero may have any other sizes: their strides are not used,
  // but must not overflow.
  if (llvm::is_contained(shape, 0))
    return strides;
  for (int64_t i = int64_t(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

IndexCounter::IndexCounter(ArrayRef<int64_t> shape)
    : shape(shape.begin(), shape.end()), index(shape.size(), 0),
      done(llvm::is_contained(shape, 0)) {}

void IndexCounter::next() {
  for (int64_t i = int64_t(shape.size()) - 1; i >= 0; --i) {
    if (++index[i] < shape[i])
      return;
    index[i] = 0;
  }
  done = true;
}

namespace {
/// A copy reduced to as few axes as its strides allow.
struct CopyPlan {
  llvm::SmallVector<int64_t, 6> shape;
  Strides from;
  Strides to;
};
} // namespace

/// Leaves out axes of size 1 and merges an axis into the one after it where
/// both places step over them as over one.
static CopyPlan simplify(ArrayRef<int64_t> shape, ArrayRef<int64_t> from,
                         ArrayRef<int64_t> to) {
  CopyPlan plan;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1)
      continue;
    if (!plan.shape.empty() && plan.from.back() == from[i] * shape[i] &&
        plan.to.back() == to[i] * shape[i]) {
      plan.shape.back() *= shape[i];
      plan.from.back() = from[i];
      plan.to.back() = to[i];
      continue;
    }
    plan.shape.push_back(shape[i]);
    plan.from.push_back(from[i]);
    plan.to.push_back(to[i]);
  }
  return plan;
}

/// Copies `count` elements along one axis.
template <typename T>
static void copyRow(const T *from, int64_t fromStride, T *to, int64_t toStride,
                    int64_t count) {
  if (fromStride == 1 && toStride == 1) {
    std::copy_n(from, count, to);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    to[i * toStride] = from[i * fromStride];
}

template <typename T>
static void copyPlanned(const CopyPlan &plan, const T *from, T *to) {
  if (plan.shape.empty()) {
    *to = *from;
    return;
  }
  for (IndexCounter i(ArrayRef(plan.shape).drop_back()); !i.atEnd(); i.next())
    copyRow(from + i.getOffset(plan.from), plan.from.back(),
            to + i.getOffset(plan.to), plan.to.back(), plan.shape.back());
}

void inlay::copyStrided(ArrayRef<int64_t> shape, const HostTensor &source,
                        const StridedPlace &from, HostTensor &target,
                        const StridedPlace &to) {
  if (llvm::is_contained(shape, 0))
    return;
  CopyPlan plan = simplify(shape, from.strides, to.strides);
  withElements(source, target, [&](const auto *source, auto *target) {
    copyPlanned(plan, source + from.offset, target + to.offset);
  });
}

void inlay::fillWith(HostTensor &target, const HostTensor &source,
                     int64_t index) {
  withElements(source, target, [&](const auto *from, auto *to) {
    std::fill_n(to, target.getNumElements(), from[index]);
  });
}

AxisSplit inlay::splitAtAxis(ArrayRef<int64_t> shape, int64_t axis) {
  return {product(shape.take_front(axis)), shape[axis],
          product(shape.drop_front(axis + 1))};
}

llvm::Expected<HostTensor> inlay::takeAlongAxis(const HostTensor &x,
                                                int64_t axis,
                                                ArrayRef<int64_t> indices) {
  HostTensor::Shape shape(x.getShape());
  shape[axis] = indices.size();
  llvm::Expected<HostTensor> result = HostTensor::allocate(x.getType(), shape);
  if (!result || result->getNumElements() == 0)
    return result;
  AxisSplit split = splitAtAxis(x.getShape(), axis);
  withElements(x, *result, [&](const auto *from, auto *to) {
    for (int64_t i = 0; i < split.outer; ++i)
      for (int64_t index : indices)
        to = std::copy_n(from + (i * split.size + index) * split.inner,
                         split.inner, to);
  });
  return result;
}

llvm::Error inlay::checkAxis(int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return llvm::Error::success();
  return modelError("axis must be in [0, " + llvm::Twine(rank) + "), found " +
                    llvm::Twine(axis));
}
