//===- AssumedShapes.h - Sizes where dimensions are symbols -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_ASSUMEDSHAPES_H
#define INLAY_ANALYSIS_ASSUMEDSHAPES_H

#include "inlay/Target/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace inlay {

/// How large tensors are when the unknown dimensions of the inputs, and what
/// depends on data, have the extents that the target assumes. Costs depend on
/// it; results never do.
class AssumedShapes {
public:
  AssumedShapes(mlir::func::FuncOp function, const Target &target);

  uint64_t getBytes(mlir::Value value) const;
  /// The type with extents that are all known; null for what has no rank.
  mlir::RankedTensorType getType(mlir::Value value) const;

  /// What was assumed, by symbol; "?" stands for dimensions without one.
  const std::map<std::string, int64_t> &getAssumptions() const {
    return assumptions;
  }

private:
  void assumeInputs(mlir::func::FuncOp function);
  void assumeResults(mlir::func::FuncOp function);
  mlir::RankedTensorType assume(mlir::RankedTensorType type,
                                llvm::ArrayRef<llvm::StringRef> dims);

  const Target &target;
  std::map<std::string, int64_t> assumptions;
  /// The types of values whose own do not say how large they are.
  llvm::DenseMap<mlir::Value, mlir::RankedTensorType> types;
};

} // namespace inlay

#endif // INLAY_ANALYSIS_ASSUMEDSHAPES_H
