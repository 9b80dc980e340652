//===- Fusion.h - Fitting a model to the pipeline of a target ---*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_FUSION_H
#define INLAY_PIPELINE_FUSION_H

#include "inlay/HardwareFusion/Fusion.h"
#include "inlay/Target/Target.h"
#include "mlir/IR/BuiltinOps.h"

namespace inlay {

struct FusionOptions {
  /// Nothing: operators stay as they are.
  std::optional<FusionStrategy> strategy = FusionStrategy::Greedy;
  /// An operator that the pipeline does not take is an error.
  bool isStrict = false;
  /// Whether every value that crosses a border gets its reason.
  bool explains = true;
};

/// A usage error where `isStrict` asks for what cannot fail: the target has
/// neither a pipeline nor limits, or operators stay as they are.
llvm::Error checkStrict(const Target &target, const FusionOptions &options);

/// Whether the model has groups: it was compiled for the target, and what is
/// outside of groups was left there.
bool isFused(mlir::ModuleOp module);

/// Whether the target has a pipeline and groups for it are wanted.
bool hasGroups(const Target &target, const FusionOptions &options);

} // namespace inlay

#endif // INLAY_PIPELINE_FUSION_H
