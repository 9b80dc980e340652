//===- ValueRanges.h - Between which numbers values lie ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ANALYSIS_VALUERANGES_H
#define INLAY_LIB_ANALYSIS_VALUERANGES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include <limits>

namespace inlay {

/// All numbers from `low` to `high`; NaN is not looked at.
struct NumberRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool isUnknown() const { return *this == NumberRange(); }
  bool operator==(const NumberRange &) const = default;
};

/// Between which numbers the values of a graph lie whatever its inputs are:
/// what follows a Relu is not negative. One visit of each operation, before
/// those that use it.
class ValueRanges {
public:
  explicit ValueRanges(mlir::func::FuncOp graph);

  NumberRange get(mlir::Value value) const { return ranges.lookup(value); }

private:
  NumberRange infer(mlir::OpResult result) const;
  NumberRange inferArithmetic(mlir::Operation *op) const;
  NumberRange joinFlows(mlir::OpResult result) const;

  llvm::DenseMap<mlir::Value, NumberRange> ranges;
};

} // namespace inlay

#endif // INLAY_LIB_ANALYSIS_VALUERANGES_H
