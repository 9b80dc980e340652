//===- AttentionMask.h - Masks as an operand of attention -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_REWRITE_ATTENTIONMASK_H
#define INLAY_LIB_TRANSFORMS_REWRITE_ATTENTIONMASK_H

#include "inlay/Analysis/Patterns/AttentionScores.h"
#include "mlir/IR/Builders.h"

namespace inlay::rewrites {

/// The masks as one operand of an attention over scores of `shape` (batch,
/// heads, queries, keys).
class AttentionMask {
public:
  /// Nothing when a mask cannot be one.
  static std::optional<AttentionMask>
  get(const patterns::AttentionScores &scores, llvm::ArrayRef<int64_t> shape);

  /// The operand; null when there is none.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc) const;

  /// Whether no row is known to be hidden, and every score has an element.
  bool showsEveryRow() const;

private:
  AttentionMask(llvm::ArrayRef<int64_t> shape, mlir::Type element)
      : shape(shape), element(element) {}

  bool add(const patterns::ScoreMask &mask);

  struct Part {
    patterns::ScoreMask mask;
    /// Its shape as one that broadcasts to that of the scores.
    llvm::SmallVector<int64_t> shape;
  };
  mlir::Value buildShaped(mlir::OpBuilder &builder, mlir::Location loc,
                          const Part &part) const;

  llvm::SmallVector<int64_t> shape;
  mlir::Type element;
  llvm::SmallVector<Part, 2> parts;
};

} // namespace inlay::rewrites

#endif // INLAY_LIB_TRANSFORMS_REWRITE_ATTENTIONMASK_H
