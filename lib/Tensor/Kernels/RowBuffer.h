//===- RowBuffer.h - Rows of elements as computing types --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops of the elementwise kernels: elements are converted to double,
// int64_t or uint64_t a chunk at a time, so that a function is compiled for
// three types instead of twenty.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TENSOR_KERNELS_ROWBUFFER_H
#define INLAY_LIB_TENSOR_KERNELS_ROWBUFFER_H

#include "inlay/Tensor/Broadcast.h"
#include "inlay/Tensor/Dispatch.h"
#include <array>

namespace inlay::kernels {

/// A chunk of elements in their computing type.
template <typename T> class RowBuffer {
public:
  llvm::MutableArrayRef<T> first(int64_t count) {
    return {values.data(), size_t(count)};
  }
  /// Loads `count` elements; with step 0 all are the one at `offset`.
  void load(const HostTensor &from, int64_t offset, int64_t step,
            int64_t count) {
    if (step != 0)
      return loadElements(from, offset, first(count));
    loadElements(from, offset, first(1));
    std::fill_n(values.data() + 1, count - 1, values[0]);
  }
  T operator[](int64_t i) const { return values[i]; }
  T &operator[](int64_t i) { return values[i]; }

private:
  std::array<T, chunkSize> values;
};

/// Calls fn(begin, count) for the chunks of [0, total).
template <typename F> void forEachChunk(int64_t total, F fn) {
  for (int64_t begin = 0; begin < total; begin += chunkSize)
    fn(begin, std::min(chunkSize, total - begin));
}

/// out[i] = fn(x[i]), computing in T; fn's result type need not be T.
template <typename T, typename F>
llvm::Expected<HostTensor> mapElements(const HostTensor &x, ElementType outType,
                                       F fn) {
  using Result = decltype(fn(T()));
  llvm::Expected<HostTensor> out = HostTensor::allocate(outType, x.getShape());
  if (!out)
    return out.takeError();
  RowBuffer<T> in;
  RowBuffer<Result> result;
  forEachChunk(x.getNumElements(), [&](int64_t begin, int64_t count) {
    in.load(x, begin, 1, count);
    for (int64_t i = 0; i < count; ++i)
      result[i] = fn(in[i]);
    storeElements(*out, begin, llvm::ArrayRef<Result>(result.first(count)));
  });
  return out;
}

/// out[i] = fn(a[i], b[i]) under broadcasting to `shape`, computing in A and B.
template <typename A, typename B, typename F>
llvm::Expected<HostTensor> zipElements(const HostTensor &a, const HostTensor &b,
                                       ElementType outType,
                                       llvm::ArrayRef<int64_t> shape, F fn) {
  using Result = decltype(fn(A(), B()));
  llvm::Expected<HostTensor> out = HostTensor::allocate(outType, shape);
  if (!out)
    return out.takeError();
  BroadcastLoop loop(shape, {a.getShape(), b.getShape()});
  int64_t stepA = loop.getStep(0), stepB = loop.getStep(1);
  RowBuffer<A> inA;
  RowBuffer<B> inB;
  RowBuffer<Result> result;
  loop.forEachRow([&](int64_t at, llvm::ArrayRef<int64_t> from) {
    forEachChunk(loop.getRowLength(), [&](int64_t begin, int64_t count) {
      inA.load(a, from[0] + begin * stepA, stepA, count);
      inB.load(b, from[1] + begin * stepB, stepB, count);
      for (int64_t i = 0; i < count; ++i)
        result[i] = fn(inA[i], inB[i]);
      storeElements(*out, at + begin,
                    llvm::ArrayRef<Result>(result.first(count)));
    });
  });
  return out;
}

} // namespace inlay::kernels

#endif // INLAY_LIB_TENSOR_KERNELS_ROWBUFFER_H
