//===- indexing.js - Scatter, Gather, TopK and their kin ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { floats, integers, list, scalar, vector, opCase } = require('./describe');
const { tensor } = require('../element');

const x = floats([4, 5]), positions = tensor('int64', [2, 3], [0, 3, 1, 1, 0, -2]);
const points = tensor('int64', [3, 1], [0, 2, 0]), updates = floats([2, 3], -3, 3), rows = floats([3, 5], -3, 3);

const scatters = ['none', 'add', 'mul', 'max', 'min'].flatMap(reduction => [
  opCase(`ScatterElements_18_${reduction}`, 18, 'ScatterElements', ['x', 'i', 'u'],
         { inputs: { x, u: updates }, constants: { i: positions }, attrs: { axis: 1, reduction } }),
  opCase(`ScatterND_18_${reduction}`, 18, 'ScatterND', ['x', 'i', 'u'],
         // Without a reduction an index must not come twice.
         { inputs: { x, u: rows }, constants: { i: reduction === 'none' ? tensor('int64', [3, 1], [0, 2, 3]) : points },
           attrs: { reduction } }),
]);

const regions = tensor('float', [2, 4], [0, 0, 5, 6, 1, 2, 7, 7]), roiAttrs = { output_height: 2, output_width: 3 };
const boxes = tensor('float', [1, 5, 4], [0, 0, 2, 2, 0, 1, 2, 3, 1, 1, 3, 3, 0, 0, 1, 1, 5, 5, 6, 7]);

const pair = type => [['v', type], ['i', 'int64']];

module.exports = [
  ...scatters,
  opCase('ScatterElements_18_axis0_computed', 18, 'ScatterElements', ['x', 'i', 'u'],
         { inputs: { x, i: positions, u: updates }, attrs: { reduction: 'max' } }),
  opCase('TopK_24', 24, 'TopK', ['x', 'k'],
         { inputs: { x }, constants: { k: list(3) }, outputs: pair('float'), attrs: { axis: 1, largest: 1 } }),
  opCase('TopK_24_smallest', 24, 'TopK', ['x', 'k'],
         { inputs: { x: integers([3, 6], -99, 99) }, constants: { k: list(2) }, outputs: pair('int64'),
             attrs: { axis: 0, largest: 0 } }),
  opCase('TopK_11_computed_k', 18, 'TopK', ['x', 'k'], { inputs: { x, k: list(2) }, outputs: pair('float') }),
  opCase('GatherND_13_batch', 18, 'GatherND', ['x', 'i'],
         { inputs: { x: floats([2, 3, 4]) }, constants: { i: tensor('int64', [2, 1], [2, 0]) },
             attrs: { batch_dims: 1 } }),
  opCase('GatherElements_13', 18, 'GatherElements', ['x', 'i'],
      { inputs: { x }, constants: { i: positions }, attrs: { axis: 0 } }),
  opCase('OneHot_11', 18, 'OneHot', ['i', 'd', 'v'],
         { inputs: { i: integers([2, 3], 0, 4) }, constants: { d: scalar('int64', 5), v: vector('float', [-1, 2]) } }),
  opCase('NonZero_13', 18, 'NonZero', ['x'], { inputs: { x: integers([4, 5], 0, 2) }, outputs: [['y', 'int64']] }),
  opCase('TensorScatter_24', 24, 'TensorScatter', ['c', 'u', 'w'],
         { inputs: { c: floats([2, 3, 6, 4]), u: floats([2, 3, 2, 4]), w: list(1, 3) }, opaque: true }),
  opCase('TensorScatter_24_circular', 24, 'TensorScatter', ['c', 'u', 'w'],
         { inputs: { c: floats([2, 3, 4]), u: floats([2, 2, 4]), w: list(2, 1) },
             attrs: { mode: 'circular', axis: 1 }, opaque: true }),
  opCase('NonMaxSuppression_10', 10, 'NonMaxSuppression', ['x', 's', 'n', 't'],
         { inputs: { x: boxes, s: floats([1, 2, 5], 0, 1) }, constants: { n: list(3), t: vector('float', [0.25]) },
           outputs: [['y', 'int64']] }),
  opCase('NonMaxSuppression_11_without_overlap', 11, 'NonMaxSuppression', ['x', 's', 'n', '', 't'],
         { inputs: { x: boxes, s: floats([1, 2, 5], 0, 1), n: list(4) }, constants: { t: vector('float', [0.25]) },
           outputs: [['y', 'int64']], attrs: { center_point_box: 1 } }),
  opCase('RoiAlign_10', 10, 'RoiAlign', ['x', 'r', 'b'],
         { inputs: { x: floats([1, 2, 8, 8]), r: regions }, constants: { b: list(0, 0) }, attrs: roiAttrs }),
  opCase('RoiAlign_16', 16, 'RoiAlign', ['x', 'r', 'b'],
         { inputs: { x: floats([1, 2, 8, 8]), r: regions }, constants: { b: list(0, 0) }, attrs: roiAttrs }),
  opCase('RoiAlign_16_not_shifted', 16, 'RoiAlign', ['x', 'r', 'b'],
         { inputs: { x: floats([1, 2, 8, 8]), r: regions }, constants: { b: list(0, 0) },
           attrs: { ...roiAttrs, coordinate_transformation_mode: 'output_half_pixel', mode: 'max' } }),
  opCase('RoiAlign_22', 22, 'RoiAlign', ['x', 'r', 'b'],
         { inputs: { x: floats([1, 2, 8, 8]), r: regions },
           constants: { b: list(0, 0) }, attrs: roiAttrs,
           refused: /Could not find an implementation/ }),
  opCase('StringConcat_20', 20, 'StringConcat', ['a', 'b'],
         { inputs: { a: vector('string', ['x', 'y']), b: vector('string', ['1', '2']) }, outputs: [['y', 'string']],
             opaque: true }),
];
