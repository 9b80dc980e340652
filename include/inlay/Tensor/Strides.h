//===- Strides.h - Walking through strided elements -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kernels that move elements share: row-major strides, iteration over
// indices, and a copy of elements of any type between two strided places.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_STRIDES_H
#define INLAY_TENSOR_STRIDES_H

#include "inlay/Tensor/Dispatch.h"
#include "inlay/Tensor/HostTensor.h"

namespace inlay {

using Strides = llvm::SmallVector<int64_t, 6>;

/// The strides, in elements, of a row-major tensor: {12, 4, 1} for {2, 3, 4}.
Strides getRowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// The product of dimensions that belong to an allocated tensor. It means
/// nothing, but is defined, where a dimension left out is 0.
inline int64_t product(llvm::ArrayRef<int64_t> dims) {
  uint64_t result = 1;
  for (int64_t dim : dims)
    result *= dim;
  return result;
}

/// Counts through the indices of a shape in row-major order, last axis fastest:
///
///   for (IndexCounter i(shape); !i.atEnd(); i.next()) use(i.getIndex());
///
/// It visits nothing when a dimension is 0 and one empty index for rank 0.
class IndexCounter {
public:
  explicit IndexCounter(llvm::ArrayRef<int64_t> shape);

  bool atEnd() const { return done; }
  void next();
  llvm::ArrayRef<int64_t> getIndex() const { return index; }

  /// The offset of the current index under `strides`.
  int64_t getOffset(llvm::ArrayRef<int64_t> strides) const {
    int64_t offset = 0;
    for (size_t i = 0; i < index.size(); ++i)
      offset += index[i] * strides[i];
    return offset;
  }

private:
  llvm::SmallVector<int64_t, 6> shape;
  llvm::SmallVector<int64_t, 6> index;
  bool done;
};

/// Calls fn(const T *, T *) with the elements of two tensors of one type, T
/// being as wide as an element, or a string.
template <typename F>
void withElements(const HostTensor &source, HostTensor &target, F &&fn) {
  assert(source.getType() == target.getType() && "moving does not convert");
  if (source.getType() == ElementType::String)
    return fn(source.getStrings().data(), target.getMutableStrings().data());
  dispatchWidth(source.getType(), [&]<typename T>(T) {
    fn(source.getData<T>().data(), target.getMutable<T>().data());
  });
}

/// Elements of a tensor seen through an offset and strides, in elements.
/// Strides may be zero or negative.
struct StridedPlace {
  int64_t offset = 0;
  llvm::ArrayRef<int64_t> strides;
};

/// Copies the elements of `shape` from `source` to `target`, which have the
/// same element type (strings included). Both places must lie inside their
/// tensors.
void copyStrided(llvm::ArrayRef<int64_t> shape, const HostTensor &source,
                 const StridedPlace &from, HostTensor &target,
                 const StridedPlace &to);

/// Fills every element of `target` with element `index` of `source`.
void fillWith(HostTensor &target, const HostTensor &source, int64_t index);

/// Splits a shape at an axis, as most kernels along one axis loop.
struct AxisSplit {
  int64_t outer;
  int64_t size;
  int64_t inner;
};
AxisSplit splitAtAxis(llvm::ArrayRef<int64_t> shape, int64_t axis);

/// The tensor that has, at index i of `axis`, what `x` has at indices[i]. The
/// indices must be inside the axis.
llvm::Expected<HostTensor> takeAlongAxis(const HostTensor &x, int64_t axis,
                                         llvm::ArrayRef<int64_t> indices);

/// An error unless the axis is in [0, rank).
llvm::Error checkAxis(int64_t axis, int64_t rank);

} // namespace inlay

#endif // INLAY_TENSOR_STRIDES_H
