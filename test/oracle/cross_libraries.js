#!/usr/bin/env node
//===- cross_libraries.js - Libraries of the other machine ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles four small models and operator tests of ONNX for another machine,
// runs them as --launch says, and compares with the executor. Tests that need
// the reference have no library and are passed over; there are others.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const onnx = require('./onnx');
const { randomInputs, requiredInputs } = require('./inputs');
const { mapInParallel } = require('./pool');
const { checkLibrary } = require('./runner');
const { transformer, tails } = require('./small_models');
const { findTests, readInputSets } = require('./testdata');

const usage = `usage: cross_libraries.js --inlay BIN --triple T --runner PROGRAM --launch CMD [options]

  --count N   operator tests to run (default 200)
  --root DIR  where these are (default /usr/share/libonnx-testdata/data)
  --jobs N    models at a time (default 2)`;

const examples = path.join(__dirname, '..', '..', 'examples');

function parse() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { inlay: text, triple: text, runner: text, launch: text, count: text, root: text, jobs: text } });
  for (const name of ['inlay', 'triple', 'runner', 'launch'])
    if (!values[name]) throw new Error(`--${name} is required`);
  return { ...values, launch: values.launch.split(/ +/), tolerance: 1e-5, count: Number(values.count ?? 200),
           jobs: Number(values.jobs ?? 2), root: values.root ?? '/usr/share/libonnx-testdata/data' };
}

// The bundled models, as files.
function smallModels(work) {
  return Object.entries({ transformer, tails }).map(([name, make]) => {
    const model = path.join(work, `${name}.onnx`);
    fs.writeFileSync(model, make());
    return { name, model, isRequired: true };
  }).concat(['mini_shufflenet', 'mini_detector'].map(name => ({ name, model: path.join(examples, `${name}.onnx`), isRequired: true })));
}

// All tests, in an order that has something of each kind early.
function shuffledTests(root) {
  const tests = findTests(root).filter(({ name }) => name.startsWith('node/'));
  const step = 97;
  return Array.from({ length: step }, (_, first) => tests.filter((_, i) => i % step === first)).flat();
}

// Some tests have data of another type than they declare.
const isTensor = (feed, { type }) => feed?.data && feed.type !== 'string' && feed.type === type;

function feedsOf(item) {
  const proto = onnx.readFile(item.model);
  if (item.isRequired) return randomInputs(proto);
  const [feeds] = readInputSets(item, proto);
  return feeds && requiredInputs(proto).every(input => isTensor(feeds[input.name], input)) ? feeds : undefined;
}

// {name, faults}, or nothing where there is no library.
async function check(item, context) {
  const folder = path.join(context.work, item.name.replaceAll('/', '_'));
  fs.mkdirSync(folder, { recursive: true });
  try {
    const feeds = feedsOf(item);
    if (!feeds) return undefined;
    const { faults } = await checkLibrary(item.model, feeds, folder, context);
    return { name: item.name, faults };
  } catch (error) {
    const hasNone = /^inlay compile: exit code 5/.test(error.message);
    return hasNone && !item.isRequired ? undefined : { name: item.name, faults: [error.message] };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function main() {
  let context;
  try {
    context = parse();
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  context.work = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-cross-'));
  const rows = [];
  try {
    const wanted = smallModels(context.work);
    const all = [...wanted, ...shuffledTests(context.root)];
    await mapInParallel(all, context.jobs, async item => {
      if (!item.isRequired && rows.length >= wanted.length + context.count) return;
      const row = await check(item, context);
      if (row) rows.push(row);
    });
  } finally {
    fs.rmSync(context.work, { recursive: true, force: true });
  }
  const failed = rows.filter(({ faults }) => faults.length);
  for (const { name, faults } of failed) console.log(`${name}\n    ${faults.join('\n    ')}`);
  console.log(`${rows.length - failed.length} passed, ${failed.length} failed`);
  return failed.length || rows.length < context.count ? 1 : 0;
}

main().then(code => { process.exitCode = code; });
