//===- Attention.h - Two products with a softmax between them ---*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of scores are products of queries and keys, and whatever is computed of
// these element by element. Their softmaxes are multiplied by values.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_ATTENTION_H
#define INLAY_LIB_CODEGEN_ATTENTION_H

#include "Contraction.h"
#include "Epilogue.h"

namespace inlay {

/// A product of which each row is one of the scores' rows. These are counted
/// from the first element of the scores on, whatever dimensions they have.
struct ScoreRows {
  /// Its operand `a` gives rows, `b` gives columns.
  Contraction contraction;
  /// The roles of its dimensions; there is one of rows at most.
  Roles roles;
  /// What is one row of the scores: columns of the first product, what is
  /// summed in the second.
  unsigned along = ~0u;

  int64_t getNumRows() const { return contraction.getCount(roles.rows); }
  int64_t getNumProducts() const { return contraction.getCount(roles.batch); }
  /// Products that have columns of their own.
  Roles getColumnRoles() const;
};

struct Attention {
  ScoreRows first, second;
  /// What a softmax is taken of, and what it gives.
  mlir::Value scores, weights;

  int64_t getNumKeys() const { return first.contraction.extents[first.along]; }

  /// Nothing where a body is something else.
  static std::optional<Attention> find(const KernelBody &body);
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_ATTENTION_H
