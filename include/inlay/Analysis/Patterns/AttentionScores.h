//===- AttentionScores.h - What stands between two products -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_PATTERNS_ATTENTIONSCORES_H
#define INLAY_ANALYSIS_PATTERNS_ATTENTIONSCORES_H

#include "inlay/IR/InlayOps.h"

namespace inlay::patterns {

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

} // namespace inlay::patterns

#endif // INLAY_ANALYSIS_PATTERNS_ATTENTIONSCORES_H
