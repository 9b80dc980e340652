//===- ContractionOps.td - Convolutions, matrix products ---*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_CONTRACTIONOPS_TD
#define INLAY_IR_CONTRACTIONOPS_TD

include "inlay/IR/InlayOpBase.td"

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// What all convolutions share: windows that slide over the spatial dimensions
/// of N x C x spatial.
class Inlay_ConvBaseOp<string mnemonic, dag operands, list<Trait> traits = []>
    : Inlay_Op<mnemonic, !listconcat([Inlay_HasKnownLayouts], Inlay_HasRenamedForms, traits)> {
  dag windowAttributes = (ins Inlay_Str<"NOTSET">:$auto_pad, Inlay_Ints:$dilations,
                              Inlay_Int<"1">:$group, Inlay_Ints:$kernel_shape,
                              Inlay_Ints:$pads, Inlay_Ints:$strides);
  let arguments = !con(operands, windowAttributes);
  let extraClassDeclaration = Inlay_RenamedForms;
}

def Inlay_ConvOp : Inlay_ConvBaseOp<"conv",
    (ins Inlay_FloatTensor:$x, Inlay_FloatTensor:$w, Optional<Inlay_FloatTensor>:$b)> {
  let summary = "Convolution";
  let description = [{
    `x` is N x C x spatial, `w` is M x C/group x kernel, `b` is M.

        %y = inlay.conv %x, %w {pads = array<i64: 1, 1, 1, 1>}
            : (tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>) -> tensor<1x16x8x8xf32>
  }];
  let results = (outs Inlay_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $w (`,` $b^)? attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_ConvTransposeOp : Inlay_ConvBaseOp<"conv_transpose",
    (ins Inlay_FloatTensor:$x, Inlay_FloatTensor:$w, Optional<Inlay_FloatTensor>:$b,
         Inlay_Ints:$output_padding, Inlay_Ints:$output_shape)> {
  let summary = "Transposed convolution";
  let description = [{
    `x` is N x C x spatial, `w` is C x M/group x kernel, `b` is M.
  }];
  let results = (outs Inlay_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $w (`,` $b^)? attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_ConvIntegerOp : Inlay_ConvBaseOp<"conv_integer",
    (ins Inlay_IntegerTensor:$x, Inlay_IntegerTensor:$w,
         Optional<Inlay_IntegerTensor>:$x_zero_point,
         Optional<Inlay_IntegerTensor>:$w_zero_point),
    [AttrSizedOperandSegments]> {
  let summary = "Convolution of 8-bit integers with a 32-bit result";
  let results = (outs Inlay_IntegerTensor:$result);
  let assemblyFormat = [{
    $x `,` $w (`x_zero_point` $x_zero_point^)? (`w_zero_point` $w_zero_point^)?
    attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_QLinearConvOp : Inlay_ConvBaseOp<"qlinear_conv",
    (ins Inlay_NumericTensor:$x, Inlay_FloatTensor:$x_scale,
         Inlay_NumericTensor:$x_zero_point, Inlay_NumericTensor:$w,
         Inlay_FloatTensor:$w_scale, Inlay_NumericTensor:$w_zero_point,
         Inlay_FloatTensor:$y_scale, Inlay_NumericTensor:$y_zero_point,
         Optional<Inlay_IntegerTensor>:$b)> {
  let summary = "Convolution of quantized tensors";
  let description = [{
    The weight's scale and zero point are scalars or have one element per output
    channel; the 32-bit bias has scale x_scale * w_scale.
  }];
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = [{
    $x `scale` $x_scale `zero_point` $x_zero_point `,`
    $w `scale` $w_scale `zero_point` $w_zero_point `,`
    `to` `scale` $y_scale `zero_point` $y_zero_point (`,` `bias` $b^)?
    attr-dict `:` functional-type(operands, $result)
  }];
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

def Inlay_MatMulOp : Inlay_Op<"matmul", [Inlay_HasKnownLayouts, Inlay_HasFreeForms]> {
  let summary = "Matrix product with numpy's rules";
  let description = [{
    The last two dimensions are matrices, those before broadcast. An operand of
    rank 1 is a row on the left and a column on the right.

        %y = inlay.matmul %a, %b
            : (tensor<8x2x3xf32>, tensor<3x4xf32>) -> tensor<8x2x4xf32>
  }];
  let arguments = (ins Inlay_NumericTensor:$a, Inlay_NumericTensor:$b);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = "$a `,` $b attr-dict `:` functional-type(operands, $result)";
}

def Inlay_MatMulIntegerOp : Inlay_Op<"matmul_integer",
    [AttrSizedOperandSegments, Inlay_HasKnownLayouts, Inlay_HasForms]> {
  let summary = "Matrix product of 8-bit integers with a 32-bit result";
  let description = [{
    Zero points are scalars, or one per row of `a` and one per column of `b`.
  }];
  let arguments = (ins Inlay_IntegerTensor:$a, Inlay_IntegerTensor:$b,
                       Optional<Inlay_IntegerTensor>:$a_zero_point,
                       Optional<Inlay_IntegerTensor>:$b_zero_point);
  let results = (outs Inlay_IntegerTensor:$result);
  let assemblyFormat = [{
    $a `,` $b (`a_zero_point` $a_zero_point^)? (`b_zero_point` $b_zero_point^)?
    attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_QLinearMatMulOp : Inlay_Op<"qlinear_matmul", [Inlay_HasKnownLayouts, Inlay_HasForms]> {
  let summary = "Matrix product of quantized tensors";
  let arguments = (ins Inlay_NumericTensor:$a, Inlay_FloatTensor:$a_scale,
                       Inlay_NumericTensor:$a_zero_point, Inlay_NumericTensor:$b,
                       Inlay_FloatTensor:$b_scale, Inlay_NumericTensor:$b_zero_point,
                       Inlay_FloatTensor:$y_scale, Inlay_NumericTensor:$y_zero_point);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = [{
    $a `scale` $a_scale `zero_point` $a_zero_point `,`
    $b `scale` $b_scale `zero_point` $b_zero_point `,`
    `to` `scale` $y_scale `zero_point` $y_zero_point
    attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_GemmOp : Inlay_Op<"gemm", [Inlay_HasKnownLayouts, Inlay_HasFreeForms]> {
  let summary = "alpha * op(a) * op(b) + beta * c";
  let description = [{
    `a` and `b` are matrices, transposed if `transA`, `transB`; `c` broadcasts to
    the result.
  }];
  let arguments = (ins Inlay_NumericTensor:$a, Inlay_NumericTensor:$b,
                       Optional<Inlay_NumericTensor>:$c,
                       Inlay_Float<"1.0f">:$alpha, Inlay_Float<"1.0f">:$beta,
                       Inlay_Int<"0">:$transA, Inlay_Int<"0">:$transB);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = [{
    $a `,` $b (`,` $c^)? attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_EinsumOp : Inlay_Op<"einsum", [Inlay_HasFreeForms]> {
  let summary = "Sum of products in Einstein's notation";
  let description = [{
        %y = inlay.einsum "bij,bjk->bik"(%a, %b)
            : (tensor<8x2x3xf32>, tensor<8x3x4xf32>) -> tensor<8x2x4xf32>
  }];
  let arguments = (ins Variadic<Inlay_NumericTensor>:$inputs, StrAttr:$equation);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = [{
    $equation `(` $inputs `)` attr-dict `:` functional-type($inputs, $result)
  }];
}

#endif // INLAY_IR_CONTRACTIONOPS_TD
