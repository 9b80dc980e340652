//===- Context.h - The MLIR context of every command ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_CONTEXT_H
#define INLAY_PIPELINE_CONTEXT_H

#include "mlir/IR/MLIRContext.h"
#include <memory>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace inlay {

/// The dialects that modules of ours use, and what their operators compute.
void registerDialects(mlir::DialectRegistry &registry);

/// A context with these dialects loaded, on one thread.
std::unique_ptr<mlir::MLIRContext> createContext();

} // namespace inlay

#endif // INLAY_PIPELINE_CONTEXT_H
