//===- Passes.td - Kernels ---------------------------------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_KERNELS_PASSES_TD
#define INLAY_TRANSFORMS_KERNELS_PASSES_TD

include "mlir/Pass/PassBase.td"

def Aggregate : Pass<"inlay-aggregate", "::mlir::func::FuncOp"> {
  let summary = "Collect operators that may become kernels together";
  let description = [{
    *Expects* plain operators over physical shapes; composite ones may be
    expanded.

    *Guarantees* that operators whose class the rules of kernels know and that
    are linked are in an `inlay.group` of kernel "cluster", as many as possible,
    and that no path leads from one operator of a cluster over something outside
    to another. A composite operator stays beside what it expands to. Nothing
    else changes but the order of operations.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"none\"",
           "A built-in target or a target file">,
  ];
  let dependentDialects = ["::inlay::InlayDialect"];
}

def Reconstruct : Pass<"inlay-reconstruct", "::mlir::func::FuncOp"> {
  let summary = "Make kernels of clusters";
  let description = [{
    *Expects* what `inlay-aggregate` leaves.

    *Guarantees* that there are no clusters, but an `inlay.group` with the class
    of the kernel for operators that run as one, by the rules of
    docs/RationaleKernels.md and within the target's limits:

    * `greedy` joins what saves most first, `optimal` looks for the least
      traffic: all kernels of clusters of up to 10 operators, windows in larger
      ones, with a bound;
    * an operator whose inputs are much smaller than its result is copied to
      each kernel that uses the result;
    * a composite operator whose expansion is in one kernel is in that kernel
      itself; one whose pieces save nothing is as it was;
    * views (Reshape, Squeeze) are in the kernels that use them, and are no
      kernels;
    * `kernel_0`, `kernel_1`, ... can run in this order and do not depend on the
      order of independent operations.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"none\"",
           "A built-in target or a target file">,
    Option<"strategy", "strategy", "std::string", "\"greedy\"",
           "greedy or optimal">,
    Option<"emitRemarks", "remarks", "bool", "false",
           "Emit a remark for every value between two kernels, and the traffic">,
  ];
  let dependentDialects = ["::inlay::InlayDialect"];
}

#endif // INLAY_TRANSFORMS_KERNELS_PASSES_TD
