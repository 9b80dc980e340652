//===- reduce.js - Reductions and global pools ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { tensor, matrix, floats, random, nodeCase, infinity } = require('./describe');

const list = values => tensor('int64', [values.length], values);
const reductions = ['ReduceMean', 'ReduceL1', 'ReduceL2', 'ReduceSumSquare', 'ReduceLogSum', 'ReduceLogSumExp'];
const low = op => op === 'ReduceLogSum' ? 0.1 : -3;

// Axes as an attribute in old opsets, as an input in new ones.
function withAxes(name, op, opset, x, axes, attrs, more) {
  if (opset < 18) return nodeCase(name, op, opset, [x], { attrs: axes ? { ...attrs, axes } : attrs, ...more });
  return nodeCase(name, op, opset, axes ? [x, list(axes)] : [x], { attrs, constant: [1], ...more });
}

const forms = reductions.flatMap(op => [13, 18].flatMap(opset => [0, 1].flatMap(keepdims =>
  [['last', [-1]], ['first', [0]], ['two', [0, 2]], ['negative', [-2, -1]], ['all', undefined]].map(([name, axes]) =>
    withAxes(`${name}_keep${keepdims}`, op, opset, floats([2, 3, 4], low(op), 3), axes, { keepdims })))));
const empty = reductions.flatMap(op => [0, 1].map(noop =>
  withAxes(`empty_noop${noop}`, op, 18, floats([2, 3], low(op), 3), [], { noop_with_empty_axes: noop })));

const rows = {
  large: [[1e4, 9999, -1e4], [88.8, 89, 88]], minus_inf: [[-infinity, -infinity, -infinity], [1, -infinity, 2]],
  plus_inf: [[1, infinity, 2], [1, 2, 3]], both: [[infinity, -infinity, 1], [1, 2, 3]], nan: [[1, NaN, 2], [1, 2, 3]],
  denormal: [[1e-40, 2e-40, 0], [1, 2, 3]],
};
const edges = reductions.flatMap(op => Object.entries(rows).flatMap(([name, values]) => ['float', 'double'].map(type =>
  nodeCase(`${type}_${name}`, op, 13, [matrix(type, ...values)], { attrs: { axes: [1] }, outputs: [type],
      by: 'element' }))));
const halves = reductions.map(op => nodeCase('f16', op, 18, [random('float16', [2, 300], op === 'ReduceLogSum' ? 1 :
    -20, 20), list([1])],
  { outputs: ['float16'], constant: [1] }));

const integers = ['int32', 'int64'].flatMap(type => ['ReduceMean', 'ReduceL1', 'ReduceSumSquare'].map(op =>
  nodeCase(type, op, 13, [tensor(type, [2, 3], [-7, 3, 1, 9, -2, 4])], { attrs: { axes: [1] }, outputs: [type] })));
integers.push(nodeCase('int32', 'ReduceL2', 13, [tensor('int32', [2, 2], [3, 4, 6, 8])],
  { attrs: { axes: [1] }, outputs: ['int32'], stays: 'the root of integers is not one of integers' }));

const pools = ['GlobalAveragePool', 'GlobalMaxPool', 'GlobalLpPool'].flatMap(op =>
  [[2, 3, 5], [2, 3, 4, 4], [1, 2, 2, 3, 2]].map(dims => nodeCase(`${dims.length}d`, op, 13, [floats(dims)])));
pools.push(...[1, 2, 3].map(p => nodeCase(`p${p}`, 'GlobalLpPool', 13, [floats([2, 3, 4, 4])], { attrs: { p } })),
  // ONNX Runtime's starts from the lowest finite number, and passes NaN over.
  nodeCase('odd', 'GlobalMaxPool', 13, [tensor('float', [1, 3, 2], [3e38, 1, -infinity, -3e38, infinity, 2])]),
  nodeCase('f16', 'GlobalAveragePool', 22, [random('float16', [1, 2, 20, 20], 0, 300)], { outputs: ['float16'] }));

module.exports = [...forms, ...empty, ...edges, ...halves, ...integers, ...pools];
