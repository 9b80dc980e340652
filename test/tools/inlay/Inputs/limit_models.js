//===- limit_models.js - Models of the tests of limits --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node limit_models.js FOLDER
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('onnx');

const folder = process.argv[2];
fs.mkdirSync(folder, { recursive: true });

const write = (name, description) =>
  fs.writeFileSync(path.join(folder, name), onnx.model({ opset: 17, ...description }));
const range = (count) => Array.from({ length: count }, (_, i) => i);
const constant = onnx.tensorProto('k', 'float', [2, 3], Float32Array.from({ length: 6 }, (_, i) => Math.cos(i)));

// A hundred inputs of one shape, some of them twice and some constants, along the last axis.
const several = range(100).map((i) => (i % 10 === 9 ? 'k' : `x${i % 20}`));
const inputs = range(20).filter((i) => i % 10 !== 9).map((i) => [`x${i}`, 'float', [2, 3]]);
write('concat.onnx', {
  inputs, outputs: [['y', 'float', [2, 300]]], initializers: [constant],
  nodes: [
    { op: 'Concat', name: 'cat', inputs: several, outputs: ['c'], attrs: { axis: -1 } },
    { op: 'Relu', name: 'relu', inputs: ['c'], outputs: ['y'] },
  ],
});
for (const op of ['Sum', 'Max', 'Min', 'Mean'])
  write(`${op.toLowerCase()}.onnx`, {
    inputs, outputs: [['y', 'float', [2, 3]]], initializers: [constant],
    nodes: [{ op, name: 'node', inputs: several, outputs: ['y'] }],
  });

// A hundred outputs, of which every seventh is used.
const used = range(100).filter((i) => i % 7 === 0);
write('split.onnx', {
  inputs: [['x', 'float', [100, 4]]], outputs: used.map((i) => [`y${i}`, 'float', [1, 4]]),
  nodes: [{ op: 'Split', name: 'cut', inputs: ['x'], outputs: range(100).map((i) => `y${i}`) }],
});
write('split_all.onnx', {
  inputs: [['x', 'float', [100, 4]]], outputs: range(100).map((i) => [`y${i}`, 'float', [1, 4]]),
  nodes: [{ op: 'Split', name: 'cut', inputs: ['x'], outputs: range(100).map((i) => `y${i}`) }],
});

// A product that is not computed in steps.
write('einsum.onnx', {
  inputs: [['x', 'float', [4]]], outputs: [['y', 'float', [4]]],
  nodes: [{ op: 'Einsum', name: 'product', inputs: ['x', 'x', 'x'], outputs: ['y'], attrs: { equation: 'i,i,i->i' } }],
});
