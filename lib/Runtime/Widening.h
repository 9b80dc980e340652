//===- Widening.h - Evaluating operations of f32 in f64 ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_RUNTIME_WIDENING_H
#define INLAY_LIB_RUNTIME_WIDENING_H

#include "inlay/IR/Evaluation.h"
#include "inlay/IR/InlayOps.h"

namespace inlay {

/// The same elements in f64 where they are f32, else the tensor itself.
HostTensor widen(const HostTensor &tensor);
/// The same type of f64 where it is of f32.
mlir::Type widen(mlir::Type type);

/// Evaluates `op` on operands that are widened; what it gives in f32 after all
/// is widened, too. An operator that takes no f64 gets f32.
llvm::Expected<llvm::SmallVector<HostTensor>>
evaluateWide(EvaluateOpInterface op, llvm::ArrayRef<HostTensor> operands,
             Evaluation::RegionRunner runner);

} // namespace inlay

#endif // INLAY_LIB_RUNTIME_WIDENING_H
