//===- Extract.h - inlay extract --------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_EXTRACT_H
#define INLAY_PIPELINE_EXTRACT_H

#include "inlay/ONNX/Export.h"
#include "inlay/ONNX/Import.h"
#include "inlay/Pipeline/GraphPart.h"
#include "inlay/Pipeline/Resources.h"
#include "inlay/Report/Report.h"

namespace inlay {

struct ExtractOptions {
  std::string model;
  ImportOptions import;
  /// Names of tensors, in lists with commas. Without inputs, the part begins at
  /// the graph's own.
  std::vector<std::string> inputs, outputs;
  /// Written as MLIR where it is named .mlir.
  std::string output;
  ExportOptions exportOptions;
  ProgressFunction progress;
};

/// Writes what computes some tensors of a model from others, as a model.
llvm::Expected<Report> extract(const ExtractOptions &options);

/// The part between tensors, the inputs of the graph among them that have a
/// default. Usage errors say which input is missing, needed by nothing or
/// behind another one.
llvm::Expected<GraphPart> findPart(mlir::func::FuncOp graph,
                                   llvm::ArrayRef<std::string> inputs,
                                   llvm::ArrayRef<std::string> outputs);

} // namespace inlay

#endif // INLAY_PIPELINE_EXTRACT_H
