//===- cost_models.js - Models of the tests of costs ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node cost_models.js FOLDER
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
const transpose = (name, input, output, perm) => ({ op: 'Transpose', name, inputs: [input], outputs: [output], attrs: { perm } });
const conv = (name, input, output) => ({ op: 'Conv', name, inputs: [input, 'w'], outputs: [output] });

// Two transposes of 8 kB that a Softmax along another axis would save.
write('softmax.onnx', {
  inputs: [['x', 'float', [2, 16, 64]]], outputs: [['y', 'float', [2, 16, 64]]],
  nodes: [transpose('there', 'x', 'a', [0, 2, 1]), { op: 'Softmax', name: 'softmax', inputs: ['a'], outputs: ['b'], attrs: { axis: -1 } },
          transpose('back', 'b', 'y', [0, 2, 1])],
});

// A Softmax that is slow as it stands, and one transpose away from being fast.
write('slow_softmax.onnx', {
  inputs: [['x', 'float', [2, 16, 64]]], outputs: [['y', 'float', [2, 64, 16]]],
  nodes: [{ op: 'Softmax', name: 'softmax', inputs: ['x'], outputs: ['b'], attrs: { axis: 1 } }, transpose('turn', 'b', 'y', [0, 2, 1])],
});

// One that is slow, and nothing else.
write('lonely_softmax.onnx', {
  inputs: [['x', 'float', [2, 16, 64]]], outputs: [['y', 'float', [2, 16, 64]]],
  nodes: [{ op: 'Softmax', name: 'softmax', inputs: ['x'], outputs: ['y'], attrs: { axis: 1 } }],
});

// A transpose of 64 kB in runs of 16 bytes, or behind the maximum of 16 kB in
// runs of 4.
write('runs.onnx', {
  inputs: [['x', 'float', [16, 8, 32, 4]]], outputs: [['y', 'float', [16, 32, 8]]],
  nodes: [transpose('turn', 'x', 'a', [0, 2, 1, 3]),
          { op: 'ReduceMax', name: 'max', inputs: ['a'], outputs: ['y'], attrs: { axes: [3], keepdims: 0 } }],
});

// Two orders of one tensor of 16 kB: (0,2,1) moves one axis, (2,1,0) two, and
// from the one to the other it is one again.
write('steps.onnx', {
  inputs: [['x', 'float', [16, 8, 32]]], outputs: [['y', 'float', [16, 32, 8]], ['z', 'float', [32, 8, 16]]],
  nodes: [transpose('one', 'x', 'y', [0, 2, 1]), transpose('two', 'x', 'z', [2, 1, 0])],
});

const image = [1, 8, 16, 16];
const weight = onnx.tensorProto('w', 'float', [8, 8, 1, 1], Float32Array.from({ length: 64 }, (_, i) => Math.sin(i)));
write('conv.onnx', {
  inputs: [['x', 'float', image]], outputs: [['y', 'float', image]], initializers: [weight], nodes: [conv('only', 'x', 'y')],
});
write('three_convs.onnx', {
  inputs: [['x', 'float', image]], outputs: [['y', 'float', image]], initializers: [weight],
  nodes: [conv('first', 'x', 'a'), conv('second', 'a', 'b'), conv('third', 'b', 'y')],
});
