//===- Cast.h - Reference kernel of Cast and CastLike -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_CAST_H
#define INLAY_TENSOR_KERNELS_CAST_H

#include "inlay/Tensor/HostTensor.h"
#include "inlay/Tensor/SmallFloat.h"

namespace inlay::kernels {

struct CastOptions {
  /// For the 8-bit floats: out of range gives the largest number.
  bool saturate = true;
  /// For float8e8m0.
  PowerRounding rounding = PowerRounding::Up;
};

/// Converts between any two element types but complex ones, which only convert
/// to each other.
///
///  * Float to float rounds once, to nearest even.
///  * Float to integer truncates; to integers of 4 and 2 bits it rounds to
///    nearest even, as ONNX asks for those alone. Out of range, where ONNX
///    leaves the result open, it saturates at the bounds of int64 (uint64 for
///    uint64) and then wraps to the width; NaN gives 0.
///  * Integer to integer wraps; anything to bool is "not zero".
///  * Numbers become strings in the shortest decimal form that reads back as
///    the same number, "NaN", "INF" and "-INF"; strings are read as decimal
///    numbers with an optional exponent, the words without regard to case. A
///    string that is no number is an error.
llvm::Expected<HostTensor> cast(const HostTensor &x, ElementType toType,
                                const CastOptions &options = {});

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_CAST_H
