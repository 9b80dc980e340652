//===- GridSample.h - Reference GridSample ----------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_GRIDSAMPLE_H
#define INLAY_TENSOR_KERNELS_GRIDSAMPLE_H

#include "inlay/Tensor/HostTensor.h"
#include "inlay/Tensor/Modes.h"

namespace inlay::kernels {

/// x is N x C x spatial with 2 or 3 spatial axes; `grid` is N x result spatial
/// x 2 or 3, its coordinates last axis first, in [-1, 1]. Cubic is 4-D only.
llvm::Expected<HostTensor>
gridSample(const HostTensor &x, const HostTensor &grid, GridSampleMode mode,
           GridSamplePadding padding, bool alignCorners);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_GRIDSAMPLE_H
