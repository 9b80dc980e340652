//===- contributed.js - Situation 51: operators of com.microsoft ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { situation, sized, permuted, toNhwc, toNchw } = require('./describe');

const opset = { '': 18, 'com.microsoft': 1 }, domain = 'com.microsoft';
const op = (g, type, inputs, attrs = {}, outputs = 1) => g.op(type, inputs, attrs, { domain, outputs });

// Scales are powers of two, so that nothing is rounded on the way.
const quantised = (g, scale = 0.5, zero = 3) => [g.scalar(scale), g.scalar(zero, 'uint8')];
const byteInput = (g, dims, name = 'x') => g.input(name, dims, 'uint8', { low: 0, high: 255 });

// x is declared NHWC, `build` sees it in `perm` of that, and what it returns
// goes back by `back`.
const within = (name, expect, build, { perm = toNchw, back = toNhwc } = {}) =>
  sized(`s51-${name}`, { opset, ...expect }, (g, dims) => {
    const x = g.transpose(byteInput(g, permuted(dims, toNhwc)), perm);
    g.output(g.transpose(build(g, x, dims), back), 'uint8');
  });

const unary = (type, attrs) => (g, x) => op(g, type, [x, ...quantised(g), ...quantised(g, 0.25, 5)], attrs);
const binary = type => (g, x, dims) => {
  const y = g.transpose(byteInput(g, permuted(dims, toNhwc), 'y'), toNchw);
  return op(g, type, [x, ...quantised(g), y, ...quantised(g, 0.25, 9), ...quantised(g, 1, 7)]);
};
// The other operand is not transposed.
const askew = type => (g, x, dims) =>
  op(g, type, [x, ...quantised(g), byteInput(g, dims, 'y'), ...quantised(g, 0.25, 9), ...quantised(g, 1, 7)]);

const elementwise = [
  ...within('add', { none: 0 }, binary('QLinearAdd')),
  ...within('add-of-one-transposed', { none: 1 }, askew('QLinearAdd')),
  ...within('mul', { none: 0 }, binary('QLinearMul')),
  ...within('mul-of-one-transposed', { none: 1 }, askew('QLinearMul')),
  ...within('sigmoid', { none: 0 }, (g, x) => op(g, 'QLinearSigmoid',
    [x, g.scalar(0.0625), g.scalar(128, 'uint8'), g.scalar(0.00390625), g.scalar(0, 'uint8')])),
  ...within('leaky-relu', { none: 0 }, unary('QLinearLeakyRelu', { alpha: 0.25 })),
  // The transposes do not undo each other.
  ...within('leaky-relu-other-order', { none: 1 }, unary('QLinearLeakyRelu', { alpha: 0.25 }), { back: [0, 1, 3, 2] }),
  ...within('softmax', { none: 0 }, (g, x) => op(g, 'QLinearSoftmax',
    [x, g.scalar(0.03125), g.scalar(128, 'uint8'), g.scalar(0.00390625), g.scalar(0, 'uint8')], { axis: 1, opset: 13 })),
  // Rows of everything from the axis on: what lies where is part of the meaning.
  ...within('softmax-of-rows', { none: 2 }, (g, x) => op(g, 'QLinearSoftmax',
    [x, g.scalar(0.03125), g.scalar(128, 'uint8'), g.scalar(0.00390625), g.scalar(0, 'uint8')], { axis: 2, opset: 11 })),
];

const window = { kernel_shape: [2, 2], strides: [2, 2], pads: [0, 0, 1, 1] };
const pools = [
  ...within('average-pool', { none: 0 }, unary('QLinearAveragePool', window)),
  // Rows and columns have changed places.
  ...within('average-pool-askew', { none: 2 }, unary('QLinearAveragePool', window), { perm: [0, 3, 2, 1], back: [0, 3, 2, 1] }),
  ...sized('s51-average-pool-channels-last', { opset, none: 0 }, (g, dims) => {
    const x = g.transpose(byteInput(g, dims), toNhwc);
    const pooled = unary('QLinearAveragePool', { ...window, channels_last: 1 })(g, x);
    g.output(g.transpose(pooled, toNchw), 'uint8');
  }),
  ...within('global-average-pool', { none: 0 }, unary('QLinearGlobalAveragePool')),
  ...within('global-average-pool-of-batches', { none: 2 }, unary('QLinearGlobalAveragePool'), { perm: [3, 0, 1, 2], back: [1, 2, 3, 0] }),
];

const joined = [
  ...within('concat', { none: 0 }, (g, x) =>
    op(g, 'QLinearConcat', [...quantised(g, 1, 7), x, ...quantised(g), x, ...quantised(g, 0.25, 9)], { axis: 1 })),
  ...within('concat-of-one-transposed', { none: 1 }, (g, x, dims) =>
    op(g, 'QLinearConcat', [...quantised(g, 1, 7), x, ...quantised(g), byteInput(g, dims, 'y'), ...quantised(g, 0.25, 9)],
      { axis: 1 })),
];

// The same operator as ONNX's, of the other domain.
const spelled = [
  ...within('quantize', { none: 0 }, (g, x, dims) => {
    const scales = g.constant([dims[1]], 'float', { values: Array.from({ length: dims[1] }, (_, i) => 2 ** -(i % 3)) });
    const zeros = g.constant([dims[1]], 'uint8', { low: 0, high: 20 });
    const real = op(g, 'DequantizeLinear', [x, scales, zeros], { axis: 1 });
    return op(g, 'QuantizeLinear', [real, ...quantised(g)]);
  }),
  ...sized('s51-gelu', { opset, none: 0 }, (g, dims) => {
    const x = g.transpose(g.input('x', permuted(dims, toNhwc)), toNchw);
    g.output(g.transpose(op(g, 'Gelu', [x]), toNhwc));
  }),
  ...sized('s51-gelu-of-one-transposed', { opset, none: 1 }, (g, dims) =>
    g.output(op(g, 'Gelu', [g.op('Add', [g.transpose(g.input('x', permuted(dims, toNhwc)), toNchw), g.input('y', dims)])]))),
];

// (length, batch, size) as (batch, length, size) and back.
const swapped = (name, expect, build, perm = [1, 0, 2]) => sized(`s51-${name}`, { opset, ...expect }, (g, [n, c, h]) => {
  const x = g.transpose(g.input('x', [c, n, h]), perm), dims = permuted([c, n, h], perm);
  g.output(g.transpose(build(g, x, dims), perm));
}, { equal: [8, 8, 8, 8], prime: [2, 3, 5, 7] });
const vector = (g, extent) => g.constant([extent], 'float', { low: 1, high: 5 });
const lastSwapped = [0, 2, 1];

const fused = [
  ...swapped('fast-gelu', { none: 0 }, (g, x, dims) => op(g, 'FastGelu', [x, vector(g, dims[2])])),
  ...swapped('fast-gelu-along-moved', { none: 2 }, (g, x, dims) => op(g, 'FastGelu', [x, vector(g, dims[2])]), lastSwapped),
  ...swapped('fast-gelu-without-bias', { none: 0 }, (g, x) => op(g, 'FastGelu', [x]), lastSwapped),
  ...swapped('bias-gelu', { none: 0 }, (g, x, dims) => op(g, 'BiasGelu', [x, vector(g, dims[2])])),
  ...swapped('bias-gelu-along-moved', { none: 2 }, (g, x, dims) => op(g, 'BiasGelu', [x, vector(g, dims[2])]), lastSwapped),
  ...swapped('skip-layer-norm', { none: 0 }, (g, x, dims) =>
    op(g, 'SkipLayerNormalization', [x, g.op('Relu', [x]), vector(g, dims[2]), vector(g, dims[2]), vector(g, dims[2])],
      { epsilon: 0.5 })),
  ...swapped('skip-layer-norm-along-moved', { none: 2 }, (g, x, dims) =>
    op(g, 'SkipLayerNormalization', [x, x, vector(g, dims[2])], { epsilon: 0.5 }), lastSwapped),
];

// Keys that lie by position need no transpose to be heads.
const [batch, heads, length, size] = [2, 3, 5, 4];
const attention = (name, expect, key) => situation(`s51-attention${name}`, { opset, ...expect }, g => {
  const query = g.input('q', [batch, 7, heads * size], 'float', { low: -2, high: 2 });
  g.output(op(g, 'MultiHeadAttention', [query, key(g, 'k'), key(g, 'v')], { num_heads: heads }));
});
const attentions = [
  attention('', { none: 0 }, (g, name) =>
    g.transpose(g.input(name, [batch, length, heads, size], 'float', { low: -2, high: 2 }), [0, 2, 1, 3])),
  attention('-of-turned-heads', { none: 2 }, (g, name) =>
    g.transpose(g.input(name, [batch, heads, size, length], 'float', { low: -2, high: 2 }), [0, 1, 3, 2])),
];

module.exports = [...elementwise, ...pools, ...joined, ...spelled, ...fused, ...attentions];
