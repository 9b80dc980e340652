//===- quantised_model.js - A small quantised network ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As quantisers write it: every operator between DequantizeLinear and
// QuantizeLinear, weights per channel, biases of 32 bits.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('./onnx');
const { tensor, count, element, bytesOf } = require('./element');
const { uniform } = require('./random');

class QuantisedBuilder {
  constructor() {
    this.nodes = [];
    this.initializers = [];
    this.next = uniform(7);
  }

  constant(type, dims, values) {
    const name = `c${this.initializers.length}`, { data } = tensor(type, dims, values);
    this.initializers.push({ name, dims, dataType: element(type).number, rawData: bytesOf({ data }) });
    return name;
  }

  op(op, inputs, attrs = {}) {
    const name = `${op}_${this.nodes.length}`;
    this.nodes.push({ op, name, inputs, outputs: [name], attrs });
    return name;
  }

  numbers(n, low, high) { return Array.from({ length: n }, () => low + this.next() * (high - low)); }
  integers(n, low, high) { return this.numbers(n, low, high).map(Math.floor); }

  // The value quantised and dequantised again.
  unit(value, scale, zero) {
    const parameters = [this.constant('float', [], [scale]), this.constant('int8', [], [zero])];
    return this.op('DequantizeLinear', [this.op('QuantizeLinear', [value, ...parameters]), ...parameters]);
  }

  // Weights with a scale for each of dims[0], and their bias.
  weights(dims, inputScale) {
    const [channels] = dims, scales = this.numbers(channels, 0.01, 0.02), zeros = Array(channels).fill(0);
    const weight = this.op('DequantizeLinear', [this.constant('int8', dims, this.integers(count(dims), -100, 100)),
      this.constant('float', [channels], scales), this.constant('int8', [channels], zeros)], { axis: 0 });
    const bias = this.op('DequantizeLinear', [this.constant('int32', [channels], this.integers(channels, -900, 900)),
      this.constant('float', [channels], scales.map(scale => scale * inputScale)), this.constant('int32', [channels], zeros)],
      { axis: 0 });
    return [weight, bias];
  }

  conv(value, scale, from, to, attrs = {}) {
    const [weight, bias] = this.weights([to, from, 3, 3], scale);
    return this.op('Conv', [value, weight, bias], { pads: [1, 1, 1, 1], ...attrs });
  }
}

// Convolutions with a residual sum, pools, a Concat, activations, a Gemm.
function build() {
  const g = new QuantisedBuilder(), x = g.unit('x', 0.05, 3);
  const first = g.unit(g.op('Relu', [g.conv(x, 0.05, 3, 8)]), 0.1, -128);
  const second = g.unit(g.conv(first, 0.1, 8, 8), 0.4, 5);
  const sum = g.unit(g.op('Add', [first, second]), 0.5, -2);
  const pooled = g.unit(g.op('MaxPool', [sum], { kernel_shape: [2, 2], strides: [2, 2] }), 0.5, -2);
  const mean = g.unit(g.op('AveragePool', [sum], { kernel_shape: [2, 2], strides: [2, 2] }), 0.4, -3);
  const joined = g.unit(g.op('Concat', [pooled, mean], { axis: 1 }), 0.5, -2);
  const leaky = g.unit(g.op('LeakyRelu', [joined], { alpha: 0.25 }), 0.4, -60);
  const global = g.unit(g.op('GlobalAveragePool', [leaky]), 0.2, -40);
  const flat = g.unit(g.op('Flatten', [global]), 0.2, -40);
  const [weight, bias] = g.weights([5, 16], 0.2);
  const result = g.unit(g.op('Gemm', [flat, weight, bias], { transB: 1 }), 0.2, 0);
  return onnx.model({
    opset: 17, name: 'quantised', inputs: [['x', 'float', [1, 3, 12, 12]]], outputs: [[result, 'float']], nodes: g.nodes,
    initializers: g.initializers,
  });
}

// Writes it to `folder`.
function writeQuantised(folder) {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'quantised.onnx'), build());
}

module.exports = { writeQuantised };
