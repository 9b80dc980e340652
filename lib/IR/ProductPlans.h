//===- ProductPlans.h - Matrix products of what lies in memory --*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Batch dimensions may lie in any order, a transposed result is the product of
// the operands exchanged, and a dimension that is stored in parts is one again
// where the other tensors that have it are stored alike. Matrices that lie side
// by side, row by row, and are multiplied by the same one are one matrix.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_IR_PRODUCTPLANS_H
#define INLAY_LIB_IR_PRODUCTPLANS_H

#include "inlay/IR/StoredForm.h"
#include "mlir/IR/Operation.h"

namespace inlay {

/// The atoms that make up each dimension of a view, in the order in which they
/// are stored. None: one element.
using GroupedView = llvm::SmallVector<AtomSequence, 4>;

/// A tensor of the product, how it is stored and the dimensions it is to have.
struct ViewedTensor {
  mlir::Type type;
  llvm::ArrayRef<Atom> order;
  GroupedView groups;

  /// Whether it has those dimensions, and can be said to have them.
  bool isView() const;
  llvm::SmallVector<int64_t> getShape() const;
};

/// The parts of dimension `dim` that have more than one element, as they are
/// stored.
AtomSequence getParts(mlir::Type type, llvm::ArrayRef<Atom> order, int64_t dim);

/// Whether two dimensions consist of the same parts in the same order.
bool areSameParts(llvm::ArrayRef<Atom> a, llvm::ArrayRef<Atom> b);

/// Leaves out leading dimensions of one element that a tensor of `rank` need
/// not have.
void dropLeading(GroupedView &groups, size_t rank);

/// Operands and result of a product that is left times right in memory.
struct ProductPlan {
  ViewedTensor left, right, result;
};

/// A product and whether its operands are exchanged.
struct Product {
  ProductPlan plan;
  bool isSwapped;
};

/// The product (as MatMul defines it) of operands number `a` and `b` in `form`,
/// if there is one.
std::optional<Product> planMatMul(mlir::Operation *op, const StoredForm &form,
                                  unsigned a, unsigned b, bool maySwap = true);

} // namespace inlay

#endif // INLAY_LIB_IR_PRODUCTPLANS_H
