#!/usr/bin/env node
//===- loads.js - Whatever is written, ONNX Runtime loads -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A case is a model (one of ONNX's operator tests, a random node, or a random
// chain of nodes that opset 7 has), an opset from its own to 26, and flags:
//   (1) the model is raised to the opset and nothing else is done. Where ONNX
//       Runtime does not run that, it must be for want of a kernel; the case
//       counts as not comparable;
//   (2) compiled with the flags for that opset, it is written, and runs.
// Results are compared elsewhere. A case depends on the seed and its number
// only: `--first N --count 1` gives it again.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const onnx = require('./onnx');
const { Draw } = require('./random-ops/draw');
const { chain } = require('./chain');
const { seedFor } = require('./random');
const { mapInParallel, execute } = require('./pool');
const { findTests, readInputSets } = require('./testdata');
const differential = require('./differential');

const usage = `usage: loads.js --inlay BIN [options]

  --count N        cases (default 200)
  --seed N         (default 0)
  --first N        number of the first case (default 0)
  --jobs N         cases at a time (default 2)
  --work DIR       keep the models here (default: a temporary folder)
  --root DIR       ONNX's operator tests (default /usr/share/libonnx-testdata/data)
  --source NAME    only cases from tests, nodes or chains`;

// What most operators of older ones mean is not modelled.
const firstOpset = 7;
const lastOpset = 26, unsupported = 5;
const withoutKernel = /Could not find an implementation|NOT_IMPLEMENTED|not supported|Failed to find kernel|no answer in/i;

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

function drawFlags(draw) {
  const flags = ['-t', draw.pick(['none', 'none', 'nhwc', 'opu', 'ascend'])];
  if (draw.chance(0.5)) flags.push('--rewrite', 'on');
  if (draw.chance(0.4)) flags.push('--graph-kernels', 'on');
  if (draw.chance(0.3)) flags.push('--expand', draw.pick(['all', 'all,Sigmoid,Tanh']));
  if (draw.chance(0.15)) flags.push('--simplify', 'off');
  if (draw.chance(0.3)) flags.push('--layout-strategy', draw.pick(['per-op', 'region', 'region-plus']));
  if (draw.chance(0.3)) flags.push('--fusion-strategy', draw.pick(['optimal', 'off']));
  return flags;
}

const sources = {
  tests(draw, { tests }) {
    const test = draw.pick(tests), bytes = fs.readFileSync(test.model);
    return { name: test.name, bytes, feeds: readInputSets(test, onnx.read(bytes))[0] };
  },
  nodes(draw) {
    const { bytes, feeds, name } = differential.randomNode(draw);
    return { name, bytes, feeds };
  },
  chains(draw) { return chain(draw); },
};

const opsetOf = bytes => Number(onnx.read(bytes).opsetImport.find(({ domain }) => !domain)?.version ?? lastOpset);

function makeCase(number, context) {
  const draw = new Draw(seedFor(context.seed, `load ${number}`));
  const item = sources[context.source ?? draw.pick(Object.keys(sources))](draw, context);
  const own = opsetOf(item.bytes), lowest = Math.max(own, firstOpset);
  // Half of them as they are: old opsets are where most is lacking.
  const opset = lowest >= lastOpset || draw.chance(0.5) ? lowest : draw.integer(lowest, lastOpset);
  return { ...item, number, own, opset, flags: drawFlags(draw) };
}

const describe = ({ number, name, own, opset, flags }) =>
  `case ${number}: ${name}, opset ${own}${opset === own ? '' : ` to ${opset}`}, ${flags.join(' ')}`;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

const firstLine = text => text.trim().split('\n', 1)[0].slice(0, 400);

async function compileTo(file, item, flags, { inlay, folder }) {
  const output = path.join(folder, file);
  const { code, stderr } = await execute(inlay, ['compile', path.join(folder, 'model.onnx'), '-o', output, '--opset',
    String(item.opset), '--verify', 'off', ...flags]);
  return { output, code, message: `exit code ${code}: ${firstLine(stderr)}` };
}

const run = async (worker, file, feeds) => {
  try {
    return await worker.run('run', [file, feeds]);
  } catch (error) {
    return { refusal: error.message };
  }
};

// {compared, fault}
async function checkIn(folder, item, { inlay, worker }) {
  fs.mkdirSync(folder, { recursive: true });
  const model = path.join(folder, 'model.onnx');
  fs.writeFileSync(model, item.bytes);
  const before = await run(worker, model, item.feeds);
  if (before.refusal !== undefined) return {};
  const raised = await compileTo('raised.onnx', item, ['--simplify', 'off'], { inlay, folder });
  if (raised.code === unsupported && item.opset !== item.own) return {};
  if (raised.code !== 0) return { fault: `raised: ${raised.message}` };
  const loaded = await run(worker, raised.output, item.feeds);
  if (loaded.refusal !== undefined)
    return withoutKernel.test(loaded.refusal) ? {} : { fault: `raised: ${firstLine(loaded.refusal)}` };
  const result = await compileTo('result.onnx', item, item.flags, { inlay, folder });
  if (result.code !== 0) return { fault: result.message };
  const { refusal } = await run(worker, result.output, item.feeds);
  return refusal === undefined ? { compared: true } : { fault: `refused: ${firstLine(refusal)}` };
}

async function checkCase(number, context) {
  const item = makeCase(number, context), folder = path.join(context.work, `case${number}`);
  try {
    return { item, ...await checkIn(folder, item, context) };
  } catch (error) {
    return { item, fault: error.message };
  } finally {
    if (!context.keep) fs.rmSync(folder, { recursive: true, force: true });
  }
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

function report(results) {
  const faults = results.filter(({ fault }) => fault), compared = results.filter(result => result.compared);
  for (const { item, fault } of faults) console.log(`FAIL ${describe(item)}\n     ${fault}`);
  const low = compared.filter(({ item }) => item.opset < 13);
  console.log(`${compared.length} loaded before and after (${low.length} of them in opsets below 13), ` +
              `${results.length - compared.length - faults.length} not comparable, ${faults.length} failed`);
  // A run that compares little shows little.
  return faults.length || compared.length * 2 < results.length ? 1 : 0;
}

function parse() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: { inlay: text, count: text, seed: text, first: text, jobs: text, work: text, root: text, source: text },
  });
  if (!values.inlay) throw new Error('--inlay is required');
  if (values.source && !sources[values.source]) throw new Error(`no source '${values.source}'`);
  return values;
}

async function main() {
  let options;
  try {
    options = parse();
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  const work = options.work ?? fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-loads-'));
  const context = { inlay: options.inlay, work, keep: Boolean(options.work), seed: Number(options.seed ?? 0),
    source: options.source, tests: findTests(options.root ?? '/usr/share/libonnx-testdata/data') };
  const first = Number(options.first ?? 0), count = Number(options.count ?? 200);
  const numbers = Array.from({ length: count }, (_, i) => first + i);
  const results = await mapInParallel(numbers, Number(options.jobs ?? 2),
      (number, worker) => checkCase(number, { ...context, worker }), { timeout: 60 });
  if (!options.work) fs.rmSync(work, { recursive: true });
  return report(results);
}

main().then(code => { process.exitCode = code; });
