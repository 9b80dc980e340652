//===- Resize.h - Reference Resize and Upsample -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Resize of opsets 10 to 19 and Upsample, as one operator: Upsample and
// Resize-10 are the modes {Asymmetric, Floor}.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_RESIZE_H
#define INLAY_TENSOR_KERNELS_RESIZE_H

#include "inlay/Tensor/HostTensor.h"
#include "inlay/Tensor/ResizeGeometry.h"

namespace inlay::kernels {

/// Any numeric type; nearest also moves strings and bools.
llvm::Expected<HostTensor> resize(const HostTensor &x,
                                  const ResizeParams &params);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_RESIZE_H
