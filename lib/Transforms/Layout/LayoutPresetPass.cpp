//===- LayoutPresetPass.cpp - The pass inlay-layout-preset ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/ModuleTarget.h"
#include "inlay/IR/Diagnostics.h"
#include "inlay/IR/ModuleState.h"
#include "inlay/Transforms/Layout/IoLayouts.h"
#include "inlay/Transforms/Layout/LayoutRecord.h"
#include "inlay/Transforms/Layout/Passes.h"

namespace inlay {
#define GEN_PASS_DEF_LAYOUTPRESET
#include "inlay/Transforms/Layout/Passes.h.inc"
} // namespace inlay

using namespace inlay;
using namespace mlir;

namespace {
class LayoutPreset : public inlay::impl::LayoutPresetBase<LayoutPreset> {
public:
  using LayoutPresetBase::LayoutPresetBase;

  void runOnOperation() override {
    if (llvm::Error error = preset()) {
      (void)reportError(getOperation(), std::move(error));
      signalPassFailure();
    }
  }

private:
  llvm::Error preset() {
    auto target = getTarget(getOperation());
    if (!target)
      return target.takeError();
    if (isModuleFinished(getOperation()))
      return llvm::Error::success();
    PresetOptions options;
    options.strategy = strategy;
    options.graph.objective = minimize;
    options.onlyIfCheaper = onlyIfCheaper;
    if (llvm::Error error =
            addIoLayouts(getOperation(), ioLayouts, options.graph))
      return error;
    auto result = presetLayouts(getOperation(), **target, options);
    if (!result)
      return result.takeError();
    result->isOnlyRound = true;
    if (record)
      writeLayouts(getOperation(), *result);
    return llvm::Error::success();
  }
};
} // namespace
