//===- expansions.test.js - expansions.js finds what it is there for ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stand-ins for the compiler replace a Relu by something else.
//
//===----------------------------------------------------------------------===//

'use strict';

const test = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const cases = require('./expansion-models');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'oracle-expansions-'));
test.after(() => fs.rmSync(folder, { recursive: true }));

// `change` edits the model proto and its only node.
function standIn(name, change) {
  const file = path.join(folder, name), own = module => JSON.stringify(path.join(__dirname, module));
  fs.writeFileSync(file, `#!${process.execPath}
const fs = require('fs'), onnx = require(${own('onnx.js')});
const [, model, , output] = process.argv.slice(2), proto = onnx.readFile(model), [node] = proto.graph.node;
${change}
fs.writeFileSync(output, onnx.write(proto));
`);
  fs.chmodSync(file, 0o755);
  return file;
}

const judge = (program, only) => spawnSync(process.execPath,
    [path.join(__dirname, 'expansions.js'), '--inlay', program, '--only', only], { encoding: 'utf8' });
const maxOf = bound => `proto.graph.initializer.push(onnx.tensorProto('bound', 'float', [], [${bound}]));
node.opType = 'Max';
node.input.push('bound');`;

test('an expansion that is equal passes', () => {
  const { status, stdout } = judge(standIn('right', maxOf(0)), 'Relu_14_float_');
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^3 cases of 1 operators equal, 0 without a kernel in ONNX Runtime, 0 failed\n$/);
});

test('a small error in one element fails and names the element', () => {
  const { status, stdout } = judge(standIn('wrong', maxOf(1e-5)), 'Relu_14_float_ramp');
  assert.equal(status, 1);
  assert.match(stdout, /FAIL Relu_14_float_ramp: y0: \[0\] 0 became 0.00000?9/);
});

test('infinities count by position', () => {
  const bounded = standIn('bounded', maxOf(0).replace('Max', 'Clip'));
  assert.match(judge(bounded, 'Relu_14_float_extremes').stdout, /: y0: \[8\] Infinity became 3.4\d+e\+38\n/);
});

test('an operator that is still there fails', () => {
  const { status, stdout } = judge(standIn('lazy', ''), 'Relu_14_float_ramp');
  assert.equal(status, 1);
  assert.match(stdout, /FAIL Relu_14_float_ramp: is still there/);
});

test('an operator that stays for a reason must stay', () => {
  const { stdout } = judge(standIn('eager', `node.opType = 'Abs';`), 'Relu_14_int8');
  assert.match(stdout, /FAIL Relu_14_int8: was expanded: remove the note/);
});

test('a failing compiler fails the case', () => {
  const { stdout } = judge(standIn('failing', `throw new Error('no such thing');`), 'Relu_14_float_ramp');
  assert.match(stdout, /FAIL Relu_14_float_ramp: inlay compile, exit code 1: [^]*no such thing/);
});

test('there are cases of every composite operator', () => {
  const library = path.join(__dirname, '..', '..', 'lib', 'IR'), attached = new Set();
  for (const file of fs.readdirSync(library).filter(name => /Expansions?\.cpp$/.test(name)))
    for (const [, op] of fs.readFileSync(path.join(library, file), 'utf8')
        .matchAll(/attach(?:Expansion|Formula)<(\w+)Op,/g)) attached.add(op);
  const covered = new Set(cases.map(({ op }) => op));
  assert.ok(attached.size > 50);
  assert.deepEqual([...attached].filter(op => !covered.has(op)), []);
});
