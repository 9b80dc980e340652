//===- reduce.js - Situations 18 to 20: reductions and Softmax ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { situation, sized, inNchw, permuted, toNhwc, toNchw } = require('./describe');

const fromNhwc = (g, dims) => g.transpose(g.input('x', permuted(dims, toNhwc)), toNchw);

// 18. Axes in every form.
const reduce = [
  ...sized('s18-keepdims', { none: 0 }, (g, dims) => inNchw(g, dims, x =>
    g.op('ReduceSum', [x, g.list(2, -3)], { keepdims: 1 }))),
  ...sized('s18-no-keepdims', { none: 0 }, (g, dims) =>
    g.output(g.op('ReduceMean', [fromNhwc(g, dims), g.list(2, 3)], { keepdims: 0 }))),
  situation('s18-attribute-axes', { none: 0, opset: 12 }, g => inNchw(g, [2, 3, 5, 7], x =>
    g.op('ReduceSum', [x], { axes: [1], keepdims: 1 }))),
  ...sized('s18-absent-axes', { none: 0 }, (g, dims) =>
    g.output(g.op('ReduceMax', [fromNhwc(g, dims)], { keepdims: 0 }))),
  ...sized('s18-empty-axes-noop', { none: 0 }, (g, dims) => inNchw(g, dims, x =>
    g.op('ReduceSum', [x, g.list()], { noop_with_empty_axes: 1 }))),
  situation('s18-empty-axes-reduce-all', { none: 0, allowTrivial: true }, g =>
    g.output(g.op('ReduceSum', [fromNhwc(g, [2, 3, 5, 7]), g.list()], { noop_with_empty_axes: 0 }))),
  ...['ReduceSum', 'ReduceL1', 'ReduceMean'].flatMap(op => sized(`s18-computed-axes-${op}`,
      { none: 0, dynamic: true }, (g, dims) => inNchw(g, dims, x => g.op(op, [x, g.fedList('axes', [1, -1])])))),
  ...[0, 1].map(noop => situation(`s18-computed-axes-empty-noop-${noop}`, { none: 0, dynamic: true }, g =>
    inNchw(g, [2, 3, 5, 7], x =>
      g.op('ReduceSum', [x, g.fedList('axes', [], 'int64', ['A'])], { noop_with_empty_axes: noop })))),
  ...sized('s18-computed-axes-one-left', { none: 0, dynamic: true }, (g, dims) =>
    g.output(g.op('ReduceSum', [fromNhwc(g, dims), g.fedList('axes', [2, -1, 0])], { keepdims: 0 }))),
  // Which dimensions are left, and so their order, is not known.
  ...sized('s18-computed-axes-two-left', { none: 1, dynamic: true }, (g, dims) =>
    g.output(g.op('ReduceSum', [fromNhwc(g, dims), g.fedList('axes', [2, -4])], { keepdims: 0 }))),
  ...['int64', 'int32'].flatMap(type => sized(`s18-computed-axis-of-cumsum-${type}`, { none: 0 }, (g, dims) =>
    inNchw(g, dims, x => g.op('CumSum', [x, g.input('axis', [], type, { low: -3, high: -2 })], { reverse: 1 })))),
];

// 19. What is left of the permutation is the identity, or a smaller one.
const collapse = [
  ...sized('s19-arg-max', { none: 0 }, (g, dims) =>
    g.output(g.op('ArgMax', [fromNhwc(g, dims)], { axis: 1, keepdims: 0 }), 'int64')),
  ...sized('s19-reduce-max', { none: 0 }, (g, dims) =>
    g.output(g.op('ReduceMax', [fromNhwc(g, dims), g.list(-3)], { keepdims: 0 }))),
  ...sized('s19-smaller-remains', dims => ({ none: 1, noneBytes: 4 * dims[0] * dims[1] * dims[3] }), (g, dims) =>
    g.output(g.op('ReduceMax', [fromNhwc(g, dims), g.list(2)], { keepdims: 0 }))),
];

// 20. Before opset 13 Softmax sees a matrix: dimensions from `axis` on are one.
const softmax = [
  ...[1, 3].flatMap(axis => sized(`s20-opset-13-axis-${axis}`, { none: 0, opset: 13 }, (g, dims) =>
    inNchw(g, dims, x => g.op('Softmax', [x], { axis })))),
  ...sized('s20-opset-11-within', { none: 0, opset: 11 }, (g, dims) =>
    inNchw(g, dims, x => g.op('Softmax', [x], { axis: 1 }))),
  ...sized('s20-opset-11-across', { none: 2, opset: 11 }, (g, dims) =>
    inNchw(g, dims, x => g.op('Softmax', [x], { axis: 2 }))),
  situation('s20-opset-11-log', { none: 2, opset: 11 }, g =>
    inNchw(g, [2, 3, 5, 7], x => g.op('LogSoftmax', [x], { axis: -1 }))),
  ...['Softmax', 'LogSoftmax'].flatMap(op => sized(`s20-opset-11-both-blocks-${op}`, { none: 0, opset: 11 },
      (g, dims) => {
        const x = g.op(op, [g.transpose(g.input('x', dims), [1, 0, 3, 2])], { axis: -2 });
        g.output(g.transpose(x, [1, 0, 3, 2]));
      })),
  // Of equal elements Hardmax takes the first, so that its block keeps its order.
  ...sized('s20-opset-11-hardmax-before-its-block', { none: 0, opset: 11 }, (g, dims) => {
    const x = g.op('Hardmax', [g.transpose(g.input('x', dims), [1, 0, 2, 3])], { axis: 2 });
    g.output(g.transpose(x, [1, 0, 2, 3]));
  }),
  ...sized('s20-opset-11-hardmax-within-its-block', { none: 2, opset: 11 }, (g, dims) =>
    inNchw(g, dims, x => g.op('Hardmax', [x], { axis: 1 }))),
];

module.exports = [...reduce, ...collapse, ...softmax];
