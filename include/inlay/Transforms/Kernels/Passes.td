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

def ExpandComposites : Pass<"inlay-expand", "::mlir::func::FuncOp"> {
  let summary = "Put what composite operators consist of beside them";
  let description = [{
    *Expects* plain operators over physical tensors.

    *Guarantees* for every operator with an expansion that the rules of kernels
    know nothing about (its class is opaque) and that is not in `native`:

    * the operators that it consists of are in front of it. Those that would be
      expanded themselves are replaced by what they consist of;
    * `inlay.expanded` joins the results of both, and all users use it;
    * `inlay.expansion` on all of these but the composite operator and constants
      is the number of the expansion: 0, 1, ... in program order;
    * `inlay.lacking` is on each composite operator that the opset of the module
      lacks. `inlay-plan-kernels` reads and removes it.

        %max = inlay.reduce_max %x {inlay.expansion = 0 : i64, ...}
        ...
        %d = inlay.div %e, %sum {inlay.expansion = 0 : i64}
        %s = inlay.softmax %x
        %y = inlay.expanded %s as %d {inlay.expansion = 0 : i64}

    Bodies of If, Loop and Scan count like the function's own.

    An operator whose expansion depends on a type that is unknown stays alone.
    So does what is in groups or in a layout of its own, and, with a remark, an
    operator whose parts the opset of the module cannot say.
  }];
  let options = [
    ListOption<"native", "native", "std::string",
               "ONNX operators that stay whole">,
    Option<"all", "all", "bool", "false",
           "Also expand operators that the rules of kernels know, until no "
           "composite one is left">,
    ListOption<"also", "also", "std::string",
               "ONNX operators to expand whatever their class, also those that "
               "`all` takes for basic ones: Sigmoid, Tanh">,
    Option<"onlyNamed", "only-named", "bool", "false",
           "Expand nothing but `also`, whatever its class">,
    Option<"elementwise", "elementwise", "bool", "false",
           "Of `also` expand only what computes element by element">,
    Option<"replace", "replace", "bool", "false",
           "Put the expansion in the operator's place, without marks">,
  ];
  let dependentDialects = ["::inlay::InlayDialect"];
}

def Aggregate : Pass<"inlay-aggregate", "::mlir::func::FuncOp"> {
  let summary = "Collect operators that may become kernels together";
  let description = [{
    *Expects* plain operators over physical shapes; composite ones may be
    expanded. The target is the module's, `inlay.fitted_to`.

    *Guarantees* that operators whose class the rules of kernels know and that
    are linked are in an `inlay.group` that is a `cluster`, as many as possible,
    and that no path leads from one operator of a cluster over something outside
    to another. A composite operator stays beside what it expands to. Nothing
    else changes but the order of operations. Bodies of If, Loop and Scan have
    clusters of their own.
  }];
  let dependentDialects = ["::inlay::InlayDialect"];
}

def PlanKernels : Pass<"inlay-plan-kernels", "::mlir::func::FuncOp"> {
  let summary = "Decide which operators are one kernel";
  let description = [{
    *Expects* what `inlay-aggregate` leaves, or finds clusters as it does. A
    function that has kernels is finished and stays as it is. The target is the
    module's, `inlay.fitted_to`.

    *Guarantees* that there are no clusters, and that the function lists the
    kernels to be made (`inlay.planned_kernels`: names, classes, and the order of
    their operators where it is not that of the block), operators
    that will run as one say which they are in (`inlay.in_kernel`: its number),
    and an `inlay.expanded` whose composite operator stays says so
    (`inlay.whole`), by the rules of docs/RationaleKernels.md and within the
    target's limits:

    * `greedy` joins what saves most first, `optimal` looks for the least
      traffic: all kernels of clusters of up to 10 operators, windows in larger
      ones, with a bound;
    * an operator whose inputs are much smaller than its result is copied to
      each kernel that uses the result;
    * a composite operator whose expansion is in one kernel is in that kernel
      itself; one whose pieces save nothing is as it was;
    * an operator alone is no kernel unless it bears `inlay.lacking`, which is
      removed from all;
    * `kernel_0`, `kernel_1`, ... can run in this order and do not depend on the
      order of independent operations;
    * bodies of If, Loop and Scan are graphs of their own: no kernel has
      operators of two, and the kernels of a body follow those of the graph that
      it is in.
  }];
  let options = [
    Option<"strategy", "strategy", "::inlay::KernelStrategy",
           "::inlay::KernelStrategy::Greedy", "How kernels are found",
           [{::llvm::cl::values(
             clEnumValN(::inlay::KernelStrategy::Greedy, "greedy",
                        "what saves most first"),
             clEnumValN(::inlay::KernelStrategy::Optimal, "optimal",
                        "the least traffic"))}]>,
    Option<"record", "record", "::inlay::RecordDetail",
           "::inlay::RecordDetail::None",
           "What the function says about it afterwards, in inlay.kernels",
           [{::llvm::cl::values(
             clEnumValN(::inlay::RecordDetail::None, "none", "nothing"),
             clEnumValN(::inlay::RecordDetail::Totals, "totals", "numbers"),
             clEnumValN(::inlay::RecordDetail::All, "all",
                        "lists with reasons, too"))}]>,
    Option<"emitRemarks", "remarks", "bool", "false",
           "Emit a remark for every value between two kernels, and the traffic">,
  ];
  let dependentDialects = ["::inlay::InlayDialect"];
}

def Reconstruct : Pass<"inlay-reconstruct", "::mlir::func::FuncOp"> {
  let summary = "Make the kernels that were planned";
  let description = [{
    *Expects* what `inlay-plan-kernels` says in the IR. A function without a plan
    stays as it is.

    *Guarantees* an `inlay.group` with the class of the kernel for the operators
    of each, and that every composite operator is whole or expanded, not both.
    Views (Reshape, Squeeze) are in the kernels that use them, and are no kernels.
  }];
  let dependentDialects = ["::inlay::InlayDialect"];
}

def LowerOpset : Pass<"inlay-lower-opset", "::mlir::ModuleOp"> {
  let summary = "Replace operators that the model's opset lacks";
  let description = [{
    *Guarantees* that the opset of the model (`inlay.opsets` of the module) has a
    node for every operator that it has one for in some opset: the others are
    replaced by what they consist of, as often as needed. Bodies of groups and
    of control flow count. In the list of stages of a group, the last operator
    of an expansion takes the place of the composite one.

    A node that the opset has, but not for these element types, attributes or
    shapes, counts as one that it lacks.

    Fails, listing all, when an operator has no expansion that the opset can
    say. A module that does not say its opset stays as it is. One in which
    something was replaced says how much (`inlay.lowered`) and that it is to be
    simplified again (`inlay.unsimplified`).
  }];
  let dependentDialects = ["::inlay::InlayDialect"];
}

#endif // INLAY_TRANSFORMS_KERNELS_PASSES_TD
