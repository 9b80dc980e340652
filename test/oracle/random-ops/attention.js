//===- attention.js - Random attention and rotary embedding ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not drawn: masks that ONNX Runtime refuses, shorter than the keys or of one
// row; double, which it expands with NaN where a row looks nowhere; narrow
// floats, whose scores it sums in another precision; scores after bool masks,
// which hold whatever stands for "hidden"; one causal query behind a past with
// several keys, which it lets look at all of them.
//
//===----------------------------------------------------------------------===//

'use strict';

const { range, float } = require('./draw');
const { tensor, count } = require('../element');

const lowest = -3.4028234663852886e38;

// Also such that hide a row: by bools, by -inf, by the lowest number.
function drawMask(draw, { batch, heads, queries, keys }) {
  const dims = [draw.pick([1, batch]), draw.pick([1, heads]), queries, keys].slice(draw.integer(0, 2));
  const hidden = draw.pick([-Infinity, lowest, -1e9]), hidesRow = range(queries).map(() => draw.chance(0.15));
  const isHidden = i => hidesRow[Math.floor(i / keys) % queries] || draw.chance(0.3);
  if (draw.chance(0.4)) return tensor('bool', dims, range(count(dims)).map(i => isHidden(i) ? 0 : 1));
  const values = range(count(dims)).map(i => draw.chance(0.5) && isHidden(i) ? hidden : draw.real(-2, 2));
  return tensor('float', dims, values);
}

function drawHeads(draw, merged, [batch, heads, length, size]) {
  return draw.floats(merged ? [batch, length, heads * size] : [batch, heads, length, size]);
}

function attention(draw, opset) {
  const kvHeads = draw.integer(1, 3), heads = kvHeads * draw.integer(1, 3), batch = draw.integer(1, 3);
  const queries = draw.integer(1, 5), own = draw.integer(1, 6), size = draw.integer(1, 8), valueSize = draw.integer(1, 8);
  const merged = draw.chance(0.5), hasPast = draw.chance(0.3), pastLength = hasPast ? draw.integer(1, 4) : 0;
  const keys = own + pastLength, operands = [drawHeads(draw, merged, [batch, heads, queries, size]),
    drawHeads(draw, merged, [batch, kvHeads, own, size]), drawHeads(draw, merged, [batch, kvHeads, own, valueSize])];
  operands.push(draw.chance(0.5) ? drawMask(draw, { batch, heads, queries, keys }) : null);
  const isBool = operands[3]?.type === 'bool';
  if (hasPast) {
    operands.push(draw.floats([batch, kvHeads, pastLength, size]), draw.floats([batch, kvHeads, pastLength, valueSize]));
  } else if (opset >= 24 && draw.chance(0.4)) {
    operands.push(null, null, tensor('int64', [batch], range(batch).map(() => draw.integer(0, keys))));
  }
  while (operands.at(-1) === null) operands.pop();
  const isCausal = draw.chance(0.4) && !(hasPast && queries === 1), hides = isBool || isCausal || operands.length > 6;
  const attrs = {
    is_causal: isCausal ? 1 : draw.maybe(0), scale: float(draw.maybe(draw.real(0.1, 2))),
    softcap: float(draw.maybe(draw.real(0.5, 3), 0.3)), q_num_heads: merged ? heads : undefined,
    kv_num_heads: merged ? kvHeads : undefined, qk_matmul_output_mode: draw.pick(hides ? [0, 1, 3] : [0, 1, 2, 3]),
  };
  // The kernel wants both presents where there is a past.
  const outputs = hasPast || draw.chance(0.4) ? ['float', 'float', 'float', 'float'] : ['float'];
  return { op: 'Attention', since: 23, operands, attrs: draw.attributes(attrs), outputs };
}

function rotaryEmbedding(draw) {
  const [batch, heads, length] = [draw.integer(1, 3), draw.integer(1, 3), draw.integer(1, 5)];
  const size = 2 * draw.integer(1, 5), dim = draw.chance(0.4) ? 2 * draw.integer(1, size / 2) : 0;
  const merged = draw.chance(0.5), half = (dim || size) / 2, rows = length + draw.integer(0, 4);
  const x = drawHeads(draw, merged, [batch, heads, length, size]), looksUp = draw.chance(0.5);
  const cache = () => draw.floats(looksUp ? [rows, half] : [batch, length, half], -1, 1);
  const operands = [x, cache(), cache()];
  if (looksUp) operands.push(draw.tensor('int64', [batch, length], 0, rows - 1));
  const attrs = { interleaved: draw.maybe(draw.integer(0, 1)), num_heads: merged || dim ? heads : undefined,
    rotary_embedding_dim: dim || undefined };
  return { op: 'RotaryEmbedding', since: 23, operands, attrs: draw.attributes(attrs), outputs: ['float'] };
}

module.exports = { Attention: attention, RotaryEmbedding: rotaryEmbedding };
