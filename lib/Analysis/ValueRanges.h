//===- ValueRanges.h - Between which numbers values lie ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ANALYSIS_VALUERANGES_H
#define INLAY_LIB_ANALYSIS_VALUERANGES_H

#include "inlay/IR/FactInterfaces.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace inlay {

/// Between which numbers the values of a graph lie whatever its inputs are:
/// what follows a Relu is not negative. One visit of each operation, before
/// those that use it.
class ValueRanges {
public:
  explicit ValueRanges(mlir::func::FuncOp graph);

  NumberRange get(mlir::Value value) const { return ranges.lookup(value); }

private:
  NumberRange infer(mlir::OpResult result) const;
  NumberRange joinFlows(mlir::OpResult result) const;

  llvm::DenseMap<mlir::Value, NumberRange> ranges;
};

} // namespace inlay

#endif // INLAY_LIB_ANALYSIS_VALUERANGES_H
