//===- ContributedOps.td - Operators of com.microsoft ------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ONNX Runtime contributes, in the domain com.microsoft. It has no
// specification but the runtime: what operators mean is what it computes.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_CONTRIBUTEDOPS_TD
#define INLAY_IR_CONTRIBUTEDOPS_TD

include "inlay/IR/InlayOpBase.td"

//===----------------------------------------------------------------------===//
// Quantised operators
//===----------------------------------------------------------------------===//

/// Scales and zero points have one element; a zero point that is absent is 0.
class Inlay_QuantizedOp<string mnemonic, list<Trait> traits = []>
    : Inlay_Op<mnemonic, !listconcat([AttrSizedOperandSegments], traits)> {
  let results = (outs Inlay_NumericTensor:$result);
}

/// Two quantised operands that broadcast.
class Inlay_QuantizedBinaryOp<string mnemonic, string text>
    : Inlay_QuantizedOp<mnemonic, [Inlay_StorageOpInterface]> {
  let summary = text;
  let arguments = (ins Inlay_IntegerTensor:$a, Inlay_FloatTensor:$a_scale,
                       Optional<Inlay_IntegerTensor>:$a_zero_point,
                       Inlay_IntegerTensor:$b, Inlay_FloatTensor:$b_scale,
                       Optional<Inlay_IntegerTensor>:$b_zero_point,
                       Inlay_FloatTensor:$y_scale,
                       Optional<Inlay_IntegerTensor>:$y_zero_point);
  let assemblyFormat = [{
    $a `scale` $a_scale (`zero_point` $a_zero_point^)? `,`
    $b `scale` $b_scale (`zero_point` $b_zero_point^)? `,`
    `to` `scale` $y_scale (`zero_point` $y_zero_point^)?
    attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_QLinearAddOp : Inlay_QuantizedBinaryOp<"qlinear_add", "Sum of quantised tensors">;
def Inlay_QLinearMulOp : Inlay_QuantizedBinaryOp<"qlinear_mul", "Product of quantised tensors">;

/// One quantised operand.
class Inlay_QuantizedUnaryOp<string mnemonic, string text, dag attributes,
                             list<Trait> traits = [Inlay_HasForms]>
    : Inlay_QuantizedOp<mnemonic, traits> {
  let summary = text;
  let arguments = !con((ins Inlay_IntegerTensor:$input, Inlay_FloatTensor:$x_scale,
                            Optional<Inlay_IntegerTensor>:$x_zero_point,
                            Inlay_FloatTensor:$y_scale,
                            Optional<Inlay_IntegerTensor>:$y_zero_point), attributes);
  let assemblyFormat = [{
    $input `scale` $x_scale (`zero_point` $x_zero_point^)? `,`
    `to` `scale` $y_scale (`zero_point` $y_zero_point^)?
    attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_QLinearSigmoidOp : Inlay_QuantizedUnaryOp<"qlinear_sigmoid",
    "1 / (1 + exp(-x)) of a quantised tensor", (ins)>;
def Inlay_QLinearLeakyReluOp : Inlay_QuantizedUnaryOp<"qlinear_leaky_relu",
    "x < 0 ? alpha * x : x of a quantised tensor", (ins Inlay_Float<"0.01f">:$alpha)>;

def Inlay_QLinearSoftmaxOp : Inlay_QuantizedUnaryOp<"qlinear_softmax",
    "Softmax of a quantised tensor", (ins Inlay_Int<"-1">:$axis, I64Attr:$opset)> {
  let description = [{
    `opset` is the one whose Softmax it is: before 13 everything from `axis` on
    is one row.
  }];
}

def Inlay_QLinearAveragePoolOp : Inlay_QuantizedUnaryOp<"qlinear_average_pool",
    "The mean of each window of a quantised tensor",
    (ins Inlay_Str<"NOTSET">:$auto_pad, Inlay_Int<"0">:$ceil_mode,
         Inlay_Int<"0">:$channels_last, Inlay_Int<"0">:$count_include_pad,
         DenseI64ArrayAttr:$kernel_shape, Inlay_Ints:$pads, Inlay_Ints:$strides)> {
  let description = [{
    The input is N x C x spatial, or N x spatial x C with `channels_last`.

        %y = inlay.qlinear_average_pool %x scale %s, to scale %t
            {channels_last = 1 : i64, kernel_shape = array<i64: 2, 2>}
            : (tensor<1x8x8x4xui8>, tensor<f32>, tensor<f32>) -> tensor<1x7x7x4xui8>
  }];
  let extraClassDeclaration = [{
    /// Windows have no holes.
    ::std::optional<::llvm::ArrayRef<int64_t>> getDilations() { return ::std::nullopt; }
  }];
}

def Inlay_QLinearGlobalAveragePoolOp : Inlay_QuantizedUnaryOp<"qlinear_global_average_pool",
    "The mean per channel of a quantised tensor", (ins Inlay_Int<"0">:$channels_last)> {
  let description = [{
    The input is N x C x spatial, or N x spatial x C with `channels_last`.
  }];
}

def Inlay_QLinearConcatOp : Inlay_Op<"qlinear_concat", [Inlay_HasForms]> {
  let summary = "Quantised tensors joined along one axis";
  let description = [{
    `inputs` are tensors, each followed by its scale and its zero point.
  }];
  let arguments = (ins Inlay_FloatTensor:$y_scale, Inlay_IntegerTensor:$y_zero_point,
                       Variadic<Inlay_NumericTensor>:$inputs, I64Attr:$axis);
  let results = (outs Inlay_IntegerTensor:$result);
  let assemblyFormat = [{
    $inputs `to` `scale` $y_scale `zero_point` $y_zero_point
    attr-dict `:` functional-type(operands, $result)
  }];
  let extraClassDeclaration = [{
    /// The operand numbers of the tensors that are joined.
    ::llvm::SmallVector<unsigned> getJoined();
  }];
}

def Inlay_QGemmOp : Inlay_QuantizedOp<"qgemm", [Inlay_HasKnownLayouts]> {
  let summary = "alpha * op(a) * op(b) + c of quantised tensors";
  let description = [{
    The scale and zero point of `b` are scalars or have one element per column;
    the 32-bit `c` has scale alpha * a_scale * b_scale. Without `y_scale` the
    result is of floats.
  }];
  let arguments = (ins Inlay_IntegerTensor:$a, Inlay_FloatTensor:$a_scale,
                       Inlay_IntegerTensor:$a_zero_point, Inlay_IntegerTensor:$b,
                       Inlay_FloatTensor:$b_scale, Inlay_IntegerTensor:$b_zero_point,
                       Optional<Inlay_IntegerTensor>:$c,
                       Optional<Inlay_FloatTensor>:$y_scale,
                       Optional<Inlay_IntegerTensor>:$y_zero_point,
                       Inlay_Float<"1.0f">:$alpha, Inlay_Int<"0">:$transA,
                       Inlay_Int<"0">:$transB);
  let assemblyFormat = [{
    $a `scale` $a_scale `zero_point` $a_zero_point `,`
    $b `scale` $b_scale `zero_point` $b_zero_point (`bias` $c^)?
    (`to` `scale` $y_scale^ (`zero_point` $y_zero_point^)?)?
    attr-dict `:` functional-type(operands, $result)
  }];
}

//===----------------------------------------------------------------------===//
// Fused operators
//===----------------------------------------------------------------------===//

def Inlay_FastGeluOp : Inlay_Op<"fast_gelu", [Inlay_HasForms]> {
  let summary = "Gelu by way of tanh, of x + bias";
  let description = [{ The bias has one element per index of the last dimension. }];
  let arguments = (ins Inlay_FloatTensor:$input, Optional<Inlay_FloatTensor>:$bias);
  let results = (outs Inlay_FloatTensor:$result);
  let assemblyFormat = [{
    $input (`,` $bias^)? attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_BiasGeluOp : Inlay_Op<"bias_gelu", [Inlay_HasForms]> {
  let summary = "Gelu of x + bias";
  let description = [{ The bias has one element per index of the last dimension. }];
  let arguments = (ins Inlay_FloatTensor:$input, Inlay_FloatTensor:$bias);
  let results = (outs Inlay_FloatTensor:$result);
  let assemblyFormat = "$input `,` $bias attr-dict `:` functional-type(operands, $result)";
}

def Inlay_SkipLayerNormalizationOp : Inlay_Op<"skip_layer_normalization",
    [AttrSizedOperandSegments, Inlay_HasForms]> {
  let summary = "LayerNormalization of input + skip + bias over the last dimension";
  let description = [{
    The input is (batch, length, size) or (rows, size); the skip may lack the
    batch or have one of one element. `gamma`, `beta` and `bias` are vectors.
    `sum` is what is normalised; runtimes may leave out the statistics.
  }];
  let arguments = (ins Inlay_FloatTensor:$input, Inlay_FloatTensor:$skip,
                       Inlay_FloatTensor:$gamma, Optional<Inlay_FloatTensor>:$beta,
                       Optional<Inlay_FloatTensor>:$bias, Inlay_Float<"1e-12f">:$epsilon);
  let results = (outs Inlay_FloatTensor:$result, Inlay_FloatTensor:$mean,
                      Inlay_FloatTensor:$inv_std_var, Inlay_FloatTensor:$sum);
  let assemblyFormat = [{
    $input `,` $skip `,` $gamma (`beta` $beta^)? (`bias` $bias^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Inlay_MultiHeadAttentionOp : Inlay_Op<"multi_head_attention",
    [AttrSizedOperandSegments, Inlay_HasForms]> {
  let summary = "softmax(scale * query * key^T + masks) * value";
  let description = [{
    The query is (batch, length, heads * head size). Key and value are of rank 3
    as well, or (batch, heads, length, head size). `bias` is added to the three
    of them, one after the other. `key_padding_mask` is (batch, key length), or
    (batch), the number of keys that count; `attention_bias` is added to the
    scores.
  }];
  let arguments = (ins Inlay_FloatTensor:$query, Inlay_FloatTensor:$key,
                       Inlay_FloatTensor:$value, Optional<Inlay_FloatTensor>:$bias,
                       Optional<Inlay_IntegerTensor>:$key_padding_mask,
                       Optional<Inlay_FloatTensor>:$attention_bias,
                       Inlay_Float<"-10000.0f">:$mask_filter_value, I64Attr:$num_heads,
                       OptionalAttr<F32Attr>:$scale, Inlay_Int<"0">:$unidirectional);
  let results = (outs Inlay_FloatTensor:$result);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`bias` $bias^)? (`key_mask` $key_padding_mask^)?
    (`scores` $attention_bias^)? attr-dict `:` functional-type(operands, $result)
  }];
}

#endif // INLAY_IR_CONTRIBUTEDOPS_TD
