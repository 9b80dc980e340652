//===- Steps.h - Operators that can be computed in steps --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_STEPS_H
#define INLAY_IR_STEPS_H

#include "inlay/IR/InlayDialect.h"
#include "mlir/IR/Operation.h"

namespace inlay {

/// How an operator over many tensors is computed over fewer at a time.
enum class Steps : uint8_t {
  /// It cannot be.
  None,
  /// It joins its operands along a dimension: op(a, b, c, d) is
  /// op(a, op(b, c), d), and the result of a step is as large as its operands.
  Join,
  /// It combines its operands element by element, from left to right:
  /// op(a, b, c) is op(op(a, b), c), exactly.
  Fold,
  /// It divides the sum of its operands by their number.
  Average,
  /// It cuts its operand along a dimension into parts of known extents, which
  /// can be cut again.
  Cut,
};

Steps getSteps(mlir::Operation *op);

} // namespace inlay

#endif // INLAY_IR_STEPS_H
