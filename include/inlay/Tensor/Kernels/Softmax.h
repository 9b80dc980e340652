//===- Softmax.h - Reference kernels of the softmax family ------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each takes one axis, or with `coerce2D` (opsets before 13) everything from
// `axis` on as one row; `axis` may then equal the rank.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_SOFTMAX_H
#define INLAY_TENSOR_KERNELS_SOFTMAX_H

#include "inlay/Tensor/HostTensor.h"

namespace inlay::kernels {

llvm::Expected<HostTensor> softmax(const HostTensor &x, int64_t axis,
                                   bool coerce2D = false);
llvm::Expected<HostTensor> logSoftmax(const HostTensor &x, int64_t axis,
                                      bool coerce2D = false);
/// 1 at the first largest element, 0 elsewhere.
llvm::Expected<HostTensor> hardmax(const HostTensor &x, int64_t axis,
                                   bool coerce2D = false);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_SOFTMAX_H
