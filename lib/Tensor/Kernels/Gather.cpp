//===- Gather.cpp - Reference gather and scatter --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Gather.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Dispatch.h"
#include "inlay/Tensor/Strides.h"
#include <array>
#include <cmath>

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

static Error checkIndexType(const HostTensor &indices) {
  if (isInteger(indices.getType()))
    return Error::success();
  return modelError("indices must be integers, found " +
                    getName(indices.getType()));
}

static Error reportIndex(int64_t index, int64_t dim) {
  return modelError("index " + Twine(index) + " is outside an axis of size " +
                    Twine(dim));
}

static bool isIndex(int64_t index, int64_t dim) {
  return index >= -dim && index < dim;
}

/// Element `i` of `indices` as an index into an axis of size `dim`.
static Expected<int64_t> getIndex(const HostTensor &indices, int64_t i,
                                  int64_t dim) {
  int64_t index = indices.getInt(i);
  if (!isIndex(index, dim))
    return reportIndex(index, dim);
  return index < 0 ? index + dim : index;
}

static Error checkElementIndices(const HostTensor &x, const HostTensor &indices,
                                 int64_t axis) {
  if (Error error = checkIndexType(indices))
    return error;
  if (Error error = checkAxis(axis, x.getRank()))
    return error;
  if (indices.getRank() != x.getRank())
    return modelError("indices must have rank " + Twine(x.getRank()) +
                      ", found " + formatShape(indices.getShape()));
  for (int64_t i = 0; i < x.getRank(); ++i)
    if (i != axis && indices.getDim(i) > x.getDim(i))
      return modelError("indices of shape " + formatShape(indices.getShape()) +
                        " exceed " + formatShape(x.getShape()));
  return Error::success();
}

/// How many of the outer dimensions of `indices` are left when those are taken
/// off whose elements lie side by side in `x`, too.
static int64_t getNumOuterDims(const HostTensor &x, const HostTensor &indices,
                               int64_t axis) {
  int64_t outer = x.getRank() - 1;
  while (outer > axis + 1 && indices.getDim(outer) == x.getDim(outer))
    --outer;
  return outer;
}

/// Calls `visit` with the number of each element of `indices` and where in `x`
/// the *Elements operators look for it. Few of them are in memory at a time.
template <typename F>
static Error forElementOffsets(const HostTensor &x, const HostTensor &indices,
                               int64_t axis, F visit) {
  constexpr int64_t atOnce = 1024;
  std::array<int64_t, atOnce> buffer;
  int64_t dim = x.getDim(axis), outer = getNumOuterDims(x, indices, axis);
  int64_t length = product(indices.getShape().drop_front(outer)), number = 0;
  Strides strides = getRowMajorStrides(x.getShape());
  int64_t stride = strides[axis];
  // The place along the axis is the index's.
  strides[axis] = 0;
  for (IndexCounter row(indices.getShape().take_front(outer)); !row.atEnd();
       row.next()) {
    int64_t begin = row.getOffset(ArrayRef(strides).take_front(outer));
    for (int64_t from = 0; from < length; from += atOnce) {
      llvm::MutableArrayRef part(buffer.data(),
                                 std::min(atOnce, length - from));
      loadElements(indices, number, part);
      for (int64_t index : part)
        if (!isIndex(index, dim))
          return reportIndex(index, dim);
      int64_t place = begin + from * strides.back();
      for (int64_t index : part) {
        visit(number++, place + (index < 0 ? index + dim : index) * stride);
        place += strides.back();
      }
    }
  }
  return Error::success();
}

namespace {
/// Where the tuples of GatherND and ScatterND point.
struct TupleOffsets {
  /// Offsets in `x`, one per tuple.
  std::vector<int64_t> offsets;
  /// Elements at each.
  int64_t slice;
  /// The shape of all slices together.
  HostTensor::Shape shape;
};
} // namespace

/// Checks shapes; returns the number of axes a tuple indexes.
static Expected<int64_t>
checkTuples(const HostTensor &x, const HostTensor &indices, int64_t batchDims) {
  if (Error error = checkIndexType(indices))
    return std::move(error);
  if (batchDims < 0 || batchDims >= indices.getRank() ||
      batchDims >= std::max<int64_t>(x.getRank(), 1))
    return modelError("batch dims must be below the ranks " +
                      Twine(x.getRank()) + " and " + Twine(indices.getRank()) +
                      ", found " + Twine(batchDims));
  int64_t width = indices.getShape().back();
  if (width < 1 || width > x.getRank() - batchDims)
    return modelError("index tuples of " + Twine(width) +
                      " do not fit into shape " + formatShape(x.getShape()));
  if (x.getShape().take_front(batchDims) !=
      indices.getShape().take_front(batchDims))
    return modelError("batch axes of " + formatShape(x.getShape()) + " and " +
                      formatShape(indices.getShape()) + " must agree");
  return width;
}

static Expected<TupleOffsets> getTupleOffsets(const HostTensor &x,
                                              const HostTensor &indices,
                                              int64_t batchDims) {
  Expected<int64_t> width = checkTuples(x, indices, batchDims);
  if (!width)
    return width.takeError();
  TupleOffsets result;
  ArrayRef<int64_t> sliceShape = x.getShape().drop_front(batchDims + *width);
  result.slice = product(sliceShape);
  result.shape.assign(indices.getShape().begin(), indices.getShape().end() - 1);
  result.shape.append(sliceShape.begin(), sliceShape.end());

  Strides strides = getRowMajorStrides(x.getShape());
  ArrayRef<int64_t> tuples = indices.getShape().drop_back();
  int64_t at = 0;
  for (IndexCounter tuple(tuples); !tuple.atEnd(); tuple.next()) {
    int64_t offset = 0;
    for (int64_t i = 0; i < batchDims; ++i)
      offset += tuple.getIndex()[i] * strides[i];
    for (int64_t i = 0; i < *width; ++i) {
      Expected<int64_t> index =
          getIndex(indices, at++, x.getDim(batchDims + i));
      if (!index)
        return index.takeError();
      offset += *index * strides[batchDims + i];
    }
    result.offsets.push_back(offset);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

Expected<HostTensor> kernels::gather(const HostTensor &x,
                                     const HostTensor &indices, int64_t axis) {
  if (Error error = checkIndexType(indices))
    return std::move(error);
  if (Error error = checkAxis(axis, x.getRank()))
    return std::move(error);
  std::vector<int64_t> taken(indices.getNumElements());
  for (size_t i = 0; i < taken.size(); ++i) {
    Expected<int64_t> index = getIndex(indices, i, x.getDim(axis));
    if (!index)
      return index.takeError();
    taken[i] = *index;
  }
  Expected<HostTensor> result = takeAlongAxis(x, axis, taken);
  if (!result)
    return result;
  HostTensor::Shape shape(x.getShape().take_front(axis));
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, x.getShape().drop_front(axis + 1));
  return result->reshaped(shape);
}

Expected<HostTensor> kernels::gatherElements(const HostTensor &x,
                                             const HostTensor &indices,
                                             int64_t axis) {
  if (Error error = checkElementIndices(x, indices, axis))
    return std::move(error);
  Expected<HostTensor> result =
      HostTensor::allocate(x.getType(), indices.getShape());
  if (!result)
    return result;
  Error error = Error::success();
  withElements(x, *result, [&](const auto *from, auto *to) {
    error = joinErrors(
        std::move(error),
        forElementOffsets(x, indices, axis, [&](int64_t i, int64_t offset) {
          to[i] = from[offset];
        }));
  });
  if (error)
    return std::move(error);
  return result;
}

Expected<HostTensor> kernels::gatherND(const HostTensor &x,
                                       const HostTensor &indices,
                                       int64_t batchDims) {
  Expected<TupleOffsets> tuples = getTupleOffsets(x, indices, batchDims);
  if (!tuples)
    return tuples.takeError();
  Expected<HostTensor> result =
      HostTensor::allocate(x.getType(), tuples->shape);
  if (!result)
    return result;
  withElements(x, *result, [&](const auto *from, auto *to) {
    for (int64_t offset : tuples->offsets)
      to = std::copy_n(from + offset, tuples->slice, to);
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

template <typename T>
static T combine(ScatterReduction reduction, T old, T update) {
  // Integers wrap, which only unsigned ones may do.
  using Wrapping = std::conditional_t<std::is_integral_v<T>, uint64_t, T>;
  switch (reduction) {
  case ScatterReduction::None:
    return update;
  case ScatterReduction::Add:
    return T(Wrapping(old) + Wrapping(update));
  case ScatterReduction::Mul:
    return T(Wrapping(old) * Wrapping(update));
  case ScatterReduction::Max:
    return old != old || old > update ? old : update;
  case ScatterReduction::Min:
    return old != old || old < update ? old : update;
  }
  llvm_unreachable("all reductions are handled");
}

/// `forTargets` calls what it is given with the number of each update and where
/// it goes, in order.
template <typename F>
static void scatter(HostTensor &result, const HostTensor &updates,
                    ScatterReduction reduction, F forTargets) {
  if (reduction == ScatterReduction::None) {
    withElements(updates, result, [&](const auto *from, auto *to) {
      forTargets([&](int64_t i, int64_t target) { to[target] = from[i]; });
    });
    return;
  }
  dispatchNumeric(result.getType(), [&](auto element) {
    using Element = decltype(element);
    auto from = updates.getData<typename Element::Storage>();
    auto to = result.getMutable<typename Element::Storage>();
    forTargets([&](int64_t i, int64_t target) {
      to[target] = Element::store(combine(reduction, Element::load(to[target]),
                                          Element::load(from[i])));
    });
  });
}

static Error checkUpdates(const HostTensor &x, const HostTensor &updates,
                          ArrayRef<int64_t> shape, ScatterReduction reduction) {
  if (updates.getType() != x.getType())
    return modelError("updates must be " + getName(x.getType()) + ", found " +
                      getName(updates.getType()));
  if (updates.getShape() != shape)
    return modelError("updates must have shape " + formatShape(shape) +
                      ", found " + formatShape(updates.getShape()));
  if (reduction == ScatterReduction::None)
    return Error::success();
  return checkNumeric(x, "input of a scatter with a reduction");
}

static Expected<HostTensor> copyOf(const HostTensor &x) {
  Expected<HostTensor> copy = HostTensor::allocate(x.getType(), x.getShape());
  if (copy)
    withElements(x, *copy, [&](const auto *from, auto *to) {
      std::copy_n(from, x.getNumElements(), to);
    });
  return copy;
}

Expected<HostTensor> kernels::scatterElements(const HostTensor &x,
                                              const HostTensor &indices,
                                              const HostTensor &updates,
                                              int64_t axis,
                                              ScatterReduction reduction) {
  if (Error error = checkUpdates(x, updates, indices.getShape(), reduction))
    return std::move(error);
  if (Error error = checkElementIndices(x, indices, axis))
    return std::move(error);
  Expected<HostTensor> result = copyOf(x);
  if (!result)
    return result;
  Error error = Error::success();
  scatter(*result, updates, reduction, [&](auto put) {
    error =
        joinErrors(std::move(error), forElementOffsets(x, indices, axis, put));
  });
  if (error)
    return std::move(error);
  return result;
}

Expected<HostTensor> kernels::scatterND(const HostTensor &x,
                                        const HostTensor &indices,
                                        const HostTensor &updates,
                                        ScatterReduction reduction) {
  Expected<TupleOffsets> tuples = getTupleOffsets(x, indices, 0);
  if (!tuples)
    return tuples.takeError();
  if (Error error = checkUpdates(x, updates, tuples->shape, reduction))
    return std::move(error);
  Expected<HostTensor> result = copyOf(x);
  if (result && updates.getNumElements() != 0)
    scatter(*result, updates, reduction, [&](auto put) {
      int64_t number = 0;
      for (int64_t offset : tuples->offsets)
        for (int64_t i = 0; i < tuples->slice; ++i)
          put(number++, offset + i);
    });
  return result;
}
