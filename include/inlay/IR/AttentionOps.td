//===- AttentionOps.td - Attention and positions -----------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_ATTENTIONOPS_TD
#define INLAY_IR_ATTENTIONOPS_TD

include "inlay/IR/InlayOpBase.td"

def Inlay_AttentionOp : Inlay_Op<"attention", [AttrSizedOperandSegments]> {
  let summary = "softmax(scale * query * key^T + mask) * value";
  let description = [{
    Query, key and value are (batch, heads, sequence, head size), or (batch,
    sequence, heads * head size) with `q_num_heads` and `kv_num_heads`. The mask
    is added, or says where to look when it is boolean. `past_key` and
    `past_value` come before the key and value; `present_key` and
    `present_value` are what results. `qk_matmul_output` is the product of query
    and key after the step that `qk_matmul_output_mode` names.

    A row that may look nowhere, because each of its positions is masked or has
    a mask of no more than the lowest finite number, gives zeros. ONNX has no
    other; what is recognised in a model may need one: `masked_rows` is `zero`,
    `softmax` where such a row is what softmax makes of it, or `nan_to_zero`
    where whatever is not a number after softmax becomes zero.
  }];
  let arguments = (ins Inlay_FloatTensor:$query, Inlay_FloatTensor:$key,
                       Inlay_FloatTensor:$value, Optional<Inlay_Tensor>:$attn_mask,
                       Optional<Inlay_FloatTensor>:$past_key,
                       Optional<Inlay_FloatTensor>:$past_value,
                       Optional<Inlay_IntegerTensor>:$nonpad_kv_seqlen,
                       Inlay_Int<"0">:$is_causal, OptionalAttr<I64Attr>:$kv_num_heads,
                       OptionalAttr<I64Attr>:$q_num_heads,
                       Inlay_Int<"0">:$qk_matmul_output_mode,
                       OptionalAttr<F32Attr>:$scale, Inlay_Float<"0.0f">:$softcap,
                       OptionalAttr<I64Attr>:$softmax_precision,
                       Inlay_Str<"zero">:$masked_rows);
  let results = (outs Inlay_FloatTensor:$result, Inlay_FloatTensor:$present_key,
                      Inlay_FloatTensor:$present_value,
                      Inlay_FloatTensor:$qk_matmul_output);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` $attn_mask^)? (`past` $past_key^ `,` $past_value)?
    (`lengths` $nonpad_kv_seqlen^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Inlay_RotaryEmbeddingOp : Inlay_Op<"rotary_embedding"> {
  let summary = "Pairs of elements turned by an angle that depends on the position";
  let description = [{
    The input is (batch, heads, sequence, head size), or (batch, sequence, heads
    * head size) with `num_heads`. The caches are (batch, sequence, half), or
    tables that `position_ids` index. `rotary_embedding_dim` elements of a head
    take part, all when it is 0; pairs are neighbours with `interleaved`, else
    elements of both halves.
  }];
  let arguments = (ins Inlay_FloatTensor:$input, Inlay_FloatTensor:$cos_cache,
                       Inlay_FloatTensor:$sin_cache,
                       Optional<Inlay_IntegerTensor>:$position_ids,
                       Inlay_Int<"0">:$interleaved, Inlay_Int<"0">:$num_heads,
                       Inlay_Int<"0">:$rotary_embedding_dim);
  let results = (outs Inlay_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $cos_cache `,` $sin_cache (`at` $position_ids^)? attr-dict `:`
    functional-type(operands, $result)
  }];
}

#endif // INLAY_IR_ATTENTIONOPS_TD
