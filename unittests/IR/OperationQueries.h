//===- OperationQueries.h - Questions about one operation -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_IR_OPERATIONQUERIES_H
#define INLAY_UNITTESTS_IR_OPERATIONQUERIES_H

#include "ParsedOperation.h"

namespace inlay::testing {

/// The inferred result types of the last operation, "invalid" when inference
/// refuses it. Those before it are refined first, in order.
inline std::string inferResults(llvm::StringRef arguments,
                                llvm::StringRef text) {
  ParsedOperation parsed(arguments, text);
  mlir::Operation *last = parsed.get();
  if (!last)
    return "does not parse";
  for (mlir::Operation &op : *last->getBlock())
    if (op.getNumResults() != 0 && mlir::failed(refineResultTypes(&op)))
      return "invalid";
  std::string types;
  llvm::raw_string_ostream os(types);
  llvm::interleaveComma(last->getResultTypes(), os);
  return types;
}

/// Whether the first result of the last operation folds to its first operand.
inline bool foldsToFirstOperand(llvm::StringRef arguments,
                                llvm::StringRef text) {
  ParsedOperation parsed(arguments, text);
  mlir::Operation *op = parsed.get();
  llvm::SmallVector<mlir::OpFoldResult> results;
  if (!op || mlir::failed(op->fold(results)) || results.empty())
    return false;
  return llvm::dyn_cast_if_present<mlir::Value>(results[0]) ==
         op->getOperand(0);
}

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_IR_OPERATIONQUERIES_H
