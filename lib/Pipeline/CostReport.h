//===- CostReport.h - What nodes cost, for reports --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_COSTREPORT_H
#define INLAY_LIB_PIPELINE_COSTREPORT_H

#include "inlay/Report/Report.h"
#include "inlay/Target/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay {

/// Adds what the nodes of a graph compute and move and, at the rates of a
/// target, how long that takes. People get the costliest nodes unless they ask
/// for all, programs always get all.
void reportCosts(mlir::func::FuncOp graph, const Target &target, bool all,
                 Report &report);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_COSTREPORT_H
