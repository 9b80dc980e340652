//===- AttentionSteps.h - Steps that are one attention ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_ATTENTIONSTEPS_H
#define INLAY_LIB_CODEGEN_ATTENTIONSTEPS_H

#include "inlay/Codegen/KernelCode.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay {

/// Makes one step of a product, a softmax of its rows and a product of that,
/// with what is between them, where a template takes all of them as one and
/// nobody else needs what they pass to one another.
void joinAttentions(mlir::func::FuncOp graph, const CodeTarget &target);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_ATTENTIONSTEPS_H
