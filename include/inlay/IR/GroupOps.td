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

    With `kernel` it is no pass through a pipeline but one generated kernel: the
    attribute says which loops it is and where it reads its inputs. It is a
    `cluster` while operators are only collected, before kernels are made of
    them.

        %y = inlay.group "none" "kernel_0"
            kernel <elementwise, space = [4, 8], reads = [same]>
            : tensor<4x8xf32> {
          ...
        }
        %z = inlay.group "none" "cluster_0" cluster : tensor<4x8xf32> {
          ...
        }
  }];
  let arguments = (ins StrAttr:$target, StrAttr:$name, DefaultValuedAttr<StrArrayAttr, "{}">:$stages,
                       OptionalAttr<Inlay_KernelAttr>:$kernel, UnitAttr:$cluster);
  let results = (outs Variadic<Inlay_Value>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $target $name (`kernel` $kernel^)? (`cluster` $cluster^)?
    (`stages` $stages^)? attr-dict `:` type($outputs) $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// What the body reads from outside, each value once, in the order of the
    /// body.
    ::llvm::SmallVector<::mlir::Value> getInputs();
    /// The values that the results are inside.
    ::mlir::ValueRange getYielded();
  }];
}

def Inlay_ExpandedOp : Inlay_Op<"expanded", [SameVariadicOperandSize]> {
  let summary = "Results of a composite operator, computed by basic ones too";
  let description = [{
    `composite` are results of one operator that is still there; `basic` are the
    same values, computed by what it expands to. Whoever fuses the basic
    operators decides for one of the two; the other is dead then.

        %s = inlay.softmax %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
        ...
        %d = inlay.div %e, %sum : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
        %y = inlay.expanded %s as %d
            : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  }];
  let arguments = (ins Variadic<Inlay_Value>:$composite, Variadic<Inlay_Value>:$basic);
  let results = (outs Variadic<Inlay_Value>:$outputs);
  let assemblyFormat = [{
    $composite `as` $basic attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // INLAY_IR_GROUPOPS_TD
