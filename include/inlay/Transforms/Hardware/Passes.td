//===- Passes.td - Hardware --------------------------------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_HARDWARE_PASSES_TD
#define INLAY_TRANSFORMS_HARDWARE_PASSES_TD

include "mlir/Pass/PassBase.td"

def Legalize : Pass<"inlay-legalize", "::mlir::func::FuncOp"> {
  let summary = "Split operators that have more operands or results than the target takes";
  let description = [{
    *Expects* a function in the dialect's canonical form.

    *Guarantees* that no operator has more operands or results than the limit
    that the target has for it, wherever it can be computed in steps. What is
    computed stays the same.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"none\"",
           "A built-in target or a target file">,
  ];
  let dependentDialects = ["::inlay::InlayDialect"];
}

#endif // INLAY_TRANSFORMS_HARDWARE_PASSES_TD
