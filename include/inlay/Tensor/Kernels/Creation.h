//===- Creation.h - Reference operators that make tensors -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators whose result is made up from sizes and scalars.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_CREATION_H
#define INLAY_TENSOR_KERNELS_CREATION_H

#include "inlay/Tensor/HostTensor.h"

namespace inlay::kernels {

/// Ones on diagonal `k` of a matrix of zeros.
llvm::Expected<HostTensor> eyeLike(llvm::ArrayRef<int64_t> shape,
                                   ElementType type, int64_t k);

/// start, start + delta, ... below `limit` (above it for negative delta). The
/// scalars have one numeric type.
llvm::Expected<HostTensor> range(const HostTensor &start,
                                 const HostTensor &limit,
                                 const HostTensor &delta);

/// `value` holds one element.
llvm::Expected<HostTensor> constantOfShape(llvm::ArrayRef<int64_t> shape,
                                           const HostTensor &value);

/// rank x count indices (int64) of the elements that are not zero.
llvm::Expected<HostTensor> nonZero(const HostTensor &x);

/// `values` holds {off, on}; indices outside [-depth, depth) give all off.
/// `axis` is the new axis of the result, in [0, rank of indices].
llvm::Expected<HostTensor> oneHot(const HostTensor &indices, int64_t depth,
                                  const HostTensor &values, int64_t axis);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_CREATION_H
