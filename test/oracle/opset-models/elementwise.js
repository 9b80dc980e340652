//===- elementwise.js - Elementwise ops and casts, 18 to 26 ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { floats, halves, integers, random, scalar, vector, opCase, graphCase } = require('./describe');
const { element, tensor } = require('../element');

const x = floats([3, 5], -4, 4);
const unary = (name, opset, op, attrs, rest = {}) => opCase(name, opset, op, ['x'], { inputs: { x }, attrs, ...rest });
const odd = tensor('float', [2, 3], [1, Infinity, -Infinity, NaN, -0, 1e30]);
const bools = [['y', 'bool']];

const activations = [
  unary('Gelu_20_none', 20, 'Gelu'),
  unary('Gelu_20_tanh', 20, 'Gelu', { approximate: 'tanh' }),
  unary('Mish_18', 18, 'Mish'),
  unary('Mish_22', 22, 'Mish'),
  unary('Swish_24', 24, 'Swish'),
  unary('Swish_24_alpha', 24, 'Swish', { alpha: 1.5 }),
  unary('HardSwish_22', 22, 'HardSwish'),
  unary('HardSigmoid_22', 22, 'HardSigmoid', { alpha: 0.3, beta: 0.4 }),
  unary('Elu_22', 22, 'Elu', { alpha: 1.5 }),
  unary('Selu_22', 22, 'Selu'),
  unary('ThresholdedRelu_22', 22, 'ThresholdedRelu', { alpha: 0.7 }),
  unary('Softplus_22', 22, 'Softplus'),
  unary('Round_22', 22, 'Round'),
  unary('Sin_22', 22, 'Sin'),
  unary('Atan_22', 22, 'Atan'),
];

const tests = [
  opCase('IsInf_20', 20, 'IsInf', ['x'], { inputs: { x: odd }, outputs: bools, attrs: { detect_negative: 0 } }),
  opCase('IsInf_20_f16', 20, 'IsInf', ['x'],
         { inputs: { x: tensor('float16', [4], [1, Infinity, -Infinity, NaN]) }, outputs: bools }),
  opCase('IsNaN_20', 20, 'IsNaN', ['x'], { inputs: { x: odd }, outputs: bools }),
  opCase('IsNaN_20_f16', 20, 'IsNaN', ['x'],
         { inputs: { x: tensor('float16', [3], [1, NaN, 2]) }, outputs: bools }),
  opCase('Equal_19_string', 19, 'Equal', ['a', 'b'],
         { inputs: { a: vector('string', ['x', 'y']), b: vector('string', ['x', 'z']) }, outputs: bools,
             opaque: true }),
  opCase('Equal_19_broadcast', 19, 'Equal', ['a', 'b'],
         { inputs: { a: integers([3, 1], 0, 3), b: integers([1, 4], 0, 3) }, outputs: bools }),
];

const bitwise = ['BitwiseAnd', 'BitwiseOr', 'BitwiseXor'].map(op => opCase(`${op}_18`, 18, op, ['a', 'b'], {
  inputs: { a: integers([3, 4], -99, 99, 'int32'), b: integers([4], -50, 60, 'int32') }, outputs: [['y', 'int32']],
}));
bitwise.push(
  opCase('BitwiseNot_18', 18, 'BitwiseNot', ['x'], { inputs: { x: integers([6], 0, 255, 'uint8') },
      outputs: [['y', 'uint8']] }),
  opCase('BitwiseXor_18_uint64', 18, 'BitwiseXor', ['a', 'b'],
         { inputs: { a: tensor('uint64', [2], [2n ** 64n - 1n, 5n]), b: tensor('uint64', [2], [1n, 2n ** 63n]) },
           outputs: [['y', 'uint64']] }),
  opCase('BitCast_26', 26, 'BitCast', ['x'], { inputs: { x }, attrs: { to: 6 }, outputs: [['y', 'int32']],
      opaque: true }));

const bounds = [
  opCase('Clip_13_both', 18, 'Clip', ['x', 'lo', 'hi'],
         { inputs: { x }, constants: { lo: scalar('float', -1), hi: scalar('float', 1.5) } }),
  opCase('Clip_13_max_only', 18, 'Clip', ['x', '', 'hi'], { inputs: { x }, constants: { hi: scalar('float', 0.5) } }),
  opCase('Clip_13_computed_int', 18, 'Clip', ['x', 'lo'],
         { inputs: { x: integers([3, 4]), lo: scalar('int64', -2) }, outputs: [['y', 'int64']] }),
  opCase('Max_13_three', 18, 'Max', ['x', 'a', 'b'], { inputs: { x, a: floats([5]), b: floats([3, 1]) } }),
  opCase('Min_13_int8', 18, 'Min', ['a', 'b'],
         { inputs: { a: integers([4], -99, 99, 'int8'), b: integers([4], -50, 60, 'int8') },
             outputs: [['y', 'int8']] }),
  opCase('Pow_15_int_exponent', 18, 'Pow', ['x', 'e'], { inputs: { x }, constants: { e: integers([5], 0, 4) } }),
];

// There and back again: the value in between has the narrow type.
function throughType(opset, type, attrs = {}, refused) {
  return graphCase(`Cast_${opset}_${type}${Object.keys(attrs).map(key => `_${key}`).join('')}`, opset, {
    inputs: { x }, outputs: [['y', 'float']], refused,
    nodes: [
      { op: 'Cast', inputs: ['x'], outputs: ['n'], attrs: { to: element(type).number, ...attrs } },
      { op: 'Cast', inputs: ['n'], outputs: ['y'], attrs: { to: 1 } },
    ],
  });
}

const casts = [
  throughType(19, 'float8e4m3fn'), throughType(19, 'float8e4m3fnuz'), throughType(19, 'float8e5m2'),
  throughType(19, 'float8e5m2fnuz'), throughType(19, 'float8e4m3fn', { saturate: 0 }), throughType(19, 'bfloat16'),
  throughType(21, 'int4'), throughType(23, 'float4e2m1', {}, /Could not find an implementation/),
      throughType(24, 'float8e8m0'),
  throughType(25, 'int2'),
  opCase('Cast_19_to_string', 19, 'Cast', ['x'], { inputs: { x: integers([4]) }, attrs: { to: 8 },
      outputs: [['y', 'string']], opaque: true }),
  opCase('Cast_19_f16', 19, 'Cast', ['x'], { inputs: { x: halves([2, 3]) }, attrs: { to: 11 },
      outputs: [['y', 'double']] }),
  opCase('Cast_21_uint4', 21, 'Cast', ['x'],
         { inputs: { x: random('uint4', [2, 3], 0, 16) }, attrs: { to: 1 } }),
  opCase('CastLike_19', 19, 'CastLike', ['x', 'like'],
         { inputs: { x, like: integers([1], 0, 2, 'int32') }, outputs: [['y', 'int32']] }),
  graphCase('Identity_22_bf16', 22, {
    inputs: { x: random('bfloat16', [2, 3], -2, 2) }, outputs: [['y', 'bfloat16']],
    nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['y'] }],
  }),
];

module.exports = [...activations, ...tests, ...bitwise, ...bounds, ...casts];
