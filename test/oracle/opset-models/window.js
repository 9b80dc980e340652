//===- window.js - Pools and convolutions, 18 to 22 -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { floats, halves, integers, scalar, opCase } = require('./describe');

const image = floats([1, 2, 7, 8]);

const pool = (name, opset, op, attrs, rest = {}) =>
  opCase(name, opset, op, ['x'], { inputs: { x: image }, attrs: { kernel_shape: [3, 2], ...attrs }, ...rest });

const averages = [
  pool('AveragePool_19_dilations', 19, 'AveragePool', { dilations: [2, 2] }),
  pool('AveragePool_19_dilations_pads', 19, 'AveragePool', { dilations: [2, 1], pads: [1, 0, 1, 1] }),
  pool('AveragePool_19_include_pad', 19, 'AveragePool',
      { pads: [1, 1, 1, 0], count_include_pad: 1, dilations: [1, 2] }),
  pool('AveragePool_19_ceil', 19, 'AveragePool', { strides: [2, 3], ceil_mode: 1 }),
  pool('AveragePool_22_ceil_include_pad', 22, 'AveragePool',
       { strides: [2, 3], ceil_mode: 1, pads: [1, 1, 1, 1], count_include_pad: 1 }),
  pool('AveragePool_19_same_upper', 19, 'AveragePool', { auto_pad: 'SAME_UPPER', strides: [2, 2] }),
  pool('AveragePool_11_ceil', 11, 'AveragePool', { strides: [2, 2], ceil_mode: 1 }),
];

const others = [
  pool('LpPool_18_dilations', 18, 'LpPool', { dilations: [2, 2], p: 2 }),
  pool('LpPool_18_ceil', 18, 'LpPool', { strides: [2, 3], ceil_mode: 1, p: 3 }),
  pool('LpPool_22_pads', 22, 'LpPool', { pads: [1, 0, 1, 1], p: 1 }),
  pool('MaxPool_22', 22, 'MaxPool', { strides: [2, 3], ceil_mode: 1, dilations: [2, 1] }),
  pool('MaxPool_22_indices', 22, 'MaxPool', { pads: [1, 1, 1, 0] }, { outputs: [['y', 'float'], ['i', 'int64']] }),
  opCase('MaxPool_12_int8', 12, 'MaxPool', ['x'],
         { inputs: { x: integers([1, 2, 5, 5], -99, 99, 'int8') }, attrs: { kernel_shape: [2, 2] },
             outputs: [['y', 'int8']] }),
  opCase('GlobalAveragePool_22', 22, 'GlobalAveragePool', ['x'], { inputs: { x: image } }),
  opCase('GlobalMaxPool_22', 22, 'GlobalMaxPool', ['x'], { inputs: { x: image } }),
];

const w = floats([4, 2, 3, 3], -0.5, 0.5), b = floats([4]);

const convolutions = [
  opCase('Conv_22', 22, 'Conv', ['x', 'w', 'b'], { inputs: { x: image }, constants: { w, b },
      attrs: { pads: [1, 1, 1, 1] } }),
  opCase('Conv_22_f16', 22, 'Conv', ['x', 'w'], { inputs: { x: halves([1, 2, 5, 5]), w: halves([3, 2, 3, 3]) },
      outputs: [['y', 'float16']] }),
  opCase('ConvTranspose_22', 22, 'ConvTranspose', ['x', 'w'],
         { inputs: { x: image }, constants: { w: floats([2, 3, 3, 3]) },
           attrs: { strides: [2, 2], pads: [1, 1, 1, 1], output_padding: [1, 1] } }),
  opCase('DeformConv_19', 19, 'DeformConv', ['x', 'w', 'o'],
         { inputs: { x: floats([1, 1, 4, 4]), o: floats([1, 8, 3, 3], -1, 1) }, constants: { w: floats([1, 1, 2, 2]) },
           attrs: { kernel_shape: [2, 2], pads: [0, 0, 0, 0] }, opaque: true }),
  opCase('DeformConv_22_mask', 22, 'DeformConv', ['x', 'w', 'o', 'b', 'm'],
         { inputs: { x: floats([1, 1, 4, 4]), o: floats([1, 8, 3, 3], -1, 1), m: floats([1, 4, 3, 3], 0, 1) },
           constants: { w: floats([1, 1, 2, 2]), b: floats([1]) }, attrs: { kernel_shape: [2, 2] }, opaque: true }),
  opCase('ConvInteger_10', 18, 'ConvInteger', ['x', 'w', 'z'],
         { inputs: { x: integers([1, 2, 4, 4], 0, 255, 'uint8') }, outputs: [['y', 'int32']],
           constants: { w: integers([3, 2, 2, 2], 0, 255, 'uint8'), z: scalar('uint8', 7) } }),
];

module.exports = [...averages, ...others, ...convolutions];
