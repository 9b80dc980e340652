//===- contraction.js - Situations 27 and 33: Gemm and MatMul -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { situation, sized, permuted, toNhwc, toNchw } = require('./describe');

// 27. Flatten after NHWC is undone in the weight, unless others read it.
const flattened = (g, dims, view) => view(g.op('Relu', [g.conv(g.input('x', dims), dims[1], 4)]));
const inner = ([, , h, w]) => 4 * h * w;
const flatten = [
  ...sized('s27-flatten-gemm', { none: 0, nhwc: 1 }, (g, dims) => {
    const x = flattened(g, dims, value => g.op('Flatten', [value]));
    g.output(g.op('Gemm', [x, g.constant([inner(dims), 5]), g.constant([5])]));
  }),
  ...sized('s27-flatten-gemm-trans-b', { none: 0, nhwc: 1 }, (g, dims) => {
    const x = flattened(g, dims, value => g.op('Flatten', [value]));
    g.output(g.op('Gemm', [x, g.constant([5, inner(dims)])], { transB: 1 }));
  }),
  ...sized('s27-reshape-matmul', { none: 0, nhwc: 1 }, (g, dims) => {
    const x = flattened(g, dims, value => g.op('Reshape', [value, g.list(0, -1)]));
    g.output(g.op('MatMul', [x, g.constant([inner(dims), 5])]));
  }),
  ...sized('s27-shared-weight', { none: 0, nhwc: 2 }, (g, dims) => {
    const weight = g.constant([inner(dims), 5]), x = flattened(g, dims, value => g.op('Flatten', [value]));
    g.output(g.op('Gemm', [x, weight]));
    g.output(g.op('MatMul', [g.input('z', [3, inner(dims)]), weight]));
  }),
  ...sized('s27-weight-is-input', { none: 0, nhwc: 2 }, (g, dims) => {
    const x = flattened(g, dims, value => g.op('Flatten', [value]));
    g.output(g.op('Gemm', [x, g.input('w', [inner(dims), 5])]));
  }),
  ...sized('s27-own-transpose', { none: 0 }, (g, dims) => {
    const x = g.transpose(g.input('x', permuted(dims, toNhwc)), toNchw), size = dims[1] * dims[2] * dims[3];
    g.output(g.op('Gemm', [g.op('Flatten', [x]), g.constant([size, 5])]));
  }),
];

// 33. Transposed operands. Gemm has flags for them, MatMul takes any order of
// its batch dimensions.
const operands = [
  situation('s33-gemm-a', { none: 0 }, g =>
    g.output(g.op('Gemm', [g.transpose(g.input('a', [8, 8]), [1, 0]), g.input('b', [8, 8])]))),
  situation('s33-gemm-both', { none: 0 }, g => {
    const [a, b] = [[5, 3], [7, 5]].map((dims, i) => g.transpose(g.input(`x${i}`, dims), [1, 0]));
    g.output(g.op('Gemm', [a, b, g.constant([3, 1])]));
  }),
  situation('s33-gemm-flag-cleared', { none: 0 }, g =>
    g.output(g.op('Gemm', [g.transpose(g.input('a', [3, 5]), [1, 0]), g.input('b', [5, 7])], { transA: 1 }))),
  situation('s33-gemm-output', { none: 1 }, g =>
    g.output(g.transpose(g.op('Gemm', [g.input('a', [3, 5]), g.input('b', [5, 7])]), [1, 0]))),
  situation('s33-matmul-last-two', { none: 1 }, g =>
    g.output(g.op('MatMul', [g.transpose(g.input('a', [2, 5, 3]), [0, 2, 1]), g.input('b', [2, 5, 7])]))),
  situation('s33-matmul-both-and-output', { none: 3 }, g => {
    const [a, b] = ['a', 'b'].map(name => g.transpose(g.input(name, [2, 8, 8]), [0, 2, 1]));
    g.output(g.transpose(g.op('MatMul', [a, b]), [0, 2, 1]));
  }),
  situation('s33-matmul-constant', { none: 0 }, g =>
    g.output(g.op('MatMul', [g.input('a', [2, 3, 5]), g.transpose(g.constant([7, 5]), [1, 0])]))),
  ...sized('s33-matmul-batch', { none: 0 }, (g, [b1, b2, m, k]) => {
    const a = g.transpose(g.input('a', [b2, b1, m, k]), [1, 0, 2, 3]);
    const b = g.transpose(g.input('b', [b2, b1, k, 4]), [1, 0, 2, 3]);
    g.output(g.transpose(g.op('MatMul', [a, b]), [1, 0, 2, 3]));
  }, { equal: [8, 8, 8, 8], prime: [2, 3, 5, 7] }),
  ...sized('s33-heads', { none: 4 }, (g, [n, heads, length, depth]) => {
    const split = name => g.input(name, [n, length, heads, depth]);
    const [q, v] = ['q', 'v'].map(name => g.transpose(split(name), [0, 2, 1, 3]));
    const scores = g.op('Softmax', [g.op('MatMul', [q, g.transpose(split('k'), [0, 2, 3, 1])])]);
    g.output(g.transpose(g.op('MatMul', [scores, v]), [0, 2, 1, 3]));
  }),
  // Images side by side, channels as rows: one matrix of weights for all.
  ...sized('s33-channels', { none: 0 }, (g, dims) => {
    const x = g.op('MatMul', [g.transpose(g.input('x', dims), toNhwc), g.constant([dims[1], 4])]);
    g.output(g.transpose(x, toNchw));
  }),
  ...sized('s33-channels-weight-first', { none: 0 }, (g, [n, c, h, w]) => {
    const x = g.transpose(g.input('x', [n, c, h, w]), [0, 2, 1, 3]);
    g.output(g.transpose(g.op('MatMul', [g.constant([4, c]), x]), [0, 2, 1, 3]));
  }),
  ...sized('s33-channels-of-a-stack', { none: 0 }, (g, [n, c, h, w]) => {
    const x = g.op('MatMul', [g.transpose(g.input('x', [n, c, h, w]), toNhwc), g.constant([n, 1, c, 4])]);
    g.output(g.transpose(x, toNchw));
  }),
  // The weights differ from row to row of the image: it is not one matrix.
  ...sized('s33-channels-by-rows', { none: 2 }, (g, [n, c, h, w]) => {
    const x = g.op('MatMul', [g.transpose(g.input('x', [n, c, h, w]), toNhwc), g.constant([h, c, 4])]);
    g.output(g.transpose(x, toNchw));
  }),
  // Two unknown extents cannot be told again from their product.
  situation('s33-channels-of-unknown-extents', { none: 2 }, g => {
    const x = g.input('x', [2, 3, 5, 7], 'float', { declared: [2, 3, 'H', 'W'] });
    g.output(g.transpose(g.op('MatMul', [g.transpose(x, toNhwc), g.constant([3, 4])]), toNchw));
  }),
  ...sized('s33-batch-turned', { none: 2 }, (g, [b1, b2, m, k]) => {
    const a = g.transpose(g.input('a', [m, b1, b2, k]), [1, 2, 0, 3]);
    g.output(g.transpose(g.op('MatMul', [a, g.constant([k, 4])]), [2, 0, 1, 3]));
  }),
];

module.exports = [...flatten, ...operands];
