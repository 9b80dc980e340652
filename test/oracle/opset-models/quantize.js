//===- quantize.js - QuantizeLinear and DequantizeLinear, 19 to 23 --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { floats, halves, integers, random, scalar, opCase, graphCase } = require('./describe');
const { element, tensor } = require('../element');

const x = floats([4, 6], -3, 3);
const scales = floats([6], 0.01, 0.05), zeros = integers([6], -20, 20, 'int8');
const blocks = floats([2, 6], 0.2, 0.6);

// Quantises and dequantises, so that narrow types stay inside the graph.
function both(name, opset, type, { scale, zero, attrs = {}, quantizeAttrs = {}, refused }) {
  const constants = zero ? { s: scale, z: zero } : { s: scale }, operands = zero ? ['s', 'z'] : ['s'];
  const implied = zero ? {} : { output_dtype: element(type).number };
  return graphCase(name, opset, {
    inputs: { x }, constants, outputs: [['y', 'float']], refused,
    nodes: [
      { op: 'QuantizeLinear', inputs: ['x', ...operands], outputs: ['q'],
          attrs: { ...attrs, ...implied, ...quantizeAttrs } },
      { op: 'DequantizeLinear', inputs: ['q', ...operands], outputs: ['y'], attrs },
    ],
  });
}

const quantise = (name, opset, operands, type, rest) =>
  opCase(name, opset, 'QuantizeLinear', operands, { outputs: [['y', type]], ...rest });

const eighth = tensor('float', [], [0.125]);

module.exports = [
  quantise('QuantizeLinear_13_axis', 18, ['x', 's', 'z'], 'int8',
      { inputs: { x }, constants: { s: scales, z: zeros }, attrs: { axis: 1 } }),
  quantise('QuantizeLinear_19_f16', 19, ['x', 's', 'z'], 'uint8',
           { inputs: { x: halves([3, 4]) }, constants: { s: tensor('float16', [], [0.0625]),
               z: scalar('uint8', 100) } }),
  quantise('QuantizeLinear_21_output_dtype', 21, ['x', 's'], 'int8',
      { inputs: { x }, constants: { s: eighth }, attrs: { output_dtype: 3 } }),
  quantise('QuantizeLinear_21_uint16', 21, ['x', 's', 'z'], 'uint16',
           { inputs: { x }, constants: { s: tensor('float', [], [0.001]), z: scalar('uint16', 32768) } }),
  quantise('QuantizeLinear_21_int16', 21, ['x', 's'], 'int16',
      { inputs: { x }, constants: { s: tensor('float', [], [0.001]) }, attrs: { output_dtype: 5 } }),
  quantise('QuantizeLinear_21_blocked', 21, ['x', 's', 'z'], 'uint8',
           { inputs: { x }, constants: { s: blocks, z: integers([2, 6], 100, 150, 'uint8') },
               attrs: { axis: 0, block_size: 2 } }),
  quantise('QuantizeLinear_21_int4', 21, ['x', 's', 'z'], 'int4',
           { inputs: { x }, constants: { s: tensor('float', [], [0.5]), z: random('int4', [], -2, -1) } }),
  quantise('QuantizeLinear_23_precision', 23, ['x', 's'], 'int8',
           { inputs: { x }, constants: { s: eighth }, attrs: { output_dtype: 3, precision: 1 } }),
  opCase('DequantizeLinear_13_axis', 18, 'DequantizeLinear', ['q', 's', 'z'],
         { inputs: { q: integers([4, 6], -120, 120, 'int8') }, constants: { s: scales, z: zeros },
             attrs: { axis: -1 } }),
  opCase('DequantizeLinear_19_f16', 19, 'DequantizeLinear', ['q', 's'],
         { inputs: { q: integers([4, 6], -120, 120, 'int8') }, constants: { s: tensor('float16', [], [0.0625]) },
             outputs: [['y', 'float16']] }),
  opCase('DequantizeLinear_21_blocked_int4', 21, 'DequantizeLinear', ['q', 's', 'z'],
         { constants: { s: floats([4, 2], 0.2, 0.6), z: random('int4', [4, 2], -3, 3),
             q: random('int4', [4, 6], -8, 8) },
           inputs: {}, attrs: { axis: 1, block_size: 3 } }),
  opCase('DequantizeLinear_21_int32', 21, 'DequantizeLinear', ['q', 's'],
         { inputs: { q: integers([4, 6], -1200, 1200, 'int32') }, constants: { s: eighth } }),
  opCase('DequantizeLinear_23_output_dtype', 23, 'DequantizeLinear', ['q', 's'],
         { inputs: { q: integers([4, 6], -120, 120, 'int8') }, constants: { s: eighth }, attrs: { output_dtype: 10 },
           outputs: [['y', 'float16']], refused: /Tensor type mismatch/ }),
  both('QDQ_21_int4_axis', 21, 'int4', { scale: floats([6], 0.3, 0.6), zero: random('int4', [6], -3, 3),
      attrs: { axis: 1 } }),
  both('QDQ_21_uint4_blocked', 21, 'uint4', { scale: blocks, zero: random('uint4', [2, 6], 6, 10),
      attrs: { axis: 0, block_size: 2 } }),
  both('QDQ_19_float8e4m3fn', 19, 'float8e4m3fn', { scale: eighth, zero: tensor('float8e4m3fn', [], [0]) }),
  both('QDQ_19_float8e5m2_no_saturate', 19, 'float8e5m2',
       { scale: eighth, zero: tensor('float8e5m2', [], [0]), quantizeAttrs: { saturate: 0 } }),
  both('QDQ_23_float4e2m1', 23, 'float4e2m1', { scale: tensor('float', [], [0.5]),
      zero: tensor('float4e2m1', [], [0]), refused: /Could not find an implementation/ }),
  both('QDQ_21_per_tensor_no_zero', 21, 'int8', { scale: tensor('float', [], [0.03]) }),
  opCase('DynamicQuantizeLinear_11', 18, 'DynamicQuantizeLinear', ['x'],
         { inputs: { x }, outputs: [['y', 'uint8'], ['s', 'float'], ['z', 'uint8']] }),
  opCase('MatMulInteger_10', 18, 'MatMulInteger', ['a', 'b', 'az', 'bz'],
         { inputs: { a: integers([3, 4], 0, 255, 'uint8') }, outputs: [['y', 'int32']],
           constants: { b: integers([4, 5], -99, 99, 'int8'), az: scalar('uint8', 9), bz: scalar('int8', -3) } }),
  opCase('QLinearMatMul_21', 21, 'QLinearMatMul', ['a', 'as', 'az', 'b', 'bs', 'bz', 'ys', 'yz'],
         { inputs: { a: integers([3, 4], 0, 255, 'uint8') }, outputs: [['y', 'uint8']],
           constants: { 'b': integers([4, 5], 0, 255, 'uint8'), 'as': scalar('float', 0.02), 'az': scalar('uint8', 120),
             'bs': scalar('float', 0.03), 'bz': scalar('uint8', 128), 'ys': scalar('float', 0.2),
                 'yz': scalar('uint8', 118) } }),
];
