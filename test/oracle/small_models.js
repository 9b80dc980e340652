//===- small_models.js - Models of a few million operations ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transformer, a network whose extents are no multiple of anything, and one
// with many weights for any number of samples.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('./onnx');
const { uniform } = require('./random');

// Collects nodes and weights; each call gives the name of what it computes.
class Network {
  constructor() { Object.assign(this, { nodes: [], initializers: [], next: uniform(7) }); }

  weight(dims, scale) {
    const name = `w${this.initializers.length}`, count = dims.reduce((a, b) => a * b, 1);
    const values = Float32Array.from({ length: count }, () => scale * (2 * this.next() - 1));
    this.initializers.push(onnx.tensorProto(name, 'float', dims, values));
    return name;
  }

  integers(values) {
    const name = `w${this.initializers.length}`;
    this.initializers.push(onnx.tensorProto(name, 'int64', [values.length], values.map(BigInt)));
    return name;
  }

  add(op, inputs, attrs) {
    const name = `v${this.nodes.length}`;
    this.nodes.push({ op, name: `${op}_${this.nodes.length}`, inputs, outputs: [name], attrs });
    return name;
  }

  model(input, output, result) {
    this.nodes.push({ op: 'Identity', name: 'last', inputs: [result], outputs: ['y'] });
    return onnx.model({ opset: 17, inputs: [['x', 'float', input]], outputs: [['y', 'float', output]],
                        initializers: this.initializers, nodes: this.nodes });
  }
}

// One block with three heads, over a sequence of odd length.
function transformer() {
  const net = new Network(), length = 13, heads = 3, size = 8, width = heads * size;
  const norm = x => net.add('LayerNormalization', [x, net.weight([width], 1), net.weight([width], 0.1)], { axis: -1 });
  const linear = (x, from, to) => net.add('Add', [net.add('MatMul', [x, net.weight([from, to], 0.3)]), net.weight([to], 0.1)]);
  const split = (x, perm) => net.add('Transpose', [net.add('Reshape', [x, net.integers([1, length, heads, size])])], { perm });
  const x = norm('x');
  const [q, k, v] = [[0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]].map(perm => split(linear(x, width, width), perm));
  const scores = net.add('Softmax', [net.add('Mul', [net.add('MatMul', [q, k]), net.weight([1], 0.3)])], { axis: -1 });
  const joined = net.add('Reshape', [net.add('Transpose', [net.add('MatMul', [scores, v])], { perm: [0, 2, 1, 3] }),
                                     net.integers([1, length, width])]);
  const attended = net.add('Add', ['x', linear(joined, width, width)]);
  const hidden = linear(norm(attended), width, 4 * width);
  const gelu = net.add('Mul', [hidden, net.add('Sigmoid', [hidden])]);
  return net.model([1, length, width], [1, length, width], net.add('Add', [attended, linear(gelu, 4 * width, width)]));
}

// Channels, pictures and windows that fit no vector and no tile.
function tails() {
  const net = new Network();
  const conv = (x, from, to, kernel, attrs) =>
    net.add('Relu', [net.add('Conv', [x, net.weight([to, from, ...kernel], 0.4), net.weight([to], 0.1)],
                             { kernel_shape: kernel, ...attrs })]);
  let x = conv('x', 3, 7, [3, 3], { pads: [1, 1, 1, 1], strides: [2, 2] });
  x = conv(x, 1, 7, [3, 3], { pads: [1, 1, 1, 1], group: 7 });
  x = net.add('MaxPool', [x], { kernel_shape: [3, 2], strides: [2, 1], pads: [1, 0, 0, 1] });
  x = conv(x, 7, 19, [1, 1], {});
  x = conv(x, 19, 37, [5, 3], { pads: [2, 1, 2, 1] });
  x = net.add('Add', [x, conv(x, 37, 37, [1, 1], {})]);
  x = net.add('Flatten', [net.add('GlobalAveragePool', [x])]);
  x = net.add('Gemm', [x, net.weight([11, 37], 0.3), net.weight([11], 0.1)], { transB: 1 });
  return net.model([1, 3, 33, 29], [1, 11], net.add('Softmax', [x], { axis: 1 }));
}

// More weights than a cache holds for small tensors; two rows for each sample.
function perceptron() {
  const net = new Network();
  let x = net.add('Reshape', ['x', net.integers([-1, 40])]);
  for (const [from, to] of [[40, 800], [800, 700]])
    x = net.add('Tanh', [net.add('Gemm', [x, net.weight([from, to], 0.1), net.weight([to], 0.1)])]);
  return net.model(['batch', 80], [null, 9], net.add('MatMul', [x, net.weight([700, 9], 0.1)]));
}

module.exports = { transformer, tails, perceptron };
