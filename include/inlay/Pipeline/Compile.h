//===- Compile.h - inlay compile --------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_COMPILE_H
#define INLAY_PIPELINE_COMPILE_H

#include "inlay/Codegen/Library.h"
#include "inlay/ONNX/Export.h"
#include "inlay/Pipeline/Compiler.h"
#include "inlay/Report/Report.h"

namespace inlay {

/// A dimension that a library leaves open up to an extent.
struct LengthRequest {
  std::string symbol;
  int64_t largest = 0;
};

/// Of what is written as machine code.
struct LibraryRequest {
  /// See Machine::get; the target's where they are empty.
  std::string cpu, triple;
  std::string prefix;
  WeightsHome weights = WeightsHome::Auto;
  CompileJobs jobs;
  /// How machine code computes.
  CodeChoices choices;
  std::vector<LengthRequest> lengths = {};
};

struct CompileOptions : CompilerOptions {
  std::string model;
  std::string output;
  ExportOptions exportOptions;
  LibraryRequest library;
  /// List operators that did not change, too.
  bool verbose = false;
  ProgressFunction progress;
};

/// Imports, optimises and writes a model; the report compares before and after.
llvm::Expected<Report> compile(const CompileOptions &options);

} // namespace inlay

#endif // INLAY_PIPELINE_COMPILE_H
