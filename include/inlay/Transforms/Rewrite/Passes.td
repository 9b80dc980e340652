//===- Passes.td - Rewriting -------------------------------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_REWRITE_PASSES_TD
#define INLAY_TRANSFORMS_REWRITE_PASSES_TD

include "mlir/Pass/PassBase.td"

def RewriteModel : Pass<"inlay-rewrite", "::mlir::ModuleOp"> {
  let summary = "Replace operators by fewer ones that compute the same";
  let description = [{
    *Expects* functions in the dialect's canonical form, simplified, before
    storage orders are chosen. The target is the module's, `inlay.fitted_to`.

    *Guarantees* that no rewrite that is on applies any more, and that the graph
    computes the same in real arithmetic:

    * each rewrite is an equation, which `inlay rewrites` prints; its left side is
      replaced only where nothing else uses what lies inside of it;
    * operators inside of groups and of `inlay.in_layout` stay as they are;
    * weights that change become expressions over those of the model, which are
      computed when they are written;
    * an operation that takes the place of several bears the origins of all, and
      the name of the last one; what is left without a place is listed as removed.
  }];
  let options = [
    Option<"rewrites", "rewrites", "std::string", "\"on\"",
           "on, off, the names of those that are on, or with a '-' in front of "
           "each, of those that are off">,
    Option<"emitRemarks", "remarks", "bool", "false",
           "Emit a remark for every rewrite that is applied">,
  ];
  let dependentDialects = ["::inlay::InlayDialect"];
}

#endif // INLAY_TRANSFORMS_REWRITE_PASSES_TD
