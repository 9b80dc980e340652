#!/usr/bin/env node
//===- make_mini_shufflenet.js - Writes the bundled example model ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node examples/make_mini_shufflenet.js examples/mini_shufflenet.onnx
//
// A small image classifier, written the way exporters write models with a
// dynamic batch: shapes are computed node by node, parameters are Constant
// nodes, and identities and dropouts of the training framework are still there.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const onnx = require('../test/oracle/onnx');
const { uniform } = require('../test/oracle/random');

const classes = 10, groups = 4;
const nodes = [], initializers = [];
const next = uniform(1);

function weight(name, dims, scale) {
  const count = dims.reduce((a, b) => a * b, 1);
  const values = Float32Array.from({ length: count }, () => scale * (2 * next() - 1));
  initializers.push(onnx.tensorProto(name, 'float', dims, values));
  return name;
}

// Adds a node named after its output, as exporters do; returns the output.
function add(op, name, inputs, attrs) {
  nodes.push({ op, name: `/${name.replaceAll('.', '/')}/${op}`, inputs, outputs: [`${name}.${op}`], attrs });
  return `${name}.${op}`;
}

function constant(name, dims, values) {
  return add('Constant', name, [], { value: onnx.tensorProto('', 'int64', dims, values.map(BigInt)) });
}

// Extent `axis` of `x` as a list of one element, in the three nodes it takes.
function extent(name, x, axis) {
  const gathered = add('Gather', `${name}.dim${axis}`,
                       [add('Shape', `${name}.dim${axis}`, [x]), constant(`${name}.dim${axis}.index`, [], [axis])],
                       { axis: 0 });
  return add('Unsqueeze', `${name}.dim${axis}`, [gathered, constant(`${name}.dim${axis}.axes`, [1], [0])]);
}

// Reshape to extents of which each is a number or [value, axis].
function reshape(name, x, target) {
  const parts = target.map((part, i) => typeof part === 'number' ? constant(`${name}.part${i}`, [1], [part])
                                                                 : extent(`${name}.part${i}`, ...part));
  return add('Reshape', name, [x, add('Concat', `${name}.shape`, parts, { axis: 0 })]);
}

function convolution(name, x, inputs, outputs, { kernel = 3, stride = 1, group = 1 } = {}) {
  const dims = [outputs, inputs / group, kernel, kernel], pad = (kernel - 1) / 2;
  const scale = Math.sqrt(3 / (inputs / group * kernel * kernel));
  return add('Conv', name, [x, weight(`${name}.weight`, dims, scale), weight(`${name}.bias`, [outputs], 0.1)],
             { kernel_shape: [kernel, kernel], strides: [stride, stride], pads: [pad, pad, pad, pad], group });
}

// Groups exchange their channels: N, G·C, H, W seen as N, G, C, H, W.
function shuffle(name, x, channels) {
  const split = reshape(`${name}.split`, x, [[x, 0], groups, channels / groups, [x, 2], [x, 3]]);
  const swapped = add('Transpose', name, [split], { perm: [0, 2, 1, 3, 4] });
  return reshape(`${name}.join`, swapped, [[x, 0], channels, [x, 2], [x, 3]]);
}

function block(name, x, channels) {
  const reduced = add('Relu', `${name}.reduce`, [convolution(`${name}.reduce`, x, channels, channels, { kernel: 1, group: groups })]);
  const mixed = convolution(`${name}.mix`, shuffle(`${name}.shuffle`, reduced, channels), channels, channels, { group: channels });
  const expanded = convolution(`${name}.expand`, add('Identity', `${name}.mix`, [mixed]), channels, channels, { kernel: 1, group: groups });
  return add('Relu', `${name}.out`, [add('Add', name, [x, expanded])]);
}

function classifier(x, channels) {
  const pooled = add('GlobalAveragePool', 'head.pool', [x]);
  const flat = reshape('head.flatten', pooled, [[pooled, 0], channels]);
  const kept = add('Dropout', 'head.dropout', [flat]);
  const logits = add('Gemm', 'head.fc', [kept, weight('head.fc.weight', [classes, channels], 0.5), weight('head.fc.bias', [classes], 0.1)],
                     { transB: 1 });
  nodes.push({ op: 'Softmax', name: '/head/Softmax', inputs: [logits], outputs: ['probabilities'], attrs: { axis: 1 } });
}

function build() {
  let x = add('Relu', 'stem', [convolution('stem', 'image', 3, 32)]);
  x = block('stage1.block2', block('stage1.block1', x, 32), 32);
  x = add('Relu', 'down', [convolution('down', x, 32, 64, { stride: 2 })]);
  x = block('stage2.block2', block('stage2.block1', x, 64), 64);
  classifier(x, 64);
  return onnx.model({
    opset: 17, producer: 'make_mini_shufflenet', name: 'mini_shufflenet', nodes, initializers,
    inputs: [['image', 'float', ['batch', 3, 32, 32]]],
    outputs: [['probabilities', 'float', ['batch', classes]]],
  });
}

fs.writeFileSync(process.argv[2], build());
