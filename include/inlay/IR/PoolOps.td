//===- PoolOps.td - Pooling --------------------------------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_POOLOPS_TD
#define INLAY_IR_POOLOPS_TD

include "inlay/IR/InlayOpBase.td"

//===----------------------------------------------------------------------===//
// Pooling over windows
//===----------------------------------------------------------------------===//

/// Windows that slide over the spatial dimensions of N x C x spatial.
class Inlay_PoolBaseOp<string mnemonic, dag ownAttributes>
    : Inlay_Op<mnemonic, Inlay_HasRenamedForms> {
  let extraClassDeclaration = Inlay_RenamedForms;
  dag windowArguments = (ins Inlay_NumericTensor:$input, Inlay_Str<"NOTSET">:$auto_pad,
                             Inlay_Int<"0">:$ceil_mode, Inlay_Ints:$dilations,
                             DenseI64ArrayAttr:$kernel_shape, Inlay_Ints:$pads,
                             Inlay_Ints:$strides);
  let arguments = !con(windowArguments, ownAttributes);
}

def Inlay_MaxPoolOp : Inlay_PoolBaseOp<"max_pool", (ins Inlay_Int<"0">:$storage_order)> {
  let summary = "The largest element of each window";
  let description = [{
    `indices` says where in the flattened input each one was; `storage_order` 1
    counts the spatial dimensions first dimension fastest.

        %y, %at = inlay.max_pool %x {kernel_shape = array<i64: 2, 2>}
            : (tensor<1x8x6x6xf32>) -> (tensor<1x8x5x5xf32>, tensor<1x8x5x5xi64>)
  }];
  let results = (outs Inlay_NumericTensor:$result, Inlay_IntegerTensor:$indices);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, results)";
}

def Inlay_AveragePoolOp
    : Inlay_PoolBaseOp<"average_pool", (ins Inlay_Int<"0">:$count_include_pad)> {
  let summary = "The mean of each window";
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}

def Inlay_LpPoolOp : Inlay_PoolBaseOp<"lp_pool", (ins Inlay_Int<"2">:$p)> {
  let summary = "The p-norm of each window";
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}

//===----------------------------------------------------------------------===//
// Pooling over everything
//===----------------------------------------------------------------------===//

/// All spatial dimensions of N x C x spatial are combined and stay with size 1.
class Inlay_GlobalPoolOp<string mnemonic, string text, dag ownAttributes = (ins)>
    : Inlay_Op<mnemonic, Inlay_HasRenamedForms> {
  let extraClassDeclaration = Inlay_RenamedForms;
  let summary = text;
  let arguments = !con((ins Inlay_NumericTensor:$input), ownAttributes);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}

def Inlay_GlobalMaxPoolOp
    : Inlay_GlobalPoolOp<"global_max_pool", "The largest element per channel">;
def Inlay_GlobalAveragePoolOp
    : Inlay_GlobalPoolOp<"global_average_pool", "The mean per channel">;
def Inlay_GlobalLpPoolOp
    : Inlay_GlobalPoolOp<"global_lp_pool", "The p-norm per channel",
                         (ins Inlay_Int<"2">:$p)>;

#endif // INLAY_IR_POOLOPS_TD
