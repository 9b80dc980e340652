//===- contributed.js - Random nodes of com.microsoft ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { float } = require('./draw');
const { tensor } = require('../element');

const domain = 'com.microsoft';
const bytes = (draw, type, dims) => draw.tensor(type, dims, type === 'int8' ? -128 : 0, type === 'int8' ? 127 : 255);
const zero = (draw, type) => draw.tensor(type, [], type === 'int8' ? -9 : 0, 9);
// Powers of two, so that no rounding of products is in the way.
const scale = (draw, low = -6, high = -3) => tensor('float', [], [2 ** draw.integer(low, high)]);
const quantisation = (draw, type, low, high) => [scale(draw, low, high), draw.chance(0.8) ? zero(draw, type) : undefined];

const binary = op => draw => {
  const type = draw.pick(['uint8', 'int8']), dims = draw.shape(1, 4);
  const operand = shape => [bytes(draw, type, shape), ...quantisation(draw, type)];
  return { op, domain, since: 11, outputs: [type],
    operands: [...operand(draw.broadcastable(dims)), ...operand(dims), scale(draw, -4, 1), zero(draw, type)] };
};

// `reach`: exponents of the result's scale.
const unary = (op, attributes, reach, shape = [1, 4]) => draw => {
  const type = draw.pick(['uint8', 'int8']), dims = draw.shape(...shape);
  return { op, domain, since: 11, outputs: [type], attrs: attributes(draw, dims),
    operands: [bytes(draw, type, dims), ...quantisation(draw, type), scale(draw, ...reach), zero(draw, type)] };
};

const leakyRelu = unary('QLinearLeakyRelu', draw => draw.attributes({ alpha: float(draw.maybe(draw.pick([0.5, 0.25, 0]))) }), [-6, -2]);
const sigmoid = unary('QLinearSigmoid', () => ({}), [-8, -6]);
const globalPool = unary('QLinearGlobalAveragePool', draw => draw.attributes({ channels_last: draw.maybe(draw.integer(0, 1)) }),
  [-6, -3], [4, 4]);

function averagePool(draw) {
  const type = draw.pick(['uint8', 'int8']), last = draw.integer(0, 1), [n, c] = draw.integers(2, 1, 3);
  const spatial = draw.integers(2, 3, 7), dims = last ? [n, ...spatial, c] : [n, c, ...spatial];
  const attrs = draw.attributes({
    kernel_shape: draw.integers(2, 1, 2), strides: draw.maybe(draw.integers(2, 1, 2)), channels_last: draw.maybe(last) ?? (last || undefined),
    pads: draw.maybe(draw.integers(4, 0, 1)), count_include_pad: draw.maybe(draw.integer(0, 1)) });
  return { op: 'QLinearAveragePool', domain, since: 11, outputs: [type], attrs,
    operands: [bytes(draw, type, dims), ...quantisation(draw, type), scale(draw), zero(draw, type)] };
}

function concat(draw) {
  const type = draw.pick(['uint8', 'int8']), dims = draw.shape(1, 3), axis = draw.integer(0, dims.length - 1);
  const part = () => [bytes(draw, type, dims.map((extent, i) => i === axis ? draw.integer(1, 4) : extent)), scale(draw), zero(draw, type)];
  return { op: 'QLinearConcat', domain, since: 11, outputs: [type], attrs: { axis },
    operands: [scale(draw, -4, -2), zero(draw, type), ...Array.from({ length: draw.integer(1, 3) }, part).flat()] };
}

function gemm(draw) {
  const type = draw.pick(['uint8', 'int8']), [m, k, n] = draw.integers(3, 1, 6);
  const [transA, transB] = draw.integers(2, 0, 1), columns = draw.chance(0.5) ? [n] : [];
  const scales = tensor('float', columns, Array.from({ length: columns[0] ?? 1 }, () => 2 ** draw.integer(-6, -3)));
  return { op: 'QGemm', domain, since: 11, outputs: [type], attrs: { transA, transB },
    operands: [bytes(draw, type, transA ? [k, m] : [m, k]), scale(draw), zero(draw, type),
      bytes(draw, type, transB ? [n, k] : [k, n]), scales, draw.tensor(type, columns, 0, 9),
      draw.chance(0.6) ? draw.tensor('int32', [n], -500, 500) : undefined, scale(draw, -2, 2), zero(draw, type)] };
}

const gelu = draw => ({ op: 'Gelu', domain, since: 11, operands: [draw.floats(draw.shape(1, 3), -3, 3)], outputs: ['float'] });
const biased = (op, isOptional) => draw => {
  const dims = draw.shape(1, 3), operands = [draw.floats(dims, -3, 3)];
  if (!isOptional || draw.chance(0.6)) operands.push(draw.floats([dims.at(-1)], -1, 1));
  return { op, domain, since: 11, operands, outputs: ['float'] };
};

function skipLayerNorm(draw) {
  const [n, l, h] = [...draw.integers(2, 1, 4), draw.integer(2, 8)], vector = () => draw.floats([h], -2, 2);
  const skip = draw.pick([[n, l, h], [1, l, h], [l, h]]);
  return { op: 'SkipLayerNormalization', domain, since: 11, attrs: { epsilon: float(0.125) },
    operands: [draw.floats([n, l, h], -3, 3), draw.floats(skip, -3, 3), vector(), draw.maybe(vector()), draw.maybe(vector())],
    outputs: ['float', '', '', ...draw.chance(0.5) ? ['float'] : []] };
}

function multiHeadAttention(draw) {
  const [b, l, m, heads, size] = [...draw.integers(3, 1, 4), draw.integer(1, 3), draw.integer(1, 4)], width = heads * size;
  const operands = [draw.floats([b, l, width], -2, 2), draw.floats([b, m, width], -2, 2), draw.floats([b, m, width], -2, 2),
    draw.maybe(draw.floats([3 * width], -1, 1)), draw.chance(0.4) ? draw.tensor('int32', [b, m], 0, 1) : undefined,
    draw.chance(0.4) ? draw.floats([b, heads, l, m], -1, 1) : undefined];
  return { op: 'MultiHeadAttention', domain, since: 11, operands, outputs: ['float'],
    attrs: draw.attributes({ num_heads: heads, scale: float(draw.maybe(0.5)), unidirectional: l === m ? draw.maybe(1) : undefined }) };
}

// Exponentials are looked up in a table, which is one step off at times: rows
// are of equal elements, and of those that are too small to count.
function softmax(draw) {
  const type = draw.pick(['uint8', 'int8']), [outer, inner] = draw.integers(2, 1, 3), size = draw.pick([1, 2, 4]);
  const high = type === 'int8' ? 127 : 255, large = draw.integer(high - 20, high), small = high - 255;
  const lane = Array.from({ length: 2 * size }, (_, i) => i < size ? large : small);
  const values = Array.from({ length: outer * lane.length * inner }, (_, i) => lane[Math.floor(i / inner) % lane.length]);
  return { op: 'QLinearSoftmax', domain, since: 11, outputs: [type], attrs: { axis: draw.pick([1, -2]), opset: 13 },
    operands: [tensor(type, [outer, lane.length, inner], values), tensor('float', [], [0.5]), zero(draw, type),
      tensor('float', [], [2 ** -6]), zero(draw, type)] };
}

module.exports = {
  QLinearAdd: binary('QLinearAdd'), QLinearMul: binary('QLinearMul'), QLinearSigmoid: sigmoid, QLinearLeakyRelu: leakyRelu,
  QLinearAveragePool: averagePool, QLinearGlobalAveragePool: globalPool, QLinearConcat: concat, QGemm: gemm,
  QLinearSoftmax: softmax,
  'com.microsoft::Gelu': gelu, FastGelu: biased('FastGelu', true), BiasGelu: biased('BiasGelu'),
  SkipLayerNormalization: skipLayerNorm, MultiHeadAttention: multiHeadAttention,
};
