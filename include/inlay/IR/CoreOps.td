//===- CoreOps.td - Constants and what is not modelled -----*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_COREOPS_TD
#define INLAY_IR_COREOPS_TD

include "inlay/IR/InlayOpBase.td"

def Inlay_ConstantOp : Inlay_BaseOp<"constant", [
    Pure, ConstantLike, AllTypesMatch<["value", "result"]>,
    DeclareOpInterfaceMethods<Inlay_TypeInferenceOpInterface>,
    DeclareOpInterfaceMethods<Inlay_AxisMapOpInterface>,
    DeclareOpInterfaceMethods<Inlay_FusionOpInterface, ["getFusionClass"]>]> {
  let summary = "A tensor known at compile time";
  let description = [{
    An initializer or a Constant node. The value is `dense<...>` where it is
    small and `#inlay.data<...>`, a reference, where it is not.

        %w = inlay.constant #inlay.data<"m.onnx", 64, 37632> : tensor<64x3x7x7xf32>
  }];
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Inlay_OpaqueOp : Inlay_BaseOp<"opaque"> {
  let summary = "A node that Inlay does not model, kept verbatim";
  let description = [{
    `callee` is "domain::OpType" ("::OpType" in ONNX's own domain).
    `node_attributes` are the node's own. `present_inputs` and `present_outputs` say
    which of the node's inputs and outputs are given, where some are not. The
    graphs among the node's attributes are the regions, named in order by
    `graphs`; they may use values from outside. A barrier: nothing is assumed
    about what it computes.

        %y = inlay.opaque "com.acme::Swirl"(%x) {node_attributes = {strength = 2 : i64}}
            : (tensor<1x3xf32>) -> !inlay.unknown
  }];
  let arguments = (ins StrAttr:$callee, Variadic<Inlay_Value>:$inputs,
                       OptionalAttr<StrAttr>:$overload,
                       OptionalAttr<DictionaryAttr>:$node_attributes,
                       OptionalAttr<DenseBoolArrayAttr>:$present_inputs,
                       OptionalAttr<DenseBoolArrayAttr>:$present_outputs,
                       OptionalAttr<StrArrayAttr>:$graphs);
  let results = (outs Variadic<Inlay_Value>:$outputs);
  let regions = (region VariadicRegion<AnyRegion>:$bodies);
  let assemblyFormat = [{
    $callee `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs) $bodies
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// "Swirl" of "com.acme::Swirl".
    ::llvm::StringRef getOpType();
    /// "com.acme" of "com.acme::Swirl".
    ::llvm::StringRef getDomain();
  }];
}

def Inlay_YieldOp : Inlay_BaseOp<"yield", [Pure, Terminator]> {
  let summary = "The outputs of a subgraph";
  let arguments = (ins Variadic<Inlay_Value>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{}]>];
}

#endif // INLAY_IR_COREOPS_TD
