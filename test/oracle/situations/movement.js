//===- movement.js - Situations 12 to 17: parts of tensors ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { situation, sized, inNchw, permuted, toNhwc, toNchw } = require('./describe');

const tall = { equal: [8, 8, 8, 8], prime: [7, 3, 5, 11] };

// 12. Every result needs the same remap.
const split = [
  ...sized('s12-negative-axis-uneven', { none: 0 }, (g, dims) => {
    const x = g.transpose(g.input('x', permuted(dims, toNhwc)), toNchw);
    const parts = g.op('Split', [x, g.list(1, dims[1] - 1)], { axis: -3 }, { outputs: 2 });
    for (const part of parts) g.output(g.transpose(g.op('Relu', [part]), toNhwc));
  }),
  ...sized('s12-default-axis-one-unused', { none: 0, opset: 17 }, (g, dims) => {
    const x = g.transpose(g.input('x', dims), [1, 2, 3, 0]);
    const sizes = g.list(1, dims[1] - 1), [, second] = g.op('Split', [x, sizes], {}, { outputs: 2 });
    g.output(g.transpose(second, [3, 0, 1, 2]));
  }, tall),
  ...sized('s12-num-outputs', { none: 0 }, (g, dims) => {
    const x = g.transpose(g.input('x', permuted(dims, toNhwc)), toNchw);
    const parts = g.op('Split', [x], { axis: 2, num_outputs: 2 }, { outputs: 2 });
    for (const part of parts) g.output(g.transpose(part, toNhwc));
  }),
];

// 13. One of four is transposed: it stays the only one.
const concat = [
  ...sized('s13-one-of-four', { none: 1 }, (g, dims) => {
    const first = g.transpose(g.input('a', permuted(dims, toNhwc)), toNchw);
    const rest = ['b', 'c', 'd'].map(name => g.input(name, dims));
    g.output(g.op('Concat', [first, ...rest], { axis: 1 }));
  }),
  ...sized('s13-all-of-three', { none: 0 }, (g, dims) => {
    const parts = ['a', 'b', 'c'].map(name => g.transpose(g.input(name, permuted(dims, toNhwc)), toNchw));
    g.output(g.transpose(g.op('Concat', parts, { axis: -3 }), toNhwc));
  }),
];

// 15. Slice: axes that are absent, unsorted, int32, and steps backwards.
const slice = [
  ...sized('s15-absent-axes', { none: 0, opset: 13 }, (g, dims) => inNchw(g, dims, x =>
    g.op('Slice', [x, g.list(0, 1), g.list(1, 100)]))),
  ...sized('s15-unsorted-int32-backwards', { none: 0, opset: 13 }, (g, dims) => inNchw(g, dims, x => {
    const int32 = values => g.constant([values.length], 'int32', { values });
    return g.op('Slice', [x, int32([-1, 1]), int32([-100, 3]), int32([3, -3]), int32([-2, 1])]);
  })),
  situation('s15-opset-9', { none: 0, opset: 9 }, g => inNchw(g, [2, 3, 5, 7], x =>
    g.op('Slice', [x], { starts: [1, 0], ends: [3, 2], axes: [2, 1] }))),
  ...['int64', 'int32'].flatMap(type => sized(`s15-unknown-length-of-starts-${type}`,
      { none: 0, dynamic: true, opset: 13 }, (g, dims) => inNchw(g, dims, x => {
        const bounds = [['starts', [0, 1]], ['ends', [2, 3]]];
        return g.op('Slice', [x, ...bounds.map(([name, values]) => g.fedList(name, values, type, ['L']))]);
      }))),
  ...['int64', 'int32'].flatMap(type => sized(`s15-computed-axes-${type}`, { none: 0, dynamic: true, opset: 13 },
      (g, dims) => inNchw(g, dims, x => {
        const lists = [['starts', [-1, 1]], ['ends', [-100, 3]], ['axes', [3, -3]], ['steps', [-2, 1]]];
        return g.op('Slice', [x, ...lists.map(([name, values]) => g.fedList(name, values, type))]);
      }))),
  situation('s15-computed-axes-all-kept', { none: 0, dynamic: true }, g => inNchw(g, [2, 3, 5, 7], x => {
    const empty = name => g.fedList(name, [], 'int64', ['L']);
    return g.op('Slice', [x, empty('starts'), empty('ends'), empty('axes')]);
  })),
  // What a Slice cuts to one element stands elsewhere then.
  situation('s15-computed-bounds-of-one', { none: 0, dynamic: true }, g => {
    const symbols = { declared: ['N', 'H', 'W', 'C'] };
    const x = g.transpose(g.input('x', [2, 5, 7, 3], 'float', symbols), toNchw);
    const y = g.op('Slice', [x, g.fedList('s', [1, 2]), g.fedList('e', [2, 3]), g.fedList('axes', [2, -1])]);
    g.output(g.transpose(g.op('Relu', [y]), toNhwc));
  }),
  // The same list serves a tensor that lies otherwise.
  situation('s15-computed-axes-of-two', { none: 0, dynamic: true }, g => {
    const axes = g.fedList('axes', [3, 1]);
    inNchw(g, [2, 3, 5, 7], x => g.op('Slice', [x, g.list(1, 0), g.list(3, 2), axes]));
    g.output(g.op('Abs', [axes]), 'int64');
    g.output(g.op('Slice', [g.input('z', [2, 3, 5, 7]), g.list(1, 0), g.list(3, 2), axes]));
  }),
];

// 16. Pad through the opsets, pads in every form.
const padsOf = (g, values) => g.list(...values);
const somePads = [0, 1, 2, 0, 0, 0, 1, 3];
const pad = [
  ...sized('s16-opset-10-attribute', { none: 0, opset: 10 }, (g, dims) => inNchw(g, dims, x =>
    g.op('Pad', [x], { pads: somePads, value: { float: 2 } }))),
  ...sized('s16-opset-11-constant', { none: 0, opset: 11 }, (g, dims) => inNchw(g, dims, x =>
    g.op('Pad', [x, padsOf(g, somePads), g.scalar(3)]))),
  ...sized('s16-opset-18-axes', { none: 0 }, (g, dims) => inNchw(g, dims, x =>
    g.op('Pad', [x, padsOf(g, [1, 2, 0, 3]), '', g.list(3, 1)]))),
  ...['reflect', 'edge'].map(mode => situation(`s16-${mode}`, { none: 0 }, g => inNchw(g, [2, 3, 5, 7], x =>
    g.op('Pad', [x, padsOf(g, [0, 0, 2, 1, 0, 0, 1, 3])], { mode })))),
  ...[11, 13, 18].flatMap(opset => sized(`s16-computed-pads-opset-${opset}`, { none: 0, dynamic: true, opset },
      (g, dims) => inNchw(g, dims, x => g.op('Pad', [x, g.fedList('pads', somePads), g.scalar(3)])))),
  situation('s16-computed-pads-reflect', { none: 0, dynamic: true, opset: 13 }, g => inNchw(g, [2, 3, 5, 7], x =>
    g.op('Pad', [x, g.fedList('pads', [0, 0, 2, 1, 0, 0, -1, 3])], { mode: 'reflect' }))),
  ...['int64', 'int32'].flatMap(type => sized(`s16-computed-axes-${type}`, { none: 0, dynamic: true }, (g, dims) =>
    inNchw(g, dims, x =>
      g.op('Pad', [x, g.fedList('pads', [1, 2, 0, 3]), '', g.fedList('axes', [-1, 1], type)])))),
  ...sized('s16-shared-pads', { none: 0 }, (g, dims) => {
    const pads = padsOf(g, somePads);
    inNchw(g, dims, x => g.op('Pad', [x, pads]));
    g.output(g.op('Pad', [g.input('z', dims), pads]));
  }),
];

// 17. Resize. Only nearest may be permuted without asking what a kernel takes.
const resizeNchw = `schema: inlay.target/1
name: resize-nchw
description: Convolutions NHWC, but Resize only NCHW
layouts:
  - {op: Conv, data: NHWC, weight: HWOI}
  - {op: GlobalAveragePool, data: [NHWC, NCHW]}
  - {op: Resize, data: NCHW}
classes:
  Feature: {rank: [3, 6]}
  Weight: {rank: [3, 6]}
  NTensor: {rank: [3, 6]}
  Tensor: {rank: [0, 6]}
costs: {relayout: 0}
dims: {default: 1}
io: {inputs: keep, outputs: keep}
`;
const floatList = (g, values) => g.constant([values.length], 'float', { values });
const nearest = { mode: 'nearest', coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' };
const resize = [
  ...sized('s17-opset-11-empty-roi', { none: 0, opset: 11 }, (g, dims) => inNchw(g, dims, x =>
    g.op('Resize', [x, floatList(g, []), floatList(g, [1, 1, 2, 3])], nearest))),
  ...sized('s17-sizes', { none: 0, opset: 13 }, (g, dims) => inNchw(g, dims, x =>
    g.op('Resize', [x, '', '', g.list(dims[0], dims[1], 9, 13)], nearest))),
  ...sized('s17-axes', { none: 0 }, (g, dims) => inNchw(g, dims, x =>
    g.op('Resize', [x, '', floatList(g, [3, 2])], { ...nearest, axes: [3, 2] }))),
  ...sized('s17-linear', { none: 2 }, (g, dims) => inNchw(g, dims, x =>
    g.op('Resize', [x, '', floatList(g, [1, 1, 2, 2])], { mode: 'linear' }))),
  situation('s17-roi', { none: 2 }, g => inNchw(g, [1, 8, 8, 8], x =>
    g.op('Resize', [x, floatList(g, [0, 0, 0.25, 0.5, 1, 1, 0.75, 1]), '', g.list(1, 8, 6, 10)],
        { mode: 'linear', coordinate_transformation_mode: 'tf_crop_and_resize', extrapolation_value: { float: 7 } }))),
  ...[13, 18].flatMap(opset => sized(`s17-computed-sizes-opset-${opset}`, { none: 0, dynamic: true, opset },
      (g, dims) => inNchw(g, dims, x =>
        g.op('Resize', [x, '', '', g.fedList('sizes', [dims[0], dims[1], 9, 13])], nearest)))),
  ...[11, 13, 18].flatMap(opset => sized(`s17-computed-scales-opset-${opset}`, { none: 0, dynamic: true, opset },
      (g, dims) => inNchw(g, dims, x =>
        g.op('Resize', [x, floatList(g, []), g.fedList('scales', [1, 1, 2, 3], 'float')], nearest)))),
  // An empty list of scales stands for none, so that its length must be known.
  situation('s17-computed-scales-of-unknown-length', { none: 2, dynamic: true, opset: 13 }, g =>
    inNchw(g, [2, 3, 5, 7], x =>
      g.op('Resize', [x, '', g.fedList('scales', [1, 1, 2, 3], 'float', ['L'])], nearest))),
  // Kernels that interpolate do so along two dimensions, and which is not known.
  situation('s17-computed-sizes-linear', { none: 2, dynamic: true, opset: 13 }, g => inNchw(g, [1, 8, 8, 8], x =>
    g.op('Resize', [x, '', '', g.fedList('sizes', [1, 8, 9, 13])], { mode: 'linear' }))),
  ...sized('s17-between-convs', {
    none: 0, nhwc: 1, also: [{ name: 'resize-nchw', yaml: resizeNchw, atLeast: 3, atMost: 3 }],
  }, (g, dims) => {
    const x = g.conv(g.input('x', dims), dims[1], 4);
    g.pooledOutput(g.conv(g.op('Resize', [x, '', floatList(g, [1, 1, 2, 2])], nearest), 4, 5));
  }),
];

// 30 and 31. Gather by indices of any rank; what addresses several axes at once
// stays where it is. Tile.
const gather = [
  ...sized('s30-rank-1', { none: 0 }, (g, dims) => inNchw(g, dims, x =>
    g.op('Gather', [x, g.list(2, 0, 1, 2)], { axis: 1 }))),
  ...sized('s30-scalar', { none: 0 }, (g, dims) => {
    const x = g.transpose(g.input('x', permuted(dims, toNhwc)), toNchw);
    g.output(g.op('Gather', [x, g.scalar(2, 'int64')], { axis: -3 }));
  }),
  ...sized('s30-rank-2', { none: 0 }, (g, dims) => {
    const x = g.transpose(g.input('x', permuted(dims, toNhwc)), toNchw);
    const taken = g.op('Gather', [x, g.constant([2, 2], 'int64', { values: [0, 2, 1, 0] })], { axis: 1 });
    g.output(g.transpose(taken, [0, 3, 4, 1, 2]));
  }),
  ...sized('s30-computed', { none: 0 }, (g, dims) => inNchw(g, dims, x =>
    g.op('Gather', [x, g.input('i', [4], 'int64', { low: 0, high: 3 })], { axis: 1 }))),
  ...sized('s30-gather-nd', { none: 1 }, (g, dims) => {
    const x = g.transpose(g.input('x', permuted(dims, toNhwc)), toNchw);
    g.output(g.op('GatherND', [x, g.constant([2, 3], 'int64', { values: [0, 2, 1, 0, 1, 4] })]));
  }),
  ...sized('s30-scatter-nd', { none: 2 }, (g, dims) => inNchw(g, dims, x => {
    const indices = g.constant([2, 2], 'int64', { values: [0, 2, 0, 1] });
    return g.op('ScatterND', [x, indices, g.input('u', [2, ...dims.slice(2)])]);
  })),
  ...sized('s31-constant-repeats', { none: 0 }, (g, dims) => inNchw(g, dims, x =>
    g.op('Tile', [x, g.list(1, 2, 1, 3)])), tall),
  ...sized('s31-computed-repeats', { none: 0, dynamic: true }, (g, dims) => inNchw(g, dims, x =>
    g.op('Tile', [x, g.fedList('r', [1, 2, 1, 3])]))),
  situation('s31-invalid-repeats', { refused: true }, g => inNchw(g, [1, 8, 8, 8], x =>
    g.op('Tile', [x, g.list(1, 2, 3)]))),
];

// 30. OneHot: the new dimension stands anywhere.
const classes = (g, x, axis) => g.op('OneHot', [x, g.scalar(4, 'int64'), g.list(-2, 5)], { axis });
const oneHot = [
  ...[0, 2, -1].flatMap(axis => sized(`s30-one-hot-axis-${axis}`, { none: 0 }, (g, dims) => {
    const x = g.transpose(g.input('x', permuted(dims, toNhwc), 'int64', { low: -4, high: 6 }), toNchw);
    const at = axis < 0 ? axis + 5 : axis, rest = toNhwc.map(dim => (dim < at ? dim : dim + 1));
    g.output(g.transpose(classes(g, x, axis), [rest[0], at, ...rest.slice(1)]), 'int64');
  })),
  ...sized('s30-one-hot-one-side', { none: 1 }, (g, dims) => {
    const x = g.transpose(g.input('x', permuted(dims, toNhwc), 'int64', { low: 0, high: 4 }), toNchw);
    g.output(classes(g, x, 1), 'int64');
  }),
];

module.exports = [...split, ...concat, ...slice, ...pad, ...resize, ...gather, ...oneHot];
