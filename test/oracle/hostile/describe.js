//===- describe.js - How hostile files are written down -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kind is {exit, message, write}: the exit codes that are right, a pattern
// that the message must match (it says where the fault is, and what), and a
// function that writes the file and what belongs beside it. The message counts
// only where the exit code is not 0. In the models, the element at fault is
// called `culprit`.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const onnx = require('../onnx');

const MODEL = [3], OK_OR_MODEL = [0, 3];

const floats = (name, dims, values) => onnx.tensorProto(name, 'float', dims, values);
const ints = (name, dims, values) => onnx.tensorProto(name, 'int64', dims, values);

// A sound model: y = relu(x) + w.
function soundModel() {
  return onnx.modelProto({
    opset: 18, inputs: [['x', 'float', [2, 2]]], outputs: [['y', 'float', [2, 2]]],
    initializers: [floats('w', [2, 2], [1, 2, 3, 4])],
    nodes: [
      { op: 'Relu', name: 'first', inputs: ['x'], outputs: ['r'] },
      { op: 'Add', name: 'second', inputs: ['r', 'w'], outputs: ['y'] },
    ],
  });
}

// Both parts must be in the message, in any order and any case.
function saying(where, what) { return new RegExp(`^(?=[^]*(${where}))(?=[^]*(${what}))`, 'i'); }

const ofBytes = (exit, message, bytes) => ({ exit, message, write: out => fs.writeFileSync(out, bytes()) });
const ofModel = (exit, message, options) => ofBytes(exit, message, () => onnx.model({ opset: 18, ...options }));

// The sound model after `change`.
const changed = (exit, message, change) => ofBytes(exit, message, () => {
  const proto = soundModel();
  return onnx.write(change(proto) ?? proto);
});

// A model of one node, named culprit, of float x[2,3,4].
function ofNode(exit, message, op, { operands = ['x'], constants = [], attrs = {}, outputs = ['y'], type = 'float',
    inputs, opset = 18 }) {
  return ofModel(exit, message, {
    opset, inputs: inputs ?? [['x', 'float', [2, 3, 4]]], outputs: outputs.map(name => [name, type]),
        initializers: constants,
    nodes: [{ op, name: 'culprit', inputs: operands, outputs, attrs }],
  });
}

module.exports = {
  MODEL, OK_OR_MODEL, floats, ints, soundModel, saying, ofBytes, ofModel, changed, ofNode,
};
