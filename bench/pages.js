#!/usr/bin/env node
//===- pages.js - What a page of a model takes ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `inlay report` of a generated model of 3,000 nodes, or of every model of a
// folder: how long it takes beyond compiling, and how much more memory; how
// large the page is; how long Chromium takes until it has drawn it, and the
// longest task while the graph is scrolled. The limits: 5 s and 50 MB beyond
// compiling, 3 s until it is drawn, 100 ms for a task. Of several rounds each
// number is the least: what else the machine does only adds to it.
//
//   pages.js --inlay BIN [--models DIR] [--only A,B] [--nodes N] [--target T]
//            [--rounds N]
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { Browser } = require('../test/report/browser');
const measure = require('../test/report/measure');
const table = require('./table');

const onnx = table.oracle('onnx');
const { listModels, prepareModel } = table.oracle('models');

const usage = `usage: pages.js --inlay BIN [options]

  --models DIR  a folder of models (default: one that is made)
  --only A,B    these models only
  --nodes N     how many nodes the made one has (default: 3000)
  --target T    what pages are for (default: nhwc)
  --rounds N    how often to measure (default: 3)`;

const limits = { ...measure.limits, ready: 3000, task: 100 };

function parse() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { inlay: text, models: text, only: text, nodes: text, target: text, rounds: text } });
  if (!values.inlay) throw new Error('--inlay is required');
  return { nodes: 3000, target: 'nhwc', rounds: 3, ...values };
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

// Blocks of a residual network: a convolution, an activation, a sum.
function writeBlocks(file, count) {
  const nodes = [], add = (op, inputs, attrs) => {
    nodes.push({ op, name: `${op}_${nodes.length}`, inputs, outputs: [`t${nodes.length}`], attrs });
    return nodes.at(-1).outputs[0];
  };
  let before = 'x';
  while (nodes.length + 3 <= count) {
    const conv = add('Conv', [before, 'w'], { pads: [1, 1, 1, 1] });
    before = add('Add', [before, add('Relu', [conv])]);
  }
  while (nodes.length < count) before = add('Relu', [before]);
  nodes.at(-1).outputs = ['y'];
  const weights = Array.from({ length: 4 * 4 * 9 }, (_, i) => (i % 7 - 3) / 50);
  fs.writeFileSync(file, onnx.model({
    opset: 17, nodes, inputs: [['x', 'float', [1, 4, 8, 8]]], outputs: [['y', 'float', [1, 4, 8, 8]]],
    initializers: [onnx.tensorProto('w', 'float', [4, 4, 3, 3], weights)],
  }));
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

// Tasks of 50 ms and more are what a browser tells of; less is as good as none.
const takeLongest = `new Promise((done) => setTimeout(() => {
  done(window.longest);
  window.longest = 0;
}, 200))`;

async function observeTasks(page) {
  await page.evaluate(`window.longest = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((each) => {
      window.longest = Math.max(window.longest, each.duration);
    })).observe({ type: 'longtask' });
    setTimeout(() => { const end = performance.now() + ${limits.task}; while (performance.now() < end); });`);
  if (await page.evaluate(takeLongest) < limits.task) throw new Error('the browser does not tell of long tasks');
}

async function scroll(page) {
  await observeTasks(page);
  const place = `document.querySelector('.scroller').scrollTop`, seen = new Set();
  for (let i = 0; i < 40; ++i) {
    await page.wheel('.scroller', i < 30 ? 600 : -900);
    seen.add(await page.evaluate(place));
  }
  if (seen.size === 1 && await page.evaluate(`(({ scrollHeight: all, clientHeight: shown }) => all > shown)(
    document.querySelector('.scroller'))`)) throw new Error('the graph did not scroll');
  return page.evaluate(takeLongest);
}

async function look(browser, file) {
  const start = process.hrtime.bigint();
  const page = await browser.open(file);
  const ready = Number(process.hrtime.bigint() - start) / 1e6;
  const task = await scroll(page);
  await page.close();
  return { ready, task };
}

async function measureModel(browser, name, model, folder, { inlay, target, rounds }) {
  const page = path.join(folder, `${name}.html`);
  const compiled = [], made = [], looked = [];
  for (let i = 0; i < Number(rounds); ++i) {
    compiled.push(measure.compile(inlay, model, target, folder));
    made.push(measure.report(inlay, model, target, page));
    looked.push(await look(browser, page));
  }
  return {
    name, size: fs.statSync(page).size / 1e6, ...measure.least(looked), ...measure.getBeyond(compiled, made),
  };
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

const columns = [['seconds', 'beyond compiling, s', 2], ['megabytes', 'and MB', 1], ['size', 'page, MB', 2],
                 ['ready', 'drawn, ms', 0], ['task', 'longest task, ms', 0]];

function printRow(row) {
  const cells = columns.map(([key, title, digits]) => row[key].toFixed(digits).padStart(title.length));
  console.log(`${row.name.padEnd(24)}  ${cells.join('  ')}`);
}

function listNames(context) {
  return context.models ? listModels(context) : [`${context.nodes} nodes`];
}

async function getModel(context, name, folder) {
  if (context.models) return prepareModel(context.models, name, folder);
  const model = path.join(folder, 'blocks.onnx');
  writeBlocks(model, Number(context.nodes));
  return model;
}

async function main() {
  let context;
  try {
    context = parse();
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-pages-'));
  const browser = await Browser.start();
  let exceeded = 0;
  console.log(`${''.padEnd(24)}  ${columns.map(([, title]) => title).join('  ')}`);
  try {
    for (const name of listNames(context)) {
      const model = await getModel(context, name, folder);
      const row = await measureModel(browser, name.slice(0, 24), model, folder, context);
      printRow(row);
      exceeded += Object.entries(limits).some(([key, limit]) => row[key] > limit) ? 1 : 0;
    }
  } finally {
    await browser.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
  console.log(`limits: ${limits.seconds} s, ${limits.megabytes} MB, drawn in ${limits.ready} ms, tasks of ${limits.task} ms: ` +
    `${exceeded === 0 ? 'all within' : `${exceeded} beyond`}`);
  return exceeded === 0 ? 0 : 1;
}

main().then((code) => { process.exitCode = code; });
