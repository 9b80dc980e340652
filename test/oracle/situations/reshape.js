//===- reshape.js - Situations 21 to 23, 25, 26, 28, 29, 32, 49 -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { situation, sized, inNchw, permuted, toNhwc, toNchw } = require('./describe');

const fromNhwc = (g, dims) => g.transpose(g.input('x', permuted(dims, toNhwc)), toNchw);
const cube = { equal: [8, 8, 8], prime: [3, 5, 7] };

// 21. Extents repeat, so that dimensions cannot be told apart by them.
const unit = [
  situation('s21-unit-moves', { none: 0 }, g => {
    const x = g.op('Reshape', [g.input('x', [4, 1, 4]), g.list(4, 4, 1)]);
    g.output(g.transpose(g.op('Relu', [x]), [0, 2, 1]));
  }),
  situation('s21-unit-moves-between-transposes', { none: 0 }, g => {
    const x = g.op('Reshape', [g.transpose(g.input('x', [4, 1, 4]), [2, 1, 0]), g.list(0, -1, 1)]);
    g.output(g.transpose(x, [1, 0, 2]));
  }),
  situation('s21-allowzero', { none: 0 }, g => {
    const x = g.transpose(g.input('x', [4, 1, 4]), [2, 1, 0]);
    g.output(g.transpose(g.op('Reshape', [x, g.list(1, 4, 4)], { allowzero: 1 }), [0, 2, 1]));
  }),
  ...sized('s21-allowzero-splits', { none: 0 }, (g, dims) => {
    const [n, c, h, w] = dims, x = g.op('Reshape', [fromNhwc(g, dims), g.list(n, 2, c / 2, h, w)], { allowzero: 1 });
    g.output(g.transpose(x, [0, 3, 4, 1, 2]));
  }, { equal: [1, 8, 8, 8], prime: [2, 6, 5, 7] }),
  situation('s21-allowzero-unknown-extent', { none: 0 }, g => {
    const x = g.transpose(g.input('x', [2, 5, 7, 6], 'float', { declared: ['N', 5, 7, 6] }), toNchw);
    g.output(g.transpose(g.op('Reshape', [x, g.list(-1, 6, 35)], { allowzero: 1 }), [0, 2, 1]));
  }),
  situation('s21-allowzero-empty', { none: 0, allowTrivial: true }, g => {
    const x = g.transpose(g.input('x', [2, 5, 0, 6]), toNchw);
    g.output(g.transpose(g.op('Reshape', [x, g.list(2, 2, 3, 5, 0)], { allowzero: 1 }), [0, 3, 4, 1, 2]));
  }),
  // Nothing is left to move, but the zero is not the dimension that it stands for.
  situation('s21-allowzero-empty-otherwise', { none: 2, noneBytes: 0, allowTrivial: true }, g => {
    const x = g.transpose(g.input('x', [2, 5, 0, 6]), toNchw);
    g.output(g.transpose(g.op('Reshape', [x, g.list(3, 0, 4)], { allowzero: 1 }), [0, 2, 1]));
  }),
];

// 22. Splits that stay inside a dimension, and one that does not.
const splits = [
  ...sized('s22-split-channels', { none: 0 }, (g, dims) => {
    const [n, c, h, w] = dims, groups = g.op('Reshape', [fromNhwc(g, dims), g.list(n, 2, c / 2, h, w)]);
    g.output(g.transpose(g.op('Relu', [groups]), [0, 3, 4, 1, 2]));
  }, { equal: [1, 8, 8, 8], prime: [2, 6, 5, 7] }),
  situation('s22-straddles', { none: 2 }, g => {
    const x = g.op('Reshape', [fromNhwc(g, [1, 8, 8, 8]), g.list(1, 4, 16, 8)]);
    g.output(g.transpose(x, toNhwc));
  }),
];

// 23. A merge that makes transposes one reshape, and one that must not.
const merges = [
  ...sized('s23-tokens', { none: 0 }, (g, dims) => {
    const [n, c] = dims, tokens = g.op('Reshape', [fromNhwc(g, dims), g.list(n, c, -1)]);
    g.output(g.transpose(tokens, [0, 2, 1]));
  }),
  situation('s23-equal-extents-do-not-match', { none: 1 }, g => {
    g.output(g.op('Reshape', [fromNhwc(g, [1, 20, 20, 20]), g.list(1, 800, 10)]));
  }),
  ...sized('s23-flatten', { none: 1 }, (g, dims) => g.output(g.op('Flatten', [fromNhwc(g, dims)], { axis: 1 }))),
];

function shuffle(g, x, [n, c, h, w], groups) {
  const split = g.op('Reshape', [x, g.list(n, groups, c / groups, h, w)]);
  return g.op('Reshape', [g.transpose(split, [0, 2, 1, 3, 4]), g.list(n, c, h, w)]);
}

// 25 and 26. Channels rearranged between convolutions.
const rearranged = [
  ...sized('s25-channel-shuffle', { none: 0, nhwc: 1 }, (g, dims) => {
    const [n, c, h, w] = dims, x = g.conv(g.input('x', dims), c, 8);
    g.pooledOutput(g.conv(shuffle(g, x, [n, 8, h, w], 2), 8, c));
  }),
  // A grouped convolution, a shuffle and a depthwise one, then one that takes
  // all channels: its weight, like the filters before, has them renumbered.
  ...sized('s25-shuffle-before-depthwise', { none: 0, nhwc: 1 }, (g, [n, , h, w]) => {
    const x = g.op('Relu', [g.conv(g.input('x', [n, 8, h, w]), 8, 8, { group: 2 })]);
    const mixed = g.conv(shuffle(g, x, [n, 8, h, w], 2), 8, 8, { kernel: 3, group: 8 });
    g.pooledOutput(g.conv(g.op('Relu', [mixed]), 8, 4));
  }),
  ...sized('s25-shuffle-before-normalization-and-gemm', { none: 0, nhwc: 1 }, (g, [n, , h, w]) => {
    const vectors = [[1, 5], [1, 5], [-4, 5], [1, 5]].map(([low, high]) => g.constant([8], 'float', { low, high }));
    const x = shuffle(g, g.conv(g.input('x', [n, 8, h, w]), 8, 8, { group: 4 }), [n, 8, h, w], 4);
    const pooled = g.op('GlobalMaxPool', [g.op('BatchNormalization', [x, ...vectors])]);
    g.output(g.op('Gemm', [g.op('Flatten', [pooled]), g.constant([8, 3])]));
  }),
  ...sized('s25-shuffle-on-both-sides', { none: 0, nhwc: 1 }, (g, [n, , h, w]) => {
    const x = shuffle(g, g.conv(g.input('x', [n, 8, h, w]), 8, 8, { group: 2 }), [n, 8, h, w], 2);
    const y = shuffle(g, g.conv(x, 8, 12, { kernel: 3 }), [n, 12, h, w], 3);
    g.pooledOutput(g.conv(y, 12, 12, { group: 3 }));
  }),
  // Every group takes channels of all groups before: they cannot lie together
  // for both.
  ...sized('s25-shuffle-between-groups', { none: 1, nhwc: 2 }, (g, [n, , h, w]) => {
    const x = g.conv(g.input('x', [n, 8, h, w]), 8, 8, { group: 2 });
    g.pooledOutput(g.conv(shuffle(g, x, [n, 8, h, w], 2), 8, 8, { group: 2 }));
  }),
  ...['DCR', 'CRD'].flatMap(mode => sized(`s26-depth-to-space-${mode}`, { none: 0, nhwc: 1 }, (g, dims) => {
    const x = g.conv(g.input('x', dims), dims[1], 12);
    g.pooledOutput(g.conv(g.op('DepthToSpace', [x], { blocksize: 2, mode }), 3, 4));
  })),
  situation('s26-space-to-depth', { none: 0, nhwc: 1 }, g => {
    const x = g.conv(g.input('x', [2, 3, 6, 10]), 3, 5);
    g.pooledOutput(g.conv(g.op('SpaceToDepth', [x], { blocksize: 2 }), 20, 4));
  }),
  situation('s26-depth-to-space-between-transposes', { none: 2 }, g => inNchw(g, [1, 8, 8, 8], x =>
    g.op('DepthToSpace', [x], { blocksize: 2 }))),
];

// 28. Positions of unit dimensions.
const squeezes = [
  situation('s28-squeeze-without-axes', { none: 0 }, g => {
    const x = g.transpose(g.input('x', [1, 8, 8, 1]), toNchw);
    g.output(g.op('Squeeze', [g.op('Relu', [x])]));
  }),
  situation('s28-squeeze-of-unknown-rank', { none: 1 }, g => {
    const x = g.transpose(g.input('x', [1, 5, 7, 1], 'float', { declared: ['N', 'H', 'W', 'C'] }), toNchw);
    g.output(g.op('Squeeze', [x]));
  }),
  ...sized('s28-unsqueeze', { none: 0 }, (g, dims) => {
    const x = g.op('Unsqueeze', [g.transpose(g.input('x', dims), [0, 2, 1]), g.list(1)]);
    g.output(g.transpose(x, [0, 1, 3, 2]));
  }, cube),
  ...sized('s28-negative-axes', { none: 0 }, (g, dims) => {
    const x = g.op('Unsqueeze', [g.transpose(g.input('x', dims), [1, 2, 0]), g.list(-1, -3)]);
    const y = g.op('Squeeze', [g.op('Neg', [x]), g.list(-1, -3)]);
    g.output(g.transpose(y, [2, 0, 1]));
  }, cube),
  situation('s28-opset-11', { none: 0, opset: 11 }, g => {
    const x = g.op('Unsqueeze', [g.transpose(g.input('x', [3, 5, 7]), [0, 2, 1])], { axes: [0, -1] });
    g.output(g.transpose(g.op('Squeeze', [x], { axes: [-1] }), [0, 1, 3, 2]));
  }),
];

// 29. Shapes of transposed values.
const named = declared => ({ declared });
const shapes = [
  situation('s29-slices-of-shapes', { none: 0 }, g => {
    const x = g.transpose(g.input('x', [2, 3, 5, 7], 'float', named(['N', 'H', 'W', 'C'])), toNchw);
    const slices = [{ start: 1, end: 3 }, { start: 2, end: 2 }, { start: -1 }, {}];
    const parts = slices.map(attrs => g.op('Shape', [x], attrs));
    g.output(g.op('Concat', parts, { axis: 0 }), 'int64');
  }),
  situation('s29-static-shape', { none: 0 }, g => {
    const shape = g.op('Shape', [g.transpose(g.input('x', [2, 3, 5, 7]), toNchw)], { start: 1 });
    g.output(g.op('Reshape', [g.input('y', [105]), shape]));
  }),
  situation('s29-computed-reshape', { none: 2 }, g => {
    const declared = named(['N', 'H', 'W', 8]);
    const x = g.op('Relu', [g.transpose(g.input('x', [2, 5, 7, 8], 'float', declared), toNchw)]);
    const batch = g.op('Shape', [x], { start: 0, end: 1 }), rest = g.op('Shape', [x], { start: 2 });
    const shape = g.op('Concat', [batch, g.list(2, 4), rest], { axis: 0 });
    g.output(g.transpose(g.op('Reshape', [x, shape]), [0, 3, 4, 1, 2]));
  }),
];

// 32. Permutations that are left out, empty or the identity.
const perms = [
  ...sized('s32-reversed', { none: 0 }, (g, dims) =>
    g.output(g.transpose(g.op('Relu', [g.transpose(g.input('x', dims))]))), cube),
  situation('s32-identity', { none: 0 }, g =>
    g.output(g.op('Relu', [g.transpose(g.input('x', [3, 5, 7]), [0, 1, 2])]))),
  situation('s32-rank-0', { none: 0 }, g =>
    g.output(g.op('Add', [g.transpose(g.input('x', []), []), g.input('y', [3])]))),
  situation('s32-rank-1', { none: 0 }, g => g.output(g.op('Relu', [g.transpose(g.input('x', [5]), [0])]))),
  situation('s32-identity-before-gemm', { none: 0 }, g => {
    const a = g.transpose(g.input('a', [8, 8]), [0, 1]);
    g.output(g.op('Gemm', [a, g.input('b', [8, 8]), g.constant([8])]));
  }),
];

// 49. Nothing to move, and long chains.
const extremes = [
  situation('s49-zero-size', { none: 1, allowTrivial: true }, g => {
    g.output(g.transpose(g.op('Relu', [g.transpose(g.input('x', [2, 0, 3]), [1, 2, 0])]), [1, 2, 0]));
  }),
  situation('s49-zero-size-concat', { none: 0 }, g => {
    const [a, b] = [[2, 3, 0], [2, 3, 5]].map((dims, i) => g.transpose(g.input(`x${i}`, dims), [2, 0, 1]));
    g.output(g.transpose(g.op('Concat', [a, b], { axis: 0 }), [1, 2, 0]));
  }),
  ...[999, 1000].map(length => situation(`s49-chain-of-${length}`, { none: length % 3 }, g => {
    let x = g.input('x', [3, 5, 7]);
    for (let i = 0; i < length; ++i) x = g.transpose(x, [1, 2, 0]);
    g.output(x);
  })),
  situation('s49-six-thousand-nodes', { none: 0 }, g => {
    let x = g.input('x', [2, 3, 5, 7]);
    for (let i = 0; i < 1500; ++i) {
      const inside = g.op('Sigmoid', [g.transpose(x, toNhwc)]);
      x = g.op('Add', [g.transpose(inside, toNchw), x]);
    }
    g.output(x);
  }),
];

module.exports = [
  ...unit, ...splits, ...merges, ...rearranged, ...squeezes, ...shapes, ...perms, ...extremes,
];
