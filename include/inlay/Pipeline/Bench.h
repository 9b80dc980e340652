//===- Bench.h - inlay bench ------------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_BENCH_H
#define INLAY_PIPELINE_BENCH_H

#include "inlay/Codegen/CodeChoices.h"
#include "inlay/Codegen/CompileJobs.h"
#include "inlay/ONNX/Import.h"
#include "inlay/Pipeline/Resources.h"
#include "inlay/Report/Report.h"

namespace inlay {

struct BenchOptions {
  std::string model;
  ImportOptions import;
  /// See readInputs.
  std::vector<std::string> inputs;
  /// How many threads to measure with, one after the other.
  std::vector<unsigned> threads = {1};
  /// Runs of each; 0 for as many as a second has, three at least.
  unsigned rounds = 0;
  /// Say where the time goes.
  bool isProfiled = false;
  CompileJobs jobs;
  /// How machine code computes.
  CodeChoices choices;
  ProgressFunction progress;
};

/// Compiles a model for this machine and measures how long it runs.
llvm::Expected<Report> bench(const BenchOptions &options);

} // namespace inlay

#endif // INLAY_PIPELINE_BENCH_H
