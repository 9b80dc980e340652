//===- arithmetic.js - Sums, powers, Gemm and quantisation ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { tensor, numbers, extremes, vector, floats, random, nodeCase, infinity } = require('./describe');

const variadic = ['Sum', 'Mean', 'Max', 'Min'].flatMap(op => [
  ...[1, 2, 3, 5].map(n => nodeCase(`of${n}`, op, 13, Array.from({ length: n }, (_, i) => floats([[2, 3], [3], [2, 1],
      [], [1, 3]][i], -3, 3, i)),
    { stays: n === 2 && /M[ai][xn]$/.test(op) ? 'it is basic' : undefined })),
  nodeCase('odd', op, 13, [vector('float', extremes), tensor('float', [1], [2]), tensor('float', [1], [-1])],
      { by: 'element' }),
  nodeCase('f16', op, 13, ['a', 'b', 'c', 'd'].map(salt => random('float16', [40], -30, 30, salt)),
      { outputs: ['float16'] }),
  ...op === 'Mean' ? [] :
    [nodeCase('double', op, 13, ['a', 'b', 'c'].map(salt => random('double', [4], -3, 3, salt)),
        { outputs: ['double'] })],
]);

const exponents = [['square', 2], ['root', 0.5]].flatMap(([name, value]) => ['float', 'double',
    'float16'].flatMap(type =>
  ['float', 'int64'].filter(exponent => exponent === 'float' || value === 2).map(exponent =>
    nodeCase(`${name}_${type}_${exponent}`, 'Pow', 13, [vector(type, [...numbers, ...extremes]), tensor(exponent, [],
        [value])],
             { outputs: [type], constant: [1], by: 'element' }))));
const powers = [...exponents,
  nodeCase('square_int32', 'Pow', 13, [tensor('int32', [3], [-3, 0, 70000]), tensor('int32', [], [2])],
      { outputs: ['int32'], constant: [1] }),
  nodeCase('third', 'Pow', 13, [floats([4], 0.1, 3), tensor('float', [], [3])], { constant: [1],
      stays: 'only 2 and 0.5 are simpler' }),
  nodeCase('vector', 'Pow', 13, [tensor('float', [], [3]), tensor('float', [1], [2])], { constant: [1],
      stays: 'the result has another rank' }),
];

// Every number beside every other.
const pairs = (type, values) => [tensor(type, [values.length, 1], values), vector(type, values)];
const comparisons = [
  ...['float', 'double'].map(type => nodeCase(type, 'Equal', 13, pairs(type, [...numbers, ...extremes]), { outputs: ['bool'] })),
  nodeCase('int32', 'Equal', 13, pairs('int32', [-3, -1, 0, 1, 70000]), { outputs: ['bool'] }),
  nodeCase('bool', 'Equal', 13, pairs('bool', [0, 1]), { outputs: ['bool'], stays: 'bools have no order' }),
];

const [a, b] = [floats([2, 3]), floats([3, 4])], turned = [floats([3, 2]), floats([4, 3])];
const addends = { none: undefined, scalar: [], row: [4], row2: [1, 4], column: [2, 1], full: [2, 4] };
const gemm = [
  ...Object.entries(addends).flatMap(([name, dims]) => [{}, { alpha: 0.5, beta: { float: 2 } }].map((attrs, i) =>
    nodeCase(`${name}${i}`, 'Gemm', 13, dims ? [a, b, floats(dims)] : [a, b], { attrs }))),
  nodeCase('transposed', 'Gemm', 13, [...turned, floats([4])], { attrs: { transA: 1, transB: 1 } }),
  nodeCase('transposed_a', 'Gemm', 11, [turned[0], b], { attrs: { transA: 1, alpha: { float: 3 } } }),
  nodeCase('no_beta', 'Gemm', 13, [a, b, tensor('float', [4], [NaN, 1, infinity, 2])],
      { attrs: { beta: { float: 0 } } }),
  nodeCase('f16', 'Gemm', 13, [random('float16', [2, 30], -2, 2), random('float16', [30, 4], -2, 2), random('float16',
      [4], -1, 1)],
           { attrs: { alpha: 0.3 }, outputs: ['float16'] }),
  nodeCase('double', 'Gemm', 13, [random('double', [2, 3], -2, 2), random('double', [3, 4], -2, 2)],
      { outputs: ['double'] }),
];

//===----------------------------------------------------------------------===//
// Quantisation
//===----------------------------------------------------------------------===//

const halves = [-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5, 126.5, 127.5, 128.5, 254.5, 255.5, 1e9, -1e9, infinity,
    -infinity];
const points = { uint8: 3, int8: -3, uint16: 300, int16: -300 };
const quantize = Object.entries(points).flatMap(([type, zero]) => [
  nodeCase(type, 'QuantizeLinear', 21, [vector('float', halves), tensor('float', [], [1]), tensor(type, [], [zero])],
      { outputs: [type] }),
  nodeCase(`${type}_scaled`, 'QuantizeLinear', 21, [floats([50], -3, 3), tensor('float', [], [0.013]), tensor(type, [],
      [zero])], { outputs: [type] }),
  nodeCase(`${type}_axis`, 'QuantizeLinear', 21,
           [floats([2, 3, 4], -3, 3), tensor('float', [3], [0.1, 0.02, 1]), tensor(type, [3], [zero, 0, 1])],
               { outputs: [type] }),
  nodeCase(type, 'DequantizeLinear', 21, [random(type, [50], type[0] === 'u' ? 0 : -100, 100), tensor('float', [],
      [0.013]), tensor(type, [], [zero])]),
  nodeCase(`${type}_axis`, 'DequantizeLinear', 21,
           [random(type, [2, 3, 4], type[0] === 'u' ? 0 : -100, 100), tensor('float', [3], [0.1, 0.02, 1]),
               tensor(type, [3], [zero, 0, 1])],
           { attrs: { axis: -2 } }),
]);
quantize.push(
  nodeCase('plain', 'QuantizeLinear', 13, [floats([6], 0, 300), tensor('float', [], [1.5])], { outputs: ['uint8'] }),
  nodeCase('f16', 'QuantizeLinear', 19, [random('float16', [40], -3, 3), tensor('float16', [], [0.05]), tensor('int8',
      [], [2])], { outputs: ['int8'] }),
  nodeCase('blocked', 'QuantizeLinear', 21, [floats([2, 6], -3, 3), floats([2, 3], 0.1, 0.5), tensor('int8', [2, 3],
      [1, 2, 3, 4, 5, 6])],
           { outputs: ['int8'], attrs: { block_size: 2, axis: 1 } }),
  nodeCase('blocked', 'DequantizeLinear', 21, [random('int8', [6, 2], -99, 99), floats([3, 2], 0.1, 0.5)],
      { attrs: { block_size: 2, axis: 0 } }),
  nodeCase('blocked_rest', 'DequantizeLinear', 21, [random('int8', [5, 2], -99, 99), floats([3, 2], 0.1, 0.5)],
           { attrs: { block_size: 2, axis: 0 }, stays: 'the last block is shorter' }),
  nodeCase('int32', 'DequantizeLinear', 13, [tensor('int32', [4], [-9, 0, 40, 70000]), tensor('float', [], [0.02])]),
  nodeCase('f16', 'DequantizeLinear', 19, [random('uint8', [40], 0, 255), tensor('float16', [], [0.05]),
      tensor('uint8', [], [2])], { outputs: ['float16'] }),
  nodeCase('float8', 'QuantizeLinear', 19, [floats([40], -500, 500), tensor('float', [], [1]), tensor('float8e4m3fn',
      [], [0])], { outputs: ['float8e4m3fn'] }),
  nodeCase('int4', 'DequantizeLinear', 21, [tensor('int4', [4], [-8, 7, 0, 3]), tensor('float', [], [0.5]),
      tensor('int4', [], [1])]),
);

const dynamic = { mixed: [-3, 1, 4, 2.5], positive: [1, 2, 3, 9], negative: [-1, -2, -3, -9], zeros: [0, 0, 0, 0],
    wide: [-1e30, 1e30, 0, 5] };
const dynamicCases = Object.entries(dynamic).map(([name, values]) =>
  nodeCase(name, 'DynamicQuantizeLinear', 11, [vector('float', values)], { outputs: ['uint8', 'float', 'uint8'] }));

module.exports = [...variadic, ...powers, ...comparisons, ...gemm, ...quantize, ...dynamicCases];
