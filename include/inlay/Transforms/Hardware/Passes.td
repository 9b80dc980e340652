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
    *Expects* a function in the dialect's canonical form, before storage orders
    are chosen. The target is the module's, `inlay.fitted_to`.

    *Guarantees* that no operator has more operands or results than the target's
    limit for it, wherever it can be computed in steps, and that the results
    are the same:

    * Concat becomes a tree of them, each of adjacent operands, that copies the
      fewest bytes more than once, and then the fewest operands. Of 100 operands
      of one size under a limit of 63, 38 are copied twice. Unknown extents count
      as the target assumes;
    * Split becomes such a tree of them, read from its root. Adjacent results
      without uses are one part. The extents of all results must be known;
    * Sum, Max and Min are chains: each step takes the result of the one before
      it as its first operand, so that elements are combined in the same order,
      and floating-point sums are the same bit for bit;
    * Mean is a Sum, divided by the number of operands.

    The node's name stays on the last step (the first one of a Split); the others
    are called NAME/step_N and bear the node's origin too. An operator that stays
    beyond its limit gets a remark that says why.
  }];
  let options = [
    Option<"strict", "strict", "bool", "false",
           "An operator that stays beyond its limit is an error">,
    Option<"emitRemarks", "remarks", "bool", "true",
           "Emit a remark for every operator that stays beyond its limit">,
    Option<"record", "record", "bool", "false",
           "Write numbers into the function's attribute inlay.legalized">,
  ];
  let dependentDialects = ["::inlay::InlayDialect"];
}

def FuseHardware : Pass<"inlay-fuse-hardware", "::mlir::func::FuncOp"> {
  let summary = "Group the operators that one pass through the target's pipeline executes";
  let description = [{
    *Expects* a function in the dialect's canonical form, before layouts are
    materialised: channels are found by the names of axes. The target is the
    module's, `inlay.fitted_to`.

    *Guarantees* that operators which the pipeline executes as one are in an
    `inlay.group`, and nothing else changes but the order of operations:

    * the stages that the operators of a group occupy follow one another by the
      target's links, each operator but the first takes data that flows through
      the group, and all limits hold;
    * groups do not wait for each other, operators outside included;
    * values used outside of a group are its results, each once, in the order of
      the body; constants stay outside;
    * `group_0`, `group_1`, ... can run in this order. Groups and names do not
      depend on the order of independent operations.

    `greedy` visits operators in post-order from the outputs and lets each join
    the latest group or open one; `optimal` lets the fewest bytes cross the
    borders of groups. Operators of groups that are there already stay there, so
    that running it again changes nothing. A verifier checks all of this after
    either strategy. A target without a pipeline changes nothing.
  }];
  let options = [
    Option<"strategy", "strategy", "::inlay::FusionStrategy",
           "::inlay::FusionStrategy::Greedy", "How groups are found",
           [{::llvm::cl::values(
             clEnumValN(::inlay::FusionStrategy::Greedy, "greedy",
                        "one operator after the other"),
             clEnumValN(::inlay::FusionStrategy::Optimal, "optimal",
                        "the fewest bytes across borders"))}]>,
    Option<"strict", "strict", "bool", "false",
           "An operator that the pipeline does not take is an error">,
    Option<"once", "once", "bool", "false",
           "Leave a function that has groups as it is">,
    Option<"record", "record", "::inlay::RecordDetail",
           "::inlay::RecordDetail::None",
           "What the function says about it afterwards, in inlay.groups",
           [{::llvm::cl::values(
             clEnumValN(::inlay::RecordDetail::None, "none", "nothing"),
             clEnumValN(::inlay::RecordDetail::Totals, "totals", "numbers"),
             clEnumValN(::inlay::RecordDetail::All, "all",
                        "lists with reasons, too"))}]>,
    Option<"emitRemarks", "remarks", "bool", "false",
           "Emit a remark for every decision, every operator in no group and "
           "every edge between groups">,
  ];
  let dependentDialects = ["::inlay::InlayDialect"];
}

def MeasureGroups : Pass<"inlay-measure-groups", "::mlir::func::FuncOp"> {
  let summary = "Count the bytes that cross borders as tensors are stored now";
  let description = [{
    *Expects* what `inlay-fuse-hardware` leaves with a record, once layouts are
    shapes. Without a record nothing happens.

    *Guarantees* that the record's numbers are those of the function as it is.
    What storing tensors has changed since the groups were chosen takes the
    proof away that they are the best.
  }];
  let dependentDialects = ["::inlay::InlayDialect"];
}

def OutlineGroups : Pass<"inlay-outline-groups", "::mlir::ModuleOp"> {
  let summary = "Turn groups into functions and calls of them";
  let description = [{
    *Guarantees* that there are no groups: each is a call of a private function
    of its name that takes what the body reads from outside. The function's
    attributes `inlay.target` and `inlay.stages` are those of the group.

        %y = inlay.group "opu" "group_0" stages ["compare"] : tensor<4xf32> {
          %r = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
          inlay.yield %r : tensor<4xf32>
        }

        %y = call @group_0(%x) : (tensor<4xf32>) -> tensor<4xf32>
  }];
  let dependentDialects = ["::inlay::InlayDialect", "::mlir::func::FuncDialect"];
}

def RestoreGroups : Pass<"inlay-restore-groups", "::mlir::ModuleOp"> {
  let summary = "Turn calls of outlined functions into groups again";
  let description = [{
    The inverse of `inlay-outline-groups`, which reading a module does by itself.
    *Guarantees* that the module has one function, the graph; fails where another
    was no group or is not called exactly once.
  }];
  let dependentDialects = ["::inlay::InlayDialect", "::mlir::func::FuncDialect"];
}

def InlineGroups : Pass<"inlay-inline-groups", "::mlir::ModuleOp"> {
  let summary = "Put the operators of groups in their place";
  let description = [{
    *Guarantees* that there are no groups: the operators of each stand where it
    stood, which is the graph before fusion. A group that was a call in the model
    is noted as removed.
  }];
  let dependentDialects = ["::inlay::InlayDialect"];
}

#endif // INLAY_TRANSFORMS_HARDWARE_PASSES_TD
