//===- Slices.h - Sizes of parts of a dimension -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Slice and Split leave of a dimension, on sizes alone.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_SLICES_H
#define INLAY_TENSOR_SLICES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace inlay {

/// One axis of a slice after clamping: `count` elements, from `start` by
/// `step`.
struct SliceRange {
  int64_t start;
  int64_t count;
  int64_t step;
};

/// Starts and ends are clamped as ONNX says; negative ones count from the end.
/// `step` must not be 0.
SliceRange clampSlice(int64_t dim, int64_t start, int64_t end, int64_t step);

/// The part sizes Split has without its `split` operand: equal, the last one
/// smaller. Opsets below 18 require an even division; callers check that.
llvm::Expected<llvm::SmallVector<int64_t>> getSplitSizes(int64_t dim,
                                                         int64_t parts);

} // namespace inlay

#endif // INLAY_TENSOR_SLICES_H
