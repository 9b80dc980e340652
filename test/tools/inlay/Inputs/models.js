//===- models.js - The models of the command line's tests -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node models.js FOLDER
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('onnx');
const npy = require('npy');
const { tensor } = require('element');

const folder = process.argv[2];
fs.mkdirSync(folder, { recursive: true });

function write(name, description) {
  fs.writeFileSync(path.join(folder, name), onnx.model({ opset: 17, ...description }));
}

function writeTensor(name, value) {
  fs.writeFileSync(path.join(folder, name), npy.write(value));
}

const pair = onnx.tensorProto('c', 'float', [2], [1, 2]);

// y = x + c, with an Identity on the way.
write('add.onnx', {
  inputs: [['x', 'float', ['N', 2]]], outputs: [['y', 'float', ['N', 2]]], initializers: [pair],
  nodes: [{ op: 'Identity', name: 'same', inputs: ['x'], outputs: ['t'] },
          { op: 'Add', name: 'plus', inputs: ['t', 'c'], outputs: ['y'] }],
});

// y = x - c.
write('sub.onnx', {
  inputs: [['x', 'float', ['N', 2]]], outputs: [['y', 'float', ['N', 2]]], initializers: [pair],
  nodes: [{ op: 'Sub', name: 'minus', inputs: ['x', 'c'], outputs: ['y'] }],
});

// What has another open dimension than the first; samples that meet; a size that
// is computed.
write('wide.onnx', {
  inputs: [['x', 'float', ['N', 'width']]], outputs: [['y', 'float', ['N', 'width']]],
  nodes: [{ op: 'Relu', name: 'relu', inputs: ['x'], outputs: ['y'] }],
});
write('meet.onnx', {
  inputs: [['x', 'float', ['N', 2]]], outputs: [['y', 'float', [1, 2]]],
  nodes: [{ op: 'ReduceMean', name: 'mean', inputs: ['x'], outputs: ['y'], attrs: { axes: [0] } }],
});
write('unknown.onnx', {
  inputs: [['x', 'float', [3, 2]]], outputs: [['y', 'int64', [2, null]]],
  nodes: [{ op: 'NonZero', name: 'places', inputs: ['x'], outputs: ['y'] }],
});

// Weights that are large enough to be worth a file of their own.
write('big.onnx', {
  inputs: [['x', 'float', [1024]]], outputs: [['y', 'float', [1024]]],
  initializers: [onnx.tensorProto('w', 'float', [1024], Array.from({ length: 1024 }, (_, i) => i))],
  nodes: [{ op: 'Mul', inputs: ['x', 'w'], outputs: ['y'] }],
});

// Two inputs, two outputs, one of a type that numpy lacks.
write('two.onnx', {
  inputs: [['a', 'float', [2]], ['b', 'float', [2]]],
  outputs: [['sum/0', 'float', [2]], ['half', 'bfloat16', [2]]],
  nodes: [{ op: 'Add', inputs: ['a', 'b'], outputs: ['sum/0'] },
          { op: 'Cast', inputs: ['a'], outputs: ['half'], attrs: { to: 16 } }],
});

// A transpose and nodes that nobody models.
write('opaque.onnx', {
  inputs: [['x', 'float', [2, 3]]], outputs: [['y', 'float', [3, 2]]],
  opset: { '': 17, 'com.acme': 1 },
  nodes: [{ op: 'Transpose', name: 'turn', inputs: ['x'], outputs: ['t'], attrs: { perm: [1, 0] } },
          { op: 'Swirl', name: 'twist', domain: 'com.acme', inputs: ['t'], outputs: ['u'] },
          { op: 'Det', name: 'det', inputs: ['u'], outputs: ['y'] }],
});

// y = the rows of a table that i names, twice.
write('rows.onnx', {
  inputs: [['i', 'int64', [2]]], outputs: [['y', 'float', [2, 2]]],
  initializers: [onnx.tensorProto('table', 'float', [3, 2], [1, 2, 3, 4, 5, 6])],
  nodes: [{ op: 'Gather', name: 'lookup', inputs: ['table', 'i'], outputs: ['t'] },
          { op: 'Add', name: 'twice', inputs: ['t', 't'], outputs: ['y'] }],
});
writeTensor('inside.npy', tensor('int64', [2], [-3, 2]));
writeTensor('outside.npy', tensor('int64', [2], [0, 3]));

fs.writeFileSync(path.join(folder, 'text.onnx'), 'this is not a model\n');
writeTensor('x.npy', tensor('float', [1, 2], [10, 20]));
writeTensor('wide.npy', tensor('float', [1, 3], [1, 2, 3]));
writeTensor('long.npy', tensor('int64', [1, 2], [1, 2]));
writeTensor('a.npy', tensor('float', [2], [1, 2]));
writeTensor('b.npy', tensor('float', [2], [3, 4]));

// A weight in front of what is NaN for every x: y = sqrt(-1 - (x * w)^2) + v,
// and z, a constant of x.
function blank(name, weight, extra = []) {
  write(name, {
    inputs: [['x', 'float', [2]]], outputs: [['y', 'float', [2]], ...extra],
    initializers: [onnx.tensorProto('w', 'float', [2], weight), onnx.tensorProto('one', 'float', [], [-1])],
    nodes: [{ op: 'Mul', name: 'scale', inputs: ['x', 'w'], outputs: ['p'] },
            { op: 'Mul', name: 'square', inputs: ['p', 'p'], outputs: ['q'] },
            { op: 'Sub', name: 'below', inputs: ['one', 'q'], outputs: ['r'] },
            { op: 'Sqrt', name: 'root', inputs: ['r'], outputs: ['s'] },
            { op: 'Relu', name: 'behind', inputs: ['s'], outputs: ['y'] },
            ...(extra.length ? [{ op: 'Sub', name: 'nothing', inputs: ['p', 'p'], outputs: ['z'] }] : [])],
  });
}
blank('nan.onnx', [1, 2]);
blank('nan_damaged.onnx', [1, 2.01]);
blank('nan_and_zero.onnx', [1, 2], [['z', 'float', [2]]]);

// Nothing in front of the output.
write('only_nan.onnx', {
  inputs: [['x', 'float', [2]]], outputs: [['y', 'float', [2]]],
  initializers: [onnx.tensorProto('w', 'float', [2], [NaN, NaN])],
  nodes: [{ op: 'Mul', name: 'scale', inputs: ['x', 'w'], outputs: ['y'] }],
});

// Behind a weight, a node that nobody can execute.
for (const [name, weight] of [['swirl', 2], ['swirl_damaged', 2.5]])
  write(`${name}.onnx`, {
    opset: { '': 17, 'com.acme': 1 }, inputs: [['x', 'float', [2]]], outputs: [['y', 'float', [2]]],
    initializers: [onnx.tensorProto('w', 'float', [2], [1, weight])],
    nodes: [{ op: 'Mul', name: 'scale', inputs: ['x', 'w'], outputs: ['p'] },
            { op: 'Swirl', name: 'swirl', domain: 'com.acme', inputs: ['p'], outputs: ['s'] },
            { op: 'Relu', name: 'behind', inputs: ['s'], outputs: ['y'] }],
  });
