//===- CountMoves.h - What transposes move ----------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_COUNTMOVES_H
#define INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_COUNTMOVES_H

#include "inlay/LayoutAssign/Cost.h"
#include "mlir/IR/BuiltinOps.h"

namespace inlay::testing {

/// The transposes that move something for somebody, those of constants and of
/// bodies of operators in other layouts aside.
Cost countMoves(mlir::ModuleOp module);

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_COUNTMOVES_H
