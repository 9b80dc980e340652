//===- AxisMap.h - How an operator relates dimensions -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An axis map says how each dimension of the results of an operator comes from
// dimensions of its operands. It names the axes of the operator's iteration
// space, as an einsum does, and gives for every tensor the axes that its
// dimensions run along:
//
//   matmul     [m, k], [k, n] -> [m, n]    k is contracted
//   transpose  [a, b, c] -> [c, a, b]
//   reshape    [a, (b c)] -> [(a b), c]    b and c are factors of a dimension
//   add        [n, c], [c] -> [n, c]
//   add        [n, 1], [n, c] -> [n, c]    a unit dimension has no axis
//   softmax    [n, c] -> [n, c]            c is a window: positions interact
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LAYOUT_AXISMAP_H
#define INLAY_LAYOUT_AXISMAP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace inlay {

/// What an operator does along one axis of its iteration space.
enum class AxisKind : uint8_t {
  /// Element i of a result depends on element i of the operands only.
  Parallel,
  /// Positions correspond, but element i depends on other positions too:
  /// windows, normalisations, softmax, scans, resampling, padding.
  Window,
  /// Present in operands only, combined by a reduction.
  Reduced,
  /// Present in two operands and no result: summed over products.
  Contracted,
  /// The result's extent is the sum of the operands' (Concat) or the operand's
  /// the sum of the results' (Split).
  Concatenated,
  /// Selected by position: Slice, Gather, TopK.
  Indexed,
  /// In a result only: made by the operator (OneHot, Expand of a new axis).
  Created,
};

/// Marks an extent that is not known at compile time.
constexpr int64_t dynamicExtent = INT64_MIN;

struct Axis {
  static constexpr unsigned none = ~0u;

  AxisKind kind = AxisKind::Parallel;
  int64_t extent = dynamicExtent;
  /// The axis that this one lies as, among others that have one: those of a
  /// kernel as the spatial ones that it slides along.
  unsigned leader = none;

  bool operator==(const Axis &) const = default;
};

/// The axes that make up one dimension, major first. None: the dimension is
/// broadcast (its extent is one). Several: the dimension is a merge of them.
using DimAxes = llvm::SmallVector<unsigned, 1>;

/// The dimensions of one operand or result.
using TensorAxes = llvm::SmallVector<DimAxes, 4>;

class AxisMap {
public:
  /// Nothing is known: the operator is a barrier.
  static AxisMap opaque() { return AxisMap(true); }

  AxisMap() : AxisMap(false) {}

  bool isOpaque() const { return unknown; }

  /// Adds an axis and returns its number.
  unsigned addAxis(AxisKind kind, int64_t extent = dynamicExtent) {
    return addAxis(Axis{kind, extent});
  }
  unsigned addAxis(Axis axis);

  /// Describes the next operand or result, in order. A tensor whose dimensions
  /// take no part (a scalar parameter, a shape) is given as nothing.
  void addOperand(std::optional<TensorAxes> dims) {
    operands.push_back(std::move(dims));
  }
  void addResult(std::optional<TensorAxes> dims) {
    results.push_back(std::move(dims));
  }

  llvm::ArrayRef<Axis> getAxes() const { return axes; }
  llvm::ArrayRef<std::optional<TensorAxes>> getOperands() const {
    return operands;
  }
  llvm::ArrayRef<std::optional<TensorAxes>> getResults() const {
    return results;
  }

  /// Every axis that a tensor uses exists, and none is used twice by one
  /// tensor.
  bool isValid() const;

  /// For tests and people: "parallel a, reduced b : [a, b] -> [a]".
  void print(llvm::raw_ostream &os) const;

private:
  explicit AxisMap(bool unknown) : unknown(unknown) {}

  bool unknown;
  llvm::SmallVector<Axis, 6> axes;
  llvm::SmallVector<std::optional<TensorAxes>, 3> operands;
  llvm::SmallVector<std::optional<TensorAxes>, 1> results;
};

/// The common factors of two shapes of equally many elements, each dimension
/// of either being a run of them, major first; nothing where there are none
/// ([2, 3] and [3, 2]) or extents are unknown and not matched one to one.
///
///   [2, 12] and [6, 4]: factors [2, 3, 4], [[0], [1, 2]], [[0, 1], [2]]
struct CommonFactors {
  llvm::SmallVector<int64_t, 6> factors;
  TensorAxes from, to;
};
std::optional<CommonFactors> factorShapes(llvm::ArrayRef<int64_t> from,
                                          llvm::ArrayRef<int64_t> to);

} // namespace inlay

#endif // INLAY_LAYOUT_AXISMAP_H
