//===- meaning.js - Sound files whose ops make no sense -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What shape inference and folding meet: division by zero, indices out of
// range, results too large to hold. A compiler may refuse such a model or leave
// the op as it is; it must not crash, hang or allocate without bound.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('../onnx');
const { MODEL, OK_OR_MODEL, floats, ints, ofNode, ofModel } = require('./describe');

const anything = /^/;
const either = (op, options) => ofNode(OK_OR_MODEL, anything, op, options);
const scalar = (name, value) => ints(name, [], [value]);
const image = [['x', 'float', [1, 4, 8, 8]]];
const kernel = floats('w', [2, 4, 3, 3], new Array(72).fill(0.5));
const huge = 2n ** 40n;

const intOp = (op, a, b) => either(op, {
  operands: ['a', 'b'], constants: [ints('a', [1], [a]), ints('b', [1], [b])], type: 'int64', inputs: [] });

const conv = attrs => either('Conv', { operands: ['x', 'w'], constants: [kernel], inputs: image, attrs });
const pool = attrs => either('MaxPool', { inputs: image, attrs: { kernel_shape: [2, 2], ...attrs } });

module.exports = {
  'int-divide-by-zero': intOp('Div', 5, 0),
  'int-divide-overflow': intOp('Div', -(2n ** 63n), -1),
  'int-mod-by-zero': intOp('Mod', 5, 0),
  'int-mod-overflow': intOp('Mod', -(2n ** 63n), -1),
  'int-multiply-overflow': intOp('Mul', 2n ** 62n, 4),
  'shift-by-too-much': either('BitShift', {
    operands: ['a', 'b'], inputs: [], type: 'uint64', attrs: { direction: 'LEFT' },
    constants: [onnx.tensorProto('a', 'uint64', [1], [1]), onnx.tensorProto('b', 'uint64', [1], [200])] }),
  'range-zero-step': either('Range', { operands: ['a', 'b', 'c'],
      constants: [scalar('a', 0), scalar('b', 9), scalar('c', 0)], type: 'int64', inputs: [] }),
  'range-huge': either('Range', { operands: ['a', 'b', 'c'],
      constants: [scalar('a', 0), scalar('b', huge), scalar('c', 1)], type: 'int64', inputs: [] }),
  'range-overflow': either('Range', {
    operands: ['a', 'b', 'c'], constants: [scalar('a', -(2n ** 63n)), scalar('b', 2n ** 63n - 1n), scalar('c', 1)],
        type: 'int64', inputs: [] }),
  'range-nan': either('Range', {
    operands: ['a', 'b', 'c'], constants: [floats('a', [], [0]), floats('b', [], [NaN]), floats('c', [], [1])],
        inputs: [] }),
  'constant-of-shape-huge': either('ConstantOfShape', { operands: ['s'], constants: [ints('s', [2], [huge, huge])],
      inputs: [] }),
  'constant-of-shape-large': either('ConstantOfShape',
      { operands: ['s'], constants: [ints('s', [1], [2n ** 33n])], inputs: [] }),
  'constant-of-shape-negative': either('ConstantOfShape',
      { operands: ['s'], constants: [ints('s', [1], [-4])], inputs: [] }),
  'expand-huge': either('Expand', { operands: ['c', 's'],
      constants: [floats('c', [1], [1]), ints('s', [2], [huge, huge])], inputs: [] }),
  'tile-huge': either('Tile', { operands: ['c', 's'], constants: [floats('c', [1], [1]), ints('s', [1], [huge])],
      inputs: [] }),
  'tile-negative': either('Tile', { operands: ['x', 's'], constants: [ints('s', [3], [-1, 1, 1])] }),
  'pad-huge': either('Pad', { operands: ['c', 's'], constants: [floats('c', [1], [1]), ints('s', [2], [huge, huge])],
      inputs: [] }),
  'pad-removes-everything': either('Pad', { operands: ['x', 's'], constants: [ints('s', [6], [-9, 0, 0, 0, 0, 0])] }),
  'pad-wrong-length': either('Pad', { operands: ['x', 's'], constants: [ints('s', [3], [1, 1, 1])] }),
  'resize-huge': either('Resize', {
    operands: ['x', '', '', 's'], constants: [ints('s', [4], [1, 1, huge, huge])],
        inputs: [['x', 'float', [1, 1, 2, 2]]] }),
  'resize-scale-nan': either('Resize', {
    operands: ['x', '', 's'], constants: [floats('s', [4], [1, 1, NaN, -3])], inputs: [['x', 'float', [1, 1, 2, 2]]] }),
  'resize-scale-infinite': either('Resize', {
    operands: ['x', '', 's'], constants: [floats('s', [4], [1, 1, Infinity, 0])],
        inputs: [['x', 'float', [1, 1, 2, 2]]] }),
  'one-hot-huge': either('OneHot', {
    operands: ['i', 'd', 'v'], constants: [ints('i', [1], [1]), scalar('d', huge), floats('v', [2], [0, 1])],
        inputs: [] }),
  'eye-like-offset': either('EyeLike', { inputs: [['x', 'float', [2, 2]]], attrs: { k: 2n ** 63n - 1n } }),
  'trilu-offset': either('Trilu', { operands: ['x', 'k'], constants: [scalar('k', -(2n ** 63n))] }),
  'slice-zero-step': either('Slice', {
    operands: ['x', 'a', 'b', 'c', 'd'], constants: [ints('a', [1], [0]), ints('b', [1], [2]), ints('c', [1], [0]),
        ints('d', [1], [0])] }),
  'slice-axis-out-of-range': either('Slice', {
    operands: ['x', 'a', 'b', 'c'], constants: [ints('a', [1], [0]), ints('b', [1], [2]), ints('c', [1], [7])] }),
  'slice-extremes': either('Slice', {
    operands: ['x', 'a', 'b', 'c', 'd'],
    constants: [ints('a', [1], [2n ** 63n - 1n]), ints('b', [1], [-(2n ** 63n)]), ints('c', [1], [-1]),
        ints('d', [1], [-(2n ** 63n)])] }),
  'slice-lengths-differ': either('Slice', { operands: ['x', 'a', 'b'],
      constants: [ints('a', [1], [0]), ints('b', [2], [2, 2])] }),
  'reshape-two-unknown': either('Reshape', { operands: ['x', 's'], constants: [ints('s', [2], [-1, -1])] }),
  'reshape-does-not-fit': either('Reshape', { operands: ['x', 's'], constants: [ints('s', [2], [5, 5])] }),
  'reshape-overflow': either('Reshape', { operands: ['x', 's'], constants: [ints('s', [3], [huge, huge, -1])] }),
  'reshape-zero-and-unknown': either('Reshape', { operands: ['x', 's'], constants: [ints('s', [2], [0, -1])],
      inputs: [['x', 'float', [0, 4]]] }),
  'reshape-zero-out-of-range': either('Reshape', { operands: ['x', 's'],
      constants: [ints('s', [5], [1, 1, 1, 1, 0])] }),
  'transpose-not-a-permutation': either('Transpose', { attrs: { perm: [0, 0, 2] } }),
  'transpose-out-of-range': either('Transpose', { attrs: { perm: [0, 1, 99] } }),
  'transpose-wrong-rank': either('Transpose', { attrs: { perm: [1, 0] } }),
  'axis-out-of-range': either('Softmax', { attrs: { axis: 99 } }),
  'axis-extreme': either('Softmax', { attrs: { axis: -(2n ** 63n) } }),
  'concat-axis-out-of-range': either('Concat', { operands: ['x', 'x'], attrs: { axis: 5 } }),
  'concat-overflow': ofModel(OK_OR_MODEL, anything, {
    inputs: [['x', 'float', [2n ** 62n]]], outputs: [['y', 'float']],
    nodes: [{ op: 'Concat', name: 'culprit', inputs: ['x', 'x', 'x', 'x'], outputs: ['y'], attrs: { axis: 0 } }] }),
  'flatten-overflow': ofModel(OK_OR_MODEL, anything, {
    inputs: [['x', 'float', [2n ** 40n, 2n ** 40n]]], outputs: [['y', 'float']],
    nodes: [{ op: 'Flatten', name: 'culprit', inputs: ['x'], outputs: ['y'], attrs: { axis: 2 } }] }),
  'size-overflow': ofModel(OK_OR_MODEL, anything, {
    inputs: [['x', 'float', [2n ** 40n, 2n ** 40n]]], outputs: [['y', 'int64']],
    nodes: [{ op: 'Size', name: 'culprit', inputs: ['x'], outputs: ['y'] }] }),
  'squeeze-not-one': either('Squeeze', { operands: ['x', 'a'], constants: [ints('a', [1], [1])] }),
  'unsqueeze-twice': either('Unsqueeze', { operands: ['x', 'a'], constants: [ints('a', [2], [0, 0])] }),
  'unsqueeze-absurd': either('Unsqueeze', { operands: ['x', 'a'],
      constants: [ints('a', [100000], Array.from({ length: 100000 }, (_, i) => i))] }),
  'gather-index-out-of-range': either('Gather', {
    operands: ['c', 'i'], constants: [ints('c', [3], [1, 2, 3]), ints('i', [2], [3, -9])], type: 'int64', inputs: [] }),
  'gather-elements-out-of-range': either('GatherElements', {
    operands: ['c', 'i'], constants: [ints('c', [3], [1, 2, 3]), ints('i', [1], [2n ** 62n])], type: 'int64',
        inputs: [] }),
  'gather-nd-out-of-range': either('GatherND', {
    operands: ['c', 'i'], constants: [ints('c', [3], [1, 2, 3]), ints('i', [1, 1], [77])], type: 'int64', inputs: [] }),
  'gather-nd-too-deep': either('GatherND', { operands: ['x', 'i'],
      constants: [ints('i', [1, 9], new Array(9).fill(0))] }),
  'scatter-elements-out-of-range': either('ScatterElements', {
    operands: ['c', 'i', 'u'], constants: [ints('c', [3], [1, 2, 3]), ints('i', [1], [-77]), ints('u', [1], [5])],
        type: 'int64', inputs: [] }),
  'scatter-nd-out-of-range': either('ScatterND', {
    operands: ['c', 'i', 'u'], constants: [ints('c', [3], [1, 2, 3]), ints('i', [1, 1], [77]), ints('u', [1], [5])],
        type: 'int64', inputs: [] }),
  'split-zero-outputs': either('Split', { attrs: { num_outputs: 0 } }),
  'split-sum-differs': either('Split', { operands: ['x', 's'], constants: [ints('s', [2], [1, 9])],
      outputs: ['y', 'z'] }),
  'split-negative': either('Split', { operands: ['x', 's'], constants: [ints('s', [2], [-1, 3])],
      outputs: ['y', 'z'] }),
  'topk-too-many': either('TopK', { operands: ['x', 'k'], constants: [ints('k', [1], [99])], outputs: ['y', 'z'] }),
  'topk-negative': either('TopK', { operands: ['x', 'k'], constants: [ints('k', [1], [-2])], outputs: ['y', 'z'] }),
  'conv-group-zero': conv({ group: 0 }),
  'conv-stride-zero': conv({ strides: [0, 0] }),
  'conv-dilation-negative': conv({ dilations: [-1, -1] }),
  'conv-pads-negative': conv({ pads: [-99, -99, -99, -99] }),
  'conv-pads-overflow': conv({ pads: [2n ** 63n - 1n, 0, 2n ** 63n - 1n, 0] }),
  'conv-dilation-overflow': conv({ dilations: [2n ** 62n, 2n ** 62n] }),
  'conv-pads-wrong-length': conv({ pads: [1] }),
  'conv-kernel-differs': conv({ kernel_shape: [5, 5] }),
  'conv-scalar-input': either('Conv', { operands: ['x', 'w'], constants: [kernel], inputs: [['x', 'float', []]] }),
  'pool-kernel-zero': pool({ kernel_shape: [0, 0] }),
  'pool-kernel-missing': either('MaxPool', { inputs: image }),
  'pool-stride-zero': pool({ strides: [0, 1] }),
  'pool-auto-pad-unknown': pool({ auto_pad: 'SIDEWAYS' }),
  'matmul-does-not-fit': either('MatMul', { operands: ['x', 'w'],
      constants: [floats('w', [9, 2], new Array(18).fill(1))] }),
  'matmul-scalar': either('MatMul', { operands: ['x', 'w'], constants: [floats('w', [], [1])] }),
  'gemm-rank': either('Gemm', { operands: ['x', 'x'] }),
  'broadcast-does-not-fit': either('Add', { operands: ['x', 'w'], constants: [floats('w', [5], [1, 2, 3, 4, 5])] }),
  'types-differ': ofNode(OK_OR_MODEL, anything, 'Add',
      { operands: ['x', 'w'], constants: [ints('w', [4], [1, 2, 3, 4])] }),
  'einsum-equation': either('Einsum', { operands: ['x', 'x'], attrs: { equation: '...i,,->->..' } }),
  'einsum-equation-rank': either('Einsum', { operands: ['x'], attrs: { equation: 'abcdefgh->a' } }),
  'depth-to-space-zero': either('DepthToSpace', { inputs: image, attrs: { blocksize: 0 } }),
  'space-to-depth-negative': either('SpaceToDepth', { inputs: image, attrs: { blocksize: -2 } }),
  'group-normalization-zero': either('GroupNormalization', {
    operands: ['x', 's', 's'], constants: [floats('s', [4], [1, 1, 1, 1])], inputs: image, attrs: { num_groups: 0 },
        opset: 21 }),
  'quantize-block-zero': either('DequantizeLinear', {
    operands: ['q', 's'], inputs: [], opset: 21, attrs: { axis: 0, block_size: -1 },
    constants: [onnx.tensorProto('q', 'int8', [4], [1, 2, 3, 4]), floats('s', [2], [1, 2])] }),
  'cast-to-nothing': ofNode(MODEL, /culprit/i, 'Cast', { attrs: { to: 77 } }),
  'cast-out-of-range': either('Cast', { operands: ['c'], constants: [floats('c', [4], [NaN, 1e38, -1e38, Infinity])],
      attrs: { to: 6 }, type: 'int32', inputs: [] }),
  'constant-without-value': ofNode(MODEL, /culprit/i, 'Constant', { operands: [], inputs: [] }),
  'loop-endless': ofModel(OK_OR_MODEL, anything, {
    // A constant condition and no trip count: folding must not run it.
    initializers: [onnx.tensorProto('c', 'bool', [], [true])], outputs: [['y', 'int64']],
    nodes: [{
      op: 'Loop', name: 'culprit', inputs: ['', 'c', 'n'], outputs: ['y'],
      attrs: { body: onnx.graph({
        inputs: [['i', 'int64', []], ['go', 'bool', []], ['s', 'int64', []]],
            outputs: [['go2', 'bool', []], ['t', 'int64', []]],
        nodes: [{ op: 'Identity', inputs: ['go'], outputs: ['go2'] },
            { op: 'Add', inputs: ['s', 'i'], outputs: ['t'] }],
      }) },
    }],
    inputs: [['n', 'int64', []]],
  }),
};
