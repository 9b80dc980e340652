//===- Passes.td - The pipeline ----------------------------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_PASSES_TD
#define INLAY_PIPELINE_PASSES_TD

include "mlir/Pass/PassBase.td"

def SetTarget : Pass<"inlay-set-target", "::mlir::ModuleOp"> {
  let summary = "Say what the module is to be fitted to";
  let description = [{
    *Guarantees* that the module has the attribute `inlay.fitted_to`: the text of a
    target in which every operator is known, and where it came from. All other
    passes read it there. What an earlier run of the pipeline has left in the
    module for reports and for later passes is gone.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"none\"",
           "A built-in target or a target file">,
  ];
  let dependentDialects = ["::inlay::InlayDialect"];
}

def EnterPhase : Pass<"inlay-phase", "::mlir::ModuleOp"> {
  let summary = "Say how far the module has come";
  let description = [{
    *Guarantees* that the module's attribute `inlay.phase` is the name of the
    phase that begins here. Nothing else changes. Fails when whoever compiles
    does not want the result any more.
  }];
  let options = [
    Option<"phase", "is", "::inlay::Phase", "::inlay::Phase::Simplify",
           "The phase that begins",
           [{::inlay::getPhaseValues()}]>,
  ];
}

def CheckModule : Pass<"inlay-check", "::mlir::ModuleOp"> {
  let summary = "Verify the module";
  let description = [{
    Fails where the module is not valid, and changes nothing. The pipeline has
    it where a phase hands over; verifying after every pass takes longer than
    most of them.
  }];
}

def KeepGroups : Pass<"inlay-keep-groups", "::mlir::ModuleOp"> {
  let summary = "Leave a model alone that was compiled for its target before";
  let description = [{
    *Guarantees* that a module which has groups or kernels says
    `inlay.finished`. Passes that choose layouts, groups and kernels leave such
    a module as it is.
  }];
}

def RewriteGraph : Pass<"inlay-rewrite-graph", "::mlir::ModuleOp"> {
  let summary = "Rewrite the model's graph, as far as what is written can say it";
  let description = [{
    *Guarantees* what `inlay-rewrite` does for the model's graph, but for
    rewrites whose result the model's opset (`inlay.opsets`) lacks and cannot say
    in fewer nodes than were there before: these are undone, each with its
    reason. A model that has groups stays as it is. The function's attribute
    `inlay.rewrites` says how often each was applied.
  }];
  let options = [
    Option<"rewrites", "rewrites", "std::string", "\"on\"",
           "on, off, the names of those that are on, or with a '-' in front of "
           "each, of those that are off">,
    Option<"use", "for", "::inlay::RewritePurpose",
           "::inlay::RewritePurpose::Any", "What the graph is for",
           [{::llvm::cl::values(
             clEnumValN(::inlay::RewritePurpose::Any, "any",
                        "whatever: no rewrite is undone"),
             clEnumValN(::inlay::RewritePurpose::Onnx, "onnx",
                        "written as it is: no more nodes than before"),
             clEnumValN(::inlay::RewritePurpose::Kernels, "kernels",
                        "kernels: they can use also what takes more nodes"))}]>,
  ];
  let dependentDialects = ["::inlay::InlayDialect"];
}

def SettleLayouts : Pass<"inlay-settle-layouts", "::mlir::ModuleOp"> {
  let summary = "Choose layouts and make them shapes, until nothing is gained";
  let description = [{
    *Expects* a module in the dialect's canonical form.

    Runs rounds of `inlay-layout-transmit`, `inlay-layout-preset`,
    `inlay-cancel-relayouts` (not after `optimal`, which leaves nothing to
    cancel), `inlay-materialize-layouts` and `inlay-simplify`. Stored otherwise,
    operators may have become equal and merged, or views cancelled, so that the
    next round finds less to move. There is a next round as long as bytes are
    moved, the number of operators or what they read through views has changed,
    and the last round has moved less than the one before. What one round has wrapped for the target
    (`inlay.in_layout`) stays so in the next.

    *Guarantees* what `inlay-materialize-layouts` does. The function's attribute
    `inlay.layouts` says what all rounds together have found.
  }];
  let options = [
    Option<"strategy", "strategy", "::inlay::LayoutStrategy",
           "::inlay::LayoutStrategy::Optimal", "How storage orders are found",
           [{::llvm::cl::values(
             clEnumValN(::inlay::LayoutStrategy::PerOp, "per-op",
                        "around every key operator"),
             clEnumValN(::inlay::LayoutStrategy::Region, "region",
                        "at the borders of regions of one class"),
             clEnumValN(::inlay::LayoutStrategy::RegionPlus, "region-plus",
                        "tensor regions join the region they come from"),
             clEnumValN(::inlay::LayoutStrategy::Optimal, "optimal",
                        "the least cost, with a proof"))}]>,
    Option<"minimize", "minimize", "::inlay::Objective",
           "::inlay::Objective::Bytes", "What counts first",
           [{::llvm::cl::values(
             clEnumValN(::inlay::Objective::Bytes, "bytes", "bytes moved"),
             clEnumValN(::inlay::Objective::Count, "count", "copies"))}]>,
    ListOption<"ioLayouts", "io-layout", "std::string",
               "NAME:LAYOUT: how an input or output is to be stored">,
    ListOption<"featureRanks", "feature-ranks", "int64_t",
               "Least and greatest rank of class Feature">,
    ListOption<"weightRanks", "weight-ranks", "int64_t",
               "Least and greatest rank of class Weight">,
    ListOption<"nTensorRanks", "ntensor-ranks", "int64_t",
               "Least and greatest rank of class NTensor">,
    ListOption<"tensorRanks", "tensor-ranks", "int64_t",
               "Least and greatest rank of class Tensor">,
    Option<"onlyIfCheaper", "only-if-cheaper", "bool", "false",
           "Leave the model as it is unless the first round costs less">,
    Option<"maxRounds", "max-rounds", "unsigned", "4",
           "How often layouts are chosen at most">,
    Option<"simplify", "simplify", "bool", "true",
           "Simplify after each round">,
    Option<"foldLimit", "fold-limit", "int64_t", "-1",
           "The option of inlay-simplify">,
  ];
  let dependentDialects = ["::inlay::InlayDialect", "::mlir::func::FuncDialect"];
}

#endif // INLAY_PIPELINE_PASSES_TD
