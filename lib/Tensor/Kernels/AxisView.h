//===- AxisView.h - Tensors around one axis ---------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TENSOR_KERNELS_AXISVIEW_H
#define INLAY_LIB_TENSOR_KERNELS_AXISVIEW_H

#include "inlay/Tensor/Dispatch.h"

namespace inlay::kernels {

/// A row-major tensor as (outer, size, inner) around an axis of `size`. A lane
/// is the elements along the axis at one outer and inner index.
struct AxisView {
  int64_t outer = 1;
  int64_t size = 1;
  int64_t inner = 1;

  /// The axis must be one of the shape.
  AxisView(llvm::ArrayRef<int64_t> shape, int64_t axis) : size(shape[axis]) {
    for (int64_t dim : shape.take_front(axis))
      outer *= dim;
    for (int64_t dim : shape.drop_front(axis + 1))
      inner *= dim;
  }
  /// Everything from `axis` on, which may equal the rank, as one row.
  static AxisView flattenFrom(llvm::ArrayRef<int64_t> shape, int64_t axis) {
    AxisView view;
    for (int64_t dim : shape.take_front(axis))
      view.outer *= dim;
    for (int64_t dim : shape.drop_front(axis))
      view.size *= dim;
    return view;
  }

private:
  AxisView() = default;
};

/// An error unless `axis` is one of the tensor's. `what` names the operator.
inline llvm::Error checkAxis(const HostTensor &x, int64_t axis,
                             llvm::StringRef what) {
  if (axis >= 0 && axis < x.getRank())
    return llvm::Error::success();
  return modelError("the axis of " + what + " must be in [0, " +
                    llvm::Twine(x.getRank()) + "), but is " +
                    llvm::Twine(axis));
}

/// Calls fn(outerIndex, innerIndex, lane) with every lane as T. What fn writes
/// to a lane is kept until `finishOuter(outerIndex, slab)`, which sees all
/// lanes of an outer index in the order of x.
template <typename T, typename F, typename Finish>
void forEachLane(const HostTensor &x, const AxisView &view, F fn,
                 Finish finishOuter) {
  std::vector<T> slab(view.size * view.inner), lane(view.size);
  for (int64_t outer = 0; outer < view.outer; ++outer) {
    loadElements(x, outer * view.size * view.inner,
                 llvm::MutableArrayRef<T>(slab));
    for (int64_t inner = 0; inner < view.inner; ++inner) {
      for (int64_t i = 0; i < view.size; ++i)
        lane[i] = slab[i * view.inner + inner];
      fn(outer, inner, llvm::MutableArrayRef<T>(lane));
      for (int64_t i = 0; i < view.size; ++i)
        slab[i * view.inner + inner] = lane[i];
    }
    finishOuter(outer, llvm::ArrayRef<T>(slab));
  }
}

/// Calls fn(outerIndex, innerIndex, lane) with every lane as T.
template <typename T, typename F>
void visitLanes(const HostTensor &x, const AxisView &view, F fn) {
  forEachLane<T>(x, view, fn, [](int64_t, llvm::ArrayRef<T>) {});
}

/// A tensor like x whose lanes fn(lane) has rewritten in place.
template <typename T, typename F>
llvm::Expected<HostTensor> mapLanes(const HostTensor &x, const AxisView &view,
                                    F fn) {
  llvm::Expected<HostTensor> out =
      HostTensor::allocate(x.getType(), x.getShape());
  if (!out || x.getNumElements() == 0)
    return out;
  forEachLane<T>(
      x, view,
      [&](int64_t, int64_t, llvm::MutableArrayRef<T> lane) { fn(lane); },
      [&](int64_t outer, llvm::ArrayRef<T> slab) {
        storeElements(*out, outer * int64_t(slab.size()), slab);
      });
  return out;
}

} // namespace inlay::kernels

#endif // INLAY_LIB_TENSOR_KERNELS_AXISVIEW_H
