//===- LowerSteps.h - Operators as several steps ----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_CODEGEN_LOWERSTEPS_H
#define INLAY_CODEGEN_LOWERSTEPS_H

#include "inlay/Codegen/KernelCode.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay {

/// Makes constants of integers that follow from shapes, and several operators
/// of a composite one that has no code as a whole, where all of its parts have.
/// Operators in groups are left alone.
void lowerSteps(mlir::func::FuncOp graph, const CodeTarget &target);

} // namespace inlay

#endif // INLAY_CODEGEN_LOWERSTEPS_H
