//===- differential.test.js - The random comparison fails when it must ----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program stands in for inlay: it runs models in ONNX Runtime and copies
// what it should compile, or does either wrong.
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
const generators = require('./random-ops');
const { Draw } = require('./random-ops/draw');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'oracle-differential-'));
test.after(() => fs.rmSync(folder, { recursive: true }));

// `breakOutput` may change the tensor y, `breakModel` the model proto.
function standIn(name, { breakOutput = '', breakModel = '' } = {}) {
  const file = path.join(folder, name), own = module => JSON.stringify(path.join(__dirname, module));
  fs.writeFileSync(file, `#!${process.execPath}
const fs = require('fs'), path = require('path');
const onnx = require(${own('onnx.js')}), { readTensor, tensorBytes } = require(${own('inputs.js')});
const [verb, model, ...rest] = process.argv.slice(2);
function compile() {
  const proto = onnx.readFile(model);
  ${breakModel}
  fs.writeFileSync(rest[1], onnx.write(proto));
}
async function run() {
  const feeds = {}, folder = rest[rest.indexOf('--output') + 1], outputs = [];
  rest.forEach((text, i) => {
    const [name, file] = text.split('=');
    if (rest[i - 1] === '--input') feeds[name] = readTensor(file);
  });
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, y] of (await require(${own('session.js')}).runModel(model, feeds)).outputs) {
    ${breakOutput}
    outputs.push({ name, file: path.join(folder, name + '.pb') });
    fs.writeFileSync(outputs.at(-1).file, tensorBytes(name, y));
  }
  console.log(JSON.stringify({ outputs }));
}
if (verb === 'compile') compile(); else run();
`);
  fs.chmodSync(file, 0o755);
  return file;
}

const right = standIn('right');
const compare = (program, ...args) => spawnSync(process.execPath,
    [path.join(__dirname, 'differential.js'), '--inlay', program, ...args], { encoding: 'utf8' });

test('what agrees passes', () => {
  const { status, stdout } = compare(right, '--count', '96', '--seed', '5');
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^[5-9]\d compared, \d+ without a kernel in ONNX Runtime, 0 failed\n$/);
});

test('a wrong element of the executor fails and names the case', () => {
  const wrong = standIn('wrong', { breakOutput: 'if (y.data.length) y.data[0] += 1;' });
  const { status, stdout } = compare(wrong, '--only', 'Add', '--count', '4');
  assert.equal(status, 1);
  assert.match(stdout, /FAIL case \d+: Add \(opset \d+\) of .*\n +run: y\d+_0: (error|\d+ of)/);
});

test('a wrong model of the compiler fails', () => {
  const swapping = standIn('swapping', { breakModel: 'for (const node of proto.graph.node) node.opType = "Mul";' });
  assert.match(compare(swapping, '--only', 'Sub', '--count', '4').stdout, /compiled: y\d+_0: (error|\d+ of)/);
});

test('a failing program is found to be the case that makes it fail', () => {
  const failing = standIn('failing', { breakOutput: `if (name === 'y3_0') throw new Error('no such thing');` });
  const { status, stdout } = compare(failing, '--only', 'Relu', '--count', '6');
  assert.equal(status, 1);
  assert.match(stdout, /^FAIL case 3: Relu .*\n +run: exit code 1: [^]*no such thing/);
  assert.match(stdout, /1 failed\n$/);
});

test('a case depends on the seed and its number only', () => {
  const work = name => path.join(folder, name), model = name => fs.readFileSync(
      path.join(work(name), 'batch1', '30', 'model.onnx'));
  compare(right, '--count', '40', '--seed', '7', '--work', work('many'));
  compare(right, '--count', '1', '--first', '30', '--seed', '7', '--work', work('one'));
  compare(right, '--count', '1', '--first', '30', '--seed', '8', '--work', work('other'));
  assert.deepEqual(model('many'), model('one'));
  assert.notDeepEqual(model('many'), model('other'));
});

test('an unknown operator is refused', () => {
  const { status, stderr } = compare(right, '--only', 'NoSuchOp');
  assert.equal(status, 2);
  assert.match(stderr, /no generator for 'NoSuchOp'/);
});

test('every operator that is modelled has a generator', () => {
  const forms = fs.readFileSync(path.join(__dirname, '..', '..', 'lib', 'ONNX', 'OpForms.cpp'), 'utf8');
  const modelled = [...forms.matchAll(/^ *\{"(\w+)", \d+, \d+, \d+, /gm)].map(([, name]) => name);
  assert.ok(modelled.length > 100);
  assert.deepEqual(modelled.filter(name => !generators[name]), []);
});

test('generators give their own operator, and models that can be written', () => {
  for (const [name, generate] of Object.entries(generators))
    for (let seed = 0; seed < 20; ++seed) {
      const { op, domain, since, operands, attrs, outputs } = generate(new Draw(seed), 25);
      assert.ok(name === op || name === `${domain}::${op}`, name);
      assert.ok(since <= 25 && operands.length > 0 && outputs.length > 0, name);
      onnx.model({ opset: 25, nodes: [{ op, attrs }] });
    }
});
