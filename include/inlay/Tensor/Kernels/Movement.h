//===- Movement.h - Reference data movement ---------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators whose result holds elements of their operands, moved. They work on
// every element type, strings included, unless they say otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_MOVEMENT_H
#define INLAY_TENSOR_KERNELS_MOVEMENT_H

#include "inlay/Tensor/HostTensor.h"
#include "inlay/Tensor/Modes.h"

namespace inlay::kernels {

/// Axis i of the result is axis perm[i] of `x`; an empty `perm` reverses.
llvm::Expected<HostTensor> transpose(const HostTensor &x,
                                     llvm::ArrayRef<int64_t> perm);

llvm::Expected<HostTensor> concat(llvm::ArrayRef<HostTensor> xs, int64_t axis);

llvm::Expected<llvm::SmallVector<HostTensor>>
split(const HostTensor &x, int64_t axis, llvm::ArrayRef<int64_t> sizes);

/// Starts and ends are clamped as ONNX says; negative ones count from the end.
/// Empty `axes` means all of starts' length from the front, empty `steps` 1.
llvm::Expected<HostTensor> slice(const HostTensor &x,
                                 llvm::ArrayRef<int64_t> starts,
                                 llvm::ArrayRef<int64_t> ends,
                                 llvm::ArrayRef<int64_t> axes,
                                 llvm::ArrayRef<int64_t> steps);

/// Broadcasts in both directions: the result may be larger than `shape`.
llvm::Expected<HostTensor> expand(const HostTensor &x,
                                  llvm::ArrayRef<int64_t> shape);

llvm::Expected<HostTensor> tile(const HostTensor &x,
                                llvm::ArrayRef<int64_t> repeats);

/// `pads` holds the begins of `axes`, then the ends; negative ones crop. Empty
/// `axes` means all. A null `value` is zero (the empty string).
llvm::Expected<HostTensor> pad(const HostTensor &x,
                               llvm::ArrayRef<int64_t> pads,
                               llvm::ArrayRef<int64_t> axes, PadMode mode,
                               const HostTensor *value);

llvm::Expected<HostTensor> depthToSpace(const HostTensor &x, int64_t blockSize,
                                        DepthToSpaceMode mode);
llvm::Expected<HostTensor> spaceToDepth(const HostTensor &x, int64_t blockSize);

/// Keeps one triangle of the last two axes; diagonal `k` belongs to it.
llvm::Expected<HostTensor> trilu(const HostTensor &x, bool upper, int64_t k);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_MOVEMENT_H
