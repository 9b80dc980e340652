//===- damage.test.js - damage.js finds what it is there for --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stand-ins for `inlay compare` that see everything, nothing, or differences
// where there are none.
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

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'oracle-damage-'));
test.after(() => fs.rmSync(folder, { recursive: true }));

const models = path.join(folder, 'models');
fs.mkdirSync(models);
// The second weight reaches no output.
fs.writeFileSync(path.join(models, 'two.onnx'), onnx.model({
  inputs: [['x', 'float', [2, 3]]], outputs: [['y', 'float', [2, 2]]],
  initializers: [onnx.tensorProto('w', 'float', [3, 2], [1, 2, 3, 4, 5, 6]),
                 onnx.tensorProto('unused', 'float', [3, 2], [1, 2, 3, 4, 5, 6])],
  nodes: [{ op: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] }, { op: 'MatMul', inputs: ['x', 'unused'], outputs: ['z'] }],
}));

// `answer` gets both files and gives the exit code.
function run(name, answer) {
  const inlay = path.join(folder, name);
  fs.writeFileSync(inlay, `#!${process.execPath}
const fs = require('fs'), [, , , a, b] = process.argv, same = fs.readFileSync(a).equals(fs.readFileSync(b));
console.log('{}');
process.exitCode = (${answer})(same);
`, { mode: 0o755 });
  return spawnSync(process.execPath, [path.join(__dirname, 'damage.js'), models, '--inlay', inlay, '--work',
    path.join(folder, `work-${name}`)], { encoding: 'utf8' });
}

test('a difference that is seen is found, and a weight without effect is none', () => {
  const { status, stdout } = run('sees', 'same => same ? 0 : 1');
  assert.match(stdout, /two +1 +0 +1 +0 +equal/);
  assert.equal(status, 0);
});

test('a difference that is not seen is overlooked', () => {
  const { status, stdout } = run('blind', '() => 0');
  assert.match(stdout, /overlooked: w: a quarter more/);
  assert.equal(status, 1);
});

test('a model must be equal to itself', () => {
  assert.equal(run('wrong', '() => 1').status, 1);
});

test('a crash is no difference', () => {
  assert.match(run('broken', 'same => same ? 0 : 70').stdout, /failed: w/);
});
