//===- Reductions.h - What makes one number of many -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_REDUCTIONS_H
#define INLAY_LIB_CODEGEN_REDUCTIONS_H

#include "KernelBuilder.h"

namespace inlay {

/// A reduction: what becomes of an element, how two are combined, and what
/// becomes of the whole.
class Reduction {
public:
  /// Nothing where the operator is none, or has none for its element types, or
  /// says only at run time which dimensions it reduces.
  static std::optional<Reduction> get(mlir::Operation *op);
  /// How the taps of a window are combined: the largest for MaxPool, else sums.
  static Reduction getWindow(mlir::Operation *op) {
    return {op, mlir::isa<MaxPoolOp>(op) ? Combine::Max : Combine::Sum};
  }

  mlir::Operation *getOperation() const { return op; }
  mlir::Value getOperand() const { return op->getOperand(0); }
  mlir::Value getResult() const { return op->getResult(0); }
  /// Ascending.
  llvm::ArrayRef<int64_t> getDims() const { return dims; }
  /// Where the result is, given where the operand is.
  LoopIndex getResultIndex(const LoopIndex &operand) const;
  /// The dimension whose places are looked for, where that is what it does.
  std::optional<int64_t> getSearched() const {
    return search ? std::optional(dims.front()) : std::nullopt;
  }

  /// Whether elements give the same in any order, and more than once.
  bool isInAnyOrder() const {
    return !search && (how == Combine::Max || how == Combine::Min);
  }

  /// What changes nothing however often it is among the elements, if there is
  /// such a float; a mean still has to know how many the others are.
  std::optional<double> getNeutralElement() const {
    return search || how == Combine::Product ? std::nullopt
                                             : std::optional(getNeutral());
  }
  bool isMean() const { return after == After::Mean; }

  /// How many values are carried from element to element.
  unsigned getNumCarried() const { return search ? 2 : 1; }
  /// What they are in front of the first one.
  llvm::SmallVector<mlir::Value> getNeutral(KernelBuilder &builder,
                                            unsigned width) const;
  /// An element as carried values; `position` is where it is.
  llvm::SmallVector<mlir::Value> prepare(KernelBuilder &builder,
                                         mlir::Value element,
                                         mlir::Value position) const;
  llvm::SmallVector<mlir::Value>
  combine(KernelBuilder &builder, mlir::ValueRange a, mlir::ValueRange b) const;
  /// All lanes of vectors as one, in halves.
  llvm::SmallVector<mlir::Value> combineLanes(KernelBuilder &builder,
                                              mlir::ValueRange lanes) const;
  mlir::Value finish(KernelBuilder &builder, mlir::ValueRange carried) const;

  enum class Combine : uint8_t { Sum, Product, Max, Min };
  enum class Before : uint8_t { Nothing, Magnitude, Square };
  enum class After : uint8_t { Nothing, Mean, Root, Logarithm };

  // For operators that say what they are.
  Reduction(mlir::Operation *op, Combine how, Before before = Before::Nothing,
            After after = After::Nothing)
      : op(op), how(how), before(before), after(after) {}
  /// The dimensions, in any order and as the operator counts them.
  void setDims(llvm::ArrayRef<int64_t> own, bool areKept = true) {
    dims.assign(own.begin(), own.end());
    keepsDims = areKept;
  }
  /// It is the largest of those that are numbers.
  void skipNan() { skipsNan = true; }
  /// It looks for where the largest or smallest is.
  void setSearch(bool looksForLast) {
    search = true;
    searchesLast = looksForLast;
  }

private:
  bool settle();
  bool hasCode() const;
  mlir::Type getElement() const;
  /// What is combined: the elements, or wider ones.
  mlir::Type getCarried() const;
  bool isUnsigned() const;
  mlir::Value countElements(KernelBuilder &builder, mlir::Value like) const;
  double getNeutral() const;
  mlir::Value isAhead(KernelBuilder &builder, mlir::Value a,
                      mlir::Value b) const;
  llvm::SmallVector<mlir::Value>
  choose(KernelBuilder &builder, mlir::ValueRange a, mlir::ValueRange b) const;

  mlir::Operation *op;
  Combine how;
  Before before;
  After after;
  bool search = false, searchesLast = false, keepsDims = true;
  /// Whether it need not be NaN where any element is.
  bool skipsNan = false;
  llvm::SmallVector<int64_t> dims;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_REDUCTIONS_H
