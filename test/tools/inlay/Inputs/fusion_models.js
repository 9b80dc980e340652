//===- fusion_models.js - Models that a pipeline executes in groups -------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Run as `node fusion_models.js FOLDER`.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('onnx.js');

const [folder] = process.argv.slice(2);
fs.mkdirSync(folder, { recursive: true });
const numbers = count => Float32Array.from({ length: count }, (_, i) => Math.sin(i * i));
const weights = (name, dims) => onnx.tensorProto(name, 'float', dims, numbers(dims.reduce((a, b) => a * b, 1)));
const write = (name, model) => fs.writeFileSync(path.join(folder, name), onnx.model({ opset: 18, irVersion: 7, ...model }));

const x = ['x', 'float', ['n', 4, 8, 8]], y = ['y', 'float', ['n', 4, 8, 8]];
const pads = [1, 1, 1, 1];
const conv = (name, input, output) => ({ op: 'Conv', name, inputs: [input, 'w', 'b'], outputs: [output], attrs: { pads } });
const initializers = [weights('w', [4, 4, 3, 3]), weights('b', [4])];

// A residual block; its first convolution is an output as well, and so is x.
write('block.onnx', {
  inputs: [x], outputs: [y, ['c', 'float', ['n', 4, 8, 8]], ['same', 'float', ['n', 4, 8, 8]]], initializers,
  nodes: [
    conv('first', 'x', 'c'),
    { op: 'Relu', name: 'act', inputs: ['c'], outputs: ['r'] },
    conv('second', 'r', 's'),
    { op: 'Add', name: 'sum', inputs: ['s', 'x'], outputs: ['a'] },
    { op: 'Relu', name: 'last', inputs: ['a'], outputs: ['y'] },
    { op: 'Identity', inputs: ['x'], outputs: ['same'] },
  ],
});

// Two equal chains; what the pipeline does not take; optional inputs; values on
// two ports; results that nobody uses.
write('corners.onnx', {
  inputs: [x], outputs: [y, ['z', 'float', ['n', 4, 8, 8]], ['t', 'float', ['n', 4, 4, 4]]],
  initializers: [...initializers, onnx.tensorProto('high', 'float', [], [6])],
  nodes: [
    conv('one', 'x', 'c1'), { op: 'Clip', name: 'clip1', inputs: ['c1', '', 'high'], outputs: ['r1'] },
    { op: 'Add', name: 'twice', inputs: ['r1', 'r1'], outputs: ['y'] },
    { op: 'Erf', name: 'erf', inputs: ['x'], outputs: ['e'] },
    conv('two', 'e', 'c2'), { op: 'Clip', name: 'clip2', inputs: ['c2', '', 'high'], outputs: ['r2'] },
    { op: 'Mul', name: 'square', inputs: ['r2', 'r2'], outputs: ['q'] },
    { op: 'Tanh', name: 'tanh', inputs: ['q'], outputs: ['z'] },
    { op: 'Relu', name: 'unused', inputs: ['c2'], outputs: ['nobody'] },
    { op: 'MaxPool', name: 'pool', inputs: ['x'], outputs: ['t', 'indices'], attrs: { kernel_shape: [2, 2], strides: [2, 2] } },
  ],
});

write('plain.onnx', {
  inputs: [x], outputs: [y], initializers,
  nodes: [conv('only', 'x', 'c'), { op: 'Relu', name: 'act', inputs: ['c'], outputs: ['y'] }],
});
