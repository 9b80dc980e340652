#!/usr/bin/env node
//===- lengths.js - Libraries for any length ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles small models of texts once, with their length left open, and one of
// pictures with height and width, and runs the libraries on several sizes; so it
// does with random networks, as many as can be compiled. Fails when the outputs
// are not those of the executor, when two threads give other bits than one in a
// session whose memory is full of what is no number, or when hardly anything can
// be compiled.
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
const { randomPicture } = require('./random_pictures');
const { randomText } = require('./random_texts');
const { longSums, picture, text } = require('./small_models');

const usage = `usage: lengths.js --inlay BIN --work DIR --runner PROGRAM [options]

  --lengths A,B     of the models of texts (default: around what vectors hold)
  --random N        random networks of texts, and as many of pictures (default 0)
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
  return { ...values, count: { sizes: 0 }, random: Number(values.random), seed: Number(values.seed), launch: values.launch ? values.launch.split(/ +/) : [] };
}

const bitsOf = ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

const nameOf = extents => Object.entries(extents).map(([name, extent]) => `${name}=${extent}`).join(',');

// Of one size; nothing where the model has no results for it, or something in it
// would have no elements.
async function checkSize(model, library, extents, context) {
  const seed = Object.values(extents).reduce((all, extent) => 100 * all + extent, 0);
  const feeds = randomInputs(onnx.readFile(model), { seed, extents });
  const whole = await runExecutor(context.inlay, model, writeInputs(context.folder, feeds), context.folder);
  if (whole.code !== 0) return context.mayBeSmall ? [] : [`inlay run: ${whole.stderr.trim()}`];
  const run = (threads, isAfterLargest) => runLibrary(library, feeds, whole.outputs, { ...context, threads, isAfterLargest, lengths: nameOf(extents) });
  const one = await run(1, true).catch(error => (context.mayBeSmall && / is too small: /.test(error.message) ? undefined : Promise.reject(error)));
  if (!one) return [];
  const two = await run(2, false), faults = [];
  context.count.sizes += 1;
  for (const [name, wanted] of whole.outputs) {
    const { equal, reason } = compareTensors(wanted, one.outputs.get(name), { tolerance });
    if (!equal) faults.push(`${name}: ${reason}`);
    if (!bitsOf(one.outputs.get(name)).equals(bitsOf(two.outputs.get(name)))) faults.push(`${name}: other bits on two threads`);
  }
  return faults.map(fault => `${nameOf(extents)}: ${fault}`);
}

async function checkModel(bytes, largest, sizes, options) {
  const library = path.join(options.folder, 'model.so'), model = path.join(options.folder, 'model.onnx');
  fs.mkdirSync(options.folder, { recursive: true });
  fs.writeFileSync(model, bytes);
  const flags = Object.entries(largest).flatMap(([name, most]) => ['--dim', `${name}=1..${most}`]);
  await compileModel(options.inlay, model, library, [...flags, ...options.triple ? ['--triple', options.triple] : []]);
  const faults = [];
  for (const extents of sizes) faults.push(...await checkSize(model, library, extents, options));
  return faults;
}

function report(name, faults) {
  if (faults.length) console.log(`${name}: ${faults.join('\n  ')}`);
  return faults.length;
}

// Around what blocks of registers and vectors hold, and both ends.
const lengthsUpTo = most => [1, 2, 7, 15, 16, 17, 28, 33, Math.floor(most / 2), most - 1, most].filter(length => length <= most);

async function checkTexts(options) {
  let numFaults = 0;
  for (const { name, make = text, ...facts } of models) {
    const lengths = options.lengths ? options.lengths.split(',').map(Number) : lengthsUpTo(facts.most);
    numFaults += report(name, await checkModel(make(facts), { length: facts.most }, lengths.map(length => ({ length })),
                                               { ...options, folder: path.join(options.work, name) }));
  }
  return numFaults;
}

const pictureSizes = [[1, 1], [2, 41], [13, 13], [24, 23], [31, 16], [47, 40], [48, 41]];

async function checkPictures(options) {
  const sizes = pictureSizes.map(([height, width]) => ({ height, width }));
  return report('picture', await checkModel(picture(), { height: 48, width: 41 }, sizes, { ...options, folder: path.join(options.work, 'picture') }));
}

const randomKinds = {
  texts(seed, draw) {
    const largest = { length: 7 + draw(5) ** 3 };
    return { bytes: randomText(seed), largest };
  },
  pictures: seed => randomPicture(seed),
};

// What cannot be compiled is counted; everything else that fails is a fault.
async function checkRandom(kind, given) {
  const options = { ...given, count: { sizes: 0 } };
  let numFaults = 0, numCompiled = 0;
  for (let seed = options.seed; seed < options.seed + options.random; ++seed) {
    const next = uniform(seed), draw = bound => 1 + Math.floor(next() * bound);
    const { bytes, largest } = randomKinds[kind](seed, draw);
    const sizes = [0, 1, 2].map(() => Object.fromEntries(Object.entries(largest).map(([name, most]) => [name, draw(most)])));
    if (kind === 'pictures') sizes.push(largest);
    try {
      numFaults += report(`${kind}, seed ${seed}`, await checkModel(bytes, largest, sizes, { ...options, mayBeSmall: kind === 'pictures',
                                                                                            folder: path.join(options.work, 'random') }));
      ++numCompiled;
    } catch (error) {
      if (!/^inlay compile: exit code 5: .*length/.test(error.message)) numFaults += report(`${kind}, seed ${seed}`, [error.message]);
    }
  }
  const { sizes } = options.count;
  if (options.random) console.log(`${numCompiled} of ${options.random} random networks of ${kind} compiled, ${sizes} runs`);
  return numFaults + (3 * numCompiled < options.random || sizes < 2 * numCompiled ? 1 : 0);
}

async function main() {
  const options = parse();
  const numFaults = await checkTexts(options) + await checkPictures(options) + await checkRandom('texts', options) + await checkRandom('pictures', options);
  console.log(numFaults === 0 ? 'all as the executor' : `${numFaults} faults`);
  return numFaults === 0 ? 0 : 1;
}

main().then(code => { process.exitCode = code; }, error => {
  console.error(error.message);
  process.exitCode = 2;
});
