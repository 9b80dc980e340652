//===- Passes.td - Layouts ---------------------------------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_LAYOUT_PASSES_TD
#define INLAY_TRANSFORMS_LAYOUT_PASSES_TD

include "mlir/Pass/PassBase.td"

def LayoutTransmit : Pass<"inlay-layout-transmit", "::mlir::func::FuncOp"> {
  let summary = "Name the axes of every tensor, starting from convolutions and matrix products";
  let description = [{
    *Expects* a function in the dialect's canonical form.

    *Guarantees* that every ranked value whose rank is within the bounds of a
    class has a layout, in its type: Feature and Weight with named axes, NTensor
    or Tensor. Types gain layouts and ranks that layouts imply, nothing else
    changes; a value that already has a storage order keeps its layout. Three
    sweeps, linear in the graph:

    1. backward: convolutions and matrix products, plain and quantized, know the
       layouts of their operands and results, and each operator passes on what
       is wanted of its results to its operands. Reshapes, and operands that are
       broadcast, do not: what they had cannot be told from what they become;
    2. inputs and constants that nothing is wanted of are Tensors;
    3. forward: every result still unknown follows from the operands of its
       rank, the highest class of Feature, Weight, NTensor and Tensor winning.

    A value wanted in two classes keeps the one that its producer gives it;
    without a producer the higher class wins. Running it again changes nothing.
  }];
  let options = [
    Option<"emitRemarks", "remarks", "bool", "false",
           "Emit a remark with the layout of every value">,
    ListOption<"featureRanks", "feature-ranks", "int64_t",
               "Least and greatest rank of class Feature (3,6)">,
    ListOption<"weightRanks", "weight-ranks", "int64_t",
               "Least and greatest rank of class Weight (3,6)">,
    ListOption<"nTensorRanks", "ntensor-ranks", "int64_t",
               "Least and greatest rank of class NTensor (3,6)">,
    ListOption<"tensorRanks", "tensor-ranks", "int64_t",
               "Least and greatest rank of class Tensor (0,6)">,
  ];
  let dependentDialects = ["::inlay::InlayDialect"];
}

def LayoutPreset : Pass<"inlay-layout-preset", "::mlir::func::FuncOp"> {
  let summary = "Choose how every tensor is stored";
  let description = [{
    *Expects* a function in the dialect's canonical form, best after
    `inlay-layout-transmit`. The target is the module's, `inlay.fitted_to`.

    *Guarantees* that the type of every value says how it is stored, that every
    operation can work on its operands as they are stored (key operators of the
    target in the layout that it demands), and that `inlay.relayout` stands
    wherever a tensor is needed in another order. No operator's attributes
    change, and nothing that is computed. `optimal` moves the fewest bytes;
    the other strategies are those of the requirements, for comparison, and
    leave relayouts that `inlay-cancel-relayouts` removes.
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
    Option<"onlyIfCheaper", "only-if-cheaper", "bool", "false",
           "Write only what moves less than the transposes that are there">,
    Option<"record", "record", "bool", "false",
           "Write numbers and the certificate into the function's attribute "
           "inlay.layouts">,
  ];
  let dependentDialects = ["::inlay::InlayDialect"];
}

def CancelRelayouts : Pass<"inlay-cancel-relayouts", "::mlir::ModuleOp"> {
  let summary = "Remove relayouts that undo each other";
  let description = [{
    The clean-up stage for strategies that place relayouts region by region.

    *Expects* what `inlay-layout-preset` leaves.

    *Guarantees* the same results with no more relayouts and transposes than
    before: chains are composed, those that change nothing are dropped, equal
    ones are merged, and of a relayout, a transpose and a relayout in a row one
    relayout remains at the most. Every node that goes is in the module's list of
    removed nodes. Linear in the graph.
  }];
  let dependentDialects = ["::inlay::InlayDialect", "::mlir::func::FuncDialect"];
}

def MaterializeLayouts : Pass<"inlay-materialize-layouts", "::mlir::ModuleOp"> {
  let summary = "Turn storage orders into shapes";
  let description = [{
    *Expects* types whose encodings say how tensors are stored, and
    `inlay.relayout` wherever the order changes.

    *Guarantees* plain tensors of physical shapes, without encodings and
    relayouts, that compute the same:

    * an operation whose tensors are all row-major stays as it is;
    * a relayout is a transpose, a reshape when only dimensions of one element
      move, and a constant again when it is of a constant;
    * an operation that admits its storage orders has its attributes brought into
      them, any other is wrapped in `inlay.in_layout` for the module's target
      (`inlay.fitted_to`; refused where the module has none);
    * control flow and the function's inputs and outputs are stored as their
      types said, the names of their dimensions alike.

    Every node's origin is then on an operation or, with the reason, in the
    module's list of removed nodes. Blocked orders become further dimensions,
    with padding where an extent is no multiple of its block.
  }];
  let dependentDialects = ["::inlay::InlayDialect", "::mlir::func::FuncDialect"];
}

#endif // INLAY_TRANSFORMS_LAYOUT_PASSES_TD
