//===- Explain.h - Why relayouts and groups are as they are -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_EXPLAIN_H
#define INLAY_PIPELINE_EXPLAIN_H

#include "inlay/ONNX/Import.h"
#include "inlay/Pipeline/Pipeline.h"
#include "inlay/Pipeline/Resources.h"
#include "inlay/Report/Report.h"

namespace inlay {

struct ExplainOptions : PipelineOptions {
  std::string model;
  ImportOptions import;
  /// Only what concerns this node; empty for all.
  std::string node;
  /// List everything, also to people.
  bool all = false;
  ProgressFunction progress;
};

/// Which two demands force each relayout, what it costs, and what each strategy
/// would cost; in which group or kernel each operator is, and why not in
/// another.
llvm::Expected<Report> explain(const ExplainOptions &options);

} // namespace inlay

#endif // INLAY_PIPELINE_EXPLAIN_H
