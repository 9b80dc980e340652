//===- Reduce.h - inlay reduce ----------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_REDUCE_H
#define INLAY_PIPELINE_REDUCE_H

#include "inlay/ONNX/Import.h"
#include "inlay/Pipeline/Resources.h"
#include "inlay/Report/Report.h"
#include "inlay/Runtime/Compare.h"

namespace inlay {

/// What is wrong with a model.
enum class FaultKind {
  /// A command of the user fails on it.
  Check,
  /// Another model computes something else.
  Differs,
  /// Its machine code does.
  Native,
  /// Compiling it ends by an error of Inlay itself, by a signal, or because it
  /// takes more than the machine gives.
  Crashes,
};

struct ReduceOptions {
  std::string model;
  ImportOptions import;
  /// See readInputs.
  std::vector<std::string> inputs;
  FaultKind kind = FaultKind::Check;
  /// A command for the shell, which finds $MODEL and $INPUTS.
  std::string check;
  /// The model that it differs from.
  std::string other;
  /// This program, and what `compile` is told.
  std::string program;
  std::vector<std::string> compileArguments;
  CompareOptions options;
  /// Where the part is written. Its inputs go beside it (.npz), and the other
  /// model's part (.other.onnx).
  std::string output;
  ProgressFunction progress;
};

struct ReduceResult {
  Report report;
  bool hasFault = false;
  /// What was found until then is written all the same.
  bool isInterrupted = false;
};

/// Looks for a part of a model, as small as can be, that shows the same fault:
/// by delta debugging over nodes, then smaller extents, then simpler weights.
/// The best so far is written whenever there is a better one.
llvm::Expected<ReduceResult> reduce(const ReduceOptions &options);

} // namespace inlay

#endif // INLAY_PIPELINE_REDUCE_H
