//===- CompileReport.h - The before/after table -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_COMPILEREPORT_H
#define INLAY_LIB_PIPELINE_COMPILEREPORT_H

#include "inlay/Analysis/ModelStats.h"
#include "inlay/Pipeline/Compile.h"
#include "inlay/Pipeline/Rewriting.h"
#include "inlay/Pipeline/Verify.h"
#include "inlay/Transforms/Hardware/FusionRecord.h"
#include "inlay/Transforms/Hardware/Legalize.h"
#include "inlay/Transforms/Kernels/KernelRecord.h"
#include "inlay/Transforms/Layout/LayoutRecord.h"

namespace inlay {

struct CompileSummary {
  struct Side {
    ModelStats stats;
    /// The model and its external data.
    uint64_t fileBytes = 0;
  };

  Side before, after;
  std::string dataPath;
  /// Where rewriting is on.
  std::optional<RewriteResult> rewrites;
  LegalizeTotals legalized;
  PresetResult layouts;
  /// The model was compiled for the target before: its layouts and groups stay.
  bool isFinished = false;
  /// Of targets that have a pipeline.
  std::optional<FusionRecord> fusion;
  std::optional<KernelResult> kernels;
  /// Operators that the opset lacks, written as what they consist of.
  unsigned numLowered = 0;
  /// What was asked for and could not be done, and why.
  std::vector<std::string> skipped;
  std::optional<Verification> verification;
  /// Why the results were not compared, where they were not.
  std::string notVerified;
  double importSeconds = 0;
  double optimizeSeconds = 0;
  double layoutSeconds = 0;
  double fusionSeconds = 0;
  double kernelSeconds = 0;
  double verifySeconds = 0;
  double exportSeconds = 0;
  double totalSeconds = 0;
};

Report buildReport(const CompileOptions &options,
                   const CompileSummary &summary);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_COMPILEREPORT_H
