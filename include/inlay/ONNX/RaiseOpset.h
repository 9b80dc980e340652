//===- RaiseOpset.h - Writing a model in a newer opset ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ONNX_RAISEOPSET_H
#define INLAY_ONNX_RAISEOPSET_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// Makes `opset` the one that the module is written in, with the IR version
/// that came with it where the model's own is older. Typed operators have the
/// form of any opset. Opaque nodes are written as they were read: those whose
/// definition changed in between are an error, which lists them. An opset that
/// is older than the model's, or unknown, is a usage error.
llvm::Error raiseOpset(mlir::ModuleOp module, unsigned opset);

} // namespace inlay

#endif // INLAY_ONNX_RAISEOPSET_H
