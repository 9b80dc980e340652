//===- debug_models.js - Models of tests of extract, bisect and reduce ----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node debug_models.js FOLDER
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('onnx');

const folder = process.argv[2];
fs.mkdirSync(folder, { recursive: true });

function write(name, description) {
  fs.writeFileSync(path.join(folder, name), onnx.model({ opset: 17, ...description }));
}

const wave = (count, from = 0) => Array.from({ length: count }, (_, i) => Math.sin(i + from));
const weight = (name, dims, from) =>
  onnx.tensorProto(name, 'float', dims, wave(dims.reduce((product, dim) => product * dim, 1), from));

// Four layers in a row, names that no file may have as they are, and a weight
// that only the first one reads.
function chain(name, factor = 1) {
  const scaled = onnx.tensorProto('w2', 'float', [4, 4], wave(16, 5).map(value => value * factor));
  write(name, {
    inputs: [['x', 'float', ['N', 4]]], outputs: [['y', 'float', ['N', 4]]],
    initializers: [weight('w1', [4, 4], 1), scaled, weight('b', [4], 9)],
    nodes: [{ op: 'MatMul', name: 'first', inputs: ['x', 'w1'], outputs: ['../m/1'] },
            { op: 'Relu', name: 'bend', inputs: ['../m/1'], outputs: ['.._m_1'] },
            { op: 'MatMul', name: 'second', inputs: ['.._m_1', 'w2'], outputs: ['m2'] },
            { op: 'Add', name: 'shift', inputs: ['m2', 'b'], outputs: ['a,b'] },
            { op: 'Tanh', name: 'last', inputs: ['a,b'], outputs: ['y'] }],
  });
}
chain('chain.onnx');
chain('chain_damaged.onnx', 1.01);

// A branch that reads a tensor of the graph around it.
const branch = (op, name) => onnx.graph({
  name, outputs: [[`${name}.out`, 'float', [4]]],
  nodes: [{ op, name: `${name}.node`, inputs: ['t'], outputs: [`${name}.out`] }],
});
write('branches.onnx', {
  inputs: [['x', 'float', [4]], ['c', 'bool', []]], outputs: [['y', 'float', [4]]],
  nodes: [{ op: 'Neg', name: 'minus', inputs: ['x'], outputs: ['t'] },
          { op: 'If', name: 'choose', inputs: ['c'], outputs: ['u'],
            attrs: { then_branch: branch('Relu', 'then'), else_branch: branch('Exp', 'else') } },
          { op: 'Abs', name: 'size', inputs: ['u'], outputs: ['y'] }],
});

// Behind a node of which nothing is known.
write('opaque.onnx', {
  opset: { '': 17, 'com.acme': 1 }, inputs: [['x', 'float', [2]]], outputs: [['y', 'float', [2]]],
  nodes: [{ op: 'Relu', name: 'front', inputs: ['x'], outputs: ['p'] },
          { op: 'Swirl', name: 'swirl', domain: 'com.acme', inputs: ['p'], outputs: ['s'] },
          { op: 'Relu', name: 'behind', inputs: ['s'], outputs: ['y'] }],
});

// Weights in a file beside the model, 4 kB each.
const floats = Float32Array.from(wave(2048));
fs.writeFileSync(path.join(folder, 'weights.bin'), Buffer.from(floats.buffer));
const external = (name, offset) => onnx.tensorProto(name, 'float', [1024], undefined,
  { encoding: 'external', location: 'weights.bin', offset, length: 4096 });
write('external.onnx', {
  inputs: [['x', 'float', [1024]]], outputs: [['y', 'float', [1024]]],
  initializers: [external('w1', 0), external('w2', 4096)],
  nodes: [{ op: 'Mul', name: 'first', inputs: ['x', 'w1'], outputs: ['t'] },
          { op: 'Mul', name: 'second', inputs: ['t', 'w2'], outputs: ['y'] }],
});

// A weight in front of a node that nobody can execute.
for (const [name, factor] of [['swirl', 2], ['swirl_damaged', 2.5]])
  write(`${name}.onnx`, {
    opset: { '': 17, 'com.acme': 1 }, inputs: [['x', 'float', [2]]], outputs: [['y', 'float', [2]]],
    initializers: [onnx.tensorProto('w', 'float', [2], [1, factor])],
    nodes: [{ op: 'Mul', name: 'scale', inputs: ['x', 'w'], outputs: ['p'] },
            { op: 'Swirl', name: 'swirl', domain: 'com.acme', inputs: ['p'], outputs: ['y'] }],
  });

// The same under another name.
for (const [name, output] of [['lone', 'y'], ['lone_renamed', 'z']])
  write(`${name}.onnx`, {
    inputs: [['x', 'float', [2]]], outputs: [[output, 'float', [2]]],
    nodes: [{ op: 'Relu', name: 'node', inputs: ['x'], outputs: [output] }],
  });
