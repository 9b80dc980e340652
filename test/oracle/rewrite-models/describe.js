//===- describe.js - How decomposed operators are written down ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   decomposed('Gelu', 'halved-last', { opset: 20 }, (f, x) =>
//     f.mul(f.mul(x, f.add(f.op('Erf', f.div(x, f.number(Math.SQRT2))), f.number(1))), f.number(0.5)));
//
// A form is {name, composite, found, opset, bytes, feeds}: a model that computes
// the composite operator by other ones, and what to feed it with. `found` says
// whether it must become the composite operator, or must not.
//   type        of x (default float)
//   dims        of x (default 3 x 4 x 8)
//   constants   'initializer' (default) or 'node'
//   shape       of the numbers (default [])
//   swap        write the operands of Add and Mul the other way round
//   symbolic    the first extent is a symbol
//   kinds       of values: 'random', 'large', 'flat' (equal along a row),
//               'extreme' (infinities and what is next to zero), 'masked' (-inf)
//   row         the last so many dimensions are a row (default 1)
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('../onnx');
const { tensor, count } = require('../element');
const { uniform, seedFor } = require('../random');

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

const extremes = [0, -0, 1e-8, -1e-8, 1e-3, -1e-3, 3, -3, 6, -6, 20, -20, 89, -89, 104, -104, 1e4, -1e4, Infinity];

function normals(name, length) {
  const next = uniform(seedFor(length, name));
  return Array.from({ length }, () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()));
}

// From a random number, its place, and the length of a row; `scale` is what is
// large. The first row of 'masked' is -inf, and every third element of others.
const values = {
  random: value => value,
  large: (value, i, row, scale) => scale * value,
  flat: (value, i, row) => Math.floor(i / row) + 0.5,
  extreme: (value, i) => extremes[i] ?? value,
  masked: (value, i, row) => i < row || i % 3 === 0 ? -Infinity : value,
};

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

class Form {
  constructor({ type = 'float', dims = [3, 4, 8], constants = 'initializer', shape = [], swap, symbolic, opset }) {
    Object.assign(this, { type, dims, constants, shape, swap, symbolic, opset });
    this.nodes = [];
    this.initializers = [];
  }

  op(op, inputs, attrs = {}) {
    const output = `${op}_${this.nodes.length}`;
    this.nodes.push({ op, inputs: [inputs].flat(), outputs: [output], attrs });
    return output;
  }

  commutative(op, a, b) { return this.op(op, this.swap ? [b, a] : [a, b]); }
  add(a, b) { return this.commutative('Add', a, b); }
  mul(a, b) { return this.commutative('Mul', a, b); }
  sub(a, b) { return this.op('Sub', [a, b]); }
  div(a, b) { return this.op('Div', [a, b]); }
  cast(value, type) { return this.op('Cast', value, { to: { float: 1, float16: 10 }[type] }); }

  constant(type, dims, data) {
    const name = `c${this.nodes.length}_${this.initializers.length}`, proto = onnx.tensorProto(name, type, dims, data);
    if (this.constants === 'node') return this.op('Constant', [], { value: proto });
    this.initializers.push(proto);
    return name;
  }

  number(value, { type = this.type, shape = this.shape } = {}) { return this.constant(type, shape, Array(count(shape)).fill(value)); }
  weights(name, dims, { type = this.type } = {}) { return this.constant(type, dims, normals(name, count(dims))); }

  // Axes are attributes up to opset 17, of ReduceSum up to 12.
  reduce(op, value, axes) {
    const isInput = this.opset >= (op === 'ReduceSum' ? 13 : 18);
    return isInput ? this.op(op, [value, this.constant('int64', [axes.length], axes)]) : this.op(op, value, { axes });
  }

  clip(value, low, high) { return this.op('Clip', [value, this.number(low, { shape: [] }), this.number(high, { shape: [] })]); }

  toBytes(result) {
    const dims = this.symbolic ? ['N', ...this.dims.slice(1)] : this.dims;
    return onnx.model({
      opset: this.opset, inputs: [['x', this.type, dims]], outputs: [[result, this.type, dims]],
      nodes: this.nodes, initializers: this.initializers,
    });
  }
}

function feed({ type, dims }, kind, name, scale, row) {
  const length = count(dims.slice(-row));
  const data = normals(name, count(dims)).map((value, i) => values[kind](value, i, length, scale));
  return { kind, x: tensor(type, dims, data) };
}

function decomposed(composite, name, { kinds = ['random'], scale = 30, row = 1, found = true, ...options }, build) {
  const form = new Form(options), bytes = form.toBytes(build(form, 'x'));
  const feeds = kinds.map(kind => feed(form, kind, `${composite}${name}`, scale, row));
  return { name: `${composite}-${name}`, composite, found, opset: form.opset, bytes, feeds };
}

// Ways in which the same formula is spelled: who is a node, the shape of
// numbers, the order of operands, which extents are known.
const spellings = [
  ['', {}], ['-swapped', { swap: true, constants: 'node' }], ['-shaped', { shape: [1], symbolic: true }],
  ['-deep', { shape: [1, 1, 1], swap: true }],
];

function spelled(composite, name, options, build) {
  return spellings.map(([suffix, spelling]) =>
    decomposed(composite, `${name}${suffix}`, { ...options, ...spelling }, build));
}

// One of them for each of many forms, in turn.
function spelledInTurn(forms) {
  return forms.map(([composite, name, options, build], i) => {
    const [suffix, spelling] = spellings[i % spellings.length];
    return decomposed(composite, `${name}${suffix}`, { ...options, ...spelling }, build);
  });
}

module.exports = { decomposed, spelled, spelledInTurn };
