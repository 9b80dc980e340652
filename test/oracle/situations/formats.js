//===- formats.js - Situations of blocked formats -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// s14, s45 and f44 to f51 of docs/Requirements.md. Channels are 20, 9 or 37: no multiples of 16.
//
//===----------------------------------------------------------------------===//

'use strict';

const { situation, permuted, toNhwc, toNchw } = require('./describe');

const dims = (channels, batch = 2) => [batch, channels, 5, 7];
const input = (g, channels, options) => g.input('x', dims(channels), 'float', options);
const reduceMean = (g, value, ...axes) => g.op('ReduceMean', [value, g.list(...axes)]);
const vector = (g, extent, low = 1, high = 5) => g.constant([extent], 'float', { low, high });

// 14. Concat on C, blocks full and not.
const concat = [
  [[32, 16], { ascend: 1, blocked: 3 }], [[20, 12], { ascend: 4, blocked: 3 }], [[16, 20], { ascend: 4, blocked: 3 }],
].map(([[a, b], expect]) => situation(`s14-concat-${a}-${b}`, { none: 0, nhwc: 1, ...expect }, g => {
  const x = input(g, 3), parts = [g.conv(x, 3, a), g.conv(x, 3, b)];
  g.pooledOutput(g.conv(g.op('Concat', parts, { axis: 1 }), a + b, 16));
}));

// 45. Padded lanes are read by nobody.
const chains = [9, 37].flatMap(channels => ['Sigmoid', 'Exp', 'Add'].map(op =>
  situation(`s45-chain-${op.toLowerCase()}-${channels}`, { none: 0, nhwc: 1, blocked: 3, masks: 1 }, g => {
    const first = g.conv(input(g, 3, { low: -2, high: 3 }), 3, channels);
    const depthwise = g.conv(first, channels, channels, { group: channels, kernel: 3 });
    const side = op === 'Add' ? [g.scalar(1)] : [];
    const changed = g.op(op, [g.op('Clip', [depthwise, g.scalar(-3), g.scalar(3)]), ...side]);
    g.pooledOutput(g.conv(changed, channels, 16));
  })));

// f44. Nothing between convolutions; as little as possible around a softmax.
const between = [
  ...[16, 20].map(channels => situation(`f44-conv-relu-conv-${channels}`, { none: 0, nhwc: 1, ascend: 1, blocked: 2, masks: 0 }, g =>
    g.pooledOutput(g.conv(g.op('Relu', [g.conv(input(g, 3), 3, channels, { kernel: 3 })]), channels, 16)))),
  ...[16, 20].map(channels => situation(`f44-conv-softmax-conv-${channels}`, { none: 0, ascend: 3, blocked: 2, masks: 0 }, g => {
    const x = g.conv(input(g, 3, { low: -1, high: 2 }), 3, channels);
    g.pooledOutput(g.conv(g.op('Softmax', [x], { axis: 1 }), channels, 16));
  })),
];

// f45. Conversions of a model that has been compiled before cancel; those of
// another block or element type do not.
const pack = (g, value, from, block) => {
  const blocks = Math.ceil(from / block), pads = [0, 0, 0, 0, 0, blocks * block - from, 0, 0];
  const padded = g.op('Pad', [value, g.list(...pads)]);
  return g.transpose(g.op('Reshape', [padded, g.list(2, blocks, block, 5, 7)]), [0, 1, 3, 4, 2]);
};
const unpack = (g, value, to, block) => {
  const blocks = Math.ceil(to / block), whole = g.op('Reshape', [g.transpose(value, [0, 1, 4, 2, 3]),
    g.list(2, blocks * block, 5, 7)]);
  return g.op('Slice', [whole, g.list(0), g.list(to), g.list(1)]);
};
const pairs = [
  situation('f45-opposite-pair', { none: 0, nhwc: 2 }, g => {
    const x = g.op('Relu', [pack(g, input(g, 32), 32, 16)]);
    g.output(g.op('Abs', [unpack(g, x, 32, 16)]));
  }),
  situation('f45-other-block', { none: 2 }, g => {
    const x = pack(g, input(g, 64), 64, 16), y = g.op('Reshape', [x, g.list(2, 2, 5, 7, 32)]);
    g.output(unpack(g, g.op('Relu', [y]), 64, 32));
  }),
  situation('f45-pair-with-a-third-user', { none: 1 }, g => {
    const x = pack(g, input(g, 32), 32, 16);
    g.output(g.op('Neg', [x]));
    g.output(g.op('Abs', [unpack(g, g.op('Relu', [x]), 32, 16)]));
  }),
  ...[['int8', 32], ['int8', 64], ['float', 32]].map(([type, channels]) =>
    situation(`f45-${type}-${channels}`, { none: 0, blocked: 2 }, g => {
      if (type === 'float') return g.pooledOutput(g.conv(g.conv(input(g, 32), 32, channels), channels, 16));
      const x = g.input('x', dims(32), 'int8'), weight = g.constant([channels, 32, 1, 1], 'int8', { low: -2, high: 3 });
      const sums = g.op('Cast', [g.op('ConvInteger', [x, weight])], { to: 1 });
      g.pooledOutput(g.conv(sums, channels, 16));
    })),
];

// f46. What looks along C, and what makes something of zeros before it does.
const ends = {
  concat: (g, x) => g.output(g.op('Concat', [x, x], { axis: 1 })),
  slice: (g, x) => g.output(g.op('Slice', [x, g.list(3), g.list(18), g.list(1)])),
  split: (g, x) => g.op('Split', [x, g.list(8, 12)], { axis: 1 }, { outputs: 2 }).forEach(part => g.output(part)),
  'reduce-sum': (g, x) => g.output(g.op('ReduceSum', [x, g.list(1)])),
  'reduce-max': (g, x) => g.output(g.op('ReduceMax', [x, g.list(1)])),
  'reduce-all': (g, x) => g.output(g.op('ReduceMean', [x])),
  'arg-max': (g, x) => g.output(g.op('ArgMax', [x], { axis: 1 }), 'int64'),
  softmax: (g, x) => g.output(g.op('Softmax', [x], { axis: 1 })),
  conv: (g, x) => g.output(g.conv(x, 20, 4)),
};
const makers = {
  exp: (g, x) => g.op('Exp', [x]),
  log: (g, x) => g.op('Log', [g.op('Abs', [x])]),
  sigmoid: (g, x) => g.op('Sigmoid', [x]),
  divide: (g, x) => g.op('Div', [x, x]),
  reciprocal: (g, x) => g.op('Reciprocal', [x]),
  add: (g, x) => g.op('Add', [x, g.scalar(3)]),
};
const odd = g => g.op('Add', [g.conv(input(g, 3, { low: 0, high: 3 }), 3, 20), g.constant([20, 1, 1], 'float', { values:
  Array.from({ length: 20 }, (_, i) => 17 + i % 3) })]);
const seen = [
  ...Object.entries(ends).map(([name, end]) => situation(`f46-${name}`, { none: 0 }, g =>
    end(g, g.op('Relu', [g.conv(input(g, 3), 3, 20)])))),
  ...Object.entries(makers).flatMap(([maker, make]) => ['reduce-sum', 'reduce-max', 'arg-max', 'conv'].map(end =>
    situation(`f46-${maker}-${end}`, { none: 0, allowTrivial: true }, g =>
      ends[end](g, g.op('Relu', [make(g, odd(g))]))))),
  // Infinities of the data meet the zeros of padded weights.
  situation('f46-infinities', { none: 0, nhwc: 1, ascend: 1, blocked: 2, allowTrivial: true }, g => {
    const x = g.input('x', dims(16)), steep = g.op('Exp', [g.op('Mul', [x, g.scalar(100)])]);
    const weight = g.constant([20, 16, 1, 1], 'float', { values: Array(320).fill(-1) });
    const below = g.op('Relu', [g.op('Conv', [steep, weight])]);
    g.pooledOutput(g.conv(g.op('Add', [below, g.scalar(0)]), 20, 16));
  }),
];

// f47. Axes keep their places, or force ONNX's order.
const axes = [
  ...[[2], [3], [2, 3], [1], [1, 2, 3], [-3]].flatMap(list => [16, 20].map(channels =>
    situation(`f47-reduce-${list.join('')}-${channels}`, { none: 0 }, g =>
      g.output(reduceMean(g, g.conv(input(g, 3), 3, channels), ...list))))),
  situation('f47-reduce-spatial-between', { none: 0, ascend: 1, blocked: 2 }, g => {
    const x = g.conv(input(g, 3), 3, 20), scale = reduceMean(g, x, 2, 3);
    g.pooledOutput(g.conv(g.op('Add', [x, scale]), 20, 16));
  }),
  ...[16, 20].flatMap(channels => [
    situation(`f47-transpose-${channels}`, { none: 1 }, g =>
      g.output(g.transpose(g.conv(input(g, 3), 3, channels), [0, 2, 3, 1]))),
    situation(`f47-reshape-${channels}`, { none: 0 }, g =>
      g.output(g.op('Reshape', [g.conv(input(g, 3), 3, channels), g.list(2, -1)]))),
    situation(`f47-reshape-spatial-${channels}`, { none: 0 }, g => {
      const flat = g.op('Reshape', [g.conv(input(g, 3), 3, channels), g.list(0, 0, -1)]);
      g.output(g.op('ReduceMax', [g.op('Relu', [flat]), g.list(2)]));
    }),
    situation(`f47-flatten-gemm-${channels}`, { none: 0 }, g => {
      const flat = g.op('Flatten', [g.conv(input(g, 3), 3, channels)]);
      g.output(g.op('Gemm', [flat, g.constant([channels * 35, 4])]));
    }),
  ]),
];

// f48. Side inputs of every form, constant and not.
const shapes = { vector: [20, 1, 1], scalar: [], one: [1], batch: [2, 1, 1, 1], row: [7], map: [5, 7], full: dims(20) };
const sides = Object.entries(shapes).flatMap(([name, shape]) => ['Add', 'Mul', 'Sub', 'Div'].flatMap(op =>
  [true, false].map(isConstant =>
    situation(`f48-${op.toLowerCase()}-${name}-${isConstant ? 'constant' : 'input'}`, { none: 0, blocked: 2 }, g => {
      const x = g.conv(input(g, 3), 3, 20);
      const side = isConstant ? g.constant(shape, 'float', { low: 1, high: 3 }) :
        g.input('s', shape, 'float', { low: 1, high: 3 });
      const y = op === 'Sub' ? g.op(op, [side, x]) : g.op(op, [x, side]);
      g.pooledOutput(g.conv(y, 20, 16));
    }))));

// f49. One conversion per value; the smaller one is converted.
const adds = [
  situation('f49-blocked-and-plain', { none: 0, ascend: 3 }, g => {
    const x = g.conv(input(g, 3), 3, 20), z = g.input('z', dims(20));
    g.pooledOutput(g.conv(g.op('Add', [x, z]), 20, 16));
  }),
  situation('f49-smaller-operand', { none: 0, ascend: 2 }, g => {
    const x = g.conv(input(g, 3), 3, 20), z = g.input('z', [2, 20, 1, 1]);
    g.pooledOutput(g.conv(g.op('Add', [x, z]), 20, 16));
  }),
  situation('f49-shared', { none: 0, ascend: 3 }, g => {
    const z = g.input('z', dims(20)), x = input(g, 3);
    const sums = [0, 1, 2].map(() => g.op('Add', [g.conv(x, 3, 20), z]));
    sums.forEach(sum => g.pooledOutput(g.conv(sum, 20, 16)));
  }),
];

// f50. Inputs and outputs are as before, and nothing happens in between.
const residual = (name, channels, count) => situation(`f50-${name}`, { none: 0, nhwc: 2, ascend: 2, masks: 0, blocked: 2 * count + 2 }, g => {
  let x = g.conv(input(g, 3), 3, channels);
  for (let i = 0; i < count; ++i) {
    const inner = g.op('Relu', [g.conv(g.op('Tanh', [x]), channels, channels)]);
    x = g.op('Add', [x, g.op('Tanh', [g.conv(inner, channels, channels)])]);
  }
  g.output(g.conv(x, channels, 3));
});
const loops = [residual('residual-50-aligned', 16, 50), residual('residual-50-padded', 9, 50)];

// f51. Other ranks, a batch that is not known, and NHWC on the way.
const routes = [
  ...[[[2, 3, 7], 1, 1], [[2, 3, 4, 5, 7], 3, 1]].map(([shape, rank]) =>
    situation(`f51-rank-${shape.length}`, { none: 0, nhwc: 1, ascend: 1, blocked: 2 }, g =>
      g.pooledOutput(g.conv(g.op('Relu', [g.conv(g.input('x', shape), 3, 20, { rank, kernel: 3 })]), 20, 16, { rank })))),
  situation('f51-rank-2', { none: 0 }, g => {
    const pooled = g.op('GlobalAveragePool', [g.conv(input(g, 3), 3, 20)]);
    g.output(g.op('Gemm', [g.op('Flatten', [pooled]), g.constant([20, 4])]));
  }),
  situation('f51-dynamic-batch', { none: 0, nhwc: 1, ascend: 1, blocked: 2, dynamic: true }, g => {
    const x = input(g, 3, { declared: ['batch', 3, 5, 7] });
    g.pooledOutput(g.conv(g.op('Relu', [g.conv(x, 3, 20, { kernel: 3 })]), 20, 16));
  }),
  situation('f51-dynamic-extents', { none: 0, blocked: 2, dynamic: true }, g => {
    const x = input(g, 3, { declared: ['batch', 3, 'h', 'w'] });
    g.pooledOutput(g.conv(g.op('Relu', [g.conv(x, 3, 20, { kernel: 3 })]), 20, 16));
  }),
  situation('f51-from-nhwc', { none: 1, nhwc: 0, blocked: 1 }, g => {
    const x = g.transpose(g.input('x', permuted(dims(20), toNhwc)), toNchw);
    g.pooledOutput(g.conv(x, 20, 16));
  }),
];

// What reads NHWC and blocks has two copies of one tensor. The blocks are made
// from the one in NHWC, in long runs, where short ones cost more, and else from
// what is there.
const twoUnits = (name, copies, chained) => ({ name, atLeast: 4, atMost: 4, chained, proved: true, yaml: `schema: inlay.target/1
name: ${name}
formats:
  NC1HWC0: {data: NC1HWC0, block: {C: 16}}
layouts:
  - {op: Conv, data: NHWC, weight: HWOI}
  - {op: MaxPool, data: NC1HWC0}
costs: {relayout: 0${copies}}
` });
const sources = [
  situation('f51-copy-of-a-copy', { none: 0, also: [
    twoUnits('short-runs-cost-more', ', copies: [{run: [1, 32], factor: 8}]', 1),
    twoUnits('long-runs-cost-more', ', copies: [{run: [64, inf], factor: 8}]', 0),
    twoUnits('runs-cost-the-same', '', 0),
  ] }, g => {
    const x = input(g, 32);
    g.output(g.conv(x, 32, 16));
    g.output(g.op('MaxPool', [x], { kernel_shape: [2, 2] }));
  }),
];

module.exports = [...concat, ...chains, ...between, ...pairs, ...seen, ...axes, ...sides, ...adds, ...loops, ...routes, ...sources];
