//===- AxisParameters.h - Axes that are left out ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an operator means where it gives no axes, or fewer than it could.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_AXISPARAMETERS_H
#define INLAY_IR_AXISPARAMETERS_H

#include "inlay/IR/TypeInference.h"

namespace inlay {

/// `axes`, or the first `count` dimensions where it is absent.
llvm::SmallVector<int64_t> getAxesOrFirst(const MaybeInts &axes, int64_t count);

/// The axes that a reduction means by those given, which may be none: all of
/// them then, unless `noop`.
llvm::SmallVector<int64_t> resolveReducedAxes(llvm::ArrayRef<int64_t> given,
                                              bool noop, int64_t rank);

/// The first dimension that takes part in a softmax. With `coerce2D` the axis
/// may also be one past the last dimension, for rows of one element.
std::optional<int64_t> normalizeSoftmaxAxis(int64_t axis, int64_t rank,
                                            bool coerce2D);

/// Entry `index` of an optional list, or `fallback`.
int64_t getEntryOr(std::optional<llvm::ArrayRef<int64_t>> list, size_t index,
                   int64_t fallback);

} // namespace inlay

#endif // INLAY_IR_AXISPARAMETERS_H
