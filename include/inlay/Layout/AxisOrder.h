//===- AxisOrder.h - Storage orders through axis maps -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators relate the dimensions of their tensors by axes. An order in which
// one tensor is stored is an order of the axes (lift); that gives the orders of
// the other tensors (project), so that all of them lie in memory alike:
//
//   transpose  [a, b, c] -> [c, a, b]
//       input stored as a, c, b: so is the result, and nothing moves
//   reshape    [n, c, h, w] -> [n, (c h w)]
//       input stored as n, h, w, c: dimension 1 of the result is stored as its
//       factors (h w), c
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LAYOUT_AXISORDER_H
#define INLAY_LAYOUT_AXISORDER_H

#include "inlay/Layout/Layout.h"

namespace inlay {

/// An axis of an operator's iteration space, or a factor of one, counted from
/// the minor end as the factors of a dimension are.
struct AxisPiece {
  unsigned axis = 0;
  unsigned factor = 0;
  AtomExtent extent = AtomExtent::rest();

  bool operator==(const AxisPiece &) const = default;
};

/// The axes of an operator in the order in which they lie in memory, outermost
/// first.
using AxisOrder = llvm::SmallVector<AxisPiece, 6>;

/// The order of axes that a tensor's storage order says; `dims` are the
/// tensor's axes in `map`. Nothing where the factors of a dimension and its
/// axes cannot be matched. An empty `order` is row-major.
std::optional<AxisOrder> liftOrder(const AxisMap &map, const TensorAxes &dims,
                                   llvm::ArrayRef<Atom> order);

/// `order` with the axes of `map` that it lacks: each beside an axis that it
/// shares a dimension with, else behind the one that stands before it in a
/// tensor that has both; those that have leaders among themselves as these.
AxisOrder completeOrder(const AxisMap &map, AxisOrder order);

/// Every order that has the axes that `order` lacks together somewhere, as the
/// indices of a Gather stand where the axis was; none where none is missing.
llvm::SmallVector<AxisOrder, 0> enumerateCompletions(const AxisMap &map,
                                                     const AxisOrder &order);

/// The storage order of a tensor whose axes lie in memory as `order` says;
/// empty when it is row-major. Dimensions without an axis are of one element:
/// they stand where the dimension of `reference` that they align with (at the
/// last dimension) stands, if there is one. Nothing where a factor would need
/// an extent that is not known.
std::optional<AtomSequence> projectOrder(const AxisMap &map,
                                         const AxisOrder &order,
                                         const TensorAxes &dims,
                                         const TensorAxes *reference = nullptr);

/// Whether one transpose leads from one storage order of a tensor of `rank`
/// dimensions to the other, padding put in or taken out on the way: they cut
/// every dimension into pieces that have common ones, as 2 * 12 and 6 * 4 have,
/// and 2 * 3 and 3 * 2 have not.
bool areOneMoveApart(llvm::ArrayRef<Atom> a, llvm::ArrayRef<Atom> b,
                     unsigned rank);

/// What distinguishes one storage order of a tensor of `shape` from another:
/// its atoms of more than one element, adjacent factors joined. Two orders
/// with the same key store the elements alike; going from one to the other is
/// a reshape.
AtomSequence getStorageKey(llvm::ArrayRef<Atom> order,
                           llvm::ArrayRef<int64_t> shape);

/// Whether a tensor of `shape` has its elements at the same places in both
/// orders.
inline bool areStoredAlike(llvm::ArrayRef<Atom> a, llvm::ArrayRef<Atom> b,
                           llvm::ArrayRef<int64_t> shape) {
  return getStorageKey(a, shape) == getStorageKey(b, shape);
}

} // namespace inlay

#endif // INLAY_LAYOUT_AXISORDER_H
