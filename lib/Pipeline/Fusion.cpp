//===- Fusion.cpp - Fitting a model to the pipeline of a target -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Fusion.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Pipeline/Passes.h"
#include "inlay/Support/Error.h"
#include "inlay/Transforms/Hardware/Fuse.h"
#include "inlay/Transforms/Hardware/Passes.h"

using namespace inlay;
using namespace mlir;

llvm::Error inlay::legalize(ModuleOp module, StringRef name) {
  PassManager passes(module->getName());
  LegalizeOptions options;
  options.target = name.str();
  passes.addNestedPass<func::FuncOp>(createLegalize(options));
  return runPasses(module, passes);
}

/// An error unless every operator of the model is in a group.
static llvm::Error checkAllTaken(const FusionResult &result) {
  std::string list;
  size_t count = 0;
  for (const UngroupedOp &op : result.ungrouped) {
    if (isa<GroupOp, RelayoutOp>(op.op))
      continue;
    ++count;
    list += "\n  node '" + op.node + "' (" + op.opType + "): " + op.reason.text;
  }
  if (count == 0)
    return llvm::Error::success();
  return unsupportedError(
      "--strict: target '" + result.target + "' takes " + Twine(count) +
      (count == 1 ? " operator" : " operators") + " in no form:" + list);
}

bool inlay::isFused(ModuleOp module) {
  return module.walk([](GroupOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

llvm::Expected<std::optional<FusionResult>>
inlay::fuseOperators(ModuleOp module, const Target &target,
                     const FusionOptions &options) {
  if (!target.dataFlow || !options.strategy || isFused(module))
    return std::nullopt;
  auto graph = getGraph(module);
  if (!graph)
    return graph.takeError();
  auto result = fuseHardware(*graph, target, {*options.strategy});
  if (!result)
    return result.takeError();
  if (options.isStrict)
    if (llvm::Error error = checkAllTaken(*result))
      return std::move(error);
  return std::move(*result);
}
