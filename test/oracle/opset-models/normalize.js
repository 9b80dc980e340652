//===- normalize.js - Normalisations, Softmax and transforms --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { floats, halves, scalar, opCase } = require('./describe');

const image = floats([2, 4, 3, 3]), rows = floats([2, 3, 8]);

const normalisations = [
  // In 18 scale and bias are per group, from 21 on per channel.
  opCase('GroupNormalization_18', 18, 'GroupNormalization', ['x', 's', 'b'],
         { inputs: { x: image }, constants: { s: floats([2], 0.5, 1.5), b: floats([2]) }, attrs: { num_groups: 2 } }),
  opCase('GroupNormalization_21', 21, 'GroupNormalization', ['x', 's', 'b'],
         { inputs: { x: image }, constants: { s: floats([4], 0.5, 1.5), b: floats([4]) },
             attrs: { num_groups: 2, epsilon: 0.01 } }),
  opCase('GroupNormalization_21_one_group', 21, 'GroupNormalization', ['x', 's', 'b'],
         { inputs: { x: image }, constants: { s: floats([4], 0.5, 1.5), b: floats([4]) }, attrs: { num_groups: 1 } }),
  opCase('RMSNormalization_23', 23, 'RMSNormalization', ['x', 's'],
      { inputs: { x: rows }, constants: { s: floats([8], 0.5, 1.5) } }),
  opCase('RMSNormalization_23_axis', 23, 'RMSNormalization', ['x', 's'],
         { inputs: { x: rows }, constants: { s: floats([3, 8], 0.5, 1.5) }, attrs: { axis: 1, epsilon: 0.1 } }),
  opCase('RMSNormalization_23_f16', 23, 'RMSNormalization', ['x', 's'],
         { inputs: { x: halves([2, 8]), s: halves([8], 0.5, 1.5) }, outputs: [['y', 'float16']] }),
  opCase('LayerNormalization_17', 18, 'LayerNormalization', ['x', 's', 'b'],
         { inputs: { x: rows }, constants: { s: floats([8], 0.5, 1.5), b: floats([8]) } }),
  opCase('LayerNormalization_17_outputs', 18, 'LayerNormalization', ['x', 's'],
         { inputs: { x: rows }, constants: { s: floats([3, 8], 0.5, 1.5) }, attrs: { axis: 1 },
           outputs: [['y', 'float'], ['m', 'float'], ['i', 'float']] }),
  opCase('InstanceNormalization_22', 22, 'InstanceNormalization', ['x', 's', 'b'],
         { inputs: { x: image }, constants: { s: floats([4], 0.5, 1.5), b: floats([4]) } }),
  opCase('LpNormalization_22', 22, 'LpNormalization', ['x'], { inputs: { x: rows }, attrs: { p: 1, axis: 1 } }),
  opCase('BatchNormalization_15', 18, 'BatchNormalization', ['x', 's', 'b', 'm', 'v'],
         { inputs: { x: image }, constants: { s: floats([4], 0.5, 1.5), b: floats([4]), m: floats([4], -1, 1),
             v: floats([4], 0.5, 2) } }),
  opCase('Softmax_13', 18, 'Softmax', ['x'], { inputs: { x: rows }, attrs: { axis: 1 } }),
  opCase('Softmax_11_coerced', 11, 'Softmax', ['x'], { inputs: { x: rows }, attrs: { axis: 1 } }),
  opCase('LogSoftmax_13', 18, 'LogSoftmax', ['x'], { inputs: { x: rows } }),
  opCase('Hardmax_13', 18, 'Hardmax', ['x'], { inputs: { x: rows }, attrs: { axis: -1 } }),
];

const transforms = [
  opCase('DFT_20', 20, 'DFT', ['x', '', 'axis'],
         { inputs: { x: floats([1, 8, 1]) }, constants: { axis: scalar('int64', 1) }, opaque: true }),
  opCase('DFT_20_onesided', 20, 'DFT', ['x', 'n', 'axis'],
         { inputs: { x: floats([1, 10, 4, 1]) }, constants: { n: scalar('int64', 8), axis: scalar('int64', 1) },
           attrs: { onesided: 1 }, opaque: true }),
  opCase('DFT_17_attribute', 18, 'DFT', ['x'], { inputs: { x: floats([1, 8, 1]) }, attrs: { axis: 1 }, opaque: true }),
  opCase('Einsum_12', 18, 'Einsum', ['a', 'b'],
         { inputs: { a: floats([2, 3, 4]), b: floats([2, 4, 5]) }, attrs: { equation: 'bij,bjk->bik' } }),
];

module.exports = [...normalisations, ...transforms];
