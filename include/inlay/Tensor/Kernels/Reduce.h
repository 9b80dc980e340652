//===- Reduce.h - Reference kernels along axes ------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Axes are non-negative and distinct.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_REDUCE_H
#define INLAY_TENSOR_KERNELS_REDUCE_H

#include "inlay/Tensor/HostTensor.h"

namespace inlay::kernels {

enum class ReduceFunction : uint8_t {
  Sum,
  Mean,
  Max,
  Min,
  Prod,
  L1,
  L2,
  LogSum,
  LogSumExp,
  SumSquare,
};

/// Reduces exactly the given axes; none of them keeps every element where it is
/// but still applies the function (L1 gives absolute values). A reduction over
/// nothing gives the neutral element: 0, 1, the lowest or the highest value;
/// Mean gives NaN and the logarithms -infinity. Integers accumulate in 64 bits;
/// the functions with roots and logarithms take integers too and truncate. Max
/// and Min take bools and propagate NaN.
llvm::Expected<HostTensor> reduce(ReduceFunction f, const HostTensor &x,
                                  llvm::ArrayRef<int64_t> axes, bool keepDims);

/// The int64 index of the largest element along `axis`: the first of several
/// equal ones, or the last if `selectLastIndex`.
llvm::Expected<HostTensor> argMax(const HostTensor &x, int64_t axis,
                                  bool keepDims, bool selectLastIndex);
llvm::Expected<HostTensor> argMin(const HostTensor &x, int64_t axis,
                                  bool keepDims, bool selectLastIndex);

/// Running sums along `axis`, from the far end if `reverse`; `exclusive` leaves
/// the element itself out.
llvm::Expected<HostTensor> cumSum(const HostTensor &x, int64_t axis,
                                  bool exclusive, bool reverse);

struct TopKResult {
  HostTensor values;
  /// int64
  HostTensor indices;
};

/// The k largest (smallest) elements along `axis`, best first; of equal ones
/// the lower index is better. NaN counts as larger than every number. Without
/// `sorted` the order is open; this kernel sorts all the same.
llvm::Expected<TopKResult> topK(const HostTensor &x, int64_t k, int64_t axis,
                                bool largest, bool sorted);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_REDUCE_H
