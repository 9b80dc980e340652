//===- RecurrentOps.td - Networks along a sequence ---------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_RECURRENTOPS_TD
#define INLAY_IR_RECURRENTOPS_TD

include "inlay/IR/InlayOpBase.td"

/// A cell that goes along a sequence of `length` steps, forwards, backwards or
/// both: `x` is (length, batch, size), or (batch, length, size) with `layout` 1,
/// which puts the batch first in states and results as well. The first
/// dimension of `w`, `r` and `b` is that of directions. Steps beyond the
/// entry of `sequence_lens` of a batch do not count: their results are zero.
class Inlay_RecurrentOp<string mnemonic> : Inlay_Op<mnemonic, [AttrSizedOperandSegments]> {
  dag sequence = (ins Inlay_FloatTensor:$x, Inlay_FloatTensor:$w, Inlay_FloatTensor:$r,
                      Optional<Inlay_FloatTensor>:$b,
                      Optional<Inlay_IntegerTensor>:$sequence_lens,
                      Optional<Inlay_FloatTensor>:$initial_h);
  dag common = (ins Inlay_Floats:$activation_alpha, Inlay_Floats:$activation_beta,
                    OptionalAttr<StrArrayAttr>:$activations, OptionalAttr<F32Attr>:$clip,
                    Inlay_Str<"forward">:$direction, OptionalAttr<I64Attr>:$hidden_size,
                    Inlay_Int<"0">:$layout);
}

def Inlay_RNNOp : Inlay_RecurrentOp<"rnn"> {
  let summary = "H = f(X * W^T + H * R^T + biases) along a sequence";
  let description = [{
    `x` is (length, batch, size), `w` (directions, hidden, size), `r`
    (directions, hidden, hidden), `b` (directions, 2 * hidden), `initial_h`
    (directions, batch, hidden). `y` is (length, directions, batch, hidden) and
    `y_h` the last state, (directions, batch, hidden). With `layout` 1 the batch
    comes first in all that have one. `direction` is `forward`, `reverse` or
    `bidirectional`; steps beyond the entry of `sequence_lens` give zeros.

        %y, %h = inlay.rnn %x, %w, %r {hidden_size = 4 : i64}
            : (tensor<5x1x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>)
            -> (tensor<5x1x1x4xf32>, tensor<1x1x4xf32>)
  }];
  let arguments = !con(sequence, common);
  let results = (outs Inlay_FloatTensor:$y, Inlay_FloatTensor:$y_h);
  let assemblyFormat = [{
    $x `,` $w `,` $r (`bias` $b^)? (`lengths` $sequence_lens^)? (`hidden` $initial_h^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Inlay_GRUOp : Inlay_RecurrentOp<"gru"> {
  let summary = "Gated recurrent units along a sequence";
  let description = [{
    As `inlay.rnn` with three gates, update, reset and hidden, one after the
    other in the second dimensions of `w`, `r` and the halves of `b`. With
    `linear_before_reset` the reset gate scales the product with the state, not
    the state.
  }];
  let arguments = !con(sequence, common, (ins Inlay_Int<"0">:$linear_before_reset));
  let results = (outs Inlay_FloatTensor:$y, Inlay_FloatTensor:$y_h);
  let assemblyFormat = [{
    $x `,` $w `,` $r (`bias` $b^)? (`lengths` $sequence_lens^)? (`hidden` $initial_h^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Inlay_LSTMOp : Inlay_RecurrentOp<"lstm"> {
  let summary = "Long short-term memory along a sequence";
  let description = [{
    As `inlay.rnn` with four gates, input, output, forget and cell, one after
    the other in the second dimensions of `w`, `r` and the halves of `b`.
    `initial_c` and `y_c` are the first and the last cell state, of the shape of
    `initial_h`. `peepholes`, (directions, 3 * hidden), let the gates input,
    output and forget see the cell. With `input_forget` the forget gate is what
    the input gate leaves.
  }];
  let arguments = !con(sequence, (ins Optional<Inlay_FloatTensor>:$initial_c,
                                      Optional<Inlay_FloatTensor>:$peepholes),
                       common, (ins Inlay_Int<"0">:$input_forget));
  let results = (outs Inlay_FloatTensor:$y, Inlay_FloatTensor:$y_h, Inlay_FloatTensor:$y_c);
  let assemblyFormat = [{
    $x `,` $w `,` $r (`bias` $b^)? (`lengths` $sequence_lens^)? (`hidden` $initial_h^)?
    (`cell` $initial_c^)? (`peepholes` $peepholes^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

#endif // INLAY_IR_RECURRENTOPS_TD
