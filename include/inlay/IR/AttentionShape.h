//===- AttentionShape.h - The extents of an attention -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_ATTENTIONSHAPE_H
#define INLAY_IR_ATTENTIONSHAPE_H

#include "inlay/IR/InlayOps.h"
#include "inlay/IR/TypeInference.h"

namespace inlay {

/// What the operands of an attention agree on, as far as it is known.
struct AttentionShape {
  /// Reads the operands and attributes; reports what contradicts.
  mlir::LogicalResult infer(AttentionOp op, TypeInference &inference);

  /// Whether the mask, if there is one, is known to have a score for every key.
  bool hasWholeMask(mlir::Value mask) const;

  MaybeShape getResult() const;
  llvm::SmallVector<int64_t> getPresentKey() const {
    return {batch, keyHeads, keyLength, headSize};
  }
  llvm::SmallVector<int64_t> getPresentValue() const {
    return {batch, keyHeads, keyLength, valueHeadSize};
  }
  llvm::SmallVector<int64_t> getScores() const {
    return {batch, queryHeads, queryLength, keyLength};
  }

  /// Of query, key and value: 3, 4, or 0 where it is not known.
  int64_t rank = 0;
  int64_t batch = mlir::ShapedType::kDynamic;
  int64_t queryHeads = mlir::ShapedType::kDynamic;
  int64_t keyHeads = mlir::ShapedType::kDynamic;
  int64_t queryLength = mlir::ShapedType::kDynamic;
  /// All keys: those of the past come first.
  int64_t keyLength = mlir::ShapedType::kDynamic;
  int64_t pastLength = 0;
  int64_t headSize = mlir::ShapedType::kDynamic;
  int64_t valueHeadSize = mlir::ShapedType::kDynamic;
};

/// Whether the mask is a constant that shows a key to every row; a condition
/// says which keys to show, or `isInverted` which to hide.
bool showsEveryRow(mlir::Value mask, bool isInverted = false);

} // namespace inlay

#endif // INLAY_IR_ATTENTIONSHAPE_H
