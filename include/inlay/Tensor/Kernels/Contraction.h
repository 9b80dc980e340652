//===- Contraction.h - Reference matmul, conv and einsum --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference meaning of the operators that multiply and add up. Floats are
// summed in double and rounded once; integers wrap. Optional operands are null.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_CONTRACTION_H
#define INLAY_TENSOR_KERNELS_CONTRACTION_H

#include "inlay/Tensor/HostTensor.h"

namespace inlay::kernels {

/// MatMul with numpy's rules: rank 1 operands, batch axes broadcast.
llvm::Expected<HostTensor> matmul(const HostTensor &a, const HostTensor &b);

/// alpha * op(a) * op(b) + beta * c, c broadcast to the result.
llvm::Expected<HostTensor> gemm(const HostTensor &a, const HostTensor &b,
                                const HostTensor *c, float alpha, float beta,
                                bool transA, bool transB);

/// Pads are resolved: begins, then ends (Window.h). Empty strides, dilations
/// and output padding stand for the defaults.
struct ConvParams {
  int64_t group = 1;
  llvm::ArrayRef<int64_t> strides;
  llvm::ArrayRef<int64_t> dilations;
  llvm::ArrayRef<int64_t> pads;
  /// Transposed convolution only.
  llvm::ArrayRef<int64_t> outputPadding;
};

/// x is N x C x spatial, w is M x C/group x kernel, bias is M.
llvm::Expected<HostTensor> conv(const HostTensor &x, const HostTensor &w,
                                const HostTensor *bias,
                                const ConvParams &params);

/// x is N x C x spatial, w is C x M/group x kernel, bias is M.
llvm::Expected<HostTensor> convTranspose(const HostTensor &x,
                                         const HostTensor &w,
                                         const HostTensor *bias,
                                         const ConvParams &params);

/// int8 or uint8 operands, int32 result. Zero points are scalars, or one per
/// row of `a` and one per column of `b`.
llvm::Expected<HostTensor> matmulInteger(const HostTensor &a,
                                         const HostTensor &b,
                                         const HostTensor *aZeroPoint,
                                         const HostTensor *bZeroPoint);

/// The weight's zero point is a scalar or one per output channel.
llvm::Expected<HostTensor> convInteger(const HostTensor &x, const HostTensor &w,
                                       const HostTensor *xZeroPoint,
                                       const HostTensor *wZeroPoint,
                                       const ConvParams &params);

/// How an operand is quantized: real = scale * (element - zeroPoint). Both are
/// there, and are scalars or vectors along one axis.
struct Quantization {
  const HostTensor &scale;
  const HostTensor &zeroPoint;
};

/// Scales are per tensor, or per row of `a` and per column of `b`.
llvm::Expected<HostTensor> qlinearMatmul(const HostTensor &a, Quantization aQ,
                                         const HostTensor &b, Quantization bQ,
                                         Quantization yQ);

/// The weight's quantization is per tensor or per output channel; the int32
/// bias has scale x.scale * w.scale.
llvm::Expected<HostTensor> qlinearConv(const HostTensor &x, Quantization xQ,
                                       const HostTensor &w, Quantization wQ,
                                       Quantization yQ, const HostTensor *bias,
                                       const ConvParams &params);

struct QGemmOptions {
  float alpha = 1;
  bool transA = false;
  bool transB = false;
};

/// alpha * op(a) * op(b) + c of quantized matrices; b is quantized per tensor
/// or per column, the int32 `c` has scale alpha * a.scale * b.scale. The result
/// is float where there is no `yScale`.
llvm::Expected<HostTensor> qgemm(const HostTensor &a, Quantization aQ,
                                 const HostTensor &b, Quantization bQ,
                                 const HostTensor *c, const HostTensor *yScale,
                                 const HostTensor *yZeroPoint,
                                 const QGemmOptions &options);

/// Einsum in numpy's notation: letters of either case, ellipsis, repeated
/// indices, an implicit or explicit result.
llvm::Expected<HostTensor> einsum(llvm::StringRef equation,
                                  llvm::ArrayRef<HostTensor> operands);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_CONTRACTION_H
