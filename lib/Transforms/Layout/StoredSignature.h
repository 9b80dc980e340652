//===- StoredSignature.h - Inputs and outputs as stored ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a function and the origins of its operations say about the dimensions
// of tensors, brought into the order in which these are stored.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_LAYOUT_STOREDSIGNATURE_H
#define INLAY_LIB_TRANSFORMS_LAYOUT_STOREDSIGNATURE_H

#include "inlay/IR/InlayOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay::layout {

/// Brings dimension names, default values and declared types of the function's
/// inputs and outputs, whose types still have their encodings, into storage
/// order. Failure, reported, where a default value cannot be.
llvm::LogicalResult storeSignature(mlir::func::FuncOp function);

/// The location of `op` with the dimension names of its outputs in storage
/// order: an origin that says so in front of its own.
mlir::Location getStoredLoc(mlir::Operation *op);

} // namespace inlay::layout

#endif // INLAY_LIB_TRANSFORMS_LAYOUT_STOREDSIGNATURE_H
