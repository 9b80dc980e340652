//===- referee.test.js - A wrong oracle fails nobody, a wrong result does -===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stand-in for ONNX Runtime rounds f16 and inverts denormals as it does on
// other machines; stand-ins for the compiler give wrong expansions beside it.
// $INLAY names the compiler that they call.
//
//===----------------------------------------------------------------------===//

'use strict';

const test = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { settle } = require('./referee');

const inlay = process.env.INLAY ?? path.join(__dirname, '..', '..', 'build', 'release', 'bin', 'inlay');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'oracle-referee-'));
test.after(() => fs.rmSync(folder, { recursive: true }));
const own = module => JSON.stringify(path.join(__dirname, module));

// ONNX Runtime, but for models that `matches` (an expression of `types`, those
// of its nodes): each of their results is what `spoil(value, input)` says.
function wrongWorker(name, matches, spoil) {
  const file = path.join(folder, `${name}.js`);
  fs.writeFileSync(file, `
const onnx = require(${own('onnx.js')}), element = require(${own('element.js')}), { tryRun } = require(${own('oracle.js')});
const spoil = ${spoil};
async function run(model, inputs) {
  const result = await tryRun(model, inputs), types = onnx.readFile(model).graph.node.map(({ opType }) => opType);
  if (!result.outputs || !(${matches})) return result;
  const given = element.numbers(Object.values(inputs)[0]);
  for (const value of result.outputs.values())
    value.data = element.arrayOf(value.type, Array.from(element.numbers(value), (y, i) => spoil(y, given[i])));
  return result;
}
process.on('message', async ({ args }) => process.send({ result: await run(...args) }));
`);
  return file;
}

// The compiler, but for what `change` does to the nodes of what it writes.
function wrongCompiler(name, change) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, `#!${process.execPath}
const fs = require('fs'), onnx = require(${own('onnx.js')}), { spawnSync } = require('child_process');
const [verb, model, , output] = process.argv.slice(2);
const { status } = spawnSync(${JSON.stringify(inlay)}, process.argv.slice(2), { stdio: 'inherit' });
if (verb === 'compile') {
  const proto = onnx.readFile(output), { graph } = proto;
  ${change}
  fs.writeFileSync(output, onnx.write(proto));
}
process.exitCode = status;
`);
  fs.chmodSync(file, 0o755);
  return file;
}

const judge = (program, only, worker) => spawnSync(process.execPath, [path.join(__dirname, 'expansions.js'), '--inlay',
    program, '--only', only, ...worker ? ['--worker', worker] : []], { encoding: 'utf8' });

const threeUnits = 'y => y * (1 + 3 * 2 ** -10)';
const wrongInverse = '(y, x) => x && Math.abs(x) < 2 ** -126 ? -Infinity : y';
const alone = op => `types.length === 1 && types[0] === '${op}'`, takenApart = op => `!(${alone(op)})`;

for (const [only, op, spoil] of [
  ['Gelu_20_float16', 'Gelu', threeUnits], ['Mish_18_float16', 'Mish', threeUnits], ['Gemm_13_f16', 'Gemm', threeUnits],
  ['Reciprocal_13_float_extremes', 'Reciprocal', wrongInverse],
])
  for (const [side, matches] of [['operator', alone(op)], ['expansion', takenApart(op)]])
    test(`a wrong answer of the oracle about ${only}, the ${side}, fails nothing and is listed`, () => {
      const { status, stdout } = judge(inlay, only, wrongWorker(`${only}-${side}`, matches, spoil));
      assert.equal(status, 0, stdout);
      assert.match(stdout, new RegExp(`^judged in f64 ${only}\\w*: y0: `, 'm'));
      assert.match(stdout, / [1-9]\d* judged in f64, 0 failed\n$/);
    });

test('an oracle that is right is not doubted', () => {
  // One that rounds alike on every machine.
  const { status, stdout } = judge(inlay, 'LeakyRelu');
  assert.equal(status, 0, stdout);
  assert.doesNotMatch(stdout, /judged in f64/);
});

test('only numbers are in doubt', async () => {
  const doubts = [], agreed = () => [];
  for (const fault of ['y: float[2] became float[3]', 'y: float[] became double[]', 'y: missing in the second file'])
    assert.deepEqual(await settle('model', [fault], doubts, agreed), [fault]);
  assert.deepEqual(doubts, []);
  for (const fault of ['y: [0] 1 became 2', 'y: error 2.00e-3', 'y: 1 NaN or infinity out of place'])
    assert.deepEqual(await settle('model', [fault], doubts, agreed), []);
  assert.equal(doubts.length, 3);
});

test('a wrong expansion is found where the oracle is in doubt', () => {
  const slightly = wrongCompiler('slightly', `for (const tensor of graph.initializer) {
    const { name, type, dims, data } = onnx.tensorValue(tensor);
    if (type === 'double') Object.assign(tensor, onnx.tensorProto(name, type, dims, data.map(x => x * (1 + 1e-9))));
  }`);
  const { status, stdout } = judge(slightly, 'Gelu_20_float16', wrongWorker('gelu', alone('Gelu'), threeUnits));
  assert.equal(status, 1);
  assert.match(stdout, /^FAIL Gelu_20_float16\w*: in f64: y0: \[\d+\] /m);
});

test('an expansion that only f64 could compute is found', () => {
  const overflowing = wrongCompiler('overflowing', `
  const type = graph.input[0].type, double = type.tensorType.elemType === 11;
  graph.initializer = [onnx.tensorProto('one', double ? 'double' : 'float', [], [1])];
  graph.node = [['Exp', ['x0'], 'e'], ['Add', ['e', 'one'], 's'], ['Log', ['s'], 'y0']].map(([op, inputs, output]) =>
    onnx.node({ op, inputs, outputs: [output] }));`);
  const { status, stdout } = judge(overflowing, 'Softplus_13_float_numbers');
  assert.equal(status, 1);
  assert.match(stdout, /^FAIL Softplus_13_float_numbers: in the executor: y0: .*\b104 became Infinity/m);
});
