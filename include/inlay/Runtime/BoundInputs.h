//===- BoundInputs.h - Checking the inputs of a graph -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_RUNTIME_BOUNDINPUTS_H
#define INLAY_RUNTIME_BOUNDINPUTS_H

#include "inlay/Tensor/HostTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay {

/// An error unless the tensor has the element type, rank and static extents of
/// `type`. A type of which nothing is known takes every tensor.
llvm::Error checkTensor(const HostTensor &tensor, mlir::Type type);

/// The tensors for the graph's arguments: the given ones, checked, and defaults
/// for those left empty. A dimension name must mean the same extent everywhere.
/// Errors name the input.
llvm::Expected<llvm::SmallVector<HostTensor>>
bindInputs(mlir::func::FuncOp graph, llvm::ArrayRef<HostTensor> inputs);

} // namespace inlay

#endif // INLAY_RUNTIME_BOUNDINPUTS_H
