//===- Legalize.h - Operators within the limits of instructions -*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_HARDWARE_LEGALIZE_H
#define INLAY_TRANSFORMS_HARDWARE_LEGALIZE_H

#include "inlay/Target/Target.h"
#include "inlay/Transforms/Hardware/MergeTree.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay {

/// What became of the operators beyond a limit.
struct LegalizeResult {
  /// How many are computed in steps now, and how many steps that are.
  unsigned numOps = 0;
  unsigned numSteps = 0;
  /// The operands of joins and the results of cuts that are copied more than
  /// once, with the extents that the target assumes.
  CopyCost copies;
  /// An operator that is still beyond its limit, and why.
  struct Refusal {
    mlir::Operation *op;
    std::string reason;
  };
  std::vector<Refusal> refusals;
};

/// What reports say about it; of a function, the record `legalizedAttr`.
struct LegalizeTotals {
  unsigned numOps = 0;
  unsigned numSteps = 0;
  unsigned numCopies = 0;
  unsigned numRefusals = 0;
};
inline constexpr llvm::StringLiteral legalizedAttr = "inlay.legalized";

template <typename Visitor>
void visitFields(LegalizeTotals &totals, Visitor &&visit) {
  visit("ops", totals.numOps);
  visit("steps", totals.numSteps);
  visit("copies", totals.numCopies);
  visit("refusals", totals.numRefusals);
}

/// Splits every operator of `function` that has more operands or results than
/// the target takes.
LegalizeResult legalizeLimits(mlir::func::FuncOp function,
                              const Target &target);

} // namespace inlay

#endif // INLAY_TRANSFORMS_HARDWARE_LEGALIZE_H
