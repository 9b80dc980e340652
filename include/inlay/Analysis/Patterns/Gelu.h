//===- Gelu.h - Gelu out of its parts ---------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_PATTERNS_GELU_H
#define INLAY_ANALYSIS_PATTERNS_GELU_H

#include "inlay/Analysis/Patterns/MatchReason.h"
#include "mlir/IR/Operation.h"

namespace inlay::patterns {

/// The x of x / 2 * (1 + erf(x / sqrt(2))), which ends in `root`; null where
/// that computes something else.
mlir::Value readGelu(mlir::Operation *root, MatchReason &why);

/// The x of x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))).
mlir::Value readGeluTanh(mlir::Operation *root, MatchReason &why);

} // namespace inlay::patterns

#endif // INLAY_ANALYSIS_PATTERNS_GELU_H
