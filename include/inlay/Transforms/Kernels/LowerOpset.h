//===- LowerOpset.h - Operators that the opset has --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_KERNELS_LOWEROPSET_H
#define INLAY_TRANSFORMS_KERNELS_LOWEROPSET_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// Replaces every operator that the model's opset has no node for by what it
/// consists of, as often as needed, in groups too. Returns how many there
/// were. An operator that has no expansion is an error, which lists them all.
llvm::Expected<unsigned> lowerToOpset(mlir::ModuleOp module);

} // namespace inlay

#endif // INLAY_TRANSFORMS_KERNELS_LOWEROPSET_H
