//===- elementwise.js - Situations 1 to 11 and 48: elementwise ops --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { situation, sized, inNchw, permuted, inverse, toNhwc, toNchw } = require('./describe');

const cube = { equal: [8, 8, 8], prime: [3, 5, 7] };
const turn = [1, 2, 0];

// 1. The permutation is not its own inverse, so that mixing both up shows.
const unary = [
  ...sized('s01-unary', { none: 0 }, (g, dims) => {
    const x = g.input('x', dims);
    g.output(g.transpose(g.op('Relu', [g.transpose(x, turn)]), inverse(turn)));
  }, cube),
  ...sized('s01-unary-chain', { none: 0 }, (g, dims) => {
    const x = g.input('x', dims);
    const chain = ['Sigmoid', 'Neg', 'Abs'].reduce((value, op) => g.op(op, [value]), g.transpose(x, [1, 2, 3, 0]));
    g.output(g.transpose(chain, [3, 0, 1, 2]));
  }, { equal: [8, 8, 8, 8] }),
  ...sized('s01-not-the-inverse', { none: 1 }, (g, dims) => {
    const x = g.input('x', dims);
    g.output(g.transpose(g.op('Relu', [g.transpose(x, turn)]), turn));
  }, cube),
];

// 2 to 4. Shared values.
const shared = [
  ...sized('s02-diamond-before-conv', { none: 0, nhwc: 1 }, (g, dims) => {
    const [a, b] = ['a', 'b'].map(name => g.op('Relu', [g.input(name, dims)]));
    g.pooledOutput(g.conv(g.op('Add', [a, b]), dims[1], 4));
  }),
  ...sized('s03-three-and-two-consumers', { none: 0, nhwc: 1 }, (g, dims) => {
    const x = g.op('Relu', [g.input('x', dims)]);
    for (const to of [2, 3, 4]) g.pooledOutput(g.conv(x, dims[1], to));
    g.output(x);
    g.output(g.op('Flatten', [x]));
  }),
  ...sized('s03-three-equal-transposes', { none: 1 }, (g, dims) => {
    const x = g.input('x', dims);
    for (const op of ['Relu', 'Sigmoid', 'Tanh']) g.output(g.op(op, [g.transpose(x, toNhwc)]));
  }),
  ...sized('s04-same-value-twice', { none: 0 }, (g, dims) =>
    inNchw(g, dims, x => g.op('Add', [x, x]))),
  ...sized('s04-sum-with-repeats', { none: 0 }, (g, dims) => {
    const [a, b] = ['a', 'b'].map(name => g.transpose(g.input(name, permuted(dims, toNhwc)), toNchw));
    g.output(g.transpose(g.op('Sum', [a, b, a, b, b]), toNhwc));
  }),
  situation('s04-same-value-before-conv', { none: 0, nhwc: 1 }, g => {
    const x = g.input('x', [1, 8, 8, 8]);
    g.pooledOutput(g.conv(g.op('Mul', [x, x]), 8, 4));
  }),
];

// 5 and 6. Broadcast operands: their axes count from the right in NCHW.
const broadcast = [
  ...sized('s05-constant-hw', { none: 0 }, (g, dims) =>
    inNchw(g, dims, x => g.op('Mul', [x, g.constant(dims.slice(2))]))),
  ...sized('s05-constant-c11', { none: 0 }, (g, dims) =>
    inNchw(g, dims, x => g.op('Add', [x, g.constant([dims[1], 1, 1])]))),
  ...sized('s05-constant-chw', { none: 0 }, (g, dims) =>
    inNchw(g, dims, x => g.op('Sub', [g.constant(dims.slice(1)), x]))),
  ...sized('s05-input-hw', { none: 0 }, (g, dims) =>
    inNchw(g, dims, x => g.op('Mul', [x, g.input('m', dims.slice(2))]))),
  ...sized('s05-input-c11', { none: 0 }, (g, dims) =>
    inNchw(g, dims, x => g.op('Add', [x, g.input('m', [dims[1], 1, 1])]))),
  ...sized('s05-input-chw', { none: 1 }, (g, dims) =>
    inNchw(g, dims, x => g.op('Sub', [g.input('m', dims.slice(1)), x]))),
  ...sized('s05-between-convs', { nhwc: 1 }, (g, dims) => {
    const x = g.conv(g.input('x', dims), dims[1], 4);
    const scaled = g.op('Mul', [x, g.constant(dims.slice(2))]);
    const biased = g.op('Add', [scaled, g.constant([4, ...dims.slice(2)])]);
    g.pooledOutput(g.conv(biased, 4, 4));
  }),
  ...sized('s06-scalars', { none: 0 }, (g, dims) => inNchw(g, dims, x => {
    const scaled = g.op('Mul', [g.scalar(3), x]), moved = g.op('Add', [scaled, g.constant([1])]);
    const once = g.op('Sub', [moved, g.input('s', [])]);
    return g.op('Add', [g.input('v', [1]), once]);
  })),
  situation('s06-scalars-between-convs', { none: 0, nhwc: 1 }, g => {
    const x = g.conv(g.input('x', [1, 8, 8, 8]), 8, 4);
    const moved = g.op('Add', [g.op('Mul', [x, g.input('s', [])]), g.input('v', [1])]);
    g.pooledOutput(g.conv(moved, 4, 4));
  }),
];

// 7 and 8. A constant shared with a consumer in the other order.
const sharedConstants = [
  ...sized('s07-where-all-transposed', { none: 0 }, (g, dims) => {
    const stored = permuted(dims, toNhwc);
    const condition = g.transpose(g.input('c', stored, 'bool', { low: 0, high: 2 }), toNchw);
    const x = g.transpose(g.input('x', stored), toNchw);
    g.output(g.transpose(g.op('Where', [condition, x, g.constant([dims[1], 1, 1])]), toNhwc));
  }),
  ...sized('s07-where-shared-constant', { none: 0 }, (g, dims) => {
    const shared = g.constant(dims), condition = g.constant(dims.slice(2), 'bool', { low: 0, high: 2 });
    inNchw(g, dims, x => g.op('Where', [condition, x, shared]));
    g.output(g.op('Add', [g.input('z', dims), shared]));
  }),
  ...sized('s07-where-no-win', { none: 1 }, (g, dims) => {
    const x = g.transpose(g.input('x', permuted(dims, toNhwc)), toNchw);
    const condition = g.input('c', dims, 'bool', { low: 0, high: 2 });
    g.output(g.op('Where', [condition, x, g.input('y', dims)]));
  }),
  ...sized('s08-shared-constant', { none: 0 }, (g, dims) => {
    const shared = g.constant(dims);
    inNchw(g, dims, x => g.op('Add', [x, shared]));
    g.output(g.op('Mul', [g.input('z', dims), shared]));
  }),
  ...sized('s08-shared-through-two-dequantizers', { none: 0 }, (g, dims) => {
    const shared = g.constant(dims, 'int8', { low: -100, high: 100 });
    const [a, b] = [0.5, 0.25].map(scale => g.op('DequantizeLinear', [shared, g.scalar(scale)]));
    inNchw(g, dims, x => g.op('Add', [x, a]));
    g.output(g.op('Mul', [g.input('z', dims), b]));
  }),
];

// 9 and 10. Outputs of the graph.
const borders = [
  ...sized('s09-transpose-is-output', { none: 1 }, (g, dims) => {
    const t = g.transpose(g.input('x', dims), toNhwc);
    g.output(t);
    g.output(g.transpose(g.op('Relu', [t]), toNchw));
  }),
  ...sized('s09-both-ends-are-outputs', { none: 1 }, (g, dims) => {
    const t = g.transpose(g.input('x', dims), toNhwc);
    g.output(t);
    g.output(g.transpose(t, toNchw));
  }),
  situation('s10-input-becomes-output', { none: 0 }, g => {
    g.output(g.transpose(g.transpose(g.input('x', [1, 8, 8, 8]), toNhwc), toNchw));
  }),
  situation('s10-layouts-of-io-when-asked', {
    none: 0, nhwc: 2, io: { layouts: ['x:NHWC', 'Relu_1:NHWC'], perms: { x: toNhwc, Relu_1: toNhwc }, atMost: 0 },
  }, g => g.output(g.op('Relu', [g.conv(g.input('x', [1, 3, 5, 7]), 3, 4, { kernel: 3 })]))),
];

// 11. Only the type of the second operand matters.
const castLike = [
  ...sized('s11-cast-like', { none: 1, opset: 19 }, (g, dims) => {
    const stored = permuted(dims, toNhwc);
    const x = g.transpose(g.input('x', stored), toNchw);
    const like = g.transpose(g.input('like', [3, 5, 7], 'double'), turn);
    g.output(g.transpose(g.op('CastLike', [x, like]), toNhwc), 'double');
  }),
];

// 48. One transpose is needed, and it does not matter which: no oscillation.
const stable = [
  ...sized('s48-left', { none: 1 }, (g, dims) => {
    const sum = g.op('Add', [g.transpose(g.input('a', dims), [0, 2, 1]), g.input('b', permuted(dims, [0, 2, 1]))]);
    g.output(g.op('Relu', [sum]));
  }, cube),
  ...sized('s48-right', { none: 1 }, (g, dims) => {
    const sum = g.op('Add', [g.input('a', permuted(dims, [0, 2, 1])), g.transpose(g.input('b', dims), [0, 2, 1])]);
    g.output(g.op('Relu', [sum]));
  }, cube),
  situation('s48-odd-cycle', { none: 1 }, g => {
    const x = g.input('x', [1, 8, 8]);
    g.output(g.op('Add', [x, g.transpose(g.op('Relu', [x]), [0, 2, 1])]));
  }),
];

module.exports = [
  ...unary, ...shared, ...broadcast, ...sharedConstants, ...borders, ...castLike, ...stable,
];
