//===- planted_models.js - Models that faults are planted in --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two networks of many small layers. Extents are such that another axis or
// another order of dimensions is a model all the same.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('./onnx');

// Collects nodes and weights; every node is named after its result.
class Network {
  constructor() {
    this.nodes = [];
    this.initializers = [];
    this.seed = 1;
  }

  random() {
    this.seed = (this.seed * 48271) % 2147483647;
    return this.seed / 2147483647 - 0.5;
  }

  weight(name, dims, offset = 0) {
    const count = dims.reduce((product, dim) => product * dim, 1);
    const values = Array.from({ length: count }, () => this.random() + offset);
    this.initializers.push(onnx.tensorProto(name, 'float', dims, values));
    return name;
  }

  ints(name, values) {
    this.initializers.push(onnx.tensorProto(name, 'int64', [values.length], values));
    return name;
  }

  scalar(name, value) {
    this.initializers.push(onnx.tensorProto(name, 'float', [], [value]));
    return name;
  }

  add(op, name, inputs, attrs = {}) {
    this.nodes.push({ op, name, inputs, outputs: [`${name}:0`], attrs });
    return `${name}:0`;
  }

  model(input, output) {
    this.nodes.push({ op: 'Identity', name: 'end', inputs: [output], outputs: ['y'] });
    return onnx.modelProto({ opset: 17, inputs: [input], outputs: [['y', 'float', undefined]], nodes: this.nodes,
                             initializers: this.initializers });
  }
}

// Layers of an encoder on 8 tokens of 8 features, in two heads.
function encoder(layers = 6) {
  const net = new Network();
  let x = 'x';
  const linear = (at, from) => {
    const product = net.add('MatMul', `${at}/matmul`, [from, net.weight(`${at}.w`, [8, 8])]);
    return net.add('Add', `${at}/add`, [product, net.weight(`${at}.b`, [8])]);
  };
  const normalize = (at, from) => net.add('LayerNormalization', at,
    [from, net.weight(`${at}.scale`, [8], 1), net.weight(`${at}.bias`, [8])], { axis: -1, epsilon: 1e-3 });
  const heads = (at, from, perm) => net.add('Transpose', `${at}/turn`,
    [net.add('Reshape', `${at}/split`, [from, net.ints(`${at}.heads`, [8, 2, 4])])], { perm });
  for (let i = 0; i < layers; ++i) {
    const at = `layer${i}`, normal = normalize(`${at}/norm1`, x);
    const query = heads(`${at}/q`, linear(`${at}/q`, normal), [1, 0, 2]);
    const key = heads(`${at}/k`, linear(`${at}/k`, normal), [1, 2, 0]);
    const value = heads(`${at}/v`, linear(`${at}/v`, normal), [1, 0, 2]);
    const scores = net.add('Mul', `${at}/scale`,
                           [net.add('MatMul', `${at}/scores`, [query, key]), net.scalar(`${at}.factor`, 0.5)]);
    const mixed = net.add('MatMul', `${at}/mix`, [net.add('Softmax', `${at}/softmax`, [scores], { axis: -1 }), value]);
    const joined = net.add('Reshape', `${at}/join`,
                           [net.add('Transpose', `${at}/back`, [mixed], { perm: [1, 0, 2] }), net.ints(`${at}.flat`, [8, 8])]);
    const first = net.add('Add', `${at}/residual1`, [x, linear(`${at}/out`, joined)]);
    const inner = linear(`${at}/up`, normalize(`${at}/norm2`, first));
    const bent = net.add('LeakyRelu', `${at}/bend`, [inner], { alpha: 0.125 });
    x = net.add('Add', `${at}/residual2`, [first, linear(`${at}/down`, bent)]);
  }
  return net.model(['x', 'float', [8, 8]], x);
}

// Convolutions with normalisations on images of 8 x 8.
function images(blocks = 5) {
  const net = new Network();
  let x = 'x';
  for (let i = 0; i < blocks; ++i) {
    const at = `block${i}`;
    const conv = net.add('Conv', `${at}/conv`, [x, net.weight(`${at}.w`, [4, 4, 3, 3]), net.weight(`${at}.b`, [4])],
                         { pads: [1, 1, 1, 1], kernel_shape: [3, 3] });
    const normal = net.add('BatchNormalization', `${at}/batchnorm`,
      [conv, net.weight(`${at}.scale`, [4], 1), net.weight(`${at}.bias`, [4]), net.weight(`${at}.mean`, [4]),
       net.weight(`${at}.variance`, [4], 1)], { epsilon: 1e-3 });
    const bent = net.add('LeakyRelu', `${at}/bend`, [normal], { alpha: 0.25 });
    const pooled = net.add('AveragePool', `${at}/pool`, [bent],
                           { kernel_shape: [3, 3], pads: [1, 1, 1, 1], count_include_pad: 0 });
    const mean = net.add('ReduceMean', `${at}/mean`, [pooled], { axes: [3], keepdims: 1 });
    const centred = net.add('Sub', `${at}/centre`, [pooled, mean]);
    const turned = net.add('Transpose', `${at}/turn`, [centred], { perm: [0, 1, 3, 2] });
    const shares = net.add('Softmax', `${at}/softmax`, [turned], { axis: 3 });
    const alike = net.add('InstanceNormalization', `${at}/instancenorm`,
      [shares, net.weight(`${at}.alike.scale`, [4], 1), net.weight(`${at}.alike.bias`, [4])], { epsilon: 1e-2 });
    const summed = net.add('CumSum', `${at}/cumsum`, [alike, net.ints(`${at}.along`, [3])]);
    x = net.add('Add', `${at}/residual`, [x, net.add('Tanh', `${at}/limit`, [summed])]);
  }
  const joined = net.add('Concat', 'tail/concat', [x, net.add('Neg', 'tail/neg', [x])], { axis: 3 });
  const most = net.add('ReduceMax', 'tail/max', [joined], { axes: [3], keepdims: 0 });
  const flat = net.add('Flatten', 'tail/flatten', [most], { axis: 1 });
  const result = net.add('Gemm', 'tail/gemm', [flat, net.weight('tail.w', [32, 10]), net.weight('tail.b', [10])],
                         { alpha: 0.5 });
  return net.model(['x', 'float', [1, 4, 8, 8]], result);
}

module.exports = { encoder, images };
