//===- ConvShape.h - The sizes of a convolution -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TENSOR_KERNELS_CONVSHAPE_H
#define INLAY_LIB_TENSOR_KERNELS_CONVSHAPE_H

#include "inlay/Tensor/Kernels/Contraction.h"
#include "inlay/Tensor/Window.h"

namespace inlay::kernels {

/// Channels are those of one group; spatial sizes are without pads.
struct ConvShape {
  int64_t images = 0;
  int64_t group = 1;
  int64_t inputChannels = 0;
  int64_t outputChannels = 0;
  Sizes input, kernel, output;
  Sizes strides, dilations;
  Pads pads;
};

/// Everything that follows from x and the kernel alone: not the output's.
llvm::Expected<ConvShape> getConvShape(const HostTensor &x, const HostTensor &w,
                                       const ConvParams &params);

/// An error unless `bias` is null or holds one number per channel.
llvm::Error checkBias(const HostTensor *bias, int64_t channels);

} // namespace inlay::kernels

#endif // INLAY_LIB_TENSOR_KERNELS_CONVSHAPE_H
