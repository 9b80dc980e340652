//===- attention.js - Attention and rotary embeddings ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { tensor, floats, random, nodeCase, infinity } = require('./describe');

const heads = () => [floats([2, 3, 4, 8], -2, 2), floats([2, 3, 5, 8], -2, 2), floats([2, 3, 5, 6], -2, 2)];
const flat = () => [floats([2, 4, 24], -2, 2), floats([2, 5, 24], -2, 2), floats([2, 5, 18], -2, 2)];
const visible = (rows, columns, hidden) =>
  tensor('float', [rows, columns], Array.from({ length: rows * columns }, (_, i) => hidden(i) ? -infinity : 0));

const attention = (name, operands, attrs) => nodeCase(name, 'Attention', 23, operands, { attrs });
const attentions = [
  attention('plain', heads()), attention('scaled', heads(), { scale: 0.3 }),
  attention('causal', heads(), { is_causal: 1 }), attention('softcap', heads(), { softcap: 2 }),
  attention('mask', [...heads(), floats([4, 5], -1, 1)]),
  attention('minus_inf', [...heads(), visible(4, 5, i => i % 5 === 1)]),
  attention('rank3', flat(), { q_num_heads: 3, kv_num_heads: 3 }),
  attention('large', [floats([1, 1, 3, 4], 80, 90), floats([1, 1, 3, 4], 80, 90), floats([1, 1, 3, 4], -1, 1)]),
];

const positions = random('int64', [2, 5], 0, 9);
const rotary = (name, operands, attrs) => nodeCase(name, 'RotaryEmbedding', 23, operands, { attrs });
const rotations = [
  rotary('positions', [floats([2, 3, 5, 8], -2, 2), floats([9, 4], -1, 1), floats([9, 4], -1, 1), positions]),
  rotary('caches', [floats([2, 3, 5, 8], -2, 2), floats([2, 5, 4], -1, 1), floats([2, 5, 4], -1, 1)]),
  rotary('interleaved', [floats([2, 3, 5, 8], -2, 2), floats([9, 4], -1, 1), floats([9, 4], -1, 1), positions],
    { interleaved: 1 }),
  rotary('rank3', [floats([2, 5, 24], -2, 2), floats([9, 4], -1, 1), floats([9, 4], -1, 1), positions],
    { num_heads: 3 }),
];

module.exports = [...attentions, ...rotations];
