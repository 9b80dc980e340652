//===- LayoutOps.td - Storage orders as operations ---------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_LAYOUTOPS_TD
#define INLAY_IR_LAYOUTOPS_TD

include "inlay/IR/InlayOpBase.td"

def Inlay_RelayoutOp : Inlay_Op<"relayout"> {
  let summary = "The same tensor in another storage order";
  let description = [{
    Logically the identity: the types differ in their encodings only. It becomes
    a Transpose, a Reshape or a constant when layouts are materialised.

        %y = inlay.relayout %x : (tensor<1x64x56x56xf32, #inlay.layout<NCHW>>)
            -> tensor<1x64x56x56xf32, #inlay.layout<NCHW as NHWC>>
  }];
  let arguments = (ins Inlay_Tensor:$input);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let hasFolder = 1;
}

def Inlay_InLayoutOp : Inlay_BaseOp<"in_layout", [
    IsolatedFromAbove, SingleBlock, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<Inlay_TypeInferenceOpInterface>,
    DeclareOpInterfaceMethods<Inlay_AxisMapOpInterface>,
    DeclareOpInterfaceMethods<Inlay_FusionOpInterface, ["getFusionClass"]>]> {
  let summary = "An operator in a layout that ONNX has no operator for";
  let description = [{
    The operator `op_type` of target `target` with its operands and results
    stored as the physical types say; `layouts` names the storage orders for
    people ("NHWC", "HWOI"; "" where a tensor is row-major), operands first. The
    body says what it computes in plain operators: transposes into ONNX's order,
    the operator, and transposes back. Exported as a call of a model-local
    function of domain `inlay.<target>` with that body.

        %y = inlay.in_layout "nhwc" "Conv"(%x, %w) layouts ["NHWC", "HWOI", "NHWC"]
            : (tensor<1x8x8x3xf32>, tensor<3x3x16x3xf32>) -> tensor<1x6x6x16xf32> {
        ^bb0(%a: tensor<1x8x8x3xf32>, %b: tensor<3x3x16x3xf32>):
          ...
          inlay.yield %t : tensor<1x6x6x16xf32>
        }
  }];
  let arguments = (ins StrAttr:$target, StrAttr:$op_type, Variadic<Inlay_Value>:$inputs,
                       StrArrayAttr:$layouts);
  let results = (outs Variadic<Inlay_Value>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $target $op_type `(` $inputs `)` `layouts` $layouts attr-dict `:`
    functional-type($inputs, $outputs) $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The operation of the body that is not a transpose, reshape or yield.
    ::mlir::Operation *getWrapped();
  }];
}

#endif // INLAY_IR_LAYOUTOPS_TD
