//===- GroupOps.td - What a pipeline executes at once ------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_GROUPOPS_TD
#define INLAY_IR_GROUPOPS_TD

include "inlay/IR/InlayOpBase.td"

def Inlay_GroupOp : Inlay_BaseOp<"group", [
    RecursiveMemoryEffects, SingleBlock,
    DeclareOpInterfaceMethods<Inlay_TypeInferenceOpInterface>,
    DeclareOpInterfaceMethods<Inlay_AxisMapOpInterface>,
    DeclareOpInterfaceMethods<Inlay_FusionOpInterface, ["getFusionClass"]>,
    DeclareOpInterfaceMethods<Inlay_EvaluateOpInterface>,
    DeclareOpInterfaceMethods<Inlay_LayoutTransmitOpInterface,
                              ["getControlFlow"]>]> {
  let summary = "Operators that one pass through a hardware pipeline executes";
  let description = [{
    The operators of the body run as one on target `target`. What they read from
    outside are the inputs of the group; constants and graph inputs stay outside
    and are passed in. `stages` has one entry per operator that the pipeline
    takes, in the order of the body: the stages that it occupies, joined by `+`.
    An operator that was collected on the way has the entry "". Exported as a
    call of a model-local function `inlay.<target>::<name>` with that body.

        %y = inlay.group "opu" "group_0" stages ["pad+ipa+add", "compare"]
            : tensor<1x16x6x6xf32> {
          %c = inlay.conv ...
          %r = inlay.relu %c : ...
          inlay.yield %r : tensor<1x16x6x6xf32>
        }
  }];
  let arguments = (ins StrAttr:$target, StrAttr:$name, StrArrayAttr:$stages);
  let results = (outs Variadic<Inlay_Value>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $target $name `stages` $stages attr-dict `:` type($outputs) $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// What the body reads from outside, each value once, in the order of the
    /// body.
    ::llvm::SmallVector<::mlir::Value> getInputs();
    /// The values that the results are inside.
    ::mlir::ValueRange getYielded();
  }];
}

#endif // INLAY_IR_GROUPOPS_TD
