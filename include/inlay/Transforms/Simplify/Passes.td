//===- Passes.td - Simplification --------------------------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_SIMPLIFY_PASSES_TD
#define INLAY_TRANSFORMS_SIMPLIFY_PASSES_TD

include "mlir/Pass/PassBase.td"

def Simplify : Pass<"inlay-simplify", "::mlir::ModuleOp"> {
  let summary = "Compute what is known, drop what does nothing, merge what is equal";
  let description = [{
    *Expects* a module of one function in the dialect's canonical form.

    *Guarantees* the same results for the same inputs. Until nothing changes, in
    rounds linear in the graph:

    1. parameters that have become constant become attributes, and result types
       follow from operands as far as they can;
    2. operations that return an operand are bypassed;
    3. what follows from constants and static shapes is computed with the
       operators' own evaluators, and becomes a constant where what it replaces
       is as large, or the model stays within its limit of growth;
    4. shapes and ends that are computed from unknown extents are written down
       where 0, -1, 1 or the largest number say the same for all extents, zero
       included, and equal extents are computed once;
    5. an If whose condition is constant becomes the branch that is taken;
    6. equal operations are merged;
    7. what nothing uses is removed;
    8. a tensor without a declared shape gets the one rank that the operators
       around it allow; inputs are still written as the model declares them.

    Every node's origin is then on an operation or, with the reason, in the
    module's list of removed nodes. Running it again changes nothing.
  }];
  let options = [
    Option<"foldLimit", "fold-limit", "int64_t", "-1",
           "Bytes by which computed constants may make the model larger than "
           "it was when it was first simplified; -1: 1 MiB or 1 %, whichever "
           "is more">,
    Option<"onlyIfNeeded", "only-if-needed", "bool", "false",
           "Leave a module alone that does not say `inlay.unsimplified`">,
  ];
  let dependentDialects = ["::inlay::InlayDialect", "::mlir::func::FuncDialect"];
}

#endif // INLAY_TRANSFORMS_SIMPLIFY_PASSES_TD
