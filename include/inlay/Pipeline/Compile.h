//===- Compile.h - inlay compile --------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_COMPILE_H
#define INLAY_PIPELINE_COMPILE_H

#include "inlay/ONNX/Export.h"
#include "inlay/ONNX/Import.h"
#include "inlay/Pipeline/Fusion.h"
#include "inlay/Pipeline/Kernels.h"
#include "inlay/Pipeline/Layouts.h"
#include "inlay/Pipeline/Resources.h"
#include "inlay/Report/Report.h"
#include "inlay/Transforms/Rewrite/Rewrite.h"
#include "inlay/Transforms/Simplify/Passes.h"

namespace inlay {

enum class EmitKind {
  Onnx,
  Mlir,
  /// What the back end of `CompileOptions::backend` makes of the module.
  Backend
};

/// Whether the model is executed before and after, and the results compared.
enum class VerifyMode {
  /// Where that takes a few seconds at most.
  Auto,
  On,
  Off
};

struct CompileOptions {
  std::string model;
  std::string output;
  EmitKind emit = EmitKind::Onnx;
  /// A name that the BackendRegistry knows.
  std::string backend;
  ImportOptions import;
  bool simplify = true;
  SimplifyOptions simplifyOptions;
  RewriteOptions rewrites = RewriteOptions::none();
  LayoutOptions layouts;
  FusionOptions fusion;
  GraphKernelOptions kernels;
  /// Replace all composite operators by what they consist of, and these ONNX
  /// operators in any case.
  bool expandAll = false;
  std::vector<std::string> expand;
  VerifyMode verify = VerifyMode::Auto;
  /// The opset to write; 0 for the model's own.
  unsigned opset = 0;
  ExportOptions exportOptions;
  /// List operators that did not change, too.
  bool verbose = false;
  ProgressFunction progress;
};

/// Imports, optimises and writes a model; the report compares before and after.
llvm::Expected<Report> compile(const CompileOptions &options);

} // namespace inlay

#endif // INLAY_PIPELINE_COMPILE_H
