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
/// were. An operator whose expansion cannot be said either is an error, which
/// lists them all.
llvm::Expected<unsigned> lowerToOpset(mlir::ModuleOp module);

/// How many nodes of `opset` say what the operator computes: one where the
/// opset has it, else those that it consists of, without what is constant. The
/// error says why none do. Nothing is changed.
llvm::Expected<unsigned> countLoweredNodes(mlir::Operation *op, unsigned opset);

} // namespace inlay

#endif // INLAY_TRANSFORMS_KERNELS_LOWEROPSET_H
