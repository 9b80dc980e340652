//===- normalizations.js - Normalisations taken apart ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { decomposed, spelled, spelledInTurn } = require('./describe');

const kinds = ['random', 'large', 'flat'];
const epsilon = 1e-5;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

const squares = {
  'pow': (f, d, type) => f.op('Pow', [d, f.number(2, { type })]),
  'mul': (f, d) => f.mul(d, d),
};

const mean = (f, value, axes) => f.reduce('ReduceMean', value, axes);
const deviation = (f, x, axes) => f.sub(x, mean(f, x, axes));

// mean(d^2) + e.
function variance(f, d, axes, square = squares.mul, type = f.type) {
  return f.add(mean(f, square(f, d, type), axes), f.number(epsilon, { type, shape: [] }));
}

const quotients = {
  'div': (f, d, v) => f.div(d, f.op('Sqrt', v)),
  'reciprocal': (f, d, v) => f.mul(d, f.op('Reciprocal', f.op('Sqrt', v))),
  'one-over': (f, d, v) => f.mul(d, f.div(f.number(1), f.op('Sqrt', v))),
  'power': (f, d, v) => f.mul(d, f.op('Pow', [v, f.number(-0.5)])),
  'root-of-reciprocal': (f, d, v) => f.mul(d, f.op('Sqrt', f.op('Reciprocal', v))),
};

const scaled = (f, y, dims) => f.mul(y, f.weights('scale', dims));
const biased = (f, y, dims) => f.add(scaled(f, y, dims), f.weights('bias', dims));

function layerNorm(f, x, { axes = [-1], square, quotient = quotients.div } = {}) {
  const d = deviation(f, x, axes);
  return quotient(f, d, variance(f, d, axes, square));
}

function rmsNorm(f, x, { axes = [-1], square, quotient = quotients.div } = {}) {
  return quotient(f, x, variance(f, x, axes, square));
}

//===----------------------------------------------------------------------===//
// LayerNormalization and RMSNormalization
//===----------------------------------------------------------------------===//

const norms = [['LayerNormalization', [17, 18], layerNorm], ['RMSNormalization', [23], rmsNorm]];

const axisNorms = norms.flatMap(([composite, opsets, norm]) => opsets.flatMap(opset => [
  ...spelledInTurn(Object.entries(squares).flatMap(([squareName, square]) =>
    Object.entries(quotients).map(([name, quotient]) =>
      [composite, `${squareName}-${name}-${opset}`, { opset, kinds },
       (f, x) => scaled(f, norm(f, x, { square, quotient }), [8])]))),
  decomposed(composite, `plain-${opset}`, { opset, kinds }, (f, x) => norm(f, x)),
  decomposed(composite, `two-axes-${opset}`, { opset, kinds }, (f, x) => norm(f, x, { axes: [-1, 1] })),
  decomposed(composite, `scale-of-ones-before-${opset}`, { opset, kinds }, (f, x) => scaled(f, norm(f, x), [1, 1, 8])),
  decomposed(composite, `number-${opset}`, { opset, kinds }, (f, x) => f.mul(norm(f, x), f.number(1.25))),
  decomposed(composite, `along-the-middle-${opset}`, { opset, kinds, found: false }, (f, x) =>
    norm(f, x, { axes: [1] })),
  decomposed(composite, `epsilon-outside-${opset}`, { opset, found: false }, (f, x) =>
    f.div(x, f.add(f.op('Sqrt', mean(f, f.mul(x, x), [-1])), f.number(epsilon)))),
]));

// TensorFlow: x * m + (b - mean * m). Of a flat row the two cancel, and digits
// are lost that the operator keeps.
function multipliedOut(f, x) {
  const m = mean(f, x, [-1]), d = f.sub(x, m);
  const factor = f.mul(f.op('Reciprocal', f.op('Sqrt', variance(f, d, [-1]))), f.weights('scale', [8]));
  return f.add(f.mul(x, factor), f.sub(f.weights('bias', [8]), f.mul(m, factor)));
}

const others = [17, 18].flatMap(opset => [
  ...spelled('LayerNormalization', `bias-${opset}`, { opset, kinds }, (f, x) => biased(f, layerNorm(f, x), [8])),
  ...spelled('LayerNormalization', `multiplied-out-${opset}`, { opset, kinds: ['random', 'large'] }, multipliedOut),
  decomposed('LayerNormalization', `sums-${opset}`, { opset, kinds }, (f, x) => {
    const d = f.sub(x, f.div(f.reduce('ReduceSum', x, [-1]), f.number(8)));
    const v = f.mul(f.reduce('ReduceSum', f.mul(d, d), [-1]), f.number(1 / 8));
    return f.div(d, f.op('Sqrt', f.add(v, f.number(epsilon))));
  }),
  decomposed('LayerNormalization', `sample-${opset}`, { opset, found: false }, (f, x) => {
    const d = deviation(f, x, [-1]), v = f.div(f.reduce('ReduceSum', f.mul(d, d), [-1]), f.number(7));
    return f.div(d, f.op('Sqrt', f.add(v, f.number(epsilon))));
  }),
]);

//===----------------------------------------------------------------------===//
// Halves, with statistics in f32
//===----------------------------------------------------------------------===//

function aroundAll(norm) {
  return (f, x) => {
    const wide = f.cast(x, 'float'), d = norm === layerNorm ? deviation(f, wide, [-1]) : wide;
    const v = variance(f, d, [-1], squares.mul, 'float');
    return scaled(f, f.cast(f.div(d, f.op('Sqrt', v)), 'float16'), [8]);
  };
}

function aroundStatistics(f, x) {
  const d = deviation(f, x, [-1]), v = variance(f, f.cast(d, 'float'), [-1], squares.pow, 'float');
  return f.div(d, f.cast(f.op('Sqrt', v), 'float16'));
}

const half = { type: 'float16', kinds: ['random', 'flat'] };
const halves = [
  ...spelled('LayerNormalization', 'half', { ...half, opset: 17 }, aroundAll(layerNorm)),
  ...spelled('RMSNormalization', 'half', { ...half, opset: 23 }, aroundAll(rmsNorm)),
  decomposed('LayerNormalization', 'half-statistics', { ...half, opset: 17 }, aroundStatistics),
  decomposed('LayerNormalization', 'half-throughout', { ...half, opset: 17, found: false }, (f, x) => layerNorm(f, x)),
];

//===----------------------------------------------------------------------===//
// InstanceNormalization and GroupNormalization
//===----------------------------------------------------------------------===//

const image = { dims: [2, 6, 3, 5], kinds, row: 3 };
const perChannel = (f, y) => biased(f, y, [6, 1, 1]);
const shape = (f, dims) => f.constant('int64', [dims.length], dims);

function groupNorm(f, x, groups) {
  const ones = f.number(1, { shape: [groups] }), zeros = f.number(0, { shape: [groups] });
  const grouped = f.op('Reshape', [x, shape(f, [0, groups, -1])]);
  const y = f.op('InstanceNormalization', [grouped, ones, zeros], { epsilon });
  return f.op('Reshape', [y, f.op('Shape', x)]);
}

const features = [
  // Of a flat image ONNX Runtime's kernel adds what cancels, and loses digits.
  ...spelled('InstanceNormalization', 'means', { ...image, kinds: ['random', 'large'], opset: 18 }, (f, x) =>
    perChannel(f, layerNorm(f, x, { axes: [2, 3] }))),
  ...spelled('GroupNormalization', 'reshaped', { ...image, opset: 21 }, (f, x) => perChannel(f, groupNorm(f, x, 3))),
  decomposed('GroupNormalization', 'plain', { ...image, opset: 21 }, (f, x) => groupNorm(f, x, 1)),
  decomposed('GroupNormalization', 'means', { ...image, opset: 21 }, (f, x) => {
    const grouped = f.op('Reshape', [x, shape(f, [2, 2, 3, 3, 5])]);
    return perChannel(f, f.op('Reshape', [layerNorm(f, grouped, { axes: [2, 3, 4] }), shape(f, f.dims)]));
  }),
  decomposed('GroupNormalization', 'batches-mixed', { ...image, opset: 21, found: false }, (f, x) => {
    const one = f.number(1, { shape: [1] }), zero = f.number(0, { shape: [1] });
    const y = f.op('InstanceNormalization', [f.op('Reshape', [x, shape(f, [1, 1, -1])]), one, zero], { epsilon });
    return f.op('Reshape', [y, shape(f, f.dims)]);
  }),
];

module.exports = [...axisNorms, ...others, ...halves, ...features];
