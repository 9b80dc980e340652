#!/usr/bin/env node
//===- lengths.js - Libraries for any length of a text --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles small models of texts once, with their length left open, and runs the
// library on several lengths; so it does with random networks, as many as can be
// compiled. Fails when the outputs are not those of the executor, when two
// threads give other bits than one, or when hardly anything can be compiled.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { compileModel } = require('./compiled');
const { compareTensors } = require('./equal');
const { writeInputs, runExecutor } = require('./executor');
const { randomInputs } = require('./inputs');
const onnx = require('./onnx');
const { runLibrary } = require('./runner');
const { uniform } = require('./random');
const { randomText } = require('./random_texts');
const { longSums, text } = require('./small_models');

const usage = `usage: lengths.js --inlay BIN --work DIR --runner PROGRAM [options]

  --lengths A,B     of the models of texts (default: around what vectors hold)
  --random N        random networks (default 0)
  --seed N          of the first of them (default 1)
  --triple TRIPLE   compile for another machine
  --launch COMMAND  run the runner in that`;
const tolerance = 1e-5;

// Largest lengths that are no multiple of anything; heads and sizes, too.
const models = [
  { name: 'text', most: 64 },
  { name: 'causal', most: 61, isCausal: true },
  { name: 'narrow', most: 37, heads: 1, size: 5, layers: 1 },
  { name: 'wide', most: 300, heads: 2, size: 32, layers: 1 },
  { name: 'sums', most: 600, make: longSums },
];

function parse() {
  const string = { type: 'string' };
  const { values } = parseArgs({ options: { inlay: string, work: string, runner: string, lengths: string, triple: string, launch: string,
                                            random: { ...string, default: '0' }, seed: { ...string, default: '1' } } });
  if (!values.inlay || !values.work || !values.runner) throw new Error(usage);
  return { ...values, random: Number(values.random), seed: Number(values.seed), launch: values.launch ? values.launch.split(/ +/) : [] };
}

const bitsOf = ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

async function checkLength(model, library, length, context) {
  const feeds = randomInputs(onnx.readFile(model), { seed: length, extents: { length } });
  const whole = await runExecutor(context.inlay, model, writeInputs(context.folder, feeds), context.folder);
  if (whole.code !== 0) return [`inlay run: ${whole.stderr.trim()}`];
  const [one, two] = [await runLibrary(library, feeds, whole.outputs, { ...context, threads: 1 }),
                      await runLibrary(library, feeds, whole.outputs, { ...context, threads: 2 })];
  const faults = [];
  for (const [name, wanted] of whole.outputs) {
    const { equal, reason } = compareTensors(wanted, one.outputs.get(name), { tolerance });
    if (!equal) faults.push(`${name}: ${reason}`);
    if (!bitsOf(one.outputs.get(name)).equals(bitsOf(two.outputs.get(name)))) faults.push(`${name}: other bits on two threads`);
  }
  return faults.map(fault => `length ${length}: ${fault}`);
}

// Around what blocks of registers and vectors hold, and both ends.
const lengthsUpTo = most => [1, 2, 7, 15, 16, 17, 28, 33, Math.floor(most / 2), most - 1, most].filter(length => length <= most);

async function checkModel(bytes, most, lengths, options) {
  const library = path.join(options.folder, 'model.so'), model = path.join(options.folder, 'text.onnx');
  fs.mkdirSync(options.folder, { recursive: true });
  fs.writeFileSync(model, bytes);
  const flags = ['--dim', `length=1..${most}`, ...options.triple ? ['--triple', options.triple] : []];
  await compileModel(options.inlay, model, library, flags);
  const faults = [];
  for (const length of lengths) faults.push(...await checkLength(model, library, length, options));
  return faults;
}

function report(name, faults) {
  if (faults.length) console.log(`${name}: ${faults.join('\n  ')}`);
  return faults.length;
}

async function checkTexts(options) {
  let numFaults = 0;
  for (const { name, make = text, ...facts } of models) {
    const lengths = options.lengths ? options.lengths.split(',').map(Number) : lengthsUpTo(facts.most);
    numFaults += report(name, await checkModel(make(facts), facts.most, lengths, { ...options, folder: path.join(options.work, name) }));
  }
  return numFaults;
}

// What cannot be compiled is counted; everything else that fails is a fault.
async function checkRandom(options) {
  let numFaults = 0, numCompiled = 0;
  for (let seed = options.seed; seed < options.seed + options.random; ++seed) {
    const next = uniform(seed), draw = bound => 1 + Math.floor(next() * bound);
    const most = 7 + draw(5) ** 3, lengths = [draw(most), draw(most), draw(most)];
    try {
      numFaults += report(`seed ${seed}`, await checkModel(randomText(seed), most, lengths, { ...options, folder: path.join(options.work, 'random') }));
      ++numCompiled;
    } catch (error) {
      if (!/^inlay compile: exit code 5: .*length/.test(error.message)) numFaults += report(`seed ${seed}`, [error.message]);
    }
  }
  if (options.random) console.log(`${numCompiled} of ${options.random} random networks compiled`);
  return numFaults + (3 * numCompiled < options.random ? 1 : 0);
}

async function main() {
  const options = parse();
  const numFaults = await checkTexts(options) + await checkRandom(options);
  console.log(numFaults === 0 ? 'all as the executor' : `${numFaults} faults`);
  return numFaults === 0 ? 0 : 1;
}

main().then(code => { process.exitCode = code; }, error => {
  console.error(error.message);
  process.exitCode = 2;
});
