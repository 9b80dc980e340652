//===- transposes.test.js - Counting transposes, and scrambling models ----===//
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
const { tensor } = require('./element');
const { measureTransposes, movesElements } = require('./transposes');
const { permuteTensor } = require('./permute');
const { addNoise } = require('./noise');
const { scramble } = require('./scramble');
const { compareFiles } = require('./oracle');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-transposes-test-'));
test.after(() => fs.rmSync(folder, { recursive: true }));

function write(name, bytes) {
  const file = path.join(folder, `${name}.onnx`);
  fs.writeFileSync(file, bytes);
  return file;
}

const range = dims => tensor('float', dims, Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, i) => i));

const measure = (name, options, feeds) =>
  measureTransposes(write(name, onnx.model({ outputs: [['y', 'float']], ...options })), feeds);

const single = (name, dims, perm) => measure(name, {
  inputs: [['x', 'float', dims]],
  nodes: [{ op: 'Transpose', inputs: ['x'], outputs: ['y'], attrs: perm ? { perm } : {} }],
}, { x: range(dims) });

test('a permutation moves elements only when dimensions of several elements change places', () => {
  assert.equal(movesElements([2, 3], [1, 0]), true);
  assert.equal(movesElements([1, 3, 5], [1, 0, 2]), false);
  assert.equal(movesElements([1, 3, 5], [2, 0, 1]), true);
});

test('a transpose counts with the bytes of its tensor', async () => {
  assert.deepEqual(await single('counted', [2, 3, 5], [1, 2, 0]), { transposes: 1, bytes: 120, unsized: 0 });
  assert.deepEqual(await single('reversed', [2, 3], undefined), { transposes: 1, bytes: 24, unsized: 0 });
});

test('a transpose of unit dimensions is free', async () => {
  assert.deepEqual(await single('free', [1, 3, 5], [1, 2, 0]), { transposes: 0, bytes: 0, unsized: 0 });
});

test('a flag of a fused operator counts as a transpose of that operand', async () => {
  const fused = (name, attrs) => measure(name, {
    opset: { '': 18, 'com.microsoft': 1 }, inputs: [['a', 'float', [2, 4, 4]], ['b', 'float', [2, 4, 4]]],
    nodes: [{ op: 'FusedMatMul', domain: 'com.microsoft', inputs: ['a', 'b'], outputs: ['y'], attrs }],
  }, { a: range([2, 4, 4]), b: range([2, 4, 4]) });
  assert.deepEqual(await fused('flags', { transA: 1, transB: 1 }), { transposes: 2, bytes: 256, unsized: 0 });
  assert.deepEqual(await fused('no-flags', {}), { transposes: 0, bytes: 0, unsized: 0 });
});

test('a transpose inside a loop counts, one inside a function does not', async () => {
  const flip = (from, to) => ({ op: 'Transpose', inputs: [from], outputs: [to], attrs: { perm: [1, 0] } });
  const body = onnx.graph({
    inputs: [['i', 'int64', []], ['go', 'bool', []], ['s', 'float', [4, 4]]],
    outputs: [['again', 'bool', []], ['t', 'float', [4, 4]]],
    nodes: [{ op: 'Identity', inputs: ['go'], outputs: ['again'] }, flip('s', 't')],
  });
  const looped = await measure('loop', {
    inputs: [['x', 'float', [4, 4]]],
    initializers: [onnx.tensorProto('n', 'int64', [], [3]), onnx.tensorProto('c', 'bool', [], [1])],
    nodes: [{ op: 'Loop', inputs: ['n', 'c', 'x'], outputs: ['y'], attrs: { body } }],
  }, { x: range([4, 4]) });
  assert.deepEqual(looped, { transposes: 1, bytes: 64, unsized: 0 });
  const called = await measure('function', {
    opset: { '': 18, own: 1 }, inputs: [['x', 'float', [4, 4]]],
    functions: [{
      name: 'F', domain: 'own', inputs: ['a'], outputs: ['b'], nodes: [flip('a', 'b')], opset: { '': 18 },
    }],
    nodes: [{ op: 'F', domain: 'own', inputs: ['x'], outputs: ['y'] }],
  }, { x: range([4, 4]) });
  assert.deepEqual(called, { transposes: 0, bytes: 0, unsized: 0 });
});

test('a permuted tensor has its elements where ONNX Runtime puts them', async () => {
  const { dims, data } = permuteTensor(range([2, 3, 2]), [1, 2, 0]);
  assert.deepEqual(dims, [3, 2, 2]);
  assert.deepEqual([...data], [0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11]);
});

// Two branches of different ops; the second reads the first through an If.
function branches(op) {
  const branch = (name, inner) => onnx.graph({
    outputs: [[name, 'float', [3]]], nodes: [{ op: inner, inputs: ['a'], outputs: [name] }],
  });
  return onnx.model({
    inputs: [['x', 'float', [3]], ['c', 'bool', []]], outputs: [['y', 'float', [3]]],
    nodes: [
      { op, inputs: ['x'], outputs: ['a'], name: 'first' },
      { op: 'If', inputs: ['c'], outputs: ['b'], attrs: { then_branch: branch('t', 'Exp'),
          else_branch: branch('e', 'Abs') } },
      { op: 'Add', inputs: ['a', 'b'], outputs: ['y'] },
    ],
  });
}

test('a scrambled model is renamed and computes the same', async () => {
  const bytes = branches('Sin'), scrambled = scramble(bytes, 7), { graph } = onnx.read(scrambled);
  assert.ok(!graph.node.some(({ output }) => output.includes('a')));
  const [x, c] = graph.input.map(({ name }) => name), feeds = { x: range([3]), c: tensor('bool', [], [1]) };
  for (const [from, to] of [[x, 'x'], [c, 'c'], [graph.output[0].name, 'y']])
    for (const inner of onnx.allGraphs({ graph })) renameBack(inner, from, to);
  const again = write('scrambled', onnx.write({ ...onnx.read(scrambled), graph }));
  const verdict = async op => (await compareFiles(write(op, branches(op)), again, { given: feeds })).verdict;
  assert.equal(await verdict('Sin'), 'equal');
  assert.equal(await verdict('Cos'), 'different');
});

function renameBack(graph, from, to) {
  const rename = name => name === from ? to : name;
  for (const item of [...graph.input, ...graph.output]) item.name = rename(item.name);
  for (const node of graph.node) node.input = node.input.map(rename), node.output = node.output.map(rename);
}

test('a model with noise has the transposes and computes the same', async () => {
  const chain = op => onnx.model({
    inputs: [['x', 'float', [2, 3, 5]]], outputs: [['y', 'float', [2, 3, 5]]],
    nodes: [{ op: 'Relu', inputs: ['x'], outputs: ['a'] }, { op, inputs: ['a', 'a'], outputs: ['b'] },
            { op: 'Abs', inputs: ['b'], outputs: ['y'] }],
  });
  const proto = onnx.read(chain('Add')), ranks = new Map(['x', 'a', 'b', 'y'].map(name => [name, 3]));
  assert.equal(addNoise(proto, ranks, 6, 1), 6);
  assert.equal(proto.graph.node.filter(({ opType }) => opType === 'Transpose').length, 12);
  const noisy = write('noisy', onnx.write(proto)), given = { x: range([2, 3, 5]) };
  const verdict = async op => (await compareFiles(write(op, chain(op)), noisy, { given })).verdict;
  assert.equal(await verdict('Add'), 'equal');
  assert.equal(await verdict('Mul'), 'different');
});
