//===- network.js - Small random networks of known extents ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions, pools, sums, activations, reductions and transposes between
// values of rank 4: what groups, layouts and what is between them are made of.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('../onnx');
const { count } = require('../element');

class Network {
  constructor(draw) {
    Object.assign(this, { draw, nodes: [], initializers: [], values: [], used: new Set() });
    this.input = this.value('x', [draw.integer(1, 3), draw.integer(1, 8), draw.integer(3, 8), draw.integer(3, 8)]);
  }

  value(name, dims) {
    this.values.push({ name, dims });
    return this.values.at(-1);
  }

  // One of the values, the latest more often than others.
  pick() {
    const value = this.draw.chance(0.6) ? this.values.at(-1) : this.draw.pick(this.values);
    this.used.add(value.name);
    return value;
  }

  weight(dims) {
    const name = `w${this.initializers.length}`, { draw } = this;
    const data = Array.from({ length: count(dims) }, () => draw.real(-1, 1));
    this.initializers.push(onnx.tensorProto(name, 'float', dims, data));
    return name;
  }

  add(op, inputs, dims, attrs = {}) {
    const name = `v${this.nodes.length}`;
    this.nodes.push({ op, name: `n${this.nodes.length}`, inputs, outputs: [name], attrs });
    this.value(name, dims);
  }
}

const makers = {
  conv(net) {
    const { name, dims: [n, c, h, w] } = net.pick(), out = net.draw.integer(1, 8), kernel = net.draw.pick([1, 3]);
    const bias = net.draw.chance(0.5) ? [net.weight([out])] : [], pad = (kernel - 1) / 2;
    net.add('Conv', [name, net.weight([out, c, kernel, kernel]), ...bias], [n, out, h, w],
            { kernel_shape: [kernel, kernel], pads: [pad, pad, pad, pad] });
  },
  unary(net) {
    const { name, dims } = net.pick();
    net.add(net.draw.pick(['Relu', 'Sigmoid', 'Neg', 'Sin']), [name], dims);
  },
  scale(net) {
    const { name, dims } = net.pick();
    net.add(net.draw.pick(['Mul', 'Add', 'Sub']), [name, net.weight([1, dims[1], 1, 1])], dims);
  },
  sum(net) {
    const { name, dims } = net.pick(), like = net.values.filter(other => String(other.dims) === String(dims));
    const other = net.draw.pick(like);
    net.used.add(other.name);
    net.add(net.draw.pick(['Add', 'Sub', 'Mul']), [name, other.name], dims);
  },
  transpose(net) {
    const { name, dims } = net.pick();
    const perm = net.draw.chance(0.6) ? net.draw.pick([[0, 2, 3, 1], [0, 3, 1, 2]]) : net.draw.shuffle([0, 1, 2, 3]);
    net.add('Transpose', [name], perm.map(dim => dims[dim]), { perm });
  },
  pool(net) {
    const { name, dims } = net.pick();
    net.add(net.draw.pick(['MaxPool', 'AveragePool']), [name], dims, { kernel_shape: [3, 3], pads: [1, 1, 1, 1] });
  },
  reduce(net) {
    const { name, dims } = net.pick(), axis = net.draw.integer(1, 3);
    net.add(net.draw.pick(['ReduceMean', 'ReduceMax']), [name], dims.map((extent, i) => i === axis ? 1 : extent),
            { axes: [axis], keepdims: 1 });
  },
  concat(net) {
    const { name, dims } = net.pick(), axis = net.draw.integer(1, 3);
    net.add('Concat', [name, name], dims.map((extent, i) => i === axis ? 2 * extent : extent), { axis });
  },
};

// Options of `onnx.model`. What nobody uses leaves the graph, and now and then
// something that is used.
function drawNetwork(draw) {
  const net = new Network(draw), kinds = ['conv', 'conv', 'unary', 'transpose', ...Object.keys(makers)];
  for (let left = draw.integer(3, 14); left > 0; --left) {
    if (count(net.values.at(-1).dims) > 20000) break;
    makers[draw.pick(kinds)](net);
  }
  const made = net.values.slice(1), outputs = made.filter(({ name }) => !net.used.has(name) || draw.chance(0.1));
  return {
    opset: 13, name: 'random', nodes: net.nodes, initializers: net.initializers,
    inputs: [['x', 'float', net.input.dims]], outputs: outputs.map(({ name, dims }) => [name, 'float', dims]),
  };
}

module.exports = { drawNetwork };
