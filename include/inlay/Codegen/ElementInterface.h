//===- ElementInterface.h - Operators on single elements --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_CODEGEN_ELEMENTINTERFACE_H
#define INLAY_CODEGEN_ELEMENTINTERFACE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include "inlay/Codegen/ElementInterface.h.inc"

namespace inlay {

/// Lets elementwise operators emit code, and loads the dialects of that code.
void registerElementCode(mlir::MLIRContext &context);

} // namespace inlay

#endif // INLAY_CODEGEN_ELEMENTINTERFACE_H
