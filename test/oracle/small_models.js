//===- small_models.js - Models of a few million operations ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transformer, a network whose extents are no multiple of anything, one with
// many weights for any number of samples, texts of any length and pictures of
// any size.
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

  constant(dims, values) {
    const name = `w${this.initializers.length}`;
    this.initializers.push(onnx.tensorProto(name, 'float', dims, Float32Array.from(values)));
    return name;
  }

  scalar(value) {
    const name = `w${this.initializers.length}`;
    this.initializers.push(onnx.tensorProto(name, 'int64', [], [BigInt(value)]));
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
    return this.finish([['x', 'float', input]], [['y', 'float', output, result]]);
  }

  // Of outputs as [name, type, dims, what it is].
  finish(inputs, outputs) {
    for (const [name, , , result] of outputs) this.nodes.push({ op: 'Identity', name: `${name}_last`, inputs: [result], outputs: [name] });
    return onnx.model({ opset: 17, inputs, outputs: outputs.map(([name, type, dims]) => [name, type, dims]),
                        initializers: this.initializers, nodes: this.nodes });
  }
}

// What stands in front of the layers of a text, as exporters write it: words,
// their positions, and a mask that hides the ends of texts or what follows.
function embed(net, { width, most, isCausal }) {
  const words = net.add('Gather', [net.weight([37, width], 1), 'ids'], { axis: 0 });
  const length = net.add('Gather', [net.add('Shape', ['ids']), net.integers([1])], { axis: 0 });
  const range = axes => [net.integers(axes.map(() => 0)), axes.length === 1 ? length : net.add('Concat', [length, length], { axis: 0 }), net.integers(axes)];
  const x = net.add('Add', [words, net.add('Slice', [net.weight([1, most, width], 1), ...range([1])])]);
  if (isCausal) {
    const hidden = Array.from({ length: most * most }, (_, i) => (i % most > Math.floor(i / most) ? -1e4 : 0));
    return [x, net.add('Slice', [net.constant([most, most], hidden), ...range([0, 1])])];
  }
  const kept = net.add('Cast', [net.add('Unsqueeze', ['mask', net.integers([1, 2])])], { to: 1 });
  return [x, net.add('Mul', [net.add('Sub', [net.constant([], [1]), kept]), net.constant([], [-1e4])])];
}

// A text of 1 to `most` words through some layers of attention.
function text({ layers = 2, heads = 3, size = 8, most = 64, isCausal = false } = {}) {
  const net = new Network(), width = heads * size;
  const norm = x => net.add('LayerNormalization', [x, net.weight([width], 1), net.weight([width], 0.1)], { axis: -1 });
  const linear = (x, from, to) => net.add('Add', [net.add('MatMul', [x, net.weight([from, to], 1 / Math.sqrt(from))]), net.weight([to], 0.1)]);
  let [x, mask] = embed(net, { width, most, isCausal });
  x = norm(x);
  for (let i = 0; i < layers; ++i) {
    const split = (own, perm) => net.add('Transpose', [net.add('Reshape', [own, net.integers([1, -1, heads, size])])], { perm });
    const [q, k, v] = [[0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]].map(perm => split(linear(x, width, width), perm));
    const scores = net.add('Add', [net.add('Mul', [net.add('MatMul', [q, k]), net.constant([], [1 / Math.sqrt(size)])]), mask]);
    const seen = net.add('MatMul', [net.add('Softmax', [scores], { axis: -1 }), v]);
    const joined = net.add('Reshape', [net.add('Transpose', [seen], { perm: [0, 2, 1, 3] }), net.integers([1, -1, width])]);
    x = norm(net.add('Add', [x, linear(joined, width, width)]));
    const hidden = linear(x, width, 4 * width);
    const gelu = net.add('Mul', [hidden, net.add('Add', [net.add('Erf', [hidden]), net.constant([], [1])])]);
    x = norm(net.add('Add', [x, linear(gelu, 4 * width, width)]));
  }
  const first = net.add('Gather', [x, net.scalar(0)], { axis: 1 });
  const inputs = [['ids', 'int64', [1, 'length']], ...isCausal ? [] : [['mask', 'int64', [1, 'length']]]];
  return net.finish(inputs, [['hidden', 'float', [1, 'length', width], x],
                             ['pooled', 'float', [1, width], net.add('Tanh', [linear(first, width, width)])]]);
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

// A stem, blocks that go in and out of many channels, windows of several kinds
// and a classifier, for pictures of any size.
function picture() {
  const net = new Network();
  const conv = (x, from, to, size, attrs, group = 1) =>
    net.add('Conv', [x, net.weight([to, from / group, size, size], 1 / Math.sqrt(from / group * size * size)), net.weight([to], 0.1)],
            { kernel_shape: [size, size], group, pads: Array(4).fill(size >> 1), ...attrs });
  const clip = x => net.add('Clip', [x, net.constant([], [0]), net.constant([], [6])]);
  let x = clip(conv('x', 3, 16, 3, { strides: [2, 2] }));
  x = net.add('MaxPool', [x], { kernel_shape: [3, 3], strides: [1, 1], pads: [1, 1, 1, 1] });
  for (const [from, to, stride] of [[16, 16, 1], [16, 24, 2], [24, 24, 1]]) {
    const wide = clip(conv(clip(conv(x, from, 4 * from, 1)), 4 * from, 4 * from, 3, { strides: [stride, stride] }, 4 * from));
    const narrow = conv(wide, 4 * from, to, 1);
    x = from === to ? net.add('Add', [x, narrow]) : narrow;
  }
  x = net.add('Relu', [net.add('Add', [x, conv(net.add('Relu', [conv(x, 24, 24, 3)]), 24, 24, 3)])]);
  const mean = net.add('Flatten', [net.add('GlobalAveragePool', [x])]);
  const classes = net.add('Gemm', [mean, net.weight([11, 24], 0.3), net.weight([11], 0.1)], { transB: 1 });
  return net.finish([['x', 'float', [1, 3, 'height', 'width']]], [['y', 'float', [1, 11], classes], ['z', 'float', [1, 24, null, null], x]]);
}

// More weights than a cache holds for small tensors; two rows for each sample.
function perceptron() {
  const net = new Network();
  let x = net.add('Reshape', ['x', net.integers([-1, 40])]);
  for (const [from, to] of [[40, 800], [800, 700]])
    x = net.add('Tanh', [net.add('Gemm', [x, net.weight([from, to], 0.1), net.weight([to], 0.1)])]);
  return net.model(['batch', 80], [null, 9], net.add('MatMul', [x, net.weight([700, 9], 0.1)]));
}

// Sums of more terms than are multiplied at once, as products side by side and
// of all rows; longer ones have panels that shorter ones do not reach.
function longSums() {
  const net = new Network(), depth = 1100;
  const stacked = net.add('MatMul', ['x', net.weight([3, depth, 40], 0.1)]);
  const all = net.add('MatMul', ['x', net.weight([depth, 40], 0.1)]);
  return net.finish([['x', 'float', [3, 'length', depth]]],
                    [['y', 'float', [3, 'length', 40], net.add('Relu', [stacked])], ['z', 'float', [3, 'length', 40], all]]);
}

module.exports = { Network, transformer, tails, perceptron, text, picture, longSums };
