//===- Normalized.h - A value less its mean, scaled -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_IR_NORMALIZED_H
#define INLAY_LIB_IR_NORMALIZED_H

#include "Term.h"

namespace inlay {

/// (x - mean) * invStdDev, and what it is made of.
struct Normalized {
  Term value;
  Term mean;
  Term invStdDev;
};

/// Around the mean: a difference of squares would lose what a small variance
/// is.
inline Normalized normalize(Term x, llvm::ArrayRef<int64_t> axes,
                            double epsilon) {
  Term mean = x.reduce<ReduceMeanOp>(axes);
  Term shifted = x - mean;
  Term variance = (shifted * shifted).reduce<ReduceMeanOp>(axes);
  Term inverse = reciprocal(sqrt(variance + epsilon));
  return {shifted * inverse, mean, inverse};
}

} // namespace inlay

#endif // INLAY_LIB_IR_NORMALIZED_H
