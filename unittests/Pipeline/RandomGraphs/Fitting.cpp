//===- Fitting.cpp - Parts of the pipeline, for any target ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fitting.h"
#include "inlay/Analysis/ModuleTarget.h"
#include "inlay/IR/Graph.h"
#include "inlay/Pipeline/LayoutPasses.h"
#include "inlay/Pipeline/RunPasses.h"
#include "inlay/Transforms/Hardware/FusionRecord.h"
#include "inlay/Transforms/Hardware/Passes.h"
#include "inlay/Transforms/Kernels/KernelRecord.h"
#include "inlay/Transforms/Kernels/Passes.h"
#include "inlay/Transforms/Layout/LayoutRecord.h"

using namespace inlay;
using namespace mlir;

/// Runs what `build` adds on a module of which `target` is the target.
static llvm::Error run(ModuleOp module, const Target &target,
                       llvm::function_ref<void(OpPassManager &)> build) {
  module->setAttr(targetAttr, makeTargetAttr(module.getContext(), target));
  PassManager passes(module.getContext());
  passes.enableVerifier(false);
  build(passes);
  return runPasses(module, passes);
}

/// What was recorded, with `read`.
template <typename Result>
static llvm::Expected<Result> get(ModuleOp module, llvm::Error error,
                                  std::optional<Result> (*read)(func::FuncOp)) {
  if (error)
    return std::move(error);
  auto graph = getGraph(module);
  if (!graph)
    return graph.takeError();
  return *read(*graph);
}

static void addChoice(OpPassManager &passes, const Target &target,
                      const LayoutOptions &options) {
  addLayoutTransmit(passes, RankOptions(target));
  addStorageChoice(passes, options);
}

llvm::Expected<PresetResult>
testing::chooseLayouts(ModuleOp module, const Target &target,
                       const LayoutOptions &options) {
  llvm::Error error = run(module, target, [&](OpPassManager &passes) {
    addChoice(passes, target, options);
  });
  return get(module, std::move(error), readLayouts);
}

llvm::Error testing::materializeLayouts(ModuleOp module, const Target &target) {
  return run(module, target, [](OpPassManager &passes) {
    passes.addPass(createMaterializeLayouts());
  });
}

llvm::Expected<PresetResult>
testing::assignLayouts(ModuleOp module, const Target &target,
                       const LayoutOptions &options) {
  llvm::Error error = run(module, target, [&](OpPassManager &passes) {
    addChoice(passes, target, options);
    passes.addPass(createMaterializeLayouts());
  });
  return get(module, std::move(error), readLayouts);
}

llvm::Expected<PresetResult>
testing::settleLayouts(ModuleOp module, const Target &target,
                       const LayoutOptions &options, unsigned maxRounds) {
  llvm::Error error = run(module, target, [&](OpPassManager &passes) {
    addSettleLayouts(passes, target, options, /*simplify=*/true,
                     /*foldLimit=*/-1, maxRounds);
  });
  return get(module, std::move(error), readLayouts);
}

llvm::Expected<FusionResult> testing::fuseOperators(ModuleOp module,
                                                    const Target &target,
                                                    FusionStrategy strategy) {
  FuseHardwareOptions options;
  options.strategy = strategy;
  options.record = RecordDetail::All;
  llvm::Error error = run(module, target, [&](OpPassManager &passes) {
    passes.addNestedPass<func::FuncOp>(createFuseHardware(options));
  });
  auto record = get(module, std::move(error), readFusion);
  if (!record)
    return record.takeError();
  return std::move(record->result);
}

llvm::Expected<KernelResult> testing::fuseKernels(ModuleOp module,
                                                  const Target &target,
                                                  KernelStrategy strategy) {
  ExpandCompositesOptions expansion;
  expansion.native = target.kernels.native;
  PlanKernelsOptions options;
  options.strategy = strategy;
  options.record = RecordDetail::All;
  llvm::Error error = run(module, target, [&](OpPassManager &passes) {
    passes.addNestedPass<func::FuncOp>(createExpandComposites(expansion));
    passes.addNestedPass<func::FuncOp>(createPlanKernels(options));
    passes.addNestedPass<func::FuncOp>(createReconstruct());
  });
  return get(module, std::move(error), readKernels);
}
