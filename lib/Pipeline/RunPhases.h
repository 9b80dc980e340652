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
#include <array>

namespace inlay {

/// How long each phase took.
class PhaseTimes {
public:
  void add(Phase phase, double time) { seconds[size_t(phase)] += time; }
  /// Of phases together.
  double get(std::initializer_list<Phase> phases) const {
    double sum = 0;
    for (Phase phase : phases)
      sum += seconds[size_t(phase)];
    return sum;
  }

private:
  std::array<double, std::size(allPhases)> seconds = {};
};

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
