//===- Movement.cpp - Reference data movement -----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Kernels/Movement.h"
#include "inlay/Support/Error.h"
#include "inlay/Tensor/Broadcast.h"
#include "inlay/Tensor/Slices.h"
#include "inlay/Tensor/Strides.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace inlay::kernels;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

/// A new tensor of `shape` with the elements that `x` has from `offset` on,
/// under `strides`.
static Expected<HostTensor> readStrided(const HostTensor &x,
                                        ArrayRef<int64_t> shape, int64_t offset,
                                        ArrayRef<int64_t> strides) {
  Expected<HostTensor> result = HostTensor::allocate(x.getType(), shape);
  if (result)
    copyStrided(shape, x, {offset, strides}, *result,
                {0, getRowMajorStrides(shape)});
  return result;
}

static Error checkPermutation(ArrayRef<int64_t> perm, int64_t rank) {
  llvm::SmallVector<bool, 8> seen(rank, false);
  if (int64_t(perm.size()) != rank)
    return modelError("permutation must have " + Twine(rank) +
                      " entries, found " + Twine(perm.size()));
  for (int64_t axis : perm) {
    if (Error error = checkAxis(axis, rank))
      return error;
    if (seen[axis])
      return modelError("permutation names axis " + Twine(axis) + " twice");
    seen[axis] = true;
  }
  return Error::success();
}

Expected<HostTensor> kernels::transpose(const HostTensor &x,
                                        ArrayRef<int64_t> perm) {
  int64_t rank = x.getRank();
  llvm::SmallVector<int64_t, 6> order(perm);
  if (perm.empty())
    for (int64_t axis = rank - 1; axis >= 0; --axis)
      order.push_back(axis);
  if (Error error = checkPermutation(order, rank))
    return std::move(error);
  Strides strides = getRowMajorStrides(x.getShape());
  HostTensor::Shape shape;
  Strides permuted;
  for (int64_t axis : order) {
    shape.push_back(x.getDim(axis));
    permuted.push_back(strides[axis]);
  }
  return readStrided(x, shape, 0, permuted);
}

//===----------------------------------------------------------------------===//
// Concat and split
//===----------------------------------------------------------------------===//

/// The shape of the concatenation, or why there is none.
static Expected<HostTensor::Shape> getConcatShape(ArrayRef<HostTensor> xs,
                                                  int64_t axis) {
  if (xs.empty())
    return modelError("concat needs an operand");
  if (Error error = checkAxis(axis, xs[0].getRank()))
    return std::move(error);
  HostTensor::Shape shape(xs[0].getShape());
  shape[axis] = 0;
  for (const HostTensor &x : xs) {
    if (x.getType() != xs[0].getType())
      return modelError("operands of concat must have one type, found " +
                        getName(xs[0].getType()) + " and " +
                        getName(x.getType()));
    HostTensor::Shape rest(x.getShape());
    if (x.getRank() == xs[0].getRank())
      rest[axis] = shape[axis];
    if (rest != shape)
      return modelError("operands of concat must agree beside axis " +
                        Twine(axis) + ", found " +
                        formatShape(xs[0].getShape()) + " and " +
                        formatShape(x.getShape()));
    if (llvm::AddOverflow(shape[axis], x.getDim(axis), shape[axis]))
      return modelError("size of a concatenation overflows");
  }
  return shape;
}

Expected<HostTensor> kernels::concat(ArrayRef<HostTensor> xs, int64_t axis) {
  Expected<HostTensor::Shape> shape = getConcatShape(xs, axis);
  if (!shape)
    return shape.takeError();
  Expected<HostTensor> result = HostTensor::allocate(xs[0].getType(), *shape);
  if (!result)
    return result;
  Strides strides = getRowMajorStrides(*shape);
  int64_t offset = 0;
  for (const HostTensor &x : xs) {
    copyStrided(x.getShape(), x, {0, getRowMajorStrides(x.getShape())}, *result,
                {offset, strides});
    offset += x.getDim(axis) * strides[axis];
  }
  return result;
}

Expected<llvm::SmallVector<HostTensor>>
kernels::split(const HostTensor &x, int64_t axis, ArrayRef<int64_t> sizes) {
  if (Error error = checkAxis(axis, x.getRank()))
    return std::move(error);
  int64_t left = x.getDim(axis);
  for (int64_t size : sizes) {
    if (size < 0 || size > left)
      return modelError("split sizes must add up to " + Twine(x.getDim(axis)) +
                        ", a part of " + Twine(size) + " does not fit");
    left -= size;
  }
  if (left != 0)
    return modelError("split sizes must add up to " + Twine(x.getDim(axis)) +
                      ", " + Twine(left) + " are missing");
  Strides strides = getRowMajorStrides(x.getShape());
  llvm::SmallVector<HostTensor> parts;
  int64_t offset = 0;
  for (int64_t size : sizes) {
    HostTensor::Shape shape(x.getShape());
    shape[axis] = size;
    Expected<HostTensor> part = readStrided(x, shape, offset, strides);
    if (!part)
      return part.takeError();
    parts.push_back(std::move(*part));
    offset += size * strides[axis];
  }
  return parts;
}

//===----------------------------------------------------------------------===//
// Slice
//===----------------------------------------------------------------------===//

Expected<HostTensor> kernels::slice(const HostTensor &x,
                                    ArrayRef<int64_t> starts,
                                    ArrayRef<int64_t> ends,
                                    ArrayRef<int64_t> axes,
                                    ArrayRef<int64_t> steps) {
  size_t count = starts.size();
  if (ends.size() != count || (!axes.empty() && axes.size() != count) ||
      (!steps.empty() && steps.size() != count))
    return modelError("slice needs as many ends, axes and steps as starts");
  HostTensor::Shape shape(x.getShape());
  Strides strides = getRowMajorStrides(shape);
  llvm::SmallVector<bool, 8> seen(shape.size(), false);
  int64_t offset = 0;
  for (size_t i = 0; i < count; ++i) {
    int64_t axis = axes.empty() ? int64_t(i) : axes[i];
    if (Error error = checkAxis(axis, x.getRank()))
      return std::move(error);
    if (std::exchange(seen[axis], true))
      return modelError("slice names axis " + Twine(axis) + " twice");
    int64_t step = steps.empty() ? 1 : steps[i];
    if (step == 0)
      return modelError("step of a slice must not be 0");
    SliceRange range = clampSlice(shape[axis], starts[i], ends[i], step);
    shape[axis] = range.count;
    // An offset into nothing, or a step over all of it, may lie outside.
    offset += range.count > 0 ? range.start * strides[axis] : 0;
    strides[axis] = range.count > 1 ? strides[axis] * step : 0;
  }
  return readStrided(x, shape, offset, strides);
}

//===----------------------------------------------------------------------===//
// Repetition
//===----------------------------------------------------------------------===//

Expected<HostTensor> kernels::expand(const HostTensor &x,
                                     ArrayRef<int64_t> shape) {
  Expected<HostTensor::Shape> result = broadcastShapes(x.getShape(), shape);
  if (!result)
    return result.takeError();
  if (!inlay::getNumElements(*result))
    return modelError("shape " + formatShape(*result) + " is not valid");
  return readStrided(x, *result, 0, getBroadcastStrides(x.getShape(), *result));
}

Expected<HostTensor> kernels::tile(const HostTensor &x,
                                   ArrayRef<int64_t> repeats) {
  if (int64_t(repeats.size()) != x.getRank())
    return modelError("tile needs " + Twine(x.getRank()) + " repeats, found " +
                      Twine(repeats.size()));
  // Each axis is read as repeat x axis, the repeat with stride 0.
  HostTensor::Shape shape;
  llvm::SmallVector<int64_t, 8> split;
  Strides strides = getRowMajorStrides(x.getShape()), from;
  for (auto [dim, repeat, stride] : llvm::zip(x.getShape(), repeats, strides)) {
    int64_t size;
    if (repeat < 0 || llvm::MulOverflow(dim, repeat, size))
      return modelError("cannot repeat a size of " + Twine(dim) + " " +
                        Twine(repeat) + " times");
    shape.push_back(size);
    split.append({repeat, dim});
    from.append({0, stride});
  }
  Expected<HostTensor> result = HostTensor::allocate(x.getType(), shape);
  if (result)
    copyStrided(split, x, {0, from}, *result, {0, getRowMajorStrides(split)});
  return result;
}

//===----------------------------------------------------------------------===//
// Depth and space
//===----------------------------------------------------------------------===//

static Error checkBlocks(const HostTensor &x, int64_t blockSize) {
  if (x.getRank() != 4)
    return modelError("blocks need a tensor of rank 4, found " +
                      formatShape(x.getShape()));
  if (blockSize <= 0)
    return modelError("block size must be positive, found " + Twine(blockSize));
  int64_t largest = *llvm::max_element(x.getShape());
  if (llvm::MulOverflow(blockSize, blockSize, blockSize) ||
      llvm::MulOverflow(largest, blockSize, largest))
    return modelError("block size is too large for shape " +
                      formatShape(x.getShape()));
  return Error::success();
}

Expected<HostTensor> kernels::depthToSpace(const HostTensor &x, int64_t b,
                                           DepthToSpaceMode mode) {
  if (Error error = checkBlocks(x, b))
    return std::move(error);
  int64_t n = x.getDim(0), c = x.getDim(1), h = x.getDim(2), w = x.getDim(3);
  if (c % (b * b) != 0)
    return modelError("depth " + Twine(c) +
                      " must be a multiple of the squared block size " +
                      Twine(b * b));
  int64_t depth = c / (b * b);
  bool dcr = mode == DepthToSpaceMode::DCR;
  HostTensor split = dcr ? x.reshaped({n, b, b, depth, h, w})
                         : x.reshaped({n, depth, b, b, h, w});
  Expected<HostTensor> result = dcr ? transpose(split, {0, 3, 4, 1, 5, 2})
                                    : transpose(split, {0, 1, 4, 2, 5, 3});
  if (!result)
    return result;
  return result->reshaped({n, depth, h * b, w * b});
}

Expected<HostTensor> kernels::spaceToDepth(const HostTensor &x, int64_t b) {
  if (Error error = checkBlocks(x, b))
    return std::move(error);
  int64_t n = x.getDim(0), c = x.getDim(1), h = x.getDim(2), w = x.getDim(3);
  if (h % b != 0 || w % b != 0)
    return modelError("sizes " + Twine(h) + " and " + Twine(w) +
                      " must be multiples of the block size " + Twine(b));
  Expected<HostTensor> result =
      transpose(x.reshaped({n, c, h / b, b, w / b, b}), {0, 3, 5, 1, 2, 4});
  if (!result)
    return result;
  return result->reshaped({n, c * b * b, h / b, w / b});
}

//===----------------------------------------------------------------------===//
// Triangles
//===----------------------------------------------------------------------===//

Expected<HostTensor> kernels::trilu(const HostTensor &x, bool upper,
                                    int64_t k) {
  if (x.getRank() < 2)
    return modelError("trilu needs a matrix, found " +
                      formatShape(x.getShape()));
  Expected<HostTensor> result = HostTensor::allocate(x.getType(), x.getShape());
  if (!result || result->getNumElements() == 0)
    return result;
  int64_t rows = x.getShape().end()[-2], cols = x.getShape().back();
  k = std::clamp(k, -rows, cols);
  withElements(x, *result, [&](const auto *from, auto *to) {
    for (int64_t row = 0, e = x.getNumElements() / cols; row < e; ++row) {
      int64_t diagonal = row % rows + k;
      int64_t begin = std::clamp<int64_t>(upper ? diagonal : 0, 0, cols);
      int64_t end = std::clamp<int64_t>(upper ? cols : diagonal + 1, 0, cols);
      if (begin < end)
        std::copy(from + row * cols + begin, from + row * cols + end,
                  to + row * cols + begin);
    }
  });
  return result;
}
