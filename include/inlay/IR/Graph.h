//===- Graph.h - The function that is a model's graph -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_GRAPH_H
#define INLAY_IR_GRAPH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// The module's first function with a body; an error when it has none or when
/// that has several blocks.
llvm::Expected<mlir::func::FuncOp> getGraph(mlir::ModuleOp module);

/// The names of inputs and outputs; empty where there are none.
llvm::StringRef getInputName(mlir::func::FuncOp graph, unsigned index);
llvm::StringRef getOutputName(mlir::func::FuncOp graph, unsigned index);

/// The symbol of each dimension of an input or output, "" where it has none;
/// as many as the type has dimensions.
llvm::SmallVector<llvm::StringRef> getInputDims(mlir::func::FuncOp graph,
                                                unsigned index);
llvm::SmallVector<llvm::StringRef> getOutputDims(mlir::func::FuncOp graph,
                                                 unsigned index);

/// The value that an input has when the caller gives none, or null.
mlir::Attribute getInputDefault(mlir::func::FuncOp graph, unsigned index);

} // namespace inlay

#endif // INLAY_IR_GRAPH_H
