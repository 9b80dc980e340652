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
#include "inlay/Pipeline/Fusion.h"
#include "inlay/Pipeline/Kernels.h"
#include "inlay/Pipeline/Layouts.h"
#include "inlay/Pipeline/Resources.h"
#include "inlay/Report/Report.h"
#include "inlay/Transforms/Rewrite/Rewrite.h"

namespace inlay {

struct ExplainOptions {
  std::string model;
  ImportOptions import;
  RewriteOptions rewrites = RewriteOptions::none();
  LayoutOptions layouts;
  FusionOptions fusion;
  GraphKernelOptions kernels;
  /// Only what concerns this node; empty for all.
  std::string node;
  ProgressFunction progress;
};

/// Which two demands force each relayout, what it costs, and what each strategy
/// would cost; in which group or kernel each operator is, and why not in
/// another.
llvm::Expected<Report> explain(const ExplainOptions &options);

} // namespace inlay

#endif // INLAY_PIPELINE_EXPLAIN_H
