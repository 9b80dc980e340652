//===- traffic.test.js - Counting memory traffic --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const test = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const onnx = require('./onnx');
const { symbolicExtents, randomInputs } = require('./inputs');
const { measureTraffic } = require('./traffic');
const { optimise } = require('./optimise');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-traffic-test-'));
test.after(() => fs.rmSync(folder, { recursive: true }));

let written = 0;
function write(options) {
  const file = path.join(folder, `${written++}.onnx`);
  fs.writeFileSync(file, onnx.model(options));
  return file;
}

const measureFile = (file, extents) => measureTraffic(file, randomInputs(onnx.readFile(file), { extents }));

// 4 x 5 floats, 80 bytes, wherever nothing else is said.
const tensor = [4, 5], bytes = 80;
const measure = options => measureFile(write({
  inputs: [['x', 'float', tensor]], outputs: [['y', 'float']], ...options,
}));
const total = (nodes, tensors, more = 0) => ({ nodes, bytes: tensors * bytes + more, unsized: 0 });

const node = (op, inputs, outputs, rest = {}) => ({ op, inputs: inputs.split(' '), outputs: outputs.split(' '), ...rest });

test('a node reads its inputs and writes its outputs', async () => {
  assert.deepEqual(await measure({ nodes: [node('Relu', 'x', 'y')] }), total(1, 2));
  const split = [node('Split', 'x', 'a b', { attrs: { axis: 0, num_outputs: 2 } }), node('Mul', 'a b', 'y')];
  assert.deepEqual(await measure({ nodes: split }), total(2, 2 + 1.5));
});

test('an input that a node reads twice counts once', async () => {
  assert.deepEqual(await measure({ nodes: [node('Add', 'x x', 'y')] }), total(1, 2));
  assert.deepEqual(await measure({ nodes: [node('Abs', 'x', 'a'), node('Add', 'x a', 'y')] }), total(2, 2 + 3));
});

test('a value that two nodes read counts twice', async () => {
  const nodes = [node('Abs', 'x', 'a'), node('Exp', 'a', 'b'), node('Neg', 'a', 'c'), node('Add', 'b c', 'y')];
  assert.deepEqual(await measure({ nodes }), total(4, 2 + 2 + 2 + 3));
});

test('a view is neither a node nor traffic, its reader reads it', async () => {
  const views = [node('Flatten', 'x', 'a'), node('Identity', 'a', 'b'), node('Reshape', 'b s', 'c'),
                 node('Unsqueeze', 'c u', 'd'), node('Squeeze', 'd u', 'e'), node('Dropout', 'e', 'f')];
  const initializers = [onnx.tensorProto('s', 'int64', [2], [10, 2]), onnx.tensorProto('u', 'int64', [1], [0])];
  assert.deepEqual(await measure({ initializers, nodes: [...views, node('Relu', 'f', 'y')] }), total(1, 2));
  assert.deepEqual(await measure({ nodes: [node('Transpose', 'x', 'a'), node('Relu', 'a', 'y')] }), total(2, 4));
});

test('a Dropout with a mask, or in training, is no view', async () => {
  const masked = await measure({ outputs: [['y', 'float'], ['m', 'bool']], nodes: [node('Dropout', 'x', 'y m')] });
  assert.deepEqual(masked, total(1, 2, 20));
  const initializers = [onnx.tensorProto('t', 'bool', [], [1])];
  const training = await measure({ initializers, nodes: [{ op: 'Dropout', inputs: ['x', '', 't'], outputs: ['y'] }] });
  assert.deepEqual(training, total(1, 2, 1));
});

test('an operator of another domain is no view, whatever its name', async () => {
  const body = { name: 'Identity', domain: 'own', inputs: ['a'], outputs: ['b'], nodes: [node('Relu', 'a', 'b')],
                 opset: { '': 18 } };
  const nodes = [node('Identity', 'x', 'y', { domain: 'own' })];
  assert.deepEqual(await measure({ opset: { '': 18, own: 1 }, functions: [body], nodes }), total(1, 2));
});

test('weights count where they are read, as initializers and as Constants', async () => {
  const weight = name => onnx.tensorProto(name, 'float', [5], [1, 2, 3, 4, 5]);
  const add = node('Add', 'x w', 'y');
  assert.deepEqual(await measure({ initializers: [weight('w')], nodes: [add] }), total(1, 2, 20));
  const constants = [
    { op: 'Constant', outputs: ['w'], attrs: { value: weight('') } },
    { op: 'Constant', outputs: ['w'], attrs: { value_floats: { floats: [1, 2, 3, 4, 5] } } },
  ];
  for (const constant of constants) assert.deepEqual(await measure({ nodes: [constant, add] }), total(1, 2, 20));
  assert.deepEqual(await measure({ initializers: [weight('w')], nodes: [node('Relu', 'x', 'y')] }), total(1, 2));
});

test('element types count with their width', async () => {
  const nodes = to => [node('Cast', 'x', 'a', { attrs: { to } }), node('Cast', 'a', 'y', { attrs: { to: 1 } })];
  assert.deepEqual(await measure({ nodes: nodes(10) }), total(2, 2 * 1.5));
  assert.deepEqual(await measure({ nodes: nodes(11) }), total(2, 2 * 3));
});

test('a call of a function is one node, whatever its body keeps to itself', async () => {
  const body = [node('Abs', 'a', 'p'), node('Exp', 'p', 'q'), node('Add', 'q a', 'b')];
  const functions = [{ name: 'F', domain: 'own', inputs: ['a'], outputs: ['b'], nodes: body, opset: { '': 18 } }];
  const nodes = [node('F', 'x', 'y', { domain: 'own' })];
  assert.deepEqual(await measure({ opset: { '': 18, own: 1 }, functions, nodes }), total(1, 2));
  const apart = [node('Abs', 'x', 'p'), node('Exp', 'p', 'q'), node('Add', 'q x', 'y')];
  assert.deepEqual(await measure({ nodes: apart }), total(3, 2 + 2 + 3));
});

// An If on the constant c, a bool of one byte.
function branching({ then, otherwise }) {
  const branch = ([name, dims, nodes]) => onnx.graph({ outputs: [[name, 'float', dims]], nodes });
  return { initializers: [onnx.tensorProto('c', 'bool', [], [1])], nodes: [
    node('If', 'c', 'y', { attrs: { then_branch: branch(then), else_branch: branch(otherwise) } })] };
}

test('both branches of an If count, with what they read from outside', async () => {
  const model = branching({ then: ['t', tensor, [node('Exp', 'x', 't')]], otherwise: ['e', tensor, [node('Abs', 'x', 'e')]] });
  assert.deepEqual(await measure(model), total(3, 1 + 2 + 2, 1));
});

test('the body of a Loop counts once', async () => {
  const body = onnx.graph({
    inputs: [['i', 'int64', []], ['go', 'bool', []], ['s', 'float', tensor]],
    outputs: [['again', 'bool', []], ['t', 'float', tensor]],
    nodes: [node('Identity', 'go', 'again'), node('Exp', 's', 't')],
  });
  const initializers = [onnx.tensorProto('n', 'int64', [], [3]), onnx.tensorProto('c', 'bool', [], [1])];
  const looped = await measure({ initializers, nodes: [node('Loop', 'n c x', 'y', { attrs: { body } })] });
  assert.deepEqual(looped, total(2, 2 + 2, 8 + 1));
});

test('a value of unknown size in a subgraph is told, and counts as nothing', async () => {
  const inner = [node('Exp', 'x', 'a'), node('Abs', 'a', 't')];
  const model = branching({ then: ['t', tensor, inner], otherwise: ['e', tensor, [node('Abs', 'x', 'e')]] });
  assert.deepEqual(await measure(model), { ...total(4, 1 + 2 + 2, 1), unsized: 1 });
});

test('extents that only a run shows are found', async () => {
  const nodes = [node('NonZero', 'x', 'a'), node('Neg', 'a', 'y')];
  assert.deepEqual(await measure({ outputs: [['y', 'int64']], nodes }), total(2, 1, 3 * 2 * 20 * 8));
});

test('symbolic dimensions get the extent of what their names say', async () => {
  const file = write({ inputs: [['x', 'float', ['batch', 'h', 'seq_len']]], outputs: [['y', 'float']],
                       nodes: [node('Relu', 'x', 'y')] });
  const extents = symbolicExtents(onnx.readFile(file), { image: 7, sequence: 5, other: 2 });
  assert.deepEqual(extents, { batch: 2, h: 7, seq_len: 5 });
  assert.deepEqual(await measureFile(file, extents), { nodes: 1, bytes: 2 * 280, unsized: 0 });
});

test('the graph of ONNX Runtime is counted as it fuses it', async () => {
  const nodes = [node('MatMul', 'x w', 'a'), node('Add', 'a b', 'y')];
  const initializers = [onnx.tensorProto('w', 'float', [5, 3], Array(15).fill(1)), onnx.tensorProto('b', 'float', [3], [1, 2, 3])];
  const file = write({ inputs: [['x', 'float', ['batch', 5]]], outputs: [['y', 'float', ['batch', 3]]], initializers, nodes });
  const out = path.join(folder, 'optimised.onnx'), extents = { batch: 4 };
  const weights = 60 + 12;
  assert.deepEqual(await measureFile(file, extents), { nodes: 2, bytes: 80 + 48 + 48 + 48 + weights, unsized: 0 });
  await optimise(file, out, 'all', { extents });
  assert.deepEqual(await measureFile(out, extents), { nodes: 1, bytes: 80 + 48 + weights, unsized: 0 });
});

test('a graph of ONNX Runtime with branches that hold constants can be read', async () => {
  const then = ['t', tensor, [node('Add', 'x k', 't')]], otherwise = ['e', tensor, [node('Abs', 'x', 'e')]];
  const model = branching({ then, otherwise }), [branch] = model.nodes;
  branch.attrs.then_branch.initializer = [onnx.tensorProto('k', 'float', [5], [1, 2, 3, 4, 5])];
  const inputs = [['x', 'float', tensor], ['c', 'bool', []]];
  const file = write({ ...model, initializers: [], inputs, outputs: [['y', 'float']] });
  const out = path.join(folder, 'branches.onnx');
  await optimise(file, out, 'all');
  assert.deepEqual(await measureFile(out), total(3, 1 + 2 + 2, 1 + 20));
});
