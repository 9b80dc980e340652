//===- harness.test.js - The harnesses fail when they must ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs that stand in for the compiler: one copies, the others break the
// model in a way the harness has to notice.
//
//===----------------------------------------------------------------------===//

'use strict';

const test = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const onnx = require('./onnx');
const { tensor } = require('./element');
const { tensorBytes } = require('./inputs');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'oracle-harness-'));
test.after(() => fs.rmSync(folder, { recursive: true }));

// `body` may change `proto`, the model to be written.
function compiler(name, body) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, `#!${process.execPath}
const fs = require('fs'), onnx = require(${JSON.stringify(path.join(__dirname, 'onnx.js'))});
const [, model, , output] = process.argv.slice(2), proto = onnx.readFile(model);
${body}
fs.writeFileSync(output, onnx.write(proto));
`);
  fs.chmodSync(file, 0o755);
  return file;
}

const copying = compiler('copying', '');
const wrongAxis = compiler('wrong-axis', `for (const node of proto.graph.node)
  for (const attribute of node.attribute) if (attribute.name === 'axis') attribute.i = 0;`);
const unknownOp = compiler('unknown-op', `proto.graph.node[0].opType = 'NoSuchOp';`);
const crashing = compiler('crashing', 'process.abort();');
const renaming = compiler('renaming', `const [declared] = proto.graph.output;
proto.graph.node.at(-1).output[0] = declared.name = 'other';`);

const run = (script, ...args) => spawnSync(process.execPath, [path.join(__dirname, script), ...args],
    { encoding: 'utf8' });

//===----------------------------------------------------------------------===//
// testdata.js
//===----------------------------------------------------------------------===//

function makeTest(root, name, { model, inputs }) {
  const set = path.join(root, 'node', name, 'test_data_set_0');
  fs.mkdirSync(set, { recursive: true });
  fs.writeFileSync(path.join(root, 'node', name, 'model.onnx'), onnx.model(model));
  inputs.forEach((bytes, i) => fs.writeFileSync(path.join(set, `input_${i}.pb`), bytes));
}

const root = path.join(folder, 'data');
makeTest(root, 'test_softmax', {
  model: {
    opset: 17, inputs: [['x', 'float', [2, 3]]], outputs: [['y', 'float', [2, 3]]],
    nodes: [{ op: 'Softmax', inputs: ['x'], outputs: ['y'], attrs: { axis: 1 } }],
  },
  inputs: [tensorBytes('x', tensor('float', [2, 3], [1, 2, 3, 4, 6, 8]))],
});
makeTest(root, 'test_sequence', {
  model: {
    opset: 17, inputs: [['s', 'seq(float)'], ['x', 'float', [2]]], outputs: [['t', 'seq(float)']],
    nodes: [{ op: 'SequenceInsert', inputs: ['s', 'x'], outputs: ['t'] }],
  },
  inputs: [
    onnx.codec.encode('SequenceProto', { elemType: 1, tensorValues: [onnx.tensorProto('', 'float', [1], [7])] }),
    tensorBytes('x', tensor('float', [2], [1, 2])),
  ],
});
makeTest(root, 'test_unknown', {
  model: { outputs: [['y', 'float']], nodes: [{ op: 'NoSuchOp', outputs: ['y'] }] }, inputs: [],
});

const testdata = program => run('testdata.js', '--inlay', program, '--root', root);

test('testdata: copies pass, sequences included, and a refused model is counted', () => {
  const { status, stdout } = testdata(copying);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /accepted before +2\n/);
  assert.match(stdout, /3 passed, 0 failed\n$/);
});

test('testdata: a wrong axis is a difference', () => {
  const { status, stdout } = testdata(wrongAxis);
  assert.equal(status, 1);
  assert.match(stdout, /FAIL node\/test_softmax: simplified: y: error/);
  assert.match(stdout, /2 passed, 1 failed\n$/);
});

test('testdata: an export that is refused fails', () => {
  assert.match(testdata(unknownOp).stdout, /no longer accepted/);
});

test('testdata: a crash fails even where the runtime refuses the model', () => {
  const { status, stdout } = testdata(crashing);
  assert.equal(status, 1);
  assert.match(stdout, /0 passed, 3 failed\n$/);
});

test('testdata: a renamed output fails', () => {
  assert.match(testdata(renaming).stdout, /test_softmax: simplified: border \(x float -> y float\) became/);
});

test('testdata: no tests is a failure', () => {
  assert.equal(run('testdata.js', '--inlay', copying, '--root', root, '--only', 'nothing').status, 1);
});

//===----------------------------------------------------------------------===//
// opsets.js
//===----------------------------------------------------------------------===//

const opsets = (program, ...args) => run('opsets.js', '--inlay', program, '--only', 'Softmax_13', ...args);

test('opsets: copies pass', () => {
  const { status, stdout } = opsets(copying, '--no-run');
  assert.equal(status, 0, stdout);
});

test('opsets: a wrong axis fails', () => {
  assert.match(opsets(wrongAxis, '--no-run').stdout, /FAIL Softmax_13: simplified: different/);
});

test('opsets: an executor without results fails', () => {
  assert.equal(opsets(copying).status, 1);
});

test('opsets: names are unique and every case builds the same bytes twice', () => {
  const cases = require('./opset-models');
  assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length);
  assert.deepEqual(onnx.write(onnx.read(cases[0].bytes)), cases[0].bytes);
});

//===----------------------------------------------------------------------===//
// hostile.js
//===----------------------------------------------------------------------===//

function refusing(name, message, end = 'process.exit(3);') {
  const file = path.join(folder, name);
  fs.writeFileSync(file, `#!${process.execPath}\nconsole.error(${JSON.stringify(message)});\n${end}\n`);
  fs.chmodSync(file, 0o755);
  return file;
}

const hostile = (program, ...kinds) => run('hostile.js', '--check', program, ...kinds);

test('hostile: every kind writes its file', () => {
  const listed = run('hostile.js', '--list').stdout.trim().split('\n').map(line => line.split('\t')[0]);
  const target = path.join(folder, 'hostile');
  fs.mkdirSync(target);
  for (const kind of ['truncated', 'deep-subgraphs', 'external-symlink', 'int-divide-by-zero']) {
    assert.ok(listed.includes(kind), kind);
    assert.equal(run('hostile.js', kind, path.join(target, kind)).status, 0, kind);
    assert.ok(fs.statSync(path.join(target, kind)).size > 0, kind);
  }
});

test('hostile: the message must say where and what', () => {
  assert.equal(hostile(refusing('located', "node 'culprit': part of a cycle"), 'cycle').status, 0);
  assert.match(hostile(refusing('vague', 'bad model'), 'cycle').stdout, /message does not match/);
});

test('hostile: a crash, a wrong exit code and a file left behind fail', () => {
  assert.match(hostile(refusing('aborting', "'culprit': cycle", 'process.abort();'), 'cycle').stdout,
      /ended by SIGABRT/);
  assert.match(hostile(refusing('accepting', '', ''), 'cycle').stdout, /exit code 0, not 3/);
  const leave = `require('fs').writeFileSync(process.argv.at(-1), 'x'); process.exit(3);`;
  const leaving = refusing('leaving', "'culprit': cycle", leave);
  assert.match(hostile(leaving, 'cycle').stdout, /left out.onnx/);
});
