//===- ContractionCore.h - What contractions share --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TENSOR_KERNELS_CONTRACTIONCORE_H
#define INLAY_LIB_TENSOR_KERNELS_CONTRACTIONCORE_H

#include "inlay/Tensor/Kernels/Contraction.h"

namespace inlay::kernels {

/// Whether sums of products of this type are taken in double, which is exact
/// for integers of 16 bits and fewer (up to 2^21 summands); the others wrap in
/// 64 bits.
inline bool sumsInDouble(ElementType type) {
  return isFloat(type) || getBitWidth(type) <= 16;
}

/// An error unless both hold numbers of one type.
llvm::Error checkFactors(const HostTensor &a, const HostTensor &b);

/// `matmul` and `conv` with another element type of the result, to which the
/// sums are converted: rounded for floats, wrapped for integers.
llvm::Expected<HostTensor> matmulTo(ElementType resultType, const HostTensor &a,
                                    const HostTensor &b);
llvm::Expected<HostTensor> convTo(ElementType resultType, const HostTensor &x,
                                  const HostTensor &w, const HostTensor *bias,
                                  const ConvParams &params);

} // namespace inlay::kernels

#endif // INLAY_LIB_TENSOR_KERNELS_CONTRACTIONCORE_H
