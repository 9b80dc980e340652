//===- Pipeline.h - What is done to a model, in order -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one pipeline. `inlay compile` and `inlay explain` run it, `inlay compile
// --print-pipeline` prints it, and `inlay-opt` runs what was printed, whole or
// in parts.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_PIPELINE_H
#define INLAY_PIPELINE_PIPELINE_H

#include "inlay/Pipeline/Fusion.h"
#include "inlay/Pipeline/Kernels.h"
#include "inlay/Pipeline/Layouts.h"
#include "inlay/Pipeline/Phase.h"
#include "inlay/Transforms/Rewrite/Rewrite.h"
#include "inlay/Transforms/Simplify/Passes.h"
#include "mlir/Pass/PassManager.h"
#include <functional>

namespace inlay {

enum class EmitKind {
  Onnx,
  Mlir,
  /// Kernels, for machine code: groups stay in the graph.
  Native,
  /// What the back end of `PipelineOptions::backend` makes of the module.
  Backend
};

/// Passes of others: each callback adds some where it was registered, whenever
/// a pipeline is built, also where the phase itself has nothing to do.
class PipelineCallbacks {
public:
  using Callback = std::function<void(mlir::OpPassManager &passes)>;

  void addBefore(Phase phase, Callback callback) {
    before.emplace_back(phase, std::move(callback));
  }
  void addAfter(Phase phase, Callback callback) {
    after.emplace_back(phase, std::move(callback));
  }

  void runBefore(Phase phase, mlir::OpPassManager &passes) const {
    run(before, phase, passes);
  }
  void runAfter(Phase phase, mlir::OpPassManager &passes) const {
    run(after, phase, passes);
  }

private:
  using List = std::vector<std::pair<Phase, Callback>>;

  static void run(const List &list, Phase phase, mlir::OpPassManager &passes) {
    for (const auto &[own, callback] : list)
      if (own == phase)
        callback(passes);
  }

  List before, after;
};

struct PipelineOptions {
  bool simplify = true;
  SimplifyOptions simplifyOptions;
  RewriteOptions rewrites = RewriteOptions::none();
  LayoutOptions layouts;
  FusionOptions fusion;
  GraphKernelOptions kernels;
  /// Replace all composite operators by what they consist of, and these ONNX
  /// operators in any case.
  bool expandAll = false;
  std::vector<std::string> expand;
  /// What will be written.
  EmitKind emit = EmitKind::Onnx;
  /// A name that the BackendRegistry knows.
  std::string backend;
  PipelineCallbacks callbacks;
};

/// The phases to build; by default all, with `inlay-set-target` in front.
struct PhaseRange {
  Phase first = Phase::Simplify;
  Phase last = Phase::Backend;

  bool contains(Phase phase) const { return first <= phase && phase <= last; }
};

/// Whether the target can be fitted to as the options ask.
llvm::Error checkPipeline(const PipelineOptions &options, const Target &target);

/// Adds the passes that make of a model, as it was imported, what is written.
/// `target` is the one that `options.layouts.target` names, and was checked.
void buildInlayPipeline(mlir::OpPassManager &passes,
                        const PipelineOptions &options, const Target &target,
                        PhaseRange range = {});

/// The same for whoever has not read the target.
llvm::Error buildInlayPipeline(mlir::OpPassManager &passes,
                               const PipelineOptions &options);

/// "builtin.module(inlay-set-target{target=opu},...)". An error (usage) for an
/// option whose value a pipeline's text cannot hold.
llvm::Expected<std::string> printPipeline(const PipelineOptions &options);

/// All passes of ours, and the pipeline as `inlay-pipeline`.
void registerInlayPasses();

} // namespace inlay

#endif // INLAY_PIPELINE_PIPELINE_H
