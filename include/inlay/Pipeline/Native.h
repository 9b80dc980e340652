//===- Native.h - Models as machine code ------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_NATIVE_H
#define INLAY_PIPELINE_NATIVE_H

#include "inlay/Codegen/NativeProgram.h"
#include "inlay/Pipeline/Compiler.h"
#include "inlay/Pipeline/Inputs.h"

namespace inlay {

/// The largest error of machine code, relative to the range: the reference
/// computes in double, kernels in the type of their elements.
constexpr double nativeTolerance = 1e-5;

struct NativeRequest {
  std::string model;
  ImportOptions import;
  unsigned threads = 1;
  CompileJobs jobs;
  ProgressFunction progress;
  /// How machine code computes.
  CodeChoices choices;
};

/// Options with everything that makes a model faster as machine code.
CompilerOptions getNativeOptions();

/// The same that tell how far compiling code has come.
CompileJobs tellProgress(CompileJobs jobs, const ProgressFunction &progress);

/// A model that is ready to become code, for inputs of certain shapes.
struct PlannedModel {
  CompiledModule compiled;
  double importSeconds = 0, planSeconds = 0;
};

/// The same that was compiled for this machine.
struct NativeModel : PlannedModel {
  NativeProgram program;
};

/// Plans for the shapes of these inputs. `context` lives as long as the result.
llvm::Expected<PlannedModel> planNative(mlir::MLIRContext &context,
                                        const NativeRequest &request,
                                        llvm::ArrayRef<GraphInput> inputs);

/// Compiles for the shapes of these inputs. `context` lives as long as the
/// result.
llvm::Expected<NativeModel> compileNative(mlir::MLIRContext &context,
                                          const NativeRequest &request,
                                          llvm::ArrayRef<GraphInput> inputs);

/// "Conv", or of a group "Conv+Relu".
std::string getOpTypes(mlir::Operation *op);

/// What a program consists of: kernels, views, and operators that evaluate
/// themselves, by name.
void reportProgram(const NativeProgram &program, Report &report);

} // namespace inlay

#endif // INLAY_PIPELINE_NATIVE_H
