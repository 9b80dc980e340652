//===- Pool.h - Reference pooling -------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_POOL_H
#define INLAY_TENSOR_KERNELS_POOL_H

#include "inlay/Tensor/HostTensor.h"

namespace inlay::kernels {

/// Pads are resolved: begins, then ends (Window.h). Empty strides, dilations
/// and pads stand for the defaults.
struct PoolParams {
  llvm::ArrayRef<int64_t> kernel;
  llvm::ArrayRef<int64_t> strides;
  llvm::ArrayRef<int64_t> dilations;
  llvm::ArrayRef<int64_t> pads;
  bool ceilMode = false;
};

/// `indices` (int64) holds where in the flattened input each maximum was; with
/// `columnMajor` (storage_order 1) the spatial axes count first axis fastest. A
/// window that meets pads only gives the lowest number and index -1; NaN wins.
struct MaxPoolResult {
  HostTensor values;
  HostTensor indices;
};
llvm::Expected<MaxPoolResult> maxPool(const HostTensor &x,
                                      const PoolParams &params,
                                      bool columnMajor = false);

/// Pads count as elements only with `countIncludePad`; what a ceil-mode window
/// has beyond the end pad never does.
llvm::Expected<HostTensor> averagePool(const HostTensor &x,
                                       const PoolParams &params,
                                       bool countIncludePad);

/// (sum |x|^p)^(1/p) over each window.
llvm::Expected<HostTensor> lpPool(const HostTensor &x, const PoolParams &params,
                                  int64_t p);

/// Over all spatial axes, which stay with size 1.
llvm::Expected<HostTensor> globalAveragePool(const HostTensor &x);
llvm::Expected<HostTensor> globalMaxPool(const HostTensor &x);
llvm::Expected<HostTensor> globalLpPool(const HostTensor &x, int64_t p);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_POOL_H
