//===- chain.js - Random chains of nodes that opset 7 has -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Images go from link to link in one shape. A link is one node or several: what
// exporters of opset 7 wrote for operators of later ones is among them.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('./onnx');
const { tensor } = require('./element');

const shape = [1, 4, 8, 8];

// Adds nodes and weights under fresh names.
class Chain {
  constructor(draw) { Object.assign(this, { draw, nodes: [], initializers: [], values: [] }); }

  node(op, inputs, attrs = {}, numOutputs = 1) {
    const number = this.nodes.length, outputs = Array.from({ length: numOutputs }, (_, i) => `v${number}_${i}`);
    this.nodes.push({ op, name: `${op}_${number}`, inputs, outputs, attrs });
    return numOutputs === 1 ? outputs[0] : outputs;
  }

  weight(dims, low = -0.5, high = 0.5, type = 'float') {
    const name = `w${this.initializers.length}`, count = dims.reduce((a, b) => a * b, 1);
    const values = Array.from({ length: count }, () => this.draw.real(low, high));
    this.initializers.push(onnx.tensorProto(name, type, dims, values));
    return name;
  }

  number(value) { return this.constant('float', [], [value]); }
  ints(values) { return this.constant('int64', [values.length], values.map(BigInt)); }

  constant(type, dims, values) {
    const name = `w${this.initializers.length}`;
    this.initializers.push(onnx.tensorProto(name, type, dims, values));
    return name;
  }

  // Something earlier of the same shape.
  earlier() { return this.draw.pick(this.values); }
}

const float = value => ({ float: value });
const unary = (op, attrs) => (c, x) => c.node(op, [x], attrs?.(c.draw));
const scaled = (c, x, dims) => c.node(c.draw.pick(['Mul', 'Add', 'Sub']), [x, c.weight(dims)]);

// Each takes a chain and a value and gives another one of the same shape.
const links = {
  conv: (c, x) => c.node('Conv', [x, c.weight([4, 4, 3, 3])], { pads: [1, 1, 1, 1] }),
  pointwise: (c, x) => c.node('Conv', [x, c.weight([4, 4, 1, 1]), c.weight([4])]),
  relu: unary('Relu'), sigmoid: unary('Sigmoid'), tanh: unary('Tanh'), abs: unary('Abs'), softplus: unary('Softplus'),
  softsign: unary('Softsign'), selu: unary('Selu'), identity: unary('Identity'), dropout: unary('Dropout'),
  leaky: unary('LeakyRelu', draw => ({ alpha: float(draw.real(0.01, 0.4)) })),
  elu: unary('Elu', draw => ({ alpha: float(draw.real(0.5, 1.5)) })),
  hardSigmoid: unary('HardSigmoid'), lrn: unary('LRN', () => ({ size: 3 })),
  clip: unary('Clip', () => ({ min: float(-0.4), max: float(0.6) })),
  lp: unary('LpNormalization', draw => ({ axis: draw.integer(0, 3), p: draw.integer(1, 2) })),
  softmax: unary('Softmax', draw => ({ axis: draw.integer(1, 3) })),
  logSoftmax: unary('LogSoftmax', draw => ({ axis: draw.integer(1, 3) })),
  hardmax: unary('Hardmax', draw => ({ axis: draw.integer(1, 3) })),
  average: unary('AveragePool', () => ({ kernel_shape: [3, 3], pads: [1, 1, 1, 1] })),
  maximum: unary('MaxPool', () => ({ kernel_shape: [3, 3], pads: [1, 1, 1, 1] })),
  lpPool: unary('LpPool', () => ({ kernel_shape: [3, 3], pads: [1, 1, 1, 1] })),
  prelu: (c, x) => c.node('PRelu', [x, c.weight([4, 1, 1], 0, 0.5)]),
  scale: (c, x) => scaled(c, x, c.draw.pick([[], [1], [4, 1, 1], [8], [1, 4, 8, 8]])),
  residual: (c, x) => c.node('Add', [x, c.earlier()]),
  product: (c, x) => c.node('Mul', [x, c.earlier()]),
  extreme: (c, x) => c.node(c.draw.pick(['Max', 'Min', 'Sum', 'Mean']), [x, c.earlier(), c.earlier()]),
  batchNorm: (c, x) => c.node('BatchNormalization',
    [x, ...[0.5, 0, 0, 0.5].map(low => c.weight([4], low, low + 1))]),
  instanceNorm: (c, x) => c.node('InstanceNormalization', [x, c.weight([4], 0.5, 1), c.weight([4])]),
  transposes: (c, x) => c.node('Transpose', [
    links[c.draw.pick(['relu', 'sigmoid', 'softmax'])](c, c.node('Transpose', [x], { perm: [0, 2, 3, 1] }))],
  { perm: [0, 3, 1, 2] }),
  reshapes: (c, x) => {
    const flat = c.node('Reshape', [x, c.ints([1, 4, 64])]);
    return c.node('Reshape', [c.node('Softmax', [flat], { axis: 2 }), c.ints(shape)]);
  },
  splits: (c, x) => {
    const axis = c.draw.integer(1, 3), halves = c.node('Split', [x], { axis }, 2);
    return c.node('Concat', [halves[1], c.draw.chance(0.5) ? links.relu(c, halves[0]) : halves[0]], { axis });
  },
  slices: (c, x) => {
    const part = (from, to) => c.node('Slice', [x], { axes: [2], starts: [from], ends: [to] });
    return c.node('Concat', [part(4, 8), part(0, 4)], { axis: 2 });
  },
  pads: (c, x) => {
    const padded = c.node('Pad', [x], { pads: [0, 0, 1, 1, 0, 0, 1, 1], value: float(c.draw.pick([0, 0.5])) });
    return c.node('Conv', [padded, c.weight([4, 4, 3, 3])]);
  },
  squeeze: (c, x) => c.node('Unsqueeze', [links.tanh(c, c.node('Squeeze', [x], { axes: [0] }))], { axes: [0] }),
  excitation: (c, x) => c.node('Mul', [x, c.node('Sigmoid', [c.node('GlobalAveragePool', [x])])]),
  centred: (c, x) => c.node('Sub', [x, c.node(c.draw.pick(['ReduceMean', 'ReduceMax', 'ReduceMin']), [x],
    { axes: [c.draw.integer(1, 3)], keepdims: 1 })]),
  norms: (c, x) => c.node('Mul', [x, c.node(c.draw.pick(['ReduceL1', 'ReduceL2', 'ReduceSumSquare', 'ReduceLogSumExp']),
    [x], { axes: [1, 3], keepdims: 1 })]),
  gathers: (c, x) => c.node('Gather', [x, c.ints([3, 1, 0, 2])], { axis: 1 }),
  casts: (c, x) => c.node('Cast', [c.node('Cast', [x], { to: c.draw.pick([10, 11]) })], { to: 1 }),
  matmul: (c, x) => c.node('MatMul', [x, c.weight([8, 8])]),
  linear: (c, x) => c.node('Add', [links.matmul(c, x), c.weight([8])]),
  upsample: (c, x) => {
    const twice = c.node('Upsample', [x], { mode: c.draw.pick(['nearest', 'linear']), scales: { floats: [1, 1, 2, 2] } });
    return c.node('MaxPool', [twice], { kernel_shape: [2, 2], strides: [2, 2] });
  },
  depth: (c, x) => c.node('DepthToSpace', [c.node('SpaceToDepth', [x], { blocksize: 2 })], { blocksize: 2 }),
  swish: (c, x) => c.node('Mul', [x, c.node('Sigmoid', [x])]),
  gelu: (c, x) => {
    const cube = c.node('Mul', [c.node('Mul', [c.node('Mul', [x, x]), x]), c.number(0.044715)]);
    const inner = c.node('Tanh', [c.node('Mul', [c.node('Add', [x, cube]), c.number(Math.sqrt(2 / Math.PI))])]);
    return c.node('Mul', [c.node('Mul', [c.node('Add', [inner, c.number(1)]), x]), c.number(0.5)]);
  },
  mish: (c, x) => c.node('Mul', [x, c.node('Tanh', [c.node('Softplus', [x])])]),
  hardSwish: (c, x) => {
    const gate = c.node('Clip', [c.node('Add', [x, c.number(3)])], { min: float(0), max: float(6) });
    return c.node('Div', [c.node('Mul', [x, gate]), c.number(6)]);
  },
  layerNorm: (c, x) => {
    const mean = value => c.node('ReduceMean', [value], { axes: [3] }), d = c.node('Sub', [x, mean(x)]);
    const square = c.draw.chance(0.5) ? c.node('Mul', [d, d]) : c.node('Pow', [d, c.number(2)]);
    const n = c.node('Div', [d, c.node('Sqrt', [c.node('Add', [mean(square), c.number(1e-5)])])]);
    return c.node('Add', [c.node('Mul', [n, c.weight([8], 0.5, 1)]), c.weight([8])]);
  },
  softmaxParts: (c, x) => {
    const axis = c.draw.integer(1, 3), attrs = { axes: [axis], keepdims: 1 };
    const power = c.node('Exp', [c.node('Sub', [x, c.node('ReduceMax', [x], attrs)])]);
    return c.node('Div', [power, c.node('ReduceSum', [power], attrs)]);
  },
};

// {name, bytes, feeds}
function chain(draw) {
  const c = new Chain(draw), names = [];
  let x = 'x';
  for (let i = draw.integer(1, 6); i > 0; --i) {
    c.values.push(x);
    names.push(draw.pick(Object.keys(links)));
    x = links[names.at(-1)](c, x);
  }
  const opset = draw.pick([7, 8]), declared = c.initializers.map(({ name }) => name);
  const bytes = onnx.model({ opset, irVersion: declared.length ? 4 : 3, inputs: [['x', 'float', shape]],
    outputs: [[x, 'float', shape]], nodes: c.nodes, initializers: c.initializers });
  const data = Array.from({ length: 256 }, () => draw.real(-1, 1));
  return { name: `chain ${names.join(' ')}`, bytes, feeds: { x: tensor('float', shape, data) } };
}

module.exports = { chain };
