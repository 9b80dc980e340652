//===- RunPhases.h - Running the pipeline, phase by phase -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_RUNPHASES_H
#define INLAY_LIB_PIPELINE_RUNPHASES_H

#include "inlay/Pipeline/Pipeline.h"
#include "inlay/Pipeline/Resources.h"

namespace inlay {

/// Runs `passes`, which need not verify after each, and says which phase they
/// are in.
llvm::Error runPhases(mlir::ModuleOp module, mlir::PassManager &passes,
                      const ProgressFunction &progress, PhaseTimes &times);

/// Builds and runs phases.
llvm::Error runPhases(mlir::ModuleOp module, const PipelineOptions &options,
                      const Target &target, PhaseRange range,
                      const ProgressFunction &progress, PhaseTimes &times);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_RUNPHASES_H
