//===- RoiAlign.h - Reference RoiAlign --------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places are computed in single precision (in double of doubles): how many
// samples a bin has depends on how they round. Sums are taken in double.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_ROIALIGN_H
#define INLAY_TENSOR_KERNELS_ROIALIGN_H

#include "inlay/Tensor/HostTensor.h"

namespace inlay::kernels {

struct RoiAlignOptions {
  /// Whether regions begin half a pixel earlier; else none is smaller than a
  /// pixel.
  bool halfPixel = true;
  /// Whether a bin is the largest of its samples' weighted pixels, not the
  /// average of its samples.
  bool takesLargest = false;
  int64_t height = 1, width = 1;
  /// Samples of a bin along each dimension; as many as its pixels when 0.
  int64_t samplingRatio = 0;
  /// Pixels per unit of the regions.
  float spatialScale = 1;
};

/// (regions, C, height, width) of images `x`, N x C x H x W, regions (n, 4) of
/// corners (x, y, x, y), and the number of the image of each.
llvm::Expected<HostTensor> roiAlign(const HostTensor &x, const HostTensor &rois,
                                    const HostTensor &images,
                                    const RoiAlignOptions &options);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_ROIALIGN_H
