//===- ExpandedStep.h - A step with composite operators expanded *- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_EXPANDEDSTEP_H
#define INLAY_LIB_CODEGEN_EXPANDEDSTEP_H

#include "KernelBody.h"
#include "mlir/IR/BuiltinOps.h"

namespace inlay {

/// Which composite operators without code of their own are expanded: a softmax
/// stays one where the rows of an attention are made of it; those that have
/// code for the elements of some types stay unless all are.
enum class ExpandedOps : uint8_t { ButSoftmax, ButElements, All };

/// A copy of a step in which basic operators stand for composite ones that have
/// no code of their own. What it reads and gives are arguments and results of
/// the copy.
class ExpandedStep {
public:
  /// Nothing where there is nothing to expand.
  static std::optional<ExpandedStep> get(mlir::Operation *step,
                                         ExpandedOps which);

  const KernelBody &getBody() const { return body; }
  /// What the body reads and computes, as the step does.
  llvm::ArrayRef<mlir::Value> getReads() const { return reads; }
  llvm::ArrayRef<mlir::Value> getResults() const { return results; }

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
  KernelBody body;
  llvm::SmallVector<mlir::Value> reads, results;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_EXPANDEDSTEP_H
