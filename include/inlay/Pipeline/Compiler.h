//===- Compiler.h - Compiling from C++ --------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `inlay compile` does between its files, for programs that have none:
//
//   inlay::CompilerOptions options;
//   options.layouts.target = "nhwc";
//   inlay::Compiler compiler(options);
//   auto compiled = compiler.compile(*inlay::createContext(), bytes, "net");
//
// Another thread may call `cancel()` meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_COMPILER_H
#define INLAY_PIPELINE_COMPILER_H

#include "inlay/Analysis/ModelStats.h"
#include "inlay/ONNX/Import.h"
#include "inlay/Pipeline/Pipeline.h"
#include "inlay/Pipeline/Resources.h"
#include "inlay/Pipeline/Rewriting.h"
#include "inlay/Pipeline/Verify.h"
#include "inlay/Support/Cancellation.h"
#include "inlay/Transforms/Hardware/FusionRecord.h"
#include "inlay/Transforms/Hardware/Legalize.h"
#include "inlay/Transforms/Kernels/KernelRecord.h"
#include "inlay/Transforms/Layout/LayoutRecord.h"

namespace inlay {

/// Whether the model is executed before and after, and the results compared.
enum class VerifyMode {
  /// Where that takes a few seconds at most.
  Auto,
  On,
  Off
};

struct CompilerOptions : PipelineOptions {
  ImportOptions import;
  /// The pass, "NAME" or "NAME:2", after which the module stays as it is then;
  /// empty for none. The passes are those that lead to ONNX.
  std::string stopAfter;
  VerifyMode verify = VerifyMode::Auto;
  /// The opset to write; 0 for the model's own.
  unsigned opset = 0;
};

/// What a compiled module says about what was done to it.
struct CompileRecord {
  /// Where rewriting is on.
  std::optional<RewriteResult> rewrites;
  LegalizeTotals legalized;
  PresetResult layouts;
  /// The model was compiled for the target before: its layouts and groups stay.
  bool isFinished = false;
  /// Of targets that have a pipeline.
  std::optional<FusionRecord> fusion;
  std::optional<KernelResult> kernels;
  /// Operators that the opset lacks, written as what they consist of.
  unsigned numLowered = 0;
};

struct CompiledModule {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Target target;
  CompileRecord record;
  /// What it consisted of, and consists of, before groups become functions.
  ModelStats before, after;
  std::optional<Verification> verification;
  /// Why the results were not compared, where they were not.
  std::string notVerified;
  /// What was asked for and could not be done, and why.
  std::vector<std::string> remarks;
  PhaseTimes times;
  double verifySeconds = 0;
};

/// Compiles one model after the other. All of it runs in the thread that calls,
/// and only `cancel` may be called from others.
class Compiler {
public:
  using DiagnosticFunction = std::function<void(mlir::Diagnostic &diagnostic)>;

  explicit Compiler(CompilerOptions options) : options(std::move(options)) {}

  /// Is told which phase begins, and how far long ones have come.
  void setProgress(ProgressFunction function) {
    progress = std::move(function);
  }
  /// Is told of remarks and warnings as they come. Errors are what `compile`
  /// returns.
  void setDiagnostics(DiagnosticFunction function) {
    diagnostics = std::move(function);
  }

  /// Reads the model that is to be compiled: what was compiled for the target
  /// before stays as it is.
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
  read(mlir::MLIRContext &context, llvm::StringRef path);

  /// Compiles the bytes of an ONNX file, or where `name` ends in ".mlir", of
  /// what `inlay compile --emit mlir` or `--stop-after` wrote. `context` is one
  /// of `createContext`, and lives as long as the result.
  llvm::Expected<CompiledModule> compile(mlir::MLIRContext &context,
                                         llvm::StringRef bytes,
                                         llvm::StringRef name);
  /// Compiles a module of the dialect, as `importModel` makes one. Where it was
  /// cut (`inlay.rest`), the passes that are left run. After an error the
  /// module is gone.
  llvm::Expected<CompiledModule>
  compile(mlir::OwningOpRef<mlir::ModuleOp> module);

  /// The compilation that runs, and every later one, ends soon with an error
  /// (cancelled). Loops that take long ask for it.
  void cancel() { cancellation.request(); }

private:
  /// How to read models for the target, which exists and fits the options.
  llvm::Expected<ImportOptions> getImport() const;

  CompilerOptions options;
  ProgressFunction progress;
  DiagnosticFunction diagnostics;
  Cancellation cancellation;
};

} // namespace inlay

#endif // INLAY_PIPELINE_COMPILER_H
