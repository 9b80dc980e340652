//===- borders.test.js - Counting what crosses borders --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const test = require('node:test');
const assert = require('node:assert');
const onnx = require('./onnx');
const { countBorders } = require('./borders');

// 4 x 5 floats, 80 bytes, each.
const bytes = 80;
const types = new Map(['x', 'a', 'b', 'y', 'z'].map(name => [name, { type: 'float', dims: [4, 5] }]));
const node = (op, inputs, outputs, rest = {}) => ({ op, inputs: inputs.split(' '), outputs: outputs.split(' '), ...rest });
const countOf = options => countBorders(onnx.read(onnx.model({
  inputs: [['x', 'float', [4, 5]]], outputs: [['y', 'float', [4, 5]]], ...options,
})), types) / bytes;

test('a value is read by each node and written once', () => {
  assert.equal(countOf({ nodes: [node('Relu', 'x', 'a'), node('Neg', 'a', 'b'), node('Add', 'a b', 'y')] }), 7);
});

test('the same value twice is read once', () => {
  assert.equal(countOf({ nodes: [node('Add', 'x x', 'y')] }), 2);
});

test('a call is one node, whatever is inside', () => {
  const inside = [node('Relu', 'p', 'q'), node('Neg', 'q', 'r')];
  const functions = [{ name: 'group_0', domain: 'inlay.opu', inputs: ['p'], outputs: ['r'], nodes: inside, opset: { '': 18 } }];
  assert.equal(countOf({ functions, nodes: [node('group_0', 'x', 'y', { domain: 'inlay.opu' })] }), 2);
});

test('weights are not read, and what nobody needs is not written', () => {
  const initializers = [onnx.tensorProto('w', 'float', [4, 5], Array(20).fill(1))];
  assert.equal(countOf({ initializers, nodes: [node('Add', 'x w', 'y'), node('Add', 'x w', 'z')] }), 3);
});

test('what a subgraph takes from outside is read', () => {
  const branch = onnx.graph({ nodes: [node('Relu', 'a', 'inner')], outputs: [['inner', 'float', [4, 5]]] });
  const attrs = { then_branch: branch, else_branch: branch };
  const initializers = [onnx.tensorProto('c', 'bool', [], [1])];
  assert.equal(countOf({ initializers, nodes: [node('Neg', 'x', 'a'), node('If', 'c', 'y', { attrs })] }), 4);
});

test('extents that are not known are no zero', () => {
  assert.throws(() => countOf({ nodes: [node('Relu', 'x', 'unknown'), node('Neg', 'unknown', 'y')] }), /not known/);
});
