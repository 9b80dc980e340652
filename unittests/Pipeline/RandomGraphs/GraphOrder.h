//===- GraphOrder.h - Other orders of the same graph ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_GRAPHORDER_H
#define INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_GRAPHORDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay::testing {

/// Drops what no output needs, so that there is one order of visits.
void eraseUnused(mlir::func::FuncOp function);

/// Brings the operations into another order in which each follows what it
/// needs: the last that can come first does.
void reorder(mlir::func::FuncOp function);

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_GRAPHORDER_H
