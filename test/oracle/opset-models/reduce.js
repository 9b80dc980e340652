//===- reduce.js - Reductions: axes became an input in 18 -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { tensor } = require('../element');
const { floats, integers, list, scalar, opCase, graphCase } = require('./describe');

const ops = ['ReduceSum', 'ReduceMean', 'ReduceMax', 'ReduceMin', 'ReduceProd', 'ReduceL1', 'ReduceL2',
  'ReduceLogSum', 'ReduceLogSumExp', 'ReduceSumSquare'];

// A logarithm needs positive sums.
const dataFor = op => op === 'ReduceLogSum' ? floats([2, 3, 4], 0.5, 2) : floats([2, 3, 4]);

const cases = [];
for (const op of ops) {
  const inputs = { x: dataFor(op) };
  cases.push(
    opCase(`${op}_18_keep`, 18, op, ['x', 'axes'], { inputs, constants: { axes: list(1) } }),
    opCase(`${op}_18_drop`, 18, op, ['x', 'axes'],
           { inputs, constants: { axes: list(-1, 0) }, attrs: { keepdims: 0 } }),
    opCase(`${op}_18_all`, 18, op, ['x'], { inputs, attrs: { keepdims: 1 } }),
    opCase(`${op}_18_noop`, 18, op, ['x'], { inputs, attrs: { noop_with_empty_axes: 1 } }));
}

const x = floats([2, 3, 4]);
const rows = tensor('bool', [3, 3], [0, 0, 0, 0, 1, 1, 0, 0, 1]),
    lastColumn = tensor('bool', [2, 3], [0, 1, 1, 1, 0, 1]);
cases.push(
  opCase('ReduceSum_18_empty_axes_reduce_all', 18, 'ReduceSum', ['x', 'axes'],
         { inputs: { x }, constants: { axes: list() }, attrs: { keepdims: 0 } }),
  opCase('ReduceSum_18_empty_axes_noop', 18, 'ReduceSum', ['x', 'axes'],
         { inputs: { x }, constants: { axes: list() }, attrs: { noop_with_empty_axes: 1 } }),
  opCase('ReduceMean_18_computed_axes', 18, 'ReduceMean', ['x', 'axes'], { inputs: { x, axes: list(2) } }),
  opCase('ReduceMax_18_computed_axes_drop', 18, 'ReduceMax', ['x', 'axes'],
         { inputs: { x, axes: list(0, 2) }, attrs: { keepdims: 0 } }),
  opCase('ReduceL2_18_absent_axes', 18, 'ReduceL2', ['x', ''], { inputs: { x } }),
  opCase('ReduceMax_20_bool', 20, 'ReduceMax', ['x', 'axes'],
         { inputs: { x: rows }, constants: { axes: list(1) }, outputs: [['y', 'bool']] }),
  opCase('ReduceMin_20_bool', 20, 'ReduceMin', ['x', 'axes'],
         { inputs: { x: lastColumn }, constants: { axes: list(0) }, outputs: [['y', 'bool']] }),
  opCase('ReduceMax_20_int8', 20, 'ReduceMax', ['x', 'axes'],
         { inputs: { x: integers([3, 5], -100, 100, 'int8') }, constants: { axes: list(1) },
             outputs: [['y', 'int8']] }),
  opCase('ReduceSum_18_int64', 18, 'ReduceSum', ['x', 'axes'],
         { inputs: { x: integers([3, 5]) }, constants: { axes: list(0) }, outputs: [['y', 'int64']] }),
  opCase('CumSum_14_reverse_exclusive', 18, 'CumSum', ['x', 'axis'],
         { inputs: { x }, constants: { axis: scalar('int64', -1) }, attrs: { reverse: 1, exclusive: 1 } }),
  opCase('CumProd_26', 26, 'CumProd', ['x', 'axis'], { inputs: { x }, constants: { axis: scalar('int64', 1) },
      opaque: true }),
  // The same axes as an attribute, as they were before.
  opCase('ReduceMean_13_attribute', 13, 'ReduceMean', ['x'], { inputs: { x }, attrs: { axes: [-1, 1], keepdims: 0 } }),
  opCase('ReduceSum_13_input', 13, 'ReduceSum', ['x', 'axes'], { inputs: { x }, constants: { axes: list(1) } }),
  // Axes that are constant only after folding: Shape, Size, Sub.
  graphCase('ReduceSum_18_folded_axes', 18, {
    inputs: { x }, constants: { one: scalar('int64', 1), unit: list(1) }, outputs: [['y', 'float']],
    nodes: [
      { op: 'Shape', inputs: ['x'], outputs: ['shape'] },
      { op: 'Size', inputs: ['shape'], outputs: ['rank'] },
      { op: 'Sub', inputs: ['rank', 'one'], outputs: ['last'] },
      { op: 'Reshape', inputs: ['last', 'unit'], outputs: ['axes'] },
      { op: 'ReduceSum', inputs: ['x', 'axes'], outputs: ['y'] },
    ],
  }));

module.exports = cases;
