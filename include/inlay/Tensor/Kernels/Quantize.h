//===- Quantize.h - Reference kernels of linear quantisation ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scale decides the granularity:
//  * one element: one scale for the whole tensor;
//  * rank 1, block size 0: one per index of `axis`;
//  * the rank of x and a positive block size: one per `blockSize` neighbours
//    along `axis`.
// A zero point has the scale's shape; without one it is 0.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_QUANTIZE_H
#define INLAY_TENSOR_KERNELS_QUANTIZE_H

#include "inlay/Tensor/HostTensor.h"

namespace inlay::kernels {

struct QuantizeOptions {
  int64_t axis = 1;
  int64_t blockSize = 0;
  /// For results of 8-bit floats.
  bool saturate = true;
  /// Undefined: the zero point's type, or uint8 without one.
  ElementType outputType = ElementType::Undefined;
  /// The type x / scale is rounded to before it is rounded to the output;
  /// undefined: the scale's.
  ElementType precision = ElementType::Undefined;
};

/// saturate(round(x / scale) + zeroPoint), halves to even. x holds floats or
/// int32; the result uint8, int8, uint16, int16, a 4- or 2-bit integer or an
/// 8- or 4-bit float.
llvm::Expected<HostTensor> quantizeLinear(const HostTensor &x,
                                          const HostTensor &scale,
                                          const HostTensor *zeroPoint,
                                          const QuantizeOptions &options);

struct DequantizeOptions {
  int64_t axis = 1;
  int64_t blockSize = 0;
  /// Undefined: the scale's type.
  ElementType outputType = ElementType::Undefined;
};

/// (x - zeroPoint) * scale
llvm::Expected<HostTensor> dequantizeLinear(const HostTensor &x,
                                            const HostTensor &scale,
                                            const HostTensor *zeroPoint,
                                            const DequantizeOptions &options);

struct DynamicQuantizeResult {
  HostTensor y;
  HostTensor scale;
  HostTensor zeroPoint;
};

/// Quantises float32 to uint8 with a scale and zero point for the range of x
/// extended to hold 0.
llvm::Expected<DynamicQuantizeResult>
dynamicQuantizeLinear(const HostTensor &x);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_QUANTIZE_H
