//===- FindPatterns.h - Operators that runtimes fuse ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_PATTERNS_FINDPATTERNS_H
#define INLAY_ANALYSIS_PATTERNS_FINDPATTERNS_H

#include "inlay/Target/Patterns.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay {

/// Operators that together are one which runtimes know and look for: all but
/// the first give their results to others of them alone.
struct OpPattern {
  PatternKind kind;
  /// The last one first, constants left out.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Values around them from which, and to which, elements are only moved. The
  /// pattern is known by these moves, so that it is another one where they lie
  /// otherwise.
  llvm::SmallVector<mlir::Value, 4> ends;
};

/// The patterns of these kinds in a function and its subgraphs, of which no two
/// share an operation. Where one is inside of another, the outer one counts.
/// What is finished already is not looked into.
std::vector<OpPattern> findPatterns(mlir::func::FuncOp func,
                                    llvm::ArrayRef<PatternKind> kinds);

} // namespace inlay

#endif // INLAY_ANALYSIS_PATTERNS_FINDPATTERNS_H
