//===- Contraction.h - Sums of products -------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What MatMul, Gemm and Conv have in common: over some dimensions, products of
// an element of each of two operands, summed over those that the result does
// not have. Where each element is follows from the dimensions by sums; outside
// of an operand there are zeros.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_CONTRACTION_H
#define INLAY_LIB_CODEGEN_CONTRACTION_H

#include "KernelBody.h"
#include "LoopIndex.h"
#include "mlir/IR/Operation.h"

namespace inlay {

struct Contraction {
  /// A tensor, and which of its elements is taken, by the dimensions.
  struct Operand {
    mlir::Value value;
    LoopIndex index;

    bool contains(unsigned dim) const;
  };

  /// What is multiplied and summed: f32, or integers of as many bits, which
  /// wrap.
  mlir::Type element;
  /// How long each dimension is. Those of one element are not in any index.
  Extents extents;
  Operand a, b, result;
  /// The sums times a factor, plus another tensor times another.
  double factor = 1;
  std::optional<Operand> added;
  double addedFactor = 1;

  bool isSummed(unsigned dim) const { return !result.contains(dim); }
  int64_t getCount(llvm::ArrayRef<unsigned> dims) const;

  /// Nothing where the operator is none, or a shape or type is not known.
  static std::optional<Contraction> get(mlir::Operation *op);
  /// The only one of a body.
  static std::optional<Contraction> find(const KernelBody &body);
};

/// Which dimensions are what, outermost first.
struct Roles {
  /// Each combination of these is a product of its own.
  llvm::SmallVector<unsigned> batch;
  llvm::SmallVector<unsigned> rows, columns, sums;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_CONTRACTION_H
