//===- PipelinePasses.cpp - Passes that only a pipeline needs -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/ModuleTarget.h"
#include "inlay/IR/Diagnostics.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/ModuleState.h"
#include "inlay/ONNX/Export.h"
#include "inlay/Pipeline/Fusion.h"
#include "inlay/Pipeline/Layouts.h"
#include "inlay/Pipeline/Passes.h"
#include "inlay/Transforms/Hardware/FusionRecord.h"
#include "inlay/Transforms/Hardware/Legalize.h"
#include "inlay/Transforms/Kernels/KernelRecord.h"
#include "inlay/Transforms/Layout/LayoutRecord.h"
#include "mlir/IR/Verifier.h"

namespace inlay {
#define GEN_PASS_DEF_CHECKMODULE
#define GEN_PASS_DEF_ENTERPHASE
#define GEN_PASS_DEF_KEEPGROUPS
#define GEN_PASS_DEF_REWRITEGRAPH
#define GEN_PASS_DEF_SETTARGET
#include "inlay/Pipeline/Passes.h.inc"
} // namespace inlay

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The target
//===----------------------------------------------------------------------===//

/// Removes what an earlier run has left.
static void forgetRun(ModuleOp module) {
  for (StringRef name :
       {phaseAttr, restAttr, finishedAttr, unsimplifiedAttr, loweredAttr})
    module->removeAttr(name);
  for (auto function : module.getOps<func::FuncOp>())
    for (StringRef name :
         {rewritesAttr, legalizedAttr, layoutsAttr, groupsAttr, kernelsAttr})
      function->removeAttr(name);
}

namespace {
class SetTargetPass : public inlay::impl::SetTargetBase<SetTargetPass> {
public:
  using SetTargetBase::SetTargetBase;

  void runOnOperation() override {
    if (llvm::Error error = setTarget()) {
      (void)reportError(getOperation(), std::move(error));
      signalPassFailure();
    }
  }

private:
  llvm::Error setTarget() {
    auto source = loadTargetText(target);
    if (!source)
      return source.takeError();
    auto parsed = parseKnownTarget(*source);
    if (!parsed)
      return parsed.takeError();
    forgetRun(getOperation());
    getOperation()->setAttr(targetAttr, makeTargetAttr(&getContext(), *source));
    return llvm::Error::success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

namespace {
class EnterPhasePass : public inlay::impl::EnterPhaseBase<EnterPhasePass> {
public:
  using EnterPhaseBase::EnterPhaseBase;

  void runOnOperation() override {
    getOperation()->setAttr(
        phaseAttr, StringAttr::get(&getContext(), inlay::getName(phase)));
    markAllAnalysesPreserved();
  }
};

class CheckModulePass : public inlay::impl::CheckModuleBase<CheckModulePass> {
  void runOnOperation() override {
    if (failed(verify(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

class KeepGroupsPass : public inlay::impl::KeepGroupsBase<KeepGroupsPass> {
  void runOnOperation() override {
    if (isFused(getOperation()))
      getOperation()->setAttr(finishedAttr, UnitAttr::get(&getContext()));
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

static RewriteUse getUse(ModuleOp module, RewritePurpose purpose) {
  if (purpose == RewritePurpose::Any)
    return {};
  return {getOpset(module), /*isPlain=*/purpose == RewritePurpose::Onnx};
}

namespace {
class RewriteGraphPass
    : public inlay::impl::RewriteGraphBase<RewriteGraphPass> {
public:
  using RewriteGraphBase::RewriteGraphBase;

  void runOnOperation() override {
    if (llvm::Error error = rewrite()) {
      (void)reportError(getOperation(), std::move(error));
      signalPassFailure();
    }
  }

private:
  llvm::Error rewrite() {
    auto target = getTarget(getOperation());
    if (!target)
      return target.takeError();
    auto options = parseRewrites(rewrites);
    if (!options)
      return options.takeError();
    auto result = rewriteGraph(getOperation(), **target, *options,
                               getUse(getOperation(), use));
    if (!result)
      return result.takeError();
    auto graph = getGraph(getOperation());
    if (!graph)
      return graph.takeError();
    writeRewrites(*graph, *result);
    return llvm::Error::success();
  }
};
} // namespace
