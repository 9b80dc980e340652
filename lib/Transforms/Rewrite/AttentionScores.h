//===- AttentionScores.h - What stands between two products -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_REWRITE_ATTENTIONSCORES_H
#define INLAY_LIB_TRANSFORMS_REWRITE_ATTENTIONSCORES_H

#include "inlay/IR/InlayOps.h"
#include "mlir/IR/Builders.h"

namespace inlay::rewrites {

/// What is done to scores in front of a softmax.
struct ScoreMask {
  /// Added to the scores, or a condition.
  mlir::Value value;
  /// The shape of the scores at this place, to which the value broadcasts.
  llvm::SmallVector<int64_t> shape;
  /// What a score becomes where the condition says so; nothing when the value
  /// is added.
  std::optional<double> hidden;
  /// Whether the condition says which scores stay, or which go.
  bool shows = true;
};

/// The weights of an attention, read backwards from the product with the
/// value:
///
///   nan_to_zero(softmax(softcap(scale * product) + masks))
struct AttentionScores {
  MatMulOp product;
  double scale = 1;
  /// None when 0.
  double softcap = 0;
  llvm::SmallVector<ScoreMask, 2> masks;
  bool nanToZero = false;
  /// The element type of the softmax where it is not that of the product.
  mlir::Type softmaxType;
  /// Everything read, the root first.
  llvm::SmallVector<mlir::Operation *> ops;
};

/// Nothing when the root is not the product of weights and a value, or when
/// something else needs a value in between.
std::optional<AttentionScores> readScores(MatMulOp root);

/// The masks as one operand of an attention over scores of `shape` (batch,
/// heads, queries, keys).
class AttentionMask {
public:
  /// Nothing when a mask cannot be one.
  static std::optional<AttentionMask> get(const AttentionScores &scores,
                                          llvm::ArrayRef<int64_t> shape);

  /// The operand; null when there is none.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc) const;

  /// Whether no row is known to be hidden, and every score has an element.
  bool showsEveryRow() const;

private:
  AttentionMask(llvm::ArrayRef<int64_t> shape, mlir::Type element)
      : shape(shape), element(element) {}

  bool add(const ScoreMask &mask);

  struct Part {
    ScoreMask mask;
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

#endif // INLAY_LIB_TRANSFORMS_REWRITE_ATTENTIONSCORES_H
