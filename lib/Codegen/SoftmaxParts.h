//===- SoftmaxParts.h - What softmaxes consist of ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   most = max(x)   power = exp(x - most)   sum = sum(power)   power / sum
//
// Operators that stand in these places take or give less than any number, which
// code makes use of.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_SOFTMAXPARTS_H
#define INLAY_LIB_CODEGEN_SOFTMAXPARTS_H

#include "inlay/IR/InlayOps.h"

namespace inlay {

/// Whether it is a number less the largest of some that it is among: 0 at most,
/// or NaN.
bool isBelowMaximum(mlir::Value value);

/// Whether it is a sum over the powers of such numbers, all that have the same
/// maximum: 1 at least, or NaN.
bool isSumOfPowers(mlir::Value value);

/// Whether nothing but quotients of a power and such a sum follow from it:
/// these are NaN where any number is, so that the maximum may be that of the
/// others.
bool isMaximumOfSoftmax(ReduceMaxOp most);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_SOFTMAXPARTS_H
