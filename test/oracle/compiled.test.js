//===- compiled.test.js - What is asked of compiled files -----------------===//
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
const { areSameBytes, functionsWith } = require('./compiled');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-compiled-test-'));
test.after(() => fs.rmSync(folder, { recursive: true }));

// Files {name: text} in a folder; the path of the model among them.
function write(name, files) {
  fs.mkdirSync(path.join(folder, name));
  for (const [file, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name, file), text);
  return path.join(folder, name, 'm.onnx');
}

test('two files are the same only with the same weights beside them', () => {
  const first = write('first', { 'm.onnx': 'graph', 'm.data': 'weights' });
  assert.equal(areSameBytes(first, write('copy', { 'm.onnx': 'graph', 'm.data': 'weights' })), true);
  assert.equal(areSameBytes(first, write('other-graph', { 'm.onnx': 'Graph', 'm.data': 'weights' })), false);
  assert.equal(areSameBytes(first, write('other-weights', { 'm.onnx': 'graph', 'm.data': 'Weights' })), false);
  assert.equal(areSameBytes(first, write('no-weights', { 'm.onnx': 'graph' })), false);
});

// A model with functions F and G; F has the metadata.
function model(nodes) {
  const body = name => ({ name, domain: 'own', inputs: ['a'], outputs: ['b'], opset: { '': 18 },
                          nodes: [{ op: 'Abs', inputs: ['a'], outputs: ['b'] }] });
  const proto = onnx.modelProto({ opset: { '': 18, own: 1 }, functions: [body('F'), body('G')],
                                  inputs: [['x', 'float', [2]], ['c', 'bool', []]], outputs: [['y', 'float', [2]]], nodes });
  proto.functions[0].metadataProps = [{ key: 'inlay.kernel', value: 'elementwise' }];
  return onnx.read(onnx.write(proto));
}

const call = (op, output) => ({ op, domain: 'own', inputs: ['x'], outputs: [output] });

test('functions are found by their metadata', () => {
  const proto = model([call('F', 'y')]);
  assert.deepEqual(functionsWith(proto, 'inlay.kernel').found.map(({ name }) => name), ['F']);
  assert.deepEqual(functionsWith(proto, 'inlay.group').found, []);
});

test('a function is idle when no node calls it, in subgraphs neither', () => {
  assert.equal(functionsWith(model([call('F', 'y')]), 'inlay.kernel').idle, undefined);
  assert.equal(functionsWith(model([call('G', 'y')]), 'inlay.kernel').idle.name, 'F');
  const branch = name => onnx.graph({ outputs: [[name, 'float', [2]]], nodes: [call('F', name)] });
  const nested = { op: 'If', inputs: ['c'], outputs: ['y'], attrs: { then_branch: branch('t'), else_branch: branch('e') } };
  assert.equal(functionsWith(model([nested]), 'inlay.kernel').idle, undefined);
});
