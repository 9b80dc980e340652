//===- QuantizedArithmetic.h - Reference quantised arithmetic ---*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ONNX Runtime contributes: zero points are part of what is rounded, in
// single precision, so that halves go where it sends them.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_QUANTIZEDARITHMETIC_H
#define INLAY_TENSOR_KERNELS_QUANTIZEDARITHMETIC_H

#include "inlay/Tensor/HostTensor.h"

namespace inlay::kernels {

/// One scale for the whole tensor, and its zero point: 0 where it is null.
struct TensorQuantization {
  const HostTensor &scale;
  const HostTensor *zeroPoint;
};

/// a + b and a * b, broadcast. The result has the type of its zero point, or of
/// `a` where there is none.
llvm::Expected<HostTensor>
qlinearAdd(const HostTensor &a, TensorQuantization aQ, const HostTensor &b,
           TensorQuantization bQ, TensorQuantization yQ);
llvm::Expected<HostTensor>
qlinearMul(const HostTensor &a, TensorQuantization aQ, const HostTensor &b,
           TensorQuantization bQ, TensorQuantization yQ);

/// saturate(round(x / scale + zero point)) of element type `type`.
llvm::Expected<HostTensor>
quantizeAtOnce(const HostTensor &x, TensorQuantization to, ElementType type);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_QUANTIZEDARITHMETIC_H
