//===- rewrite_models.js - Models of the tests of rewrites ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node rewrite_models.js FOLDER
//
// One model per family of rewrites; each row of it is a left side with weights
// too large to be computed at once, and ends in an output of its own.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('onnx');

const folder = process.argv[2];
fs.mkdirSync(folder, { recursive: true });

/** Collects rows of operators, each over an input of its own. */
class Model {
  constructor() {
    this.inputs = [];
    this.outputs = [];
    this.initializers = [];
    this.nodes = [];
    this.seed = 1;
  }

  random() {
    this.seed = (this.seed * 1103515245 + 12345) % 2147483648;
    return this.seed / 2147483648;
  }

  input(shape) {
    const name = `x${this.inputs.length}`;
    this.inputs.push([name, 'float', shape]);
    return name;
  }

  constant(shape, { least = -1, most = 1 } = {}) {
    const name = `k${this.initializers.length}`;
    const count = shape.reduce((a, b) => a * b, 1);
    const data = Float32Array.from({ length: count }, () => least + (most - least) * this.random());
    this.initializers.push(onnx.tensorProto(name, 'float', shape, data));
    return name;
  }

  number(value) {
    const name = `k${this.initializers.length}`;
    this.initializers.push(onnx.tensorProto(name, 'float', [], Float32Array.of(value)));
    return name;
  }

  ints(values) {
    const name = `k${this.initializers.length}`;
    this.initializers.push(onnx.tensorProto(name, 'int64', [values.length], BigInt64Array.from(values.map(BigInt))));
    return name;
  }

  node(op, inputs, attrs = {}) {
    const output = `${op.toLowerCase()}${this.nodes.length}`;
    this.nodes.push({ op, name: `n${this.nodes.length}`, inputs, outputs: [output], attrs });
    return output;
  }

  norm(x, channels) {
    const wide = { least: 0.5, most: 2 };
    return this.node('BatchNormalization', [x, this.constant([channels], wide), this.constant([channels]),
      this.constant([channels]), this.constant([channels], wide)], { epsilon: 1e-3 });
  }

  output(name, shape) { this.outputs.push([name, 'float', shape]); }

  write(name) {
    const { inputs, outputs, initializers, nodes } = this;
    fs.writeFileSync(path.join(folder, name), onnx.model({ opset: 17, inputs, outputs, initializers, nodes }));
  }
}

const norms = new Model();
norms.output(norms.norm(norms.node('Conv', [norms.input([1, 8, 6, 6]), norms.constant([16, 8, 3, 3])]), 16), [1, 16, 4, 4]);
norms.output(norms.norm(norms.node('Conv', [norms.input([1, 8, 6, 6]), norms.constant([16, 4, 3, 3]), norms.constant([16])],
  { group: 2 }), 16), [1, 16, 4, 4]);
norms.output(norms.norm(norms.node('ConvTranspose', [norms.input([1, 8, 4, 4]), norms.constant([8, 16, 3, 3])]), 16),
  [1, 16, 6, 6]);
norms.output(norms.norm(norms.node('ConvTranspose', [norms.input([1, 8, 4, 4]), norms.constant([8, 8, 3, 3]), norms.constant([16])],
  { group: 2 }), 16), [1, 16, 6, 6]);
norms.output(norms.norm(norms.node('Gemm', [norms.input([5, 32]), norms.constant([16, 32]), norms.constant([16])],
  { transB: 1, alpha: 0.5, beta: 2.5 }), 16), [5, 16]);
norms.output(norms.norm(norms.node('Reshape', [norms.node('MatMul', [norms.input([2, 5, 32]), norms.constant([32, 16])]),
  norms.ints([10, 16])]), 16), [10, 16]);
norms.write('norms.onnx');

// (lin * a + b - c) / d, one constant per feature and one number in turn.
const sums = new Model();
const chain = (x, perFeature, shape) => {
  const wide = { least: 0.5, most: 2 };
  const scaled = sums.node('Mul', [x, sums.constant(perFeature, wide)]);
  const added = sums.node('Add', [sums.number(0.75), scaled]);
  const subtracted = sums.node('Sub', [sums.constant(perFeature), added]);
  sums.output(sums.node('Div', [subtracted, sums.number(3)]), shape);
};
chain(sums.node('Conv', [sums.input([1, 8, 6, 6]), sums.constant([16, 8, 3, 3])]), [16, 1, 1], [1, 16, 4, 4]);
chain(sums.node('ConvTranspose', [sums.input([1, 8, 4, 4]), sums.constant([8, 8, 3, 3])], { group: 2 }), [1, 16, 1, 1],
  [1, 16, 6, 6]);
chain(sums.node('Gemm', [sums.input([5, 32]), sums.constant([32, 16])]), [16], [5, 16]);
sums.output(sums.node('Div', [sums.node('Mul', [sums.node('MatMul', [sums.input([2, 5, 32]), sums.constant([32, 16])]),
  sums.constant([16])]), sums.number(8)]), [2, 5, 16]);
sums.output(sums.node('Add', [sums.node('MatMul', [sums.input([5, 32]), sums.constant([32, 16])]), sums.constant([16])]), [5, 16]);
sums.output(sums.node('Gemm', [sums.node('Transpose', [sums.input([32, 5])], { perm: [1, 0] }), sums.constant([32, 16])]), [5, 16]);
const inLine = sums.node('Add', [sums.node('MatMul', [sums.input([2, 5, 5, 32]), sums.constant([32, 16])]), sums.constant([16])]);
sums.output(sums.node('Mul', [sums.constant([16, 1, 1]), sums.node('Transpose', [inLine], { perm: [0, 3, 1, 2] })]), [2, 16, 5, 5]);
sums.write('sums.onnx');

const pads = new Model();
const pad = (x, value) => pads.node('Pad', [x, pads.ints([0, 0, 1, 1, 0, 0, 1, 2]), pads.number(value)]);
pads.output(pads.node('Conv', [pad(pads.input([1, 8, 6, 6]), 0), pads.constant([16, 8, 3, 3])], { pads: [1, 0, 0, 1] }),
  [1, 16, 7, 8]);
pads.output(pads.node('MaxPool', [pad(pads.input([1, 8, 6, 6]), -Infinity)], { kernel_shape: [3, 3] }), [1, 8, 6, 7]);
pads.output(pads.node('MaxPool', [pad(pads.node('Relu', [pads.input([1, 8, 6, 6])]), 0)], { kernel_shape: [3, 3], strides: [2, 2] }),
  [1, 8, 3, 4]);
pads.output(pads.node('AveragePool', [pad(pads.input([1, 8, 6, 6]), 0)], { kernel_shape: [3, 3] }), [1, 8, 6, 7]);
pads.write('pads.onnx');

// Taps as far apart as atrous pyramids have them: of the first only the middle
// one sees an element, of the second all do, of the third those of two columns.
const taps = new Model();
const dilated = (extents, dilations, strides = [1, 1]) =>
  taps.node('Conv', [taps.input([1, 3, ...extents]), taps.constant([4, 3, 3, 3]), taps.constant([4])],
    { dilations, strides, kernel_shape: [3, 3], pads: [...dilations, ...dilations] });
taps.output(dilated([7, 7], [9, 9]), [1, 4, 7, 7]);
taps.output(dilated([7, 7], [6, 6]), [1, 4, 7, 7]);
taps.output(dilated([9, 5], [2, 5], [2, 1]), [1, 4, 5, 5]);
taps.write('taps.onnx');
