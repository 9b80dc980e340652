//===- Fusion.cpp - Fitting a model to the pipeline of a target -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Fusion.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Support/Error.h"

using namespace inlay;
using namespace mlir;

llvm::Error inlay::checkStrict(const Target &target,
                               const FusionOptions &options) {
  if (!options.isStrict || !target.limits.empty() ||
      (target.dataFlow && options.strategy))
    return llvm::Error::success();
  return usageError(
      target.dataFlow
          ? Twine("--strict: nothing is refused with --fusion-strategy off")
          : "--strict: target '" + target.name +
                "' has no pipeline that could refuse an operator");
}

bool inlay::isFused(ModuleOp module) {
  return module.walk([](GroupOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

bool inlay::hasGroups(const Target &target, const FusionOptions &options) {
  return target.dataFlow && options.strategy;
}
