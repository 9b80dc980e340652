//===- movement.js - Shapes, blocks, pieces, ConvTranspose ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { tensor, floats, random, nodeCase } = require('./describe');

const list = values => tensor('int64', [values.length], values);
const constant = [1];

const views = [
  nodeCase('axes', 'Squeeze', 13, [floats([1, 3, 1, 2]), list([0, -2])], { constant }),
  nodeCase('attribute', 'Squeeze', 11, [floats([1, 3, 1, 2])], { attrs: { axes: [2] } }),
  nodeCase('all', 'Squeeze', 13, [floats([1, 3, 1, 2])]),
  nodeCase('to_scalar', 'Squeeze', 13, [floats([1, 1])]),
  nodeCase('empty', 'Squeeze', 14, [tensor('float', [1, 0, 1, 2], []), list([0])], { constant,
      stays: 'a zero is another extent' }),
  nodeCase('empty_kept', 'Squeeze', 14, [tensor('float', [3, 0, 1, 2], []), list([2])], { constant }),
  nodeCase('axes', 'Unsqueeze', 13, [floats([3, 2]), list([0, -1])], { constant }),
  nodeCase('attribute', 'Unsqueeze', 11, [floats([3, 2])], { attrs: { axes: [1] } }),
  nodeCase('scalar', 'Unsqueeze', 13, [tensor('float', [], [3]), list([0])], { constant }),
  nodeCase('empty', 'Unsqueeze', 13, [tensor('float', [0, 2], []), list([1])], { constant }),
  ...[0, 1, 2, 3, -1].map(axis => nodeCase(`axis${axis}`, 'Flatten', 13, [floats([2, 3, 4])], { attrs: { axis } })),
  nodeCase('empty', 'Flatten', 13, [tensor('float', [2, 0, 4], [])]),
  nodeCase('int64', 'Unsqueeze', 13, [random('int64', [3], 0, 9), list([0])], { constant, outputs: ['int64'] }),
];

const blocks = [
  ...['DCR', 'CRD'].map(mode => nodeCase(mode, 'DepthToSpace', 13, [floats([2, 8, 2, 3])], { attrs: { blocksize: 2,
      mode } })),
  nodeCase('three', 'DepthToSpace', 13, [floats([1, 9, 2, 1])], { attrs: { blocksize: 3 } }),
  nodeCase('', 'SpaceToDepth', 13, [floats([2, 2, 4, 6])], { attrs: { blocksize: 2 } }),
];

const pieces = [
  nodeCase('', 'Tile', 13, [floats([2, 3]), list([2, 3])], { constant }),
  nodeCase('once', 'Tile', 13, [floats([2, 1, 3]), list([1, 4, 2])], { constant }),
  nodeCase('never', 'Tile', 14, [floats([2, 3]), list([0, 1])], { constant, stays: 'there is nothing to repeat' }),
  nodeCase('sizes', 'Split', 13, [floats([2, 6]), list([1, 2, 3])], { constant, attrs: { axis: 1 }, outputs: ['float',
      'float', 'float'] }),
  nodeCase('equal', 'Split', 13, [floats([4, 3])], { outputs: ['float', 'float'] }),
  nodeCase('attribute', 'Split', 11, [floats([4, 3])], { attrs: { split: [1, 3], axis: -2 }, outputs: ['float',
      'float'] }),
  nodeCase('uneven', 'Split', 18, [floats([7])], { attrs: { num_outputs: 3 }, outputs: ['float', 'float', 'float'] }),
  nodeCase('empty_part', 'Split', 13, [floats([4]), list([4, 0])], { constant, outputs: ['float', 'float'] }),
];

const values = tensor('float', [2], [-1, 3]), depth = n => tensor('int64', [], [n]);
const hot = [
  ...[0, 1, -1, -2].map(axis => nodeCase(`axis${axis}`, 'OneHot', 11, [tensor('int64', [3], [0, 3, 1]), depth(4),
      values], { attrs: { axis } })),
  nodeCase('negative', 'OneHot', 11, [tensor('int64', [2, 2], [-1, -4, 3, 0]), depth(4), values]),
  nodeCase('outside', 'OneHot', 11, [tensor('int64', [3], [7, -5, 2]), depth(4), values]),
  nodeCase('constant_depth', 'OneHot', 11, [tensor('int64', [3], [0, 3, 1]), tensor('int64', [1], [4]), tensor('int64',
      [2], [5, 9])],
           { constant, outputs: ['int64'] }),
  nodeCase('floats', 'OneHot', 11, [tensor('float', [3], [0, 3, 1]), tensor('float', [], [4]), values], { constant }),
];

const passing = [
  nodeCase('', 'Dropout', 13, [floats([3, 4])]), nodeCase('mask', 'Dropout', 13, [floats([3, 4])], { outputs: ['float',
      'bool'] }),
  nodeCase('ratio', 'Dropout', 12, [floats([3, 4]), tensor('float', [], [0.3])], { constant, outputs: ['float',
      'bool'] }),
  nodeCase('attribute', 'Dropout', 10, [floats([3, 4])], { attrs: { ratio: 0.3 } }),
  nodeCase('', 'CastLike', 15, [floats([4], -3, 3), tensor('int32', [1], [0])], { outputs: ['int32'] }),
];

const kernel = floats([2, 3, 3, 2], -1, 1), image = floats([2, 2, 4, 5]);
const transposed = [
  ['plain', {}], ['strides', { strides: [2, 3] }], ['pads', { strides: [2, 1], pads: [1, 0, 0, 1] }],
  ['wide_pads', { strides: [2, 2], pads: [2, 1, 2, 1] }], ['dilations', { dilations: [2, 3] }],
  ['output_padding', { strides: [3, 2], output_padding: [1, 1] }], ['output_shape', { strides: [2, 2],
      output_shape: [9, 10] }],
  ['same_upper', { strides: [2, 2], auto_pad: 'SAME_UPPER' }], ['same_lower', { strides: [2, 2],
      auto_pad: 'SAME_LOWER' }],
  ['valid', { strides: [2, 2], auto_pad: 'VALID' }],
].map(([name, attrs]) => nodeCase(name, 'ConvTranspose', 11, [image, kernel, floats([3])], { attrs }));
transposed.push(
  nodeCase('groups', 'ConvTranspose', 11, [floats([1, 4, 3, 3]), floats([4, 3, 2, 2], -1, 1), floats([6])],
      { attrs: { group: 2, strides: [2, 1] } }),
  nodeCase('depthwise', 'ConvTranspose', 11, [floats([1, 4, 3, 3]), floats([4, 1, 2, 2], -1, 1)],
      { attrs: { group: 4 } }),
  nodeCase('pointwise', 'ConvTranspose', 11, [image, floats([2, 3, 1, 1], -1, 1)]),
  nodeCase('1d', 'ConvTranspose', 11, [floats([1, 2, 5]), floats([2, 3, 3], -1, 1)], { attrs: { strides: [2], pads: [1,
      1] } }),
  nodeCase('3d', 'ConvTranspose', 11, [floats([1, 2, 2, 3, 2]), floats([2, 2, 2, 2, 3], -1, 1)],
      { attrs: { strides: [2, 1, 2] } }),
);

module.exports = [...views, ...blocks, ...pieces, ...hot, ...passing, ...transposed];
