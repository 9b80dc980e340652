//===- Run.h - inlay run ----------------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_RUN_H
#define INLAY_PIPELINE_RUN_H

#include "inlay/Codegen/CodeChoices.h"
#include "inlay/Codegen/CompileJobs.h"
#include "inlay/ONNX/Import.h"
#include "inlay/Pipeline/Inputs.h"
#include "inlay/Pipeline/Resources.h"
#include "inlay/Report/Report.h"
#include "inlay/Tensor/Npy.h"

namespace inlay {

struct RunOptions {
  std::string model;
  ImportOptions import;
  /// See readInputs.
  std::vector<std::string> inputs;
  /// The folder that the outputs are written to; empty for none.
  std::string outputFolder;
  /// The folder that what nodes compute is written to; empty for none.
  std::string dumpFolder;
  /// Lists of names of tensors or nodes to write; everything without any.
  std::vector<std::string> dumpOnly;
  /// Compile the model for this machine instead of evaluating its operators.
  bool isNative = false;
  unsigned threads = 1;
  CompileJobs jobs;
  /// How machine code computes.
  CodeChoices choices;
  /// Evaluate each kernel on the same tensors as well.
  bool isChecked = false;
  ProgressFunction progress;
};

struct RunResult {
  Report report;
  /// Whether every kernel that was checked computed what it should.
  bool isEqual = true;
};

/// Executes a model; the report lists the outputs.
llvm::Expected<RunResult> run(const RunOptions &options);

/// A model and the values of its inputs.
struct FedModel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<GraphInput> inputs;

  llvm::SmallVector<HostTensor> getTensors() const;
};
llvm::Expected<FedModel> loadFedModel(mlir::MLIRContext &context,
                                      llvm::StringRef path,
                                      const ImportOptions &import,
                                      llvm::ArrayRef<std::string> inputs);

/// Tensors with the names of the outputs that they are.
llvm::Expected<std::vector<NamedTensor>>
nameOutputs(mlir::ModuleOp module, llvm::ArrayRef<HostTensor> tensors);

/// See ExecuteOptions.
using VisitFunction =
    std::function<void(mlir::Value value, HostTensor &tensor)>;

/// The outputs of a module's graph, with their names.
llvm::Expected<std::vector<NamedTensor>>
runGraph(mlir::ModuleOp module, llvm::ArrayRef<GraphInput> inputs,
         const ProgressFunction &progress,
         const VisitFunction &visit = nullptr);

/// What a graph gives, for a judge.
struct JudgedRun {
  llvm::SmallVector<HostTensor> outputs;
  /// Which nodes have no reference implementation; the outputs are empty
  /// tensors then.
  std::string lacking;
};

/// Like runGraph, but nodes that nobody can evaluate are no error.
llvm::Expected<JudgedRun> runForJudge(mlir::ModuleOp module,
                                      llvm::ArrayRef<GraphInput> inputs,
                                      const ProgressFunction &progress);

} // namespace inlay

#endif // INLAY_PIPELINE_RUN_H
