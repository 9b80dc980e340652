//===- compare.test.js - The oracle sees what it must see -----------------===//
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
const { spawnSync } = require('node:child_process');
const onnx = require('./onnx');
const npy = require('./npy');
const element = require('./element');
const { uniform } = require('./random');
const { compareFiles } = require('./oracle');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'oracle-test-'));
test.after(() => fs.rmSync(folder, { recursive: true }));

function save(name, bytes) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, bytes);
  return file;
}

// Conv, Softmax over the channels, Transpose: weights and axes both matter.
function network({ axis = 1, perm = [0, 2, 3, 1], weights, options } = {}) {
  const next = uniform(1), values = weights ?? Array.from({ length: 4 * 3 * 9 }, () => next() - 0.5);
  return onnx.modelProto({
    opset: 17, inputs: [['x', 'float', ['N', 3, 8, 8]]], outputs: [['y', 'float', ['N', 6, 6, 4]]],
    initializers: [onnx.tensorProto('w', 'float', [4, 3, 3, 3], values, options)],
    nodes: [
      { op: 'Conv', inputs: ['x', 'w'], outputs: ['c'], attrs: { kernel_shape: [3, 3] } },
      { op: 'Softmax', inputs: ['c'], outputs: ['s'], attrs: { axis } },
      { op: 'Transpose', inputs: ['s'], outputs: ['y'], attrs: { perm } },
    ],
  });
}

const original = save('original.onnx', onnx.write(network()));
const verdict = async (file, options) => (await compareFiles(original, file, options)).verdict;

test('a copy is equal', async () => {
  assert.equal(await verdict(save('copy.onnx', fs.readFileSync(original))), 'equal');
});

test('one changed weight byte is seen', async () => {
  const proto = network();
  proto.graph.initializer[0].rawData[4 * 50 + 2] ^= 0x40;
  assert.equal(await verdict(save('weight.onnx', onnx.write(proto))), 'different');
});

test('a changed axis is seen', async () => {
  assert.equal(await verdict(save('axis.onnx', onnx.write(network({ axis: 2 })))), 'different');
});

test('a changed permutation is seen', async () => {
  assert.equal(await verdict(save('perm.onnx', onnx.write(network({ perm: [0, 3, 2, 1] })))), 'different');
});

test('a renamed output is seen', async () => {
  const proto = network();
  proto.graph.output[0].name = proto.graph.node[2].output[0] = 'z';
  assert.equal(await verdict(save('renamed.onnx', onnx.write(proto))), 'different');
});

test('external weights are read beside the file', async () => {
  const next = uniform(1), values = Array.from({ length: 108 }, () => next() - 0.5);
  save('data.bin', Buffer.concat([Buffer.alloc(64), element.bytesOf(element.tensor('float', [108], values))]));
  const options = { encoding: 'external', location: 'data.bin', offset: 64, length: 432 };
  const file = save('external.onnx', onnx.write(network({ options })));
  assert.equal(await verdict(file), 'equal');
  assert.equal(await verdict(file, { expose: ['c', 's'] }), 'equal');
});

test('symbolic dimensions and seeds are taken from the caller', async () => {
  const { outputs } = await compareFiles(original, original, { extents: { N: 3 } });
  assert.deepEqual(outputs[0].dims, [3, 6, 6, 4]);
});

test('an output that shows nothing fails until it is allowed', async () => {
  const zero = save('zero.onnx', onnx.write(network({ weights: new Array(108).fill(0) })));
  const run = async options => (await compareFiles(zero, zero, options)).verdict;
  assert.equal(await run(), 'shows-nothing');
  assert.equal(await run({ allowTrivial: ['y'] }), 'equal');
});

test('values inside the graph can be compared', async () => {
  const result = await compareFiles(original, original, { expose: 2 });
  assert.deepEqual(result.outputs.map(({ name }) => name), ['y', 'c', 's']);
});

test('bf16 inputs and outputs go through a cast', async () => {
  const bytes = onnx.model({
    opset: 21, inputs: [['x', 'bfloat16', [2, 3]]], outputs: [['y', 'bfloat16', [3, 2]]],
    nodes: [{ op: 'Transpose', inputs: ['x'], outputs: ['y'], attrs: { perm: [1, 0] } }],
  });
  const file = save('bf16.onnx', bytes), result = await compareFiles(file, file);
  assert.deepEqual([result.verdict, result.outputs[0].dims], ['equal', [3, 2]]);
});

// y = dequantize(quantize(x + offset)), with a step of 1/16.
function quantised(offset) {
  const scalar = (name, type, value) => onnx.tensorProto(name, type, [], [value]);
  return onnx.model({
    opset: 17, inputs: [['x', 'float', [64]]], outputs: [['y', 'float', [64]]],
    initializers: [scalar('o', 'float', offset), scalar('s', 'float', 1 / 16), scalar('z', 'uint8', 128)],
    nodes: [
      { op: 'Add', inputs: ['x', 'o'], outputs: ['a'] },
      { op: 'QuantizeLinear', inputs: ['a', 's', 'z'], outputs: ['q'] },
      { op: 'DequantizeLinear', inputs: ['q', 's', 'z'], outputs: ['y'] },
    ],
  });
}

test('behind a quantiser one step is allowed, two are not', async () => {
  const [none, one, two] = [0, 1 / 16, 2 / 16].map(offset => save(`q${offset}.onnx`, quantised(offset)));
  assert.equal((await compareFiles(none, one)).verdict, 'equal');
  assert.equal((await compareFiles(none, one, { strict: true })).verdict, 'different');
  assert.equal((await compareFiles(none, two)).verdict, 'different');
});

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

const run = (...args) => spawnSync(process.execPath, [path.join(__dirname, 'compare.js'), ...args],
    { encoding: 'utf8' });

test('exit codes: 0 equal, 1 different, 2 usage, 3 and 4 refused', () => {
  const different = save('different.onnx', onnx.write(network({ axis: 2 })));
  const proto = network();
  proto.graph.node[0].opType = 'NoSuchOp';
  const refused = save('refused.onnx', onnx.write(proto));
  assert.equal(run(original, original).status, 0);
  assert.equal(run(original, different).status, 1);
  assert.equal(run(original).status, 2);
  assert.equal(run(refused, original).status, 3);
  assert.equal(run(original, refused).status, 4);
  assert.equal(run(save('garbage.onnx', 'garbage'), original).status, 3);
  assert.equal(run(original, path.join(folder, 'nowhere.onnx')).status, 4);
});

test('--format json and --input', () => {
  const next = uniform(5), values = Array.from({ length: 2 * 3 * 64 }, next);
  const input = save('x.npy', npy.write(element.tensor('float', [2, 3, 8, 8], values)));
  const { status, stdout } = run(original, original, '--format', 'json', '--input', `x=${input}`);
  assert.equal(status, 0);
  assert.deepEqual(JSON.parse(stdout).outputs[0].dims, [2, 6, 6, 4]);
});

//===----------------------------------------------------------------------===//
// A folder of models, with programs that stand in for the compiler
//===----------------------------------------------------------------------===//

function compiler(name, body) {
  const file = save(name, `#!${process.execPath}\nconst fs = require('fs');\n` +
    'const [, model, , output] = process.argv.slice(2);\nconst bytes = fs.readFileSync(model);\n' + body +
    `\nfs.writeFileSync(output, bytes);\nconsole.log('{"reordered_sums": 0}');\n`);
  fs.chmodSync(file, 0o755);
  return file;
}

function runFolder(program) {
  const models = path.join(folder, 'models');
  fs.mkdirSync(models, { recursive: true });
  fs.copyFileSync(original, path.join(models, 'net.onnx'));
  const args = [path.join(__dirname, 'folder.js'), models, '--inlay', program, '--work', path.join(folder, 'work')];
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

test('folder: a compiler that copies passes and leaves no files', () => {
  const { status, stdout } = runFolder(compiler('copying', ''));
  assert.equal(status, 0, stdout);
  assert.match(stdout, /1 passed, 0 failed/);
  assert.deepEqual(fs.readdirSync(path.join(folder, 'work')), []);
});

test('folder: a compiler that flips a weight bit fails', () => {
  const at = fs.readFileSync(original).indexOf(network().graph.initializer[0].rawData) + 4 * 50 + 2;
  const { status, stdout } = runFolder(compiler('flipping', `bytes[${at}] ^= 0x40;`));
  assert.equal(status, 1, stdout);
  assert.match(stdout, /different/);
});

test('folder: a compiler that fails is reported with its message', () => {
  const { status, stdout } = runFolder(compiler('failing', `console.error('no such op'); process.exit(3);`));
  assert.equal(status, 1);
  assert.match(stdout, /not-compiled: exit code 3: no such op/);
});
