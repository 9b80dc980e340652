//===- seeds.js - The models that fuzzing starts from ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node test/fuzz/seeds.js FOLDER [TESTDATA]
//
// Small models of every kind: what changed between opsets, the encodings of
// tensors, what is carried opaquely, functions and nested graphs, and the
// operator tests of libonnx-testdata where a folder with them is given.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('../oracle/onnx');
const opsetCases = require('../oracle/opset-models');

const maxSeedBytes = 16 << 10;
const folder = process.argv[2], testdata = process.argv[3];

function seed(name, bytes) {
  if (bytes.length <= maxSeedBytes) fs.writeFileSync(path.join(folder, name.replace(/\W/g, '_')), bytes);
}

const identity = (type, dims) => ({
  inputs: [['x', type, dims]], outputs: [['y', type, dims]],
  nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['y'], name: 'n', doc: 'd', metadata: { k: 'v' } }],
});

const addOf = initializer => ({
  inputs: [['x', 'float', ['N', 2]]], outputs: [['y', 'float', ['N', 2]]], initializers: [initializer],
  nodes: [{ op: 'Add', inputs: ['x', 'w'], outputs: ['y'] }],
});

function typeSeeds() {
  for (const type of ['float', 'float16', 'bfloat16', 'int4', 'uint4', 'float8e4m3fn', 'string', 'bool', 'complex64',
                      'seq(float)', 'optional(float)', 'map(int64,float)', 'sparse(float)'])
    seed(`type ${type}`, onnx.model({ opset: 23, ...identity(type, ['N', null, 3]) }));
  seed('type undeclared', onnx.model({ opset: 18, ...identity('float', undefined) }));
}

function encodingSeeds() {
  for (const encoding of ['raw', 'typed'])
    seed(`encoding ${encoding}`, onnx.model(addOf(onnx.tensorProto('w', 'float', [2], [1, 2], { encoding }))));
  seed('encoding external', onnx.model(addOf(
    onnx.tensorProto('w', 'float', [2], undefined, { encoding: 'external', location: 'w.bin', offset: 0, length: 8 }))));
}

function nestedSeeds() {
  const branch = op => onnx.graph({ outputs: [['z', 'float', [2]]], nodes: [{ op, inputs: ['x'], outputs: ['z'] }] });
  seed('nested if', onnx.model({
    inputs: [['c', 'bool', []], ['x', 'float', [2]]], outputs: [['y', 'float', [2]]],
    nodes: [{ op: 'If', inputs: ['c'], outputs: ['y'], attrs: { then_branch: branch('Neg'), else_branch: branch('Abs') } }],
  }));
  seed('function', onnx.model({
    opset: { '': 18, 'own': 1 }, inputs: [['x', 'float', [2]]], outputs: [['y', 'float', [2]]],
    nodes: [{ op: 'F', domain: 'own', inputs: ['x'], outputs: ['y'], attrs: { a: 0.5 } }],
    functions: [{ name: 'F', domain: 'own', inputs: ['a_in'], outputs: ['a_out'], attributes: ['a'], opset: { '': 18 },
                  nodes: [{ op: 'LeakyRelu', inputs: ['a_in'], outputs: ['a_out'], attrs: { alpha: { ref: 'a', type: 'FLOAT' } } }] }],
  }));
}

function testdataSeeds(root) {
  for (const entry of fs.readdirSync(root, { recursive: true }))
    if (path.basename(entry) === 'model.onnx') seed(`testdata ${path.dirname(entry)}`, fs.readFileSync(path.join(root, entry)));
}

for (const { name, bytes } of opsetCases) seed(`opset ${name}`, bytes);
typeSeeds();
encodingSeeds();
nestedSeeds();
if (testdata) testdataSeeds(testdata);
