//===- LayoutPresetPass.cpp - The pass inlay-layout-preset ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/OpTypes.h"
#include "inlay/Support/Error.h"
#include "inlay/Transforms/Layout/Passes.h"
#include "inlay/Transforms/Layout/Preset.h"

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
      getOperation().emitError() << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }

private:
  llvm::Error preset() {
    auto loaded = loadTarget(target, getOnnxOpTypes());
    if (!loaded)
      return loaded.takeError();
    PresetOptions options;
    auto parsed = parseStrategy(strategy);
    if (!parsed)
      return usageError("unknown strategy '" + strategy +
                        "', expected per-op, region, region-plus or optimal");
    options.strategy = *parsed;
    if (minimize != "bytes" && minimize != "count")
      return usageError("cannot minimize '" + minimize +
                        "', expected bytes or count");
    options.graph.objective =
        minimize == "bytes" ? Objective::Bytes : Objective::Count;
    return presetLayouts(getOperation(), *loaded, options).takeError();
  }
};
} // namespace
