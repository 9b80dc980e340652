//===- describe.js - How decomposed attention is written down -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   form('name', { rank: 3, opset: 18 }, f => {
//     const [q, k, v] = ['q', 'k', 'v'].map(name => f.heads(f.input(name, [2, 5, 32]), 4));
//     return f.merge(f.attend(q, f.transposed(k), v, { scale: f.by('Mul', 0.35) }));
//   });
//
// A form is {name, rank, rotations, bytes, feeds}: `rank` is that of the
// attention that it must become, 0 when it must not become one.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('../onnx');
const { tensor, count } = require('../element');
const { uniform, seedFor } = require('../random');
const { initializer } = require('../opset-models/describe');

class Builder {
  constructor({ opset, type = 'float', swap = false }) {
    Object.assign(this, { opset, type, swap, nodes: [], constants: {}, feeds: {}, shapes: new Map() });
  }

  // Nodes.
  op(op, inputs, attrs = {}, outputs = 1) {
    const names = Array.from({ length: outputs }, (_, i) => `${op}_${this.nodes.length}${outputs > 1 ? `_${i}` : ''}`);
    this.nodes.push({ op, inputs: [inputs].flat(), outputs: names, attrs });
    return outputs > 1 ? names : names[0];
  }
  commutative(op, a, b) { return this.op(op, this.swap ? [b, a] : [a, b]); }

  // Values.
  values(name, dims, low = -2, high = 2) {
    const next = uniform(seedFor(count(dims), name));
    return tensor(this.type, dims, Array.from({ length: count(dims) }, () => low + next() * (high - low)));
  }
  input(name, dims, value = this.values(name, dims)) {
    this.feeds[name] = value;
    return name;
  }
  constant(value) {
    const name = `c${Object.keys(this.constants).length}`;
    this.constants[name] = value;
    return name;
  }
  number(value, dims = []) { return this.constant(tensor(this.type, dims, Array(count(dims)).fill(value))); }
  ints(...values) { return this.constant(tensor('int64', [values.length], values)); }
  index(value) { return this.constant(tensor('int64', [], [value])); }
  weight(name, dims) { return this.constant(this.values(name, dims, -0.5, 0.5)); }

  // Heads.
  reshape(x, ...dims) { return this.op('Reshape', [x, this.ints(...dims)]); }
  transpose(x, ...perm) { return this.op('Transpose', x, { perm }); }
  heads(x, number, size) { return this.transpose(this.reshape(x, 0, 0, number, size ?? -1), 0, 2, 1, 3); }
  transposed(k) { return this.transpose(k, 0, 1, 3, 2); }
  merge(y) { return this.reshape(this.transpose(y, 0, 2, 1, 3), 0, 0, -1); }

  // How a scale is written.
  by(op, value, dims) { return x => this.op(op, op === 'Mul' && this.swap ? [this.number(value, dims), x] : [x, this.number(value, dims)]); }
  add(mask) { return x => this.commutative('Add', x, mask); }

  // Both products, `before` and `after` the softmax.
  attend(q, kT, v, { before = [], after = [], axis = -1 } = {}) {
    let scores = this.op('MatMul', [q, kT]);
    for (const step of before) scores = step(scores);
    let weights = this.op('Softmax', scores, { axis });
    for (const step of after) weights = step(weights);
    return this.op('MatMul', [weights, v]);
  }
  guard() { return w => this.op('Where', [this.op('IsNaN', w), this.number(0), w]); }
  cast(to) { return x => this.op('Cast', x, { to: { float: 1, float16: 10 }[to] }); }
}

function form(name, { rank, rotations, opset, ...options }, build) {
  const f = new Builder({ opset, ...options }), results = [build(f)].flat();
  const bytes = onnx.model({
    opset, name, nodes: f.nodes, inputs: Object.entries(f.feeds).map(([key, { type, dims }]) => [key, type, dims]),
    outputs: results.map(result => [result, f.type]), initializers: Object.entries(f.constants).map(initializer),
  });
  return { name: `${name}-${opset}`, rank, rotations, bytes, feeds: f.feeds };
}

module.exports = { form };
