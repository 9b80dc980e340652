//===- Broadcast.cpp - Multidirectional broadcasting ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Tensor/Broadcast.h"
#include "inlay/Support/Error.h"

using namespace inlay;

/// Dimension `i` counted from the last; 1 where there is none.
static int64_t getDimFromEnd(llvm::ArrayRef<int64_t> shape, size_t i) {
  return i < shape.size() ? shape[shape.size() - 1 - i] : 1;
}

llvm::Expected<HostTensor::Shape>
inlay::broadcastShapes(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b) {
  size_t rank = std::max(a.size(), b.size());
  HostTensor::Shape result(rank);
  for (size_t i = 0; i < rank; ++i) {
    int64_t inA = getDimFromEnd(a, i), inB = getDimFromEnd(b, i);
    if (inA != inB && inA != 1 && inB != 1)
      return modelError("shapes must broadcast, but " + formatShape(a) +
                        " and " + formatShape(b) + " do not");
    result[rank - 1 - i] = inA == 1 ? inB : inA;
  }
  return result;
}

llvm::Expected<HostTensor::Shape>
inlay::broadcastShapes(llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes) {
  HostTensor::Shape result;
  for (llvm::ArrayRef<int64_t> shape : shapes) {
    llvm::Expected<HostTensor::Shape> next = broadcastShapes(result, shape);
    if (!next)
      return next.takeError();
    result = std::move(*next);
  }
  return result;
}

bool inlay::isBroadcastableTo(llvm::ArrayRef<int64_t> from,
                              llvm::ArrayRef<int64_t> to) {
  if (from.size() > to.size())
    return false;
  for (size_t i = 0; i < from.size(); ++i) {
    int64_t dim = getDimFromEnd(from, i);
    if (dim != 1 && dim != getDimFromEnd(to, i))
      return false;
  }
  return true;
}

llvm::SmallVector<int64_t, 4>
inlay::getBroadcastStrides(llvm::ArrayRef<int64_t> from,
                           llvm::ArrayRef<int64_t> to) {
  assert(isBroadcastableTo(from, to) && "shapes must broadcast");
  llvm::SmallVector<int64_t, 4> strides(to.size(), 0);
  int64_t stride = 1;
  for (size_t i = 0; i < from.size(); ++i) {
    int64_t dim = getDimFromEnd(from, i);
    if (dim != 1)
      strides[to.size() - 1 - i] = stride;
    stride *= dim;
  }
  return strides;
}

BroadcastLoop::BroadcastLoop(llvm::ArrayRef<int64_t> result,
                             llvm::ArrayRef<llvm::ArrayRef<int64_t>> operands)
    : steps(operands.size(), 0) {
  llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 3> operandStrides;
  for (llvm::ArrayRef<int64_t> operand : operands)
    operandStrides.push_back(getBroadcastStrides(operand, result));

  for (size_t dim = 0; dim < result.size(); ++dim) {
    if (result[dim] == 1)
      continue;
    llvm::SmallVector<int64_t, 3> here;
    for (const auto &all : operandStrides)
      here.push_back(all[dim]);
    bool merges = !extents.empty();
    for (size_t i = 0; merges && i < here.size(); ++i)
      merges = strides.back()[i] == here[i] * result[dim];
    if (merges) {
      extents.back() *= result[dim];
      strides.back() = std::move(here);
    } else {
      extents.push_back(result[dim]);
      strides.push_back(std::move(here));
    }
  }
  numRows = 1;
  if (!extents.empty()) {
    rowLength = extents.pop_back_val();
    steps = strides.pop_back_val();
  }
  for (int64_t extent : extents)
    numRows *= extent;
  if (rowLength == 0)
    numRows = 0;
}

void BroadcastLoop::advance(llvm::MutableArrayRef<int64_t> index,
                            llvm::MutableArrayRef<int64_t> offsets) const {
  for (size_t dim = extents.size(); dim-- > 0;) {
    bool wraps = ++index[dim] == extents[dim];
    int64_t moved = wraps ? 1 - extents[dim] : 1;
    for (size_t i = 0; i < offsets.size(); ++i)
      offsets[i] += strides[dim][i] * moved;
    if (!wraps)
      return;
    index[dim] = 0;
  }
}
