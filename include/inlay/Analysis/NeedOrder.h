//===- NeedOrder.h - Operations as outputs need them ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_NEEDORDER_H
#define INLAY_ANALYSIS_NEEDORDER_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include <vector>

namespace inlay {

/// What an operation uses, in order: operands, then what its regions capture
/// from its own block.
llvm::SmallVector<mlir::Value> getUsedValues(mlir::Operation *op);

/// The operations of a block without its terminator, in post-order from the
/// block's outputs, what is used left to right; those that no output needs
/// follow in the order of the block. The order of independent operations does
/// not matter.
std::vector<mlir::Operation *> findNeedOrder(mlir::Block &block);

/// The block and those of bodies of If, Loop and Scan in it, each behind the
/// one that it is in, as the operations that have them are needed. What is
/// finished has no bodies: its operators run as one.
std::vector<mlir::Block *> findBodies(mlir::Block &block);

} // namespace inlay

#endif // INLAY_ANALYSIS_NEEDORDER_H
