//===- RunPhases.cpp - Running the pipeline, phase by phase ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunPhases.h"
#include "inlay/IR/ModuleState.h"
#include "inlay/Pipeline/Passes.h"
#include "inlay/Pipeline/RunPasses.h"
#include "mlir/Pass/PassInstrumentation.h"

using namespace inlay;
using namespace mlir;

/// What people are told when a phase begins; empty for short ones.
static StringRef getWords(Phase phase) {
  switch (phase) {
  case Phase::Simplify:
    return "simplifying";
  case Phase::Rewrite:
    return "rewriting";
  case Phase::Legalize:
    return "choosing layouts";
  case Phase::Groups:
    return "fusing operators";
  case Phase::Storage:
    return "storing tensors";
  case Phase::Kernels:
    return "making kernels";
  default:
    return "";
  }
}

namespace {
/// Sees which phase each `inlay-phase` has entered.
class PhaseWatch : public PassInstrumentation {
public:
  PhaseWatch(const ProgressFunction &progress, PhaseTimes &times)
      : progress(progress), times(times) {}
  ~PhaseWatch() override { leave(); }

  void runAfterPass(Pass *pass, Operation *op) override {
    auto name = op->getAttrOfType<StringAttr>(phaseAttr);
    if (pass->getArgument() != "inlay-phase" || !name)
      return;
    leave();
    current = parsePhase(name.getValue());
    if (current && progress && !getWords(*current).empty())
      progress(getWords(*current), 0, 0);
  }

private:
  void leave() {
    double time = watch.lap();
    if (current)
      times.add(*current, time);
  }

  const ProgressFunction &progress;
  PhaseTimes &times;
  std::optional<Phase> current;
  Stopwatch watch;
};
} // namespace

llvm::Error inlay::runPhases(ModuleOp module, PassManager &passes,
                             const ProgressFunction &progress,
                             PhaseTimes &times) {
  passes.enableVerifier(false);
  passes.addInstrumentation(std::make_unique<PhaseWatch>(progress, times));
  return runPasses(module, passes);
}

llvm::Error inlay::runPhases(ModuleOp module, const PipelineOptions &options,
                             const Target &target, PhaseRange range,
                             const ProgressFunction &progress,
                             PhaseTimes &times) {
  PassManager passes(module.getContext());
  buildInlayPipeline(passes, options, target, range);
  return runPhases(module, passes, progress, times);
}
