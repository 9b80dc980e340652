//===- activations.js - Activations taken apart ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { decomposed, spelled } = require('./describe');

const kinds = ['random', 'large', 'extreme'];

//===----------------------------------------------------------------------===//
// Gelu
//===----------------------------------------------------------------------===//

const halved = {
  'first': (f, x, sum) => f.mul(f.mul(x, f.number(0.5)), sum),
  'last': (f, x, sum) => f.mul(f.mul(x, sum), f.number(0.5)),
  'inside': (f, x, sum) => f.mul(x, f.mul(sum, f.number(0.5))),
  'divided': (f, x, sum) => f.div(f.mul(x, sum), f.number(2)),
};
const oneMore = (f, value) => f.add(value, f.number(1));
const erf = (f, x, root = Math.SQRT2) => f.op('Erf', f.div(x, f.number(root)));

const gelu = { opset: 20, kinds };
const gelus = [
  ...Object.entries(halved).flatMap(([name, half]) => [
    ...spelled('Gelu', `erf-${name}`, gelu, (f, x) => half(f, x, oneMore(f, erf(f, x)))),
    ...spelled('Gelu', `reciprocal-${name}`, gelu, (f, x) =>
      half(f, x, oneMore(f, f.op('Erf', f.mul(x, f.number(Math.SQRT1_2)))))),
  ]),
  decomposed('Gelu', 'six-digits', gelu, (f, x) => halved.last(f, x, oneMore(f, erf(f, x, 1.41421)))),
  decomposed('Gelu', 'three-halves', { ...gelu, found: false }, (f, x) => halved.last(f, x, oneMore(f, erf(f, x, 1.5)))),
  decomposed('Gelu', 'not-halved', { ...gelu, found: false }, (f, x) => f.mul(x, oneMore(f, erf(f, x)))),
  ...spelled('Gelu', 'multiplied-out', gelu, (f, x) =>
    f.mul(x, f.add(f.mul(erf(f, x), f.number(0.5)), f.number(0.5)))),
];

const cubes = {
  'pow': (f, x) => f.op('Pow', [x, f.number(3)]),
  'product': (f, x) => f.mul(f.mul(x, x), x),
  'square': (f, x) => f.mul(x, f.op('Pow', [x, f.number(2)])),
};
const bend = 0.044715, slope = Math.sqrt(2 / Math.PI);

const tanhGelus = [
  ...Object.entries(cubes).flatMap(([name, cube]) => spelled('Gelu', `tanh-${name}`, gelu, (f, x) => {
    const sum = f.add(x, f.mul(cube(f, x), f.number(bend)));
    return halved.first(f, x, oneMore(f, f.op('Tanh', f.mul(sum, f.number(slope)))));
  })),
  ...spelled('Gelu', 'tanh-fast', gelu, (f, x) => {
    const inner = f.add(f.mul(f.mul(x, f.number(bend)), x), f.number(1));
    return halved.inside(f, x, oneMore(f, f.op('Tanh', f.mul(f.mul(x, f.number(slope)), inner))));
  }),
  decomposed('Gelu', 'tanh-of-a-square', { ...gelu, found: false }, (f, x) => {
    const sum = f.add(x, f.mul(f.mul(x, x), f.number(bend)));
    return halved.first(f, x, oneMore(f, f.op('Tanh', f.mul(sum, f.number(slope)))));
  }),
];

//===----------------------------------------------------------------------===//
// Swish, Mish and their hard relatives
//===----------------------------------------------------------------------===//

const swishes = [
  ...spelled('Swish', 'silu', { opset: 24, kinds }, (f, x) => f.mul(x, f.op('Sigmoid', x))),
  ...spelled('Swish', 'quick-gelu', { opset: 24, kinds }, (f, x) =>
    f.mul(x, f.op('Sigmoid', f.mul(x, f.number(1.702))))),
  ...spelled('Swish', 'quotient', { opset: 24, kinds }, (f, x) =>
    f.div(x, f.add(f.op('Exp', f.op('Neg', x)), f.number(1)))),
  decomposed('Swish', 'of-another', { opset: 24, kinds, found: false }, (f, x) => f.mul(x, f.op('Sigmoid', f.op('Sin', x)))),
];

const sigmoids = [
  ...spelled('Sigmoid', 'reciprocal', { opset: 18, kinds }, (f, x) =>
    f.op('Reciprocal', f.add(f.op('Exp', f.op('Neg', x)), f.number(1)))),
  ...spelled('Sigmoid', 'quotient', { opset: 18, kinds }, (f, x) =>
    f.div(f.number(1), f.add(f.op('Exp', f.mul(x, f.number(-1))), f.number(1)))),
];

const mishes = [
  ...spelled('Mish', 'softplus', { opset: 18, kinds }, (f, x) => f.mul(x, f.op('Tanh', f.op('Softplus', x)))),
  ...spelled('Mish', 'logarithm', { opset: 18, kinds: ['random', 'large'], scale: 10 }, (f, x) =>
    f.mul(x, f.op('Tanh', f.op('Log', f.add(f.op('Exp', x), f.number(1)))))),
];

const six = f => f.number(6), three = f => f.number(3);
const relu6 = {
  'clip': (f, x) => f.clip(x, 0, 6),
  'min-relu': (f, x) => f.op('Min', [f.op('Relu', x), six(f)]),
  'max-min': (f, x) => f.op('Max', [f.op('Min', [six(f), x]), f.number(0)]),
};

const hardOnes = [
  ...Object.entries(relu6).flatMap(([name, bound]) => [
    ...spelled('HardSigmoid', name, { opset: 18, kinds }, (f, x) => f.div(bound(f, f.add(x, three(f))), six(f))),
    ...spelled('HardSwish', name, { opset: 18, kinds }, (f, x) =>
      f.div(f.mul(x, bound(f, f.add(x, three(f)))), six(f))),
    ...spelled('HardSwish', `${name}-divided-first`, { opset: 18, kinds }, (f, x) =>
      f.mul(x, f.mul(bound(f, f.add(x, three(f))), f.number(1 / 6)))),
  ]),
  ...spelled('HardSigmoid', 'affine', { opset: 18, kinds }, (f, x) =>
    f.clip(f.add(f.mul(x, f.number(0.2)), f.number(0.4)), 0, 1)),
  ...spelled('HardSwish', 'hard-sigmoid', { opset: 18, kinds }, (f, x) =>
    f.mul(x, f.op('HardSigmoid', x, { alpha: 1 / 6, beta: 0.5 }))),
  decomposed('HardSigmoid', 'seven', { opset: 18, kinds, found: false }, (f, x) =>
    f.div(f.clip(f.add(x, three(f)), 0, 7), six(f))),
  decomposed('HardSwish', 'default-slope', { opset: 18, kinds, found: false }, (f, x) => f.mul(x, f.op('HardSigmoid', x))),
];

//===----------------------------------------------------------------------===//
// Other element types
//===----------------------------------------------------------------------===//

const formulas = {
  Gelu: [20, (f, x) => halved.last(f, x, oneMore(f, erf(f, x)))],
  Swish: [24, (f, x) => f.mul(x, f.op('Sigmoid', x))],
  Sigmoid: [18, (f, x) => f.op('Reciprocal', f.add(f.op('Exp', f.op('Neg', x)), f.number(1)))],
  Mish: [18, (f, x) => f.mul(x, f.op('Tanh', f.op('Softplus', x)))],
  HardSigmoid: [18, (f, x) => f.div(f.clip(f.add(x, three(f)), 0, 6), six(f))],
  HardSwish: [18, (f, x) => f.div(f.mul(x, f.clip(f.add(x, three(f)), 0, 6)), six(f))],
};

// ONNX Runtime has no Erf of f64.
const typed = Object.entries(formulas).flatMap(([composite, [opset, build]]) =>
  ['float16', ...(composite === 'Gelu' ? [] : ['double'])]
      .map(type => decomposed(composite, type, { opset, type }, build)));

module.exports = [...gelus, ...tanhGelus, ...swishes, ...sigmoids, ...mishes, ...hardOnes, ...typed];
