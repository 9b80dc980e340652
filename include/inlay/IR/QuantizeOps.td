//===- QuantizeOps.td - Linear quantisation ----------------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_QUANTIZEOPS_TD
#define INLAY_IR_QUANTIZEOPS_TD

include "inlay/IR/InlayOpBase.td"

def Inlay_QuantizeLinearOp : Inlay_Op<"quantize_linear", [Inlay_HasForms]> {
  let summary = "saturate(round(x / scale) + zero point)";
  let description = [{
    A scale of one element holds for the whole tensor, one of rank 1 for each
    position along `axis`, and one of the input's rank for each `block_size`
    neighbours along `axis`. The zero point has the scale's shape and the
    result's element type. `output_dtype` and `precision` are numbers of ONNX
    element types, 0 where not given.
  }];
  let arguments = (ins Inlay_NumericTensor:$input, Inlay_FloatTensor:$scale,
                       Optional<Inlay_NumericTensor>:$zero_point, Inlay_Int<"1">:$axis,
                       Inlay_Int<"0">:$block_size, Inlay_Int<"0">:$output_dtype,
                       Inlay_Int<"0">:$precision, Inlay_Int<"1">:$saturate);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = [{
    $input `,` $scale (`,` $zero_point^)? attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_DequantizeLinearOp : Inlay_Op<"dequantize_linear", [Inlay_HasForms]> {
  let summary = "(x - zero point) * scale";
  let description = [{
    Scale and zero point as in quantize_linear.
  }];
  let arguments = (ins Inlay_NumericTensor:$input, Inlay_FloatTensor:$scale,
                       Optional<Inlay_NumericTensor>:$zero_point, Inlay_Int<"1">:$axis,
                       Inlay_Int<"0">:$block_size, Inlay_Int<"0">:$output_dtype);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = [{
    $input `,` $scale (`,` $zero_point^)? attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_DynamicQuantizeLinearOp : Inlay_Op<"dynamic_quantize_linear", [Inlay_HasForms]> {
  let summary = "Quantisation to 8 bits by the range of the input itself";
  let arguments = (ins Inlay_FloatTensor:$input);
  let results = (outs Inlay_IntegerTensor:$result, Inlay_FloatTensor:$scale,
                      Inlay_IntegerTensor:$zero_point);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, results)";
}

#endif // INLAY_IR_QUANTIZEOPS_TD
