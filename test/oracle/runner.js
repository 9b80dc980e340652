//===- runner.js - Runs and judges a library of a model -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program is runner.c, which reads and writes bytes as they are.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { compileModel } = require('./compiled');
const { element } = require('./element');
const { compareTensors } = require('./equal');
const { writeInputs, runExecutor } = require('./executor');
const { requiredInputs } = require('./inputs');
const onnx = require('./onnx');
const { execute } = require('./pool');

const bytesOf = ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

// A tensor like `like`, of bytes in a file.
function readLike(like, file) {
  const bytes = fs.readFileSync(file), { array } = element(like.type);
  const whole = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  return { type: like.type, dims: like.dims, data: new array(whole) };
}

// {report, outputs}: what the program prints, and the outputs by name, which are
// of the types and shapes of `expected`.
async function runLibrary(library, feeds, expected, { runner, launch = [], threads, rounds = 1, lengths, isAfterLargest }) {
  const folder = path.dirname(library), prefix = path.basename(library, '.so');
  const inputs = Object.values(feeds).map((feed, i) => {
    const file = path.join(folder, `in${i}`);
    fs.writeFileSync(file, bytesOf(feed));
    return file;
  });
  const outputs = [...expected].map(([name, like], i) => ({ name, like, file: path.join(folder, `out${i}`) }));
  const command = [...launch, runner, path.resolve(library), prefix, String(threads), String(rounds), ...lengths ? ['--lengths', lengths] : [],
                   ...isAfterLargest ? ['--after-largest'] : [], ...inputs, ...outputs.map(({ file }) => file)];
  const { code, stdout, stderr } = await execute(command[0], command.slice(1), { timeout: 600 });
  if (code !== 0) throw new Error(`${threads} threads: exit code ${code}: ${stderr.trim()}`);
  return { report: JSON.parse(stdout), outputs: new Map(outputs.map(({ name, like, file }) => [name, readLike(like, file)])) };
}

const differences = (wanted, found, words) => [...wanted].filter(([name, own]) => !bytesOf(own).equals(bytesOf(found.get(name))))
  .map(([name]) => `${name}: ${words}`);

// What the outputs have to be: of this machine the same bits, of another one
// numbers that are as good.
async function reference(original, feeds, folder, { inlay, triple }) {
  const flags = triple ? [] : ['--native'];
  const { code, stderr, outputs } = await runExecutor(inlay, original, writeInputs(folder, feeds), folder, flags);
  if (code !== 0) throw new Error(`inlay run: exit code ${code}: ${stderr.trim()}`);
  return outputs;
}

// The inputs whose shape the model does not say.
const openInputs = model => requiredInputs(onnx.readFile(model))
  .filter(({ dims }) => !dims?.every(dim => typeof dim === 'number')).map(({ name }) => name);

// The report of compiling a model to a library, for the shapes of `feeds`.
function compileLibrary(model, feeds, library, { inlay, triple }) {
  const shapes = openInputs(model).flatMap(name => ['--shape', `${name}:${feeds[name].dims.join(',')}`]);
  return compileModel(inlay, model, library, [...shapes, ...triple ? ['--triple', triple] : []]);
}

// {report, error, faults} of a model as a library: what the compiler reports,
// how far outputs are from what they should be, and what is wrong.
async function checkLibrary(original, feeds, folder, context) {
  const { triple, tolerance } = context;
  const library = path.join(folder, 'library', 'model.so');
  const report = await compileLibrary(original, feeds, library, context);
  const outputs = await reference(original, feeds, folder, context);
  const [one, two] = [await runLibrary(library, feeds, outputs, { ...context, threads: 1 }),
                      await runLibrary(library, feeds, outputs, { ...context, threads: 2 })];
  fs.rmSync(path.dirname(library), { recursive: true });
  const compared = [...outputs].map(([name, wanted]) =>
    ({ name, ...compareTensors(wanted, one.outputs.get(name), { tolerance: triple ? tolerance : 0 }) }));
  const faults = compared.filter(({ equal }) => !equal).map(({ name, reason }) => `${name}: ${reason}`);
  return { report, error: Math.max(0, ...compared.map(({ error }) => error)),
           faults: [...faults, ...differences(one.outputs, two.outputs, 'other bits on two threads')] };
}

module.exports = { compileLibrary, runLibrary, checkLibrary };
