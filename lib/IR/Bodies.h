//===- Bodies.h - Regions that end in inlay.yield ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_IR_BODIES_H
#define INLAY_LIB_IR_BODIES_H

#include "inlay/IR/InlayOps.h"

namespace inlay {

/// What ends the region; null when it is something else.
inline YieldOp getYield(mlir::Region &region) {
  return mlir::dyn_cast<YieldOp>(region.front().getTerminator());
}

/// Checks that `region`, which messages call `what`, yields `count` values.
mlir::LogicalResult verifyYield(mlir::Operation *op, mlir::Region &region,
                                size_t count, llvm::StringRef what);

/// The results are what `body` yields.
mlir::LogicalResult inferFromYield(mlir::Operation *op, mlir::Region &body,
                                   TypeInference &inference);

} // namespace inlay

#endif // INLAY_LIB_IR_BODIES_H
