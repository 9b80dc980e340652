//===- Bodies.cpp - Regions that end in inlay.yield -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"

using namespace inlay;
using namespace mlir;

LogicalResult inlay::verifyYield(Operation *op, Region &region, size_t count,
                                 StringRef what) {
  YieldOp yield = getYield(region);
  if (!yield)
    return op->emitOpError() << what << " does not end in inlay.yield";
  if (yield.getValues().size() != count)
    return op->emitOpError() << what << " yields " << yield.getValues().size()
                             << " values, expected " << count;
  return success();
}

LogicalResult inlay::inferFromYield(Operation *op, Region &body,
                                    TypeInference &inference) {
  YieldOp yield = getYield(body);
  if (!yield || yield.getNumOperands() != op->getNumResults())
    return success(); // The verifier says so.
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), yield.getValues()))
    inference.set(result, value.getType());
  return success();
}
