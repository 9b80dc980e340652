//===- Arrangement.h - Views, permutations and selections -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands between a tensor and the operator that computes its elements
// often only moves them: reshapes, transposes, selections of one slice. An
// arrangement reads such a chain backwards, step by step, as dimensions of a
// base that are split into factors, put into another order and merged:
//
//   x: 1x128x768, reshape 1x128x12x64, transpose 0,2,3,1
//   base x, factors f0 = 128, f1 = 12, f2 = 64 in this order,
//   dimensions [], [f1], [f2], [f0]
//
// so that any other order of the same factors can be built from the base.
// Dimensions of one element have no factors: where they stand does not matter.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_PATTERNS_ARRANGEMENT_H
#define INLAY_ANALYSIS_PATTERNS_ARRANGEMENT_H

#include "inlay/IR/InlayOps.h"

namespace inlay::patterns {

class Arrangement {
public:
  /// Factors, major first.
  using Factors = llvm::SmallVector<unsigned, 2>;
  using Dims = llvm::SmallVector<Factors, 4>;

  /// The value as its own base. Only for a ranked one.
  explicit Arrangement(mlir::Value value);

  /// What may be read besides views, permutations and selections.
  struct Limits {
    /// Products with a constant scalar.
    bool scales = false;
    /// Repetitions by Expand.
    bool repeats = false;
  };
  /// Reads one operation more; false when the base is computed otherwise, or
  /// its shape is not known well enough.
  bool step(Limits limits);

  mlir::Value getBase() const { return base; }
  /// What the base has to be multiplied with.
  double getScale() const { return scale; }
  unsigned getNumTransposes() const { return numTransposes; }
  unsigned getNumRepeats() const { return numRepeats; }
  unsigned getNumSelections() const { return numSelections; }

  /// The factors of each dimension of the value.
  const Dims &getDims() const { return dims; }
  /// The base's factors in their order.
  Factors getOrder() const;
  /// Of a factor that is not in the value: which slice is selected, else null.
  mlir::Value getIndex(unsigned factor) const { return factors[factor].index; }
  bool isRepeated(unsigned factor) const { return factors[factor].isRepeated; }
  int64_t getExtent(unsigned factor) const { return factors[factor].extent; }
  int64_t getExtent(llvm::ArrayRef<unsigned> factors) const;

  /// Whether the base has these factors in this order, but for selections, and
  /// no others.
  bool isInOrder(const Dims &wanted) const;
  /// Whether a tensor of these dimensions can be built: all extents but one are
  /// known, or stay where they are.
  bool canBuild(const Dims &wanted) const;

  /// The factors of all dimensions, one behind the other.
  static Factors flatten(const Dims &dims);

private:
  struct Factor {
    int64_t extent;
    /// Which slice is selected, or null.
    mlir::Value index;
    bool isRepeated = false;
  };

  bool readTranspose(TransposeOp op);
  bool readView(mlir::Operation *op);
  bool readSelection(GatherOp op);
  bool readScale(mlir::Operation *op);
  bool readRepeat(ExpandOp op);
  bool regroup(llvm::ArrayRef<int64_t> shape);
  /// Splits a factor in two, the first of extent `extent`.
  void split(unsigned factor, int64_t extent);
  unsigned addFactor(int64_t extent, mlir::Value index = {});

  mlir::Value base;
  mlir::Block *block;
  double scale = 1;
  unsigned numTransposes = 0, numRepeats = 0, numSelections = 0;
  llvm::SmallVector<Factor, 8> factors;
  /// Of the value and of the base.
  Dims dims, baseDims;
};

/// The shape of a Reshape where at most one extent is unknown, or the unknown
/// ones stay where they are; else nothing.
std::optional<llvm::SmallVector<int64_t>>
getReshape(llvm::ArrayRef<int64_t> from, llvm::SmallVector<int64_t> to);

} // namespace inlay::patterns

#endif // INLAY_ANALYSIS_PATTERNS_ARRANGEMENT_H
