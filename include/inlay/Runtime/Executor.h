//===- Executor.h - The reference executor ----------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a module operation by operation, with the meaning that each states
// for itself. It shares nothing with the code that optimises.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_RUNTIME_EXECUTOR_H
#define INLAY_RUNTIME_EXECUTOR_H

#include "inlay/Tensor/HostTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>

namespace inlay {

struct ExecuteOptions {
  /// Called after every node of the graph itself with the number of nodes done
  /// and of all.
  std::function<void(uint64_t done, uint64_t all)> progress;
  /// Called with every result of an operation that runs once, in the graph
  /// itself or in a group, when it is known. May put another tensor there.
  std::function<void(mlir::Value value, HostTensor &tensor)> visit;
  /// Compute in f64 what is f32 and depends on the inputs' elements: f32 inputs
  /// become f64, so do results and outputs, and constants are as they were
  /// before they were rounded to f32. What depends on constants and extents
  /// alone stays as the model says: sizes that are computed in f32 must not
  /// change.
  bool isWide = false;
  /// Leave out what cannot be evaluated and what needs it, instead of failing;
  /// an output that is left out is an empty tensor.
  bool isPartial = false;
};

/// An error of exit code 5 that lists every node nobody can evaluate.
llvm::Error checkEvaluable(mlir::func::FuncOp graph);

/// The outputs of the module's graph on `inputs`, one for each of its
/// arguments; an empty tensor stands for the input's default value. A tensor
/// lives until its last use and constants are looked at where they are, so that
/// memory is that of the values alive at once.
///
/// Errors name the node or the input. Nodes that cannot be evaluated are an
/// error of exit code 5 that lists them all, before anything is computed.
llvm::Expected<llvm::SmallVector<HostTensor>>
execute(mlir::ModuleOp module, llvm::ArrayRef<HostTensor> inputs,
        const ExecuteOptions &options = {});

} // namespace inlay

#endif // INLAY_RUNTIME_EXECUTOR_H
