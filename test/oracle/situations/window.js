//===- window.js - Situations 24, 41 to 44, 46, 47, 50: convolutions ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { situation, sized, inNchw, permuted, toNhwc, toNchw } = require('./describe');

const vector = (g, extent, low = 1, high = 5) => g.constant([extent], 'float', { low, high });

// 24. GroupNorm as exporters write it. Solved or forced, never wrong.
const groupNorm = [
  ...sized('s24-group-norm', { none: 0, nhwc: 3 }, (g, dims) => {
    const [n, c, h, w] = dims, x = g.conv(g.input('x', dims), c, 8), groups = 4;
    const grouped = g.op('Reshape', [x, g.list(n, groups, -1)]);
    const normal = g.op('InstanceNormalization', [grouped, vector(g, groups), vector(g, groups)]);
    const back = g.op('Reshape', [normal, g.list(n, 8, h, w)]);
    const scaled = g.op('Add', [g.op('Mul', [back, g.constant([8, 1, 1])]), g.constant([8, 1, 1])]);
    g.pooledOutput(g.conv(scaled, 8, 4));
  }),
];

// 41. What already is NHWC.
const alreadyNhwc = [
  ...sized('s41-transposes-around-conv', { none: 2, nhwc: 0 }, (g, dims) => inNchw(g, dims, x =>
    g.op('Relu', [g.conv(x, dims[1], 4, { kernel: 3 })]))),
  situation('s41-channels-last-attribute', { none: 0, nhwc: 0, opset: { '': 18, 'com.microsoft': 1 } }, g => {
    const x = g.input('x', [1, 8, 8, 4], 'uint8', { low: 0, high: 255 });
    const scale = g.scalar(0.5), zero = g.scalar(3, 'uint8');
    const attrs = { kernel_shape: [2, 2], strides: [2, 2], channels_last: 1 };
    const pooled = g.op('QLinearAveragePool', [x, scale, zero, scale, zero], attrs, { domain: 'com.microsoft' });
    g.output(pooled, 'uint8');
  }),
];

// 42. Not convertible: results that depend on positions, or on training.
const fallBack = [
  ...sized('s42-max-pool-indices', { none: 0, nhwc: 2 }, (g, dims) => {
    const x = g.conv(g.input('x', dims), dims[1], 4);
    const [y, at] = g.op('MaxPool', [x], { kernel_shape: [2, 2], strides: [2, 2] }, { outputs: 2 });
    g.output(y);
    g.output(at, 'int64');
  }),
  ...sized('s42-average-pool-ceil', { none: 0 }, (g, dims) => {
    const x = g.conv(g.input('x', dims), dims[1], 4);
    const attrs = { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1], ceil_mode: 1, count_include_pad: 1 };
    g.output(g.op('AveragePool', [x], attrs));
  }),
  situation('s42-batch-norm-training', { none: 0 }, g => {
    const x = g.conv(g.input('x', [2, 3, 5, 7]), 3, 4);
    const parameters = Array.from({ length: 4 }, () => vector(g, 4));
    const results = g.op('BatchNormalization', [x, ...parameters], { training_mode: 1 }, { outputs: 3 });
    for (const result of results) g.output(result);
  }),
];

// 43. The weight is permuted in another way in each.
const groupedConv = (name, channels, to, group) => sized(`s43-${name}`, { none: 0, nhwc: 1 }, (g, [n, , h, w]) =>
  g.pooledOutput(g.conv(g.input('x', [n, channels, h, w]), channels, to, { kernel: 3, group })));
const transposedConv = (name, group) => sized(`s43-${name}`, { none: 0, nhwc: 1 }, (g, [n, , h, w]) => {
  const weight = g.constant([6, 4, 3, 3], 'float', { low: -2, high: 3 }), x = g.input('x', [n, 6, h, w]);
  g.pooledOutput(g.op('ConvTranspose', [x, weight, vector(g, 4 * group)], { group, strides: [2, 2] }));
});
const grouped = [
  ...groupedConv('grouped', 6, 4, 2),
  ...groupedConv('depthwise', 6, 6, 6),
  ...groupedConv('depthwise-twice', 6, 12, 6),
  ...transposedConv('transposed', 1),
  ...transposedConv('transposed-grouped', 2),
];

// 44. The residual changes its layout with the output.
const residual = [
  situation('s44-fused-conv', { none: 0, plain: 1, opset: { '': 18, 'com.microsoft': 1 } }, g => {
    const x = g.input('x', [2, 3, 5, 7]), weight = g.constant([4, 3, 1, 1]), z = g.input('z', [2, 4, 5, 7]);
    const attrs = { activation: 'Relu', kernel_shape: [1, 1] };
    const y = g.op('FusedConv', [x, weight, vector(g, 4), z], attrs, { domain: 'com.microsoft' });
    g.pooledOutput(g.conv(y, 4, 4));
  }),
  ...sized('s44-conv-add', { none: 0, nhwc: 2 }, (g, dims) => {
    const z = g.input('z', [dims[0], 4, ...dims.slice(2)]), y = g.conv(g.input('x', dims), dims[1], 4);
    g.output(g.op('Relu', [g.op('Add', [y, z])]));
  }),
];

// 46. Other ranks.
const ranks = [
  ...[[[1, 8, 8], 1], [[2, 3, 7], 1], [[1, 8, 8, 8, 8], 3], [[2, 3, 5, 7, 11], 3]].map(([dims, rank]) =>
    situation(`s46-conv-${rank}d-${dims[1] === 8 ? 'equal' : 'prime'}`, { none: 0, nhwc: 1 }, g => {
      const x = g.op('Relu', [g.conv(g.input('x', dims), dims[1], 4, { rank, kernel: 3 })]);
      g.pooledOutput(g.conv(x, 4, 5, { rank }));
    })),
  ...sized('s46-tokens-after-conv', { none: 1, nhwc: 1 }, (g, dims) => {
    const x = g.conv(g.input('x', dims), dims[1], 4), tokens = g.op('Reshape', [x, g.list(dims[0], 4, -1)]);
    g.output(g.op('MatMul', [g.transpose(tokens, [0, 2, 1]), g.constant([4, 3])]));
  }),
  ...sized('s46-rank-3-beside-pool', { none: 1 }, (g, dims) => {
    const pooled = g.op('GlobalAveragePool', [g.input('x', dims)]);
    const scale = g.op('Reshape', [pooled, g.list(dims[0], dims[1], 1)]);
    const tokens = g.transpose(g.input('t', [dims[0], 4, dims[1]]), [0, 2, 1]);
    g.output(g.op('Mul', [tokens, scale]));
  }),
];

// 42 and 46. Spatial dimensions that change places and back.
const swapHW = [0, 1, 3, 2];
const swapped = (name, expect, build) => sized(`s46-swapped-${name}`, expect, (g, dims) =>
  g.output(g.transpose(build(g, g.transpose(g.input('x', dims), swapHW), permuted(dims, swapHW)), swapHW)));
const uneven = { kernel_shape: [2, 3], strides: [2, 1], pads: [0, 1, 1, 2] };
const spatial = [
  ...swapped('conv', { none: 0 }, (g, x, [, c]) => {
    const weight = g.constant([4, c, 2, 3], 'float', { low: -2, high: 3 });
    return g.op('Conv', [x, weight, vector(g, 4)], { ...uneven, dilations: [1, 2] });
  }),
  ...swapped('depthwise-and-pool', { none: 0 }, (g, x, [, c]) => {
    const weight = g.constant([c, 1, 3, 2], 'float', { low: -2, high: 3 });
    const y = g.op('Conv', [x, weight], { group: c, pads: [1, 0, 1, 1] });
    return g.op('MaxPool', [y], uneven);
  }),
  ...swapped('normalization', { none: 0 }, (g, x, [, c]) => {
    const y = g.op('InstanceNormalization', [x, vector(g, c), vector(g, c)]);
    return g.op('LRN', [g.op('AveragePool', [y], uneven)], { size: 3 });
  }),
  // Where the maximum stood counts in the model's own order.
  ...sized('s46-swapped-indices', { none: 2 }, (g, dims) => {
    const x = g.transpose(g.input('x', dims), swapHW);
    const [y, at] = g.op('MaxPool', [x], uneven, { outputs: 2 });
    g.output(g.transpose(y, swapHW));
    g.output(at, 'int64');
  }),
];

// 47 and 50. Whole networks, in and out as NHWC.
function unet(g, x, channels) {
  const down = g.op('Relu', [g.conv(x, channels, 4, { kernel: 3 })]);
  const bottom = g.op('MaxPool', [down], { kernel_shape: [2, 2], strides: [2, 2] });
  const deep = g.op('Relu', [g.conv(bottom, 4, 8, { kernel: 3 })]);
  const weight = g.constant([8, 4, 2, 2], 'float', { low: -2, high: 3 });
  const up = g.op('ConvTranspose', [deep, weight], { strides: [2, 2] });
  return g.conv(g.op('Concat', [down, up], { axis: 1 }), 8, 3);
}

function mixed(g, x, [n, c, h, w]) {
  const conv = g.op('Relu', [g.conv(x, c, 6, { kernel: 3 })]);
  const gate = g.op('Sigmoid', [g.op('ReduceMean', [conv, g.list(2, 3)])]);
  const scaled = g.op('Mul', [conv, gate]), padded = g.op('Pad', [scaled, g.list(0, 0, 1, 0, 0, 0, 0, 2)]);
  const parts = g.op('Split', [padded, g.list(2, 4)], { axis: 1 }, { outputs: 2 });
  const joined = g.op('Concat', [parts[1], parts[0]], { axis: 1 });
  const biased = g.op('Add', [joined, g.constant([6, h + 1, w + 2])]);
  return g.op('Slice', [g.conv(biased, 6, 5), g.list(0, 1), g.list(h, 6), g.list(2, 3)]);
}

const networks = [
  ...sized('s47-u-net', { none: 2, nhwc: 0 }, (g, dims) => inNchw(g, dims, x => unet(g, x, dims[1])),
    { equal: [1, 8, 8, 8], prime: [2, 3, 10, 14] }),
  ...sized('s50-mixed', { none: 2, nhwc: 0 }, (g, dims) => inNchw(g, dims, x => mixed(g, x, dims))),
  ...sized('s50-mixed-nchw', { none: 0, nhwc: 2 }, (g, dims) => g.output(mixed(g, g.input('x', dims), dims))),
];

module.exports = [
  ...groupNorm, ...alreadyNhwc, ...fallBack, ...grouped, ...residual, ...ranks, ...spatial, ...networks,
];
