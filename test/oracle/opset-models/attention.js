//===- attention.js - Attention and rotary embedding ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row that may look nowhere gives zeros in ONNX Runtime, whichever way it is
// masked. A mask that is shorter than the keys or has one row is refused there.
//
//===----------------------------------------------------------------------===//

'use strict';

const { floats, integers, halves, list, opCase } = require('./describe');
const { tensor } = require('../element');

const [q, k, v] = [floats([2, 2, 4, 8]), floats([2, 2, 6, 8]), floats([2, 2, 6, 8], -1, 1)];
const [merged, mergedKey, mergedValue] = [floats([2, 4, 16]), floats([2, 6, 16]), floats([2, 6, 8], -1, 1)];
const mask = floats([4, 6]), past = floats([2, 2, 3, 8]), pastValue = floats([2, 2, 3, 8], -1, 1);
const everyOutput = [['y', 'float'], ['present_key', 'float'], ['present_value', 'float'], ['scores', 'float']];
const scored = [['y', 'float'], ['', 'float'], ['', 'float'], ['scores', 'float']];

// A row of one of the heads sees nothing.
function hiding(type, dims, hidden, shown) {
  const [rows, columns] = dims.slice(-2);
  const at = (row, column) => row === 1 || (row + column) % 3 === 0 ? hidden : shown;
  const matrix = Array.from({ length: rows * columns }, (_, i) => at(Math.floor(i / columns), i % columns));
  return tensor(type, dims, Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, i) => matrix[i % matrix.length]));
}

const attention = (name, opset, operands, rest) => opCase(`Attention_${opset}${name}`, opset, 'Attention', operands, rest);
const lowest = -3.4028234663852886e38;

const plain = [23, 24].flatMap(opset => [
  attention('', opset, ['q', 'k', 'v'], { inputs: { q, k, v } }),
  attention('_causal_grouped', opset, ['q', 'k', 'v'],
            { inputs: { q: floats([2, 4, 4, 8]), k, v }, attrs: { is_causal: 1, scale: 0.5 } }),
  attention('_3d', opset, ['q', 'k', 'v', 'mask'],
            { inputs: { q: merged, k: mergedKey, v: mergedValue, mask }, attrs: { q_num_heads: 2, kv_num_heads: 2 } }),
  attention('_3d_grouped', opset, ['q', 'k', 'v'],
            { inputs: { q: merged, k: floats([2, 6, 8]), v: floats([2, 6, 10], -1, 1) }, outputs: everyOutput,
              attrs: { q_num_heads: 4, kv_num_heads: 2 } }),
  attention('_past', opset, ['q', 'k', 'v', 'mask', 'past', 'pastValue'],
            { inputs: { q, k, v, mask: floats([4, 9]), past, pastValue }, outputs: everyOutput,
              attrs: { is_causal: 1 } }),
  attention('_past_3d', opset, ['q', 'k', 'v', '', 'past', 'pastValue'],
            { inputs: { q: merged, k: mergedKey, v: floats([2, 6, 16], -1, 1), past, pastValue }, outputs: everyOutput,
              attrs: { q_num_heads: 2, kv_num_heads: 2 } }),
  ...[0, 1, 2, 3].map(mode => attention(`_mode_${mode}`, opset, ['q', 'k', 'v', 'mask'],
      { inputs: { q, k, v, mask }, outputs: scored,
        attrs: { qk_matmul_output_mode: mode, softcap: { float: 1.5 } } })),
]);

const masks = [
  attention('_mask_per_head', 23, ['q', 'k', 'v', 'mask'], { inputs: { q, k, v, mask: floats([2, 4, 6]) } }),
  attention('_mask_per_batch', 23, ['q', 'k', 'v', 'mask'], { inputs: { q, k, v, mask: floats([2, 1, 4, 6]) } }),
  ...[['bool', 0, 1], ['float', -Infinity, 0.5], ['float', lowest, 0]].map(([type, hidden, shown], i) =>
    attention(`_hidden_row_${i}`, 23, ['q', 'k', 'v', 'mask'],
              { inputs: { q, k, v, mask: hiding(type, [2, 1, 4, 6], hidden, shown) }, outputs: scored,
                attrs: { qk_matmul_output_mode: 3 } })),
  attention('_hidden_row_causal', 23, ['q', 'k', 'v', 'mask'],
            { inputs: { q, k, v, mask: hiding('bool', [4, 6], 0, 1) }, attrs: { is_causal: 1 } }),
  attention('_lengths', 24, ['q', 'k', 'v', '', '', '', 'n'], { inputs: { q, k, v, n: list(6, 3) } }),
  attention('_lengths_causal', 24, ['q', 'k', 'v', 'mask', '', '', 'n'],
            { inputs: { q, k, v, mask, n: list(0, 5) }, attrs: { is_causal: 1 } }),
  attention('_short_mask', 24, ['q', 'k', 'v', 'mask'],
            { inputs: { q, k, v, mask: floats([4, 5]) }, refused: /inconsistent total_sequence_length/ }),
  attention('_mask_of_one_row', 23, ['q', 'k', 'v', 'mask'],
            { inputs: { q, k, v, mask: floats([2, 1, 1, 6]) }, refused: /inconsistent q_sequence_length/ }),
];

const types = [
  attention('_half', 23, ['q', 'k', 'v'],
            { inputs: { q: halves([1, 2, 4, 8], -1, 1), k: halves([1, 2, 6, 8], -1, 0.9), v: halves([1, 2, 6, 8], 1, 2) },
              outputs: [['y', 'float16']], attrs: { softmax_precision: 1 } }),
];

const rotary = (name, operands, rest) =>
  opCase(`RotaryEmbedding_23${name}`, 23, 'RotaryEmbedding', operands, rest);
const caches = dims => ({ c: floats(dims), s: floats(dims, -1, 1) });

const rotations = [
  rotary('', ['x', 'c', 's', 'p'], { inputs: { x: floats([2, 2, 3, 8]), p: integers([2, 3], 0, 5) },
    constants: caches([5, 4]) }),
  rotary('_caches', ['x', 'c', 's'], { inputs: { x: floats([2, 2, 3, 8]), ...caches([2, 3, 4]) } }),
  rotary('_interleaved', ['x', 'c', 's'], { inputs: { x: floats([2, 3, 16]) }, constants: caches([2, 3, 4]),
    attrs: { interleaved: 1, num_heads: 2 } }),
  rotary('_partial', ['x', 'c', 's', 'p'], { inputs: { x: floats([2, 3, 16]), p: integers([2, 3], 0, 5) },
    constants: caches([5, 2]), attrs: { rotary_embedding_dim: 4, num_heads: 2 } }),
  rotary('_partial_interleaved', ['x', 'c', 's'], { inputs: { x: floats([2, 2, 3, 8]) },
    constants: caches([2, 3, 2]), attrs: { rotary_embedding_dim: 4, interleaved: 1, num_heads: 2 } }),
];

module.exports = [...plain, ...masks, ...types, ...rotations];
