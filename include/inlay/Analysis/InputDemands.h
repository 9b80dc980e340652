//===- InputDemands.h - Which values suit the inputs ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_INPUTDEMANDS_H
#define INLAY_ANALYSIS_INPUTDEMANDS_H

#include "inlay/Tensor/ValueDemand.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay {

/// What a graph asks of each of its inputs, as far as that can be followed from
/// the uses back: positions inside the tables that they index, masks of 0 and
/// 1, numbers that have a root or a logarithm, shapes that fit. Extents count
/// where the types have them. A demand that is missed makes inputs less
/// telling, never a result wrong.
std::vector<ValueDemand> findInputDemands(mlir::func::FuncOp graph);

} // namespace inlay

#endif // INLAY_ANALYSIS_INPUTDEMANDS_H
