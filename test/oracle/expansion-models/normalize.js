//===- normalize.js - Normalisations --------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { tensor, count, matrix, floats, random, nodeCase, infinity } = require('./describe');

// A row without variance has no noise where its numbers are exact.
const rows = {
  plain: [[1, 2, 3, 4], [-1, 0, 1, 0.5]],
  zero_variance: [[3, 3, 3, 3], [1, 2, 3, 4]],
  zeros: [[0, 0, 0, 0], [1, 2, 3, 4]],
  nan: [[1, NaN, 3, 4], [1, 2, 3, 4]],
  infinite: [[1, infinity, 3, 4], [1, 2, 3, 4]],
  large: [[300, -200, 100, 50], [1, 2, 3, 4]],
  tiny: [[1e-4, 2e-4, -1e-4, 0], [1, 2, 3, 4]],
};
const each = build => Object.entries(rows).flatMap(([name, values]) =>
  ['float', 'float16', 'double'].map(type => build(`${type}_${name}`, type, matrix(type, ...values))));
const scale = (type, dims = [4]) => random(type, dims, 0.5, 1.5), bias = (type, dims = [4]) => random(type, dims, -1,
    1);

const layer = [
  ...each((name, type, x) => nodeCase(name, 'LayerNormalization', 17, [x, scale(type), bias(type)],
      { outputs: [type] })),
  ...[0, 1, 2, -1, -2, -3].map(axis => nodeCase(`axis${axis}`, 'LayerNormalization', 17,
      [floats([2, 3, 4]), floats([2, 3, 4].slice(axis), 0.5, 1.5)], { attrs: { axis } })),
  ...['float', 'float16', 'double'].map(type => nodeCase(`${type}_results`, 'LayerNormalization', 17,
      [random(type, [3, 4], -2, 2), scale(type)], { outputs: [type, 'float', 'float'] })),
  nodeCase('deviation_only', 'LayerNormalization', 17, [floats([3, 4]), scale('float')], { outputs: ['float', '',
      'float'] }),
  nodeCase('epsilon', 'LayerNormalization', 17, [matrix('float', ...rows.tiny), scale('float'), bias('float')],
           { attrs: { epsilon: 0.1 } }),
  nodeCase('wide', 'LayerNormalization', 17, [random('float16', [2, 2048], -60, 60), scale('float16', [2048])],
           { outputs: ['float16'] }),
];

const rms = [
  ...each((name, type, x) => nodeCase(name, 'RMSNormalization', 23, [x, scale(type)], { outputs: [type] })),
  ...[0, 1, -1].map(axis => nodeCase(`axis${axis}`, 'RMSNormalization', 23,
      [floats([2, 3, 4]), floats([2, 3, 4].slice(axis), 0.5, 1.5)], { attrs: { axis, epsilon: 0.01 } })),
];

const lp = ['LpNormalization'].flatMap(op => [1, 2].flatMap(p => [
  ...each((name, type, x) => nodeCase(`p${p}_${name}`, op, type === 'float16' ? 22 : 13, [x], { attrs: { p },
      outputs: [type] })),
  ...[0, 1, -1].map(axis => nodeCase(`p${p}_axis${axis}`, op, 13, [floats([2, 3, 4])], { attrs: { p, axis } })),
]));

// Exact in every sum: what rounding leaves of no variance is not defined.
const flat = dims => tensor('float', dims, Array.from({ length: count(dims) }, (_, i) => i < 16 ? 2 : i % 4));
const mvn = [
  nodeCase('', 'MeanVarianceNormalization', 13, [floats([2, 3, 4, 4])]),
  nodeCase('', 'MeanVarianceNormalization', 9, [floats([2, 3, 4, 4])]),
  ...[[0, 2, 3], [2, 3], [0, 1, 2, 3]].map(axes => nodeCase(`axes${axes}`, 'MeanVarianceNormalization', 13,
      [floats([2, 3, 4, 4])], { attrs: { axes } })),
];

const features = ['InstanceNormalization', 'GroupNormalization'].flatMap(op => {
  const group = op === 'GroupNormalization';
  return [[2, 4, 8], [2, 4, 4, 2], [1, 4, 2, 4, 2]].flatMap(dims => (group ? [18, 21] : [13, 22]).flatMap(opset => {
    const c = [group && opset < 21 ? 2 : 4], attrs = group ? { num_groups: 2 } : {};
    const types = group || opset === 13 ? ['float'] : ['float', 'float16'];
    return types.flatMap(type => [
      nodeCase(`${type}_${dims.length}d`, op, opset, [random(type, dims, -2, 2), scale(type, c), bias(type, c)],
               { attrs, outputs: [type] }),
    ]).concat([
      // Without a bias: ONNX Runtime takes the scaled mean from it, not from x.
      nodeCase(`${dims.length}d_constant`, op, opset, [flat(dims), scale('float', c), tensor('float', c,
          Array(c[0]).fill(0))],
               { attrs: { ...attrs, epsilon: 0.001 } }),
    ]);
  }));
});

const statistics = (type, c) => [scale(type, [c]), bias(type, [c]), random(type, [c], -1, 1), random(type, [c], 0.3,
    3)];
const batch = [
  ...[9, 14, 15].flatMap(opset => [[3, 4], [2, 4, 3], [2, 4, 3, 3]].map(dims =>
    nodeCase(`${dims.length}d`, 'BatchNormalization', opset, [floats(dims), ...statistics('float', 4)]))),
  nodeCase('double', 'BatchNormalization', 15, [random('double', [2, 4, 3], -2, 2), ...statistics('double', 4)],
      { outputs: ['double'] }),
  nodeCase('f16', 'BatchNormalization', 15, [random('float16', [2, 4, 3], -2, 2), ...statistics('float16', 4)],
           { outputs: ['float16'] }),
  nodeCase('zero_variance', 'BatchNormalization', 15,
           [floats([2, 2, 3]), scale('float', [2]), bias('float', [2]), tensor('float', [2], [0.5, 0]), tensor('float',
               [2], [0, 1])],
           { attrs: { epsilon: 0.01 } }),
  ...['float', 'double', 'float16'].map(type => nodeCase(`zero_variance_and_epsilon_${type}`, 'BatchNormalization', 15,
    [tensor(type, [1, 5, 4], [0, 1, -1, 2, 0, 1, -1, 2, 0, 1, -1, 2, 0, 1, -1, 2, 0, 1, -1, 2]),
      ...[[1, 1, -2, 0, 1], [0, 1, 1, 1, 1], [0, 1, -1, 1, 1], [0, 0, 0, 0, 1]].map(row => tensor(type, [5], row))],
    { attrs: { epsilon: { float: 0 } }, outputs: [type] })),
  nodeCase('odd', 'BatchNormalization', 15,
           [tensor('float', [1, 2, 3], [NaN, infinity, 1, -infinity, 0, 2]), ...statistics('float', 2)]),
];

const lrn = [1, 3, 5, 9].map(size => nodeCase(`size${size}`, 'LRN', 13, [floats([2, 6, 3, 2])],
  { attrs: { size, alpha: 0.3, beta: 0.6, bias: 1.5 } }));
lrn.push(nodeCase('default', 'LRN', 13, [floats([1, 5, 2, 2], -200, 200)], { attrs: { size: 3 } }));

module.exports = [...layer, ...rms, ...lp, ...mvn, ...features, ...batch, ...lrn];
