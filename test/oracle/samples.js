#!/usr/bin/env node
//===- samples.js - Libraries for any number of samples -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles each model, and one of many weights, once, with the dimension "batch"
// left open, and runs the library on several numbers of samples. Fails when the
// outputs are not those of the executor for all samples at once, when two
// threads give other bits than one, or when a sample gives other bits among
// others than alone.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { compileModel } = require('./compiled');
const { compareTensors } = require('./equal');
const { writeInputs, runExecutor } = require('./executor');
const { randomInputs, symbolicExtents } = require('./inputs');
const onnx = require('./onnx');
const { runLibrary } = require('./runner');
const { perceptron } = require('./small_models');

const usage = 'usage: samples.js MODEL... --inlay BIN --work DIR --runner PROGRAM [--counts 1,2,5,19]';
const tolerance = 1e-5;

function parse() {
  const text = { type: 'string' };
  const { values, positionals } = parseArgs({
    allowPositionals: true, options: { inlay: text, work: text, runner: text, counts: { ...text, default: '1,2,5,19' } },
  });
  if (!positionals.length || !values.inlay || !values.work || !values.runner) throw new Error(usage);
  return { ...values, models: positionals, counts: values.counts.split(',').map(Number) };
}

// What belongs to sample `i` of `count`: an equal part of the first dimension.
function partOf({ type, dims, data }, i, count) {
  const size = data.length / count;
  return { type, dims: [dims[0] / count, ...dims.slice(1)], data: data.slice(i * size, (i + 1) * size) };
}

const bitsOf = ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

function compareBits(wanted, found, words) {
  return [...wanted].filter(([name, own]) => !bitsOf(own).equals(bitsOf(found.get(name)))).map(([name]) => `${name}: ${words}`);
}

// What is wrong with one sample of a run.
async function checkSample(library, feeds, outputs, i, count, context) {
  const own = Object.fromEntries(Object.entries(feeds).map(([name, feed]) => [name, partOf(feed, i, count)]));
  const parts = new Map([...outputs].map(([name, output]) => [name, partOf(output, i, count)]));
  const alone = await runLibrary(library, own, parts, { ...context, threads: 1 });
  return compareBits(parts, alone.outputs, `sample ${i} of ${count} has other bits alone`);
}

async function checkCount(model, library, count, context) {
  const feeds = randomInputs(onnx.readFile(model), { seed: count, extents: { ...context.extents, batch: count } });
  const whole = await runExecutor(context.inlay, model, writeInputs(context.folder, feeds), context.folder);
  if (whole.code !== 0) return [`inlay run: ${whole.stderr.trim()}`];
  const [one, two] = [await runLibrary(library, feeds, whole.outputs, { ...context, threads: 1 }),
                      await runLibrary(library, feeds, whole.outputs, { ...context, threads: 2 })];
  const compared = [...whole.outputs].map(([name, wanted]) =>
    ({ name, ...compareTensors(wanted, one.outputs.get(name), { tolerance }) }));
  const faults = compared.filter(({ equal }) => !equal).map(({ name, reason }) => `${name}: ${reason}`);
  faults.push(...compareBits(one.outputs, two.outputs, 'other bits on two threads'));
  for (const i of new Set([0, count - 1])) faults.push(...await checkSample(library, feeds, one.outputs, i, count, context));
  return faults.map(fault => `${count} samples: ${fault}`);
}

async function checkModel(model, options) {
  const { batch, ...extents } = symbolicExtents(onnx.readFile(model));
  const folder = path.join(options.work, path.basename(model, '.onnx')), library = path.join(folder, 'model.so');
  fs.mkdirSync(folder, { recursive: true });
  const dims = Object.entries(extents).flatMap(([name, extent]) => ['--dim', `${name}=${extent}`]);
  const { samples } = await compileModel(options.inlay, model, library, dims);
  const context = { ...options, folder, extents };
  const faults = batch === undefined || samples !== "any number, by 'batch'" ? [`takes ${samples} samples`] : [];
  for (const count of options.counts) faults.push(...await checkCount(model, library, count, context));
  return faults;
}

async function main() {
  const options = parse();
  const own = path.join(options.work, 'perceptron.onnx');
  fs.mkdirSync(options.work, { recursive: true });
  fs.writeFileSync(own, perceptron());
  let numFaults = 0;
  for (const model of [...options.models, own]) {
    const faults = await checkModel(model, options);
    console.log(`${path.basename(model)}: ${faults.length === 0 ? 'as the executor' : faults.join('\n  ')}`);
    numFaults += faults.length;
  }
  return numFaults === 0 ? 0 : 1;
}

main().then(code => { process.exitCode = code; });
