//===- AttentionPlan.h - How an attention is computed -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many rows of scores are in memory at once, and by which blocks of
// registers they are multiplied.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_ATTENTIONPLAN_H
#define INLAY_LIB_CODEGEN_ATTENTIONPLAN_H

#include "Attention.h"
#include "ColumnPacker.h"
#include "OpenDims.h"
#include "PackedOperand.h"
#include "ProductResults.h"

namespace inlay {

/// All that is decided before code is made.
class AttentionPlan {
public:
  AttentionPlan(const KernelBody &body, Attention found, const VectorUnit &unit,
                const OpenDims *openDims = nullptr);
  AttentionPlan(const AttentionPlan &) = delete;

  /// False where another way has to be found.
  bool make();

  int64_t getNumRows() const { return attention.first.getNumRows(); }
  int64_t getNumProducts() const { return attention.first.getNumProducts(); }
  int64_t getNumKeys() const { return attention.getNumKeys(); }
  /// Terms of a score.
  int64_t getDepth() const {
    return attention.first.contraction.getCount(attention.first.roles.sums);
  }
  int64_t getNumBlocks() const {
    return llvm::divideCeil(getNumRows(), blockRows);
  }
  /// Turns of the outermost loop.
  int64_t getNumTurns() const { return getNumProducts() * getNumBlocks(); }
  uint64_t countProducts() const;
  /// The turns that each block of rows of an open length needs.
  KernelCode::OpenTurns getOpenTurns() const {
    return areRowsOpen
               ? KernelCode::OpenTurns{blockRows, getNumProducts(), openLength}
               : KernelCode::OpenTurns();
  }

  /// What columns are packed by, those of values behind those of keys.
  ColumnPacker getKeyPacker() const {
    return {attention.first.contraction, keys, keyColumns, keyRoles};
  }
  ColumnPacker getValuePacker() const {
    return {attention.second.contraction, values, valueColumns, valueRoles};
  }
  /// Elements of a row that are loaded at once.
  int64_t getStep() const { return getRowStep(unit, /*isDense=*/true); }

  /// Elements of a row that softmaxes are computed of at once, whatever the
  /// machine: so many sums are added up in halves.
  static constexpr unsigned vectorWidth = 16;

  const VectorUnit &unit;
  const KernelBody &body;
  const OpenDims *openDims;
  Attention attention;
  LoopSpace scoreSpace, resultSpace;
  /// What is computed of products to become scores, and the scores' element.
  Reader scores;
  unsigned score = 0;
  ProductResults results;
  PackedOperand queries, keys, values;
  Roles keyRoles, valueRoles;
  ResultColumns keyColumns, valueColumns;
  /// Rows that are in memory at once, and how far apart they are there.
  int64_t blockRows = 1, rowStride = 1;
  /// Whether rows, or keys, end where an open length does.
  bool areRowsOpen = false, areKeysOpen = false;
  unsigned openLength = 0;

private:
  bool findOpen();
  bool readScores();
  Tiles chooseTiles(int64_t rows, int64_t count) const;
  bool chooseRows();
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_ATTENTIONPLAN_H
