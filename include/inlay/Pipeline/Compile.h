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
#include "inlay/Pipeline/Pipeline.h"
#include "inlay/Pipeline/Resources.h"
#include "inlay/Report/Report.h"

namespace inlay {

/// Whether the model is executed before and after, and the results compared.
enum class VerifyMode {
  /// Where that takes a few seconds at most.
  Auto,
  On,
  Off
};

struct CompileOptions : PipelineOptions {
  std::string model;
  std::string output;
  ImportOptions import;
  /// The pass, "NAME" or "NAME:2", after which the module is written as it is,
  /// as MLIR; empty for none. The passes are those that lead to ONNX.
  std::string stopAfter;
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
