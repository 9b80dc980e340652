//===- softmax.js - Softmax, LogSoftmax, Hardmax and losses ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { tensor, matrix, floats, random, nodeCase, infinity } = require('./describe');

const rows = {
  plain: [[1, 2, 3, 4], [-1, 0, 1, 0.5]],
  one_minus_inf: [[1, -infinity, 3, 4], [-infinity, -infinity, -infinity, 2]],
  all_minus_inf: [[-infinity, -infinity, -infinity, -infinity], [1, 2, 3, 4]],
  plus_inf: [[1, infinity, 3, 4], [1, 2, 3, 4]],
  nan: [[1, NaN, 3, 4], [1, 2, 3, 4]],
  large: [[1e4, 1e4 + 1, 9990, -1e4], [88.8, 89, 88, -88.8]],
  huge: [[3e38, 1, -3e38, 2e38], [1e30, 1e30, -1e30, 0]],
  ties: [[5, 5, 5, 5], [2, 7, 7, 1]],
  denormal: [[1e-40, -1e-40, 0, 2e-40], [1e-38, 1, 2, 3]],
};
const family = ['Softmax', 'LogSoftmax', 'Hardmax'];
// What is the largest of a row with what is not a number is not defined, and
// ONNX Runtime's LogSoftmax of doubles passes it over when it looks for that.
const isDefined = (op, name, type) => !(op === 'Hardmax' && name === 'nan') &&
    !(op === 'LogSoftmax' && type === 'double' && /nan|plus_inf/.test(name));
const typesOf = op => op === 'Hardmax' ? ['float', 'float16'] : ['float', 'float16', 'double'];

const edges = family.flatMap(op => Object.entries(rows).flatMap(([name, values]) =>
  typesOf(op).filter(type => isDefined(op, name, type) && !(type === 'float16' && name === 'huge')).map(type =>
    nodeCase(`${type}_${name}`, op, 13, [matrix(type, ...values)], { outputs: [type] }))));

const cube = floats([2, 3, 4], -6, 6);
const axes = family.flatMap(op => [
  ...[0, 1, 2, -1, -2].map(axis => nodeCase(`axis${axis}`, op, 13, [cube], { attrs: { axis } })),
  ...[0, 1, 2, -1].map(axis => nodeCase(`axis${axis}`, op, 11, [cube], { attrs: { axis } })),
  nodeCase('default', op, 11, [cube]), nodeCase('default', op, 13, [cube]),
  nodeCase('vector', op, 13, [floats([5], -3, 3)]),
  nodeCase('one', op, 13, [floats([4, 1], -3, 3)]),
  nodeCase('no_rows', op, 13, [tensor('float', [0, 4], [])]),
]);

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

const labels = (dims, classes, type = 'int64') => random(type, dims, 0, classes);
const ignoring = (values, type = 'int64') => tensor(type, [values.length], values);
const scores = floats([4, 5], -3, 3), logProbs = floats([4, 5], -3, 0), weights = floats([5], 0.2, 2);

const losses = [['SoftmaxCrossEntropyLoss', scores, [-3, 3]], ['NegativeLogLikelihoodLoss', logProbs, [-3, 0]]].flatMap(
  ([op, x, [low, high]]) => ['none', 'sum', 'mean'].flatMap(reduction => {
    const attrs = { reduction }, node = (name, operands, more = {}) =>
      nodeCase(`${reduction}_${name}`, op, 13, operands, { attrs: { ...attrs, ...more } });
    const image = floats([2, 3, 4, 5], low, high);
    return [
      node('plain', [x, labels([4], 5)]), node('weighted', [x, labels([4], 5), weights]),
      node('int32', [x, labels([4], 5, 'int32'), weights]),
      node('ignored', [x, ignoring([1, 2, 1, 4])], { ignore_index: 1 }),
      node('ignored_weighted', [x, ignoring([1, 2, 1, 4]), weights], { ignore_index: 1 }),
      node('ignored_outside', [x, ignoring([-1, 2, -1, 4]), weights], { ignore_index: -1 }),
      node('image', [image, labels([2, 4, 5], 3)]), node('image_weighted', [image, labels([2, 4, 5], 3), floats([3],
          0.2, 2)]),
    ];
  }));
losses.push(
  nodeCase('log_prob', 'SoftmaxCrossEntropyLoss', 13, [scores, labels([4], 5)], { outputs: ['float', 'float'] }),
  nodeCase('log_prob_none', 'SoftmaxCrossEntropyLoss', 12, [scores, labels([4], 5)],
           { outputs: ['float', 'float'], attrs: { reduction: 'none' } }),
  nodeCase('large', 'SoftmaxCrossEntropyLoss', 13, [matrix('float', [1e4, 0, -1e4], [88.8, 100, 0]), ignoring([0, 2])],
           { attrs: { reduction: 'none' } }),
  nodeCase('minus_inf', 'SoftmaxCrossEntropyLoss', 13, [matrix('float', [1, -infinity, 2], [0, 1, 2]), ignoring([0,
      1])],
           { attrs: { reduction: 'none' } }),
  nodeCase('minus_inf_ignored', 'NegativeLogLikelihoodLoss', 13, [matrix('float', [-1, -infinity], [-infinity, -2]),
      ignoring([1, 1])],
           { attrs: { reduction: 'none', ignore_index: 1 } }),
  nodeCase('double', 'NegativeLogLikelihoodLoss', 13, [floats([4, 5], -3, 0, 'd'), labels([4], 5)]),
);

module.exports = [...edges, ...axes, ...losses];
