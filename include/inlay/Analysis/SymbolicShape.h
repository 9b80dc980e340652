//===- SymbolicShape.h - Extents that are equal for certain -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows extents through the graph, and the integers that are computed from
// them, by numbering: two that have the same number are the same whatever the
// inputs are. That two inputs call a dimension alike is no proof, since no
// runtime checks it.
//
//   %s = shape %x               elements: #1, #2     x is [#1, #2]
//   %y = relu %x                y is [#1, #2]
//   %p = mul (%s[0], %s[1])     element: #3, and again #3 for %s[1] * %s[0]
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_SYMBOLICSHAPE_H
#define INLAY_ANALYSIS_SYMBOLICSHAPE_H

#include "inlay/IR/InlayOps.h"
#include "inlay/Tensor/HostTensor.h"
#include <map>

namespace inlay {

/// Integers by number, equal ones having the same.
class SymbolicInts {
public:
  using Number = int64_t;

  Number getKnown(int64_t value);
  /// One that is like no other so far.
  Number makeUnknown(bool isExtent);
  Number add(Number a, Number b);
  Number subtract(Number a, Number b);
  Number multiply(Number a, Number b);
  /// Rounds towards zero.
  Number divide(Number a, Number b);
  /// 1 where a and b are equal, 0 where they are not.
  Number equals(Number a, Number b);

  std::optional<int64_t> lookup(Number number) const;
  /// Whether it is zero or more whatever the inputs are.
  bool isNotNegative(Number number) const;

private:
  enum class Kind : uint8_t { Known, Unknown, Sum, Difference, Product, Ratio };
  struct Term {
    Kind kind;
    int64_t a, b;
    bool isNotNegative;
  };
  Number intern(Kind kind, int64_t a, int64_t b, bool isNotNegative);

  std::vector<Term> terms;
  std::map<std::tuple<Kind, int64_t, int64_t>, Number> numbers;
};

class SymbolicShapes {
public:
  using Number = SymbolicInts::Number;
  using Numbers = llvm::SmallVector<Number, 4>;

  /// Of all values in the region, in time linear in its operations.
  explicit SymbolicShapes(mlir::Region &region);

  const SymbolicInts &getInts() const { return ints; }
  /// The extents of a value; nothing where its rank is unknown.
  std::optional<llvm::ArrayRef<Number>> lookupExtents(mlir::Value value) const;
  /// The elements of a small tensor of int64 and at most one dimension.
  std::optional<llvm::ArrayRef<Number>> lookupElements(mlir::Value value) const;

private:
  void addExtents(mlir::Value value);
  void addElements(mlir::Value value);
  void visit(mlir::Operation *op);

  // Extents of results.
  void inferExtents(mlir::Operation *op);
  void inferByAxes(mlir::Operation *op, const AxisMap &map);
  Number findExtent(mlir::Operation *op, const AxisMap &map,
                    const DimAxes &axes);
  void inferReshape(ReshapeOp op);
  void inferExpand(ExpandOp op);
  void inferFilled(ConstantOfShapeOp op);

  // Elements of results.
  HostTensor followElements(mlir::Operation *op);
  HostTensor followMove(mlir::Operation *op);
  HostTensor compute(mlir::Operation *op,
                     llvm::function_ref<Number(Number, Number)> combine);
  HostTensor select(WhereOp op);
  HostTensor getElements(mlir::Value value) const;
  std::optional<HostTensor> getKnownTensor(mlir::Value value) const;

  SymbolicInts ints;
  llvm::DenseMap<mlir::Value, Numbers> extents;
  /// Numbers in the tensor's shape.
  llvm::DenseMap<mlir::Value, HostTensor> elements;
};

} // namespace inlay

#endif // INLAY_ANALYSIS_SYMBOLICSHAPE_H
