//===- CompileReport.h - The before/after table -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_COMPILEREPORT_H
#define INLAY_LIB_PIPELINE_COMPILEREPORT_H

#include "inlay/Pipeline/Compile.h"

namespace inlay {

struct CompileSummary {
  CompiledModule compiled;
  /// What it was compiled for, as the user or a module that was cut says it.
  std::string target;
  /// The model and its external data, as files.
  uint64_t bytesBefore = 0, bytesAfter = 0;
  /// Nodes as the files have them; nothing where one is not ONNX.
  std::optional<uint64_t> nodesBefore, nodesAfter;
  std::string dataPath;
  /// Where machine code was written.
  std::optional<LibraryFiles> library;
  /// Where that takes any number of samples.
  std::optional<Samples> samples;
  /// Those that stay open.
  std::vector<OpenLength> lengths;
  double importSeconds = 0;
  double exportSeconds = 0;
  double totalSeconds = 0;
};

Report buildReport(const CompileOptions &options,
                   const CompileSummary &summary);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_COMPILEREPORT_H
