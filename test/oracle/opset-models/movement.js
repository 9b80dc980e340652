//===- movement.js - Split, Pad, Reshape and others that move data --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { floats, integers, bools, list, scalar, vector, random, opCase, graphCase } = require('./describe');
const onnx = require('../onnx');

const x = floats([2, 7, 4]);
const three = [['a', 'float'], ['b', 'float'], ['c', 'float']];
const image = floats([1, 2, 5, 6]);
const nibbles = type => random(type, [2, 3, 4], type === 'int4' ? -8 : 0, type === 'int4' ? 8 : 16);
const noKernel = /Could not find an implementation/;
const int64Output = [['y', 'int64']];

const splits = [
  opCase('Split_18_num_outputs_uneven', 18, 'Split', ['x'],
      { inputs: { x }, outputs: three, attrs: { axis: 1, num_outputs: 3 } }),
  opCase('Split_18_num_outputs_even', 18, 'Split', ['x'],
         { inputs: { x: floats([6, 2]) }, outputs: three, attrs: { num_outputs: 3 } }),
  opCase('Split_18_sizes', 18, 'Split', ['x', 's'],
         { inputs: { x }, constants: { s: list(1, 4, 2) }, outputs: three, attrs: { axis: -2 } }),
  opCase('Split_18_computed_sizes', 18, 'Split', ['x', 's'],
         { inputs: { x, s: list(2, 2, 3) }, outputs: three, attrs: { axis: 1 } }),
  opCase('Split_13_equal', 13, 'Split', ['x'], { inputs: { x: floats([2, 6]) }, outputs: three, attrs: { axis: 1 } }),
];

const padCase = (name, opset, mode, constants, operands = ['x', 'p', '', 'axes']) =>
  opCase(name, opset, 'Pad', operands, { inputs: { x: image }, constants, attrs: { mode } });

const pads = [
  padCase('Pad_18_axes', 18, 'constant', { p: list(1, 2, 0, 3), v: scalar('float', 0.5), axes: list(3, -2) },
      ['x', 'p', 'v', 'axes']),
  padCase('Pad_18_axes_no_value', 18, 'constant', { p: list(1, 2), axes: list(1) }),
  padCase('Pad_18_reflect_axes', 18, 'reflect', { p: list(2, 1, 1, 2), axes: list(2, 3) }),
  padCase('Pad_18_edge_axes', 18, 'edge', { p: list(2, 1, 1, 2), axes: list(-1, -2) }),
  padCase('Pad_19_wrap', 19, 'wrap', { p: list(0, 0, 2, 3, 0, 0, 1, 2) }, ['x', 'p']),
  padCase('Pad_19_wrap_axes', 19, 'wrap', { p: list(3, 2), axes: list(2) }),
  padCase('Pad_21_negative', 21, 'constant', { p: list(-1, 2, 1, -2), axes: list(2, 3) }),
  opCase('Pad_18_computed', 18, 'Pad', ['x', 'p', '', 'axes'],
         { inputs: { x: image, p: list(1, 0), axes: list(2) } }),
  opCase('Pad_23_int64', 23, 'Pad', ['x', 'p', 'v'],
         { inputs: { x: integers([3, 4]) }, constants: { p: list(1, 0, 0, 2), v: scalar('int64', 9) },
             outputs: int64Output }),
];

const shapes = [
  opCase('Reshape_19_allowzero', 19, 'Reshape', ['x', 's'],
         { inputs: { x: floats([3, 4]) }, constants: { s: list(0, 2, -1) } }),
  graphCase('Reshape_19_allowzero_empty', 19, {
    // A zero extent is copied without allowzero and taken literally with it.
    inputs: { x: floats([3, 4]), e: floats([0, 3]) }, constants: { s: list(3, 0), none: list(0) },
    outputs: [['y', 'float'], ['shape', 'int64']],
    nodes: [
      { op: 'Reshape', inputs: ['e', 's'], outputs: ['r'], attrs: { allowzero: 1 } },
      { op: 'Shape', inputs: ['r'], outputs: ['shape'] },
      { op: 'Identity', inputs: ['x'], outputs: ['y'] },
    ],
  }),
  opCase('Reshape_21_int4', 21, 'Reshape', ['x', 's'],
         { inputs: { x: nibbles('int4') }, constants: { s: list(4, 6) }, refused: noKernel, outputs: [['y', 'int4']] }),
  opCase('Transpose_21_int4', 21, 'Transpose', ['x'],
         { inputs: { x: nibbles('int4') }, outputs: [['y', 'int4']], attrs: { perm: [2, 0, 1] } }),
  opCase('Transpose_21_uint4', 21, 'Transpose', ['x'],
         { inputs: { x: nibbles('uint4') }, outputs: [['y', 'uint4']], attrs: { perm: [1, 0, 2] } }),
  opCase('Flatten_21_int4', 21, 'Flatten', ['x'],
         { inputs: { x: nibbles('int4') }, refused: noKernel, outputs: [['y', 'int4']], attrs: { axis: 2 } }),
  opCase('Squeeze_21', 21, 'Squeeze', ['x', 'axes'],
         { inputs: { x: floats([1, 3, 1, 4]) }, constants: { axes: list(-2) } }),
  opCase('Unsqueeze_21', 21, 'Unsqueeze', ['x', 'axes'],
         { inputs: { x: floats([3, 4]) }, constants: { axes: list(0, -1) } }),
  opCase('Shape_21_range', 21, 'Shape', ['x'], { inputs: { x: floats([2, 3, 4, 5]) }, outputs: int64Output,
      attrs: { start: 1, end: -1 } }),
  opCase('Size_21', 21, 'Size', ['x'], { inputs: { x }, outputs: int64Output }),
  graphCase('ConstantOfShape_20', 20, {
    inputs: { x: floats([2, 3]) }, outputs: [['y', 'float']],
    nodes: [
      { op: 'Shape', inputs: ['x'], outputs: ['s'] },
      { op: 'ConstantOfShape', inputs: ['s'], outputs: ['c'],
          attrs: { value: onnx.tensorProto('', 'float', [1], [2.5]) } },
      { op: 'Mul', inputs: ['c', 'x'], outputs: ['y'] },
    ],
  }),
  graphCase('ConstantOfShape_21_int4', 21, {
    refused: noKernel, inputs: { x: floats([2, 3]) }, outputs: [['y', 'float']],
    nodes: [
      { op: 'Shape', inputs: ['x'], outputs: ['s'] },
      { op: 'ConstantOfShape', inputs: ['s'], outputs: ['c'],
          attrs: { value: onnx.tensorProto('', 'int4', [1], [-3]) } },
      { op: 'Cast', inputs: ['c'], outputs: ['f'], attrs: { to: 1 } },
      { op: 'Mul', inputs: ['f', 'x'], outputs: ['y'] },
    ],
  }),
  opCase('CenterCropPad_18', 18, 'CenterCropPad', ['x', 's'],
         { inputs: { x: image }, constants: { s: list(3, 8) }, attrs: { axes: [2, 3] }, opaque: true }),
  opCase('CenterCropPad_18_all_axes', 18, 'CenterCropPad', ['x', 's'],
         { inputs: { x: floats([5, 4]) }, constants: { s: list(3, 7) }, opaque: true }),
  opCase('Col2Im_18', 18, 'Col2Im', ['x', 'i', 'b'],
         { inputs: { x: floats([1, 5, 5]) }, constants: { i: list(5, 5), b: list(1, 5) }, opaque: true }),
  opCase('Col2Im_18_pads_dilations', 18, 'Col2Im', ['x', 'i', 'b'],
         { inputs: { x: floats([1, 8, 20]) }, constants: { i: list(5, 6), b: list(2, 2) },
           attrs: { pads: [0, 0, 1, 1], dilations: [2, 2] }, opaque: true }),
  opCase('Identity_19_string', 19, 'Identity', ['x'],
         { inputs: { x: vector('string', ['left', 'right', '']) }, outputs: [['y', 'string']] }),
  opCase('Trilu_14_upper', 18, 'Trilu', ['x', 'k'], { inputs: { x: floats([4, 5]) },
      constants: { k: scalar('int64', 1) } }),
  opCase('Where_16_bool', 18, 'Where', ['c', 'x', 'y0'],
         { inputs: { c: bools([3, 1]), x: floats([1, 4]), y0: floats([3, 4], 5, 6) } }),
];

module.exports = [...splits, ...pads, ...shapes];
