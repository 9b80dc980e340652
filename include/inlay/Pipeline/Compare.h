//===- Compare.h - inlay compare --------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_COMPARE_H
#define INLAY_PIPELINE_COMPARE_H

#include "inlay/Codegen/CodeChoices.h"
#include "inlay/Codegen/CompileJobs.h"
#include "inlay/ONNX/Import.h"
#include "inlay/Pipeline/Pipeline.h"
#include "inlay/Pipeline/Resources.h"
#include "inlay/Report/Report.h"
#include "inlay/Runtime/Compare.h"
#include <optional>

namespace inlay {

struct CompareRequest {
  /// Two models, or two tensor files or folders of them.
  std::string a, b;
  ImportOptions import;
  /// For models; see readInputs.
  std::vector<std::string> inputs;
  /// The second model is the first one, compiled so.
  std::optional<PipelineOptions> compiled;
  /// Run the second model, which may be the first one, as machine code.
  bool isNative = false;
  unsigned threads = 1;
  CompileJobs jobs;
  /// How machine code computes.
  CodeChoices choices;
  CompareOptions options;
  /// Compare and list what both models compute on the way, too (Bisect.h).
  bool showsLayers = false;
  ProgressFunction progress;
};

struct CompareResult {
  bool isEqual = true;
  Report report;
};

/// Runs the same inputs through two models and judges them (Judge.h), or reads
/// two sets of tensors and compares what has the same name. A tensor that only
/// one side has is a difference, and models of which nothing could be compared
/// are not equal.
llvm::Expected<CompareResult> compare(const CompareRequest &request);

} // namespace inlay

#endif // INLAY_PIPELINE_COMPARE_H
