//===- Gather.h - Reference gather and scatter ------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that pick or replace elements by index. Negative indices count from
// the end; an index outside the axis is an error. Any element type, except that
// reductions need numbers.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_GATHER_H
#define INLAY_TENSOR_KERNELS_GATHER_H

#include "inlay/Tensor/HostTensor.h"
#include "inlay/Tensor/Modes.h"

namespace inlay::kernels {

llvm::Expected<HostTensor> gather(const HostTensor &x,
                                  const HostTensor &indices, int64_t axis);
llvm::Expected<HostTensor>
gatherElements(const HostTensor &x, const HostTensor &indices, int64_t axis);
llvm::Expected<HostTensor>
gatherND(const HostTensor &x, const HostTensor &indices, int64_t batchDims);

/// Also Scatter of opset 9.
llvm::Expected<HostTensor> scatterElements(const HostTensor &x,
                                           const HostTensor &indices,
                                           const HostTensor &updates,
                                           int64_t axis,
                                           ScatterReduction reduction);
llvm::Expected<HostTensor> scatterND(const HostTensor &x,
                                     const HostTensor &indices,
                                     const HostTensor &updates,
                                     ScatterReduction reduction);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_GATHER_H
