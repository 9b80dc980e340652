#!/usr/bin/env node
//===- differential.js - Random nodes in ONNX Runtime and in Inlay --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cases come from the generators of random-ops, a node each, a batch of them
// with one opset:
//   (1) ONNX Runtime runs every node alone; one that it has no kernel for is
//       left out and counted;
//   (2) `inlay run` runs the rest as one model and must agree;
//   (3) `inlay compile` compiles that model, folding what is constant, and
//       ONNX Runtime must agree with itself about it.
// A case depends on the seed and its number only, so that `--first N --count 1`
// gives it again.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const onnx = require('./onnx');
const generators = require('./random-ops');
const { Draw } = require('./random-ops/draw');
const { seedFor } = require('./random');
const { mapInParallel } = require('./pool');
const { compareTensors } = require('./equal');
const { writeInputs, runExecutor } = require('./executor');
const { initializer } = require('./opset-models/describe');
const { execute } = require('./pool');
const { judgeCompiled, judgeExecutor, settle, printDoubts } = require('./referee');

const usage = `usage: differential.js --inlay BIN [options]

  --count N        cases (default 400)
  --seed N         (default 0)
  --first N        number of the first case (default 0)
  --only A,B       these operators only
  --jobs N         batches at a time (default 2)
  --work DIR       keep the models here (default: a temporary folder)
  --list           count what ONNX Runtime refuses by operator
  --expand         composite operators are written as what they consist of; the executor is not asked`;

const batchSize = 24;
// Also what is basic nearly everywhere.
const expandFlags = ['--simplify', 'off', '--verify', 'off', '--expand', 'all,Sigmoid,Tanh'];
const opsets = [11, 13, 15, 17, 18, 19, 20, 21, 22, 23, 24, 25];
// Of range. Sums come in any order.
const tolerances = { float: 1e-5, double: 1e-10 };
// Absolute: operands are about 1, and what is left of them where they cancel
// has their error.
const steps = { float: 3e-6 };

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

// Draws until the opset has the operator in this form.
function drawCase(draw, opset, names) {
  for (;;) {
    const item = generators[draw.pick(names)](draw, opset);
    if (item.since <= opset) return item;
  }
}

// Names for the values of a case, and which operands are constants: shapes
// mostly, others sometimes.
function makeCase(number, { seed, names, opset }) {
  const draw = new Draw(seedFor(seed, `case ${number}`)), item = drawCase(draw, opset, names);
  const constants = {}, feeds = {};
  const inputs = item.operands.map((operand, i) => {
    if (!operand) return '';
    const name = `x${number}_${i}`;
    (draw.chance(operand.parameter ? 0.75 : 0.25) ? constants : feeds)[name] = operand;
    return name;
  });
  while (inputs.at(-1) === '') inputs.pop();
  const outputs = item.outputs.map((type, i) => [type ? `y${number}_${i}` : '', type]);
  const { op, domain, attrs, tolerance } = item;
  const node = { op, domain, inputs, outputs: outputs.map(([name]) => name), attrs };
  return { number, opset, node, constants, feeds, outputs: outputs.filter(([name]) => name), tolerance };
}

// One model of several cases; `symbolic` hides the extents of its inputs, but
// for parameters, whose lengths are ranks.
function modelOf(cases, opset, symbolic) {
  const declare = ([name, { type, dims, parameter }]) =>
    [name, type, symbolic && !parameter ? dims.map((_, i) => `${name}_${i}`) : dims];
  const all = key => cases.flatMap(item => Object.entries(item[key]));
  const foreign = cases.map(({ node }) => node.domain).filter(Boolean);
  return onnx.model({
    opset: Object.fromEntries([['', opset], ...foreign.map(domain => [domain, 1])]), inputs: all('feeds').map(declare), initializers: all('constants').map(initializer),
    outputs: cases.flatMap(({ outputs }) => outputs), nodes: cases.map(({ node }) => node),
  });
}

function writeModel(folder, cases, opset, symbolic) {
  fs.mkdirSync(folder, { recursive: true });
  const model = path.join(folder, 'model.onnx');
  fs.writeFileSync(model, modelOf(cases, opset, symbolic));
  return model;
}

const feedsOf = cases => Object.assign({}, ...cases.map(({ feeds }) => feeds));

function describe({ number, opset, node, feeds, constants }) {
  const show = name => {
    const { type, dims, data } = feeds[name] ?? constants[name] ?? {};
    return name === '' ? 'none' : `${type}[${dims}]${constants[name] ? ` = ${[...data].slice(0, 8)}` : ''}`;
  };
  return `case ${number}: ${node.op} (opset ${opset}) of ${node.inputs.map(show).join(', ')} ` +
         JSON.stringify(node.attrs ?? {}, (_, value) => typeof value === 'bigint' ? Number(value) : value);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

const fault = (item, reason) => ({ item, reason });

// In words. Also for results in another precision, which has a limit of its own.
function compareResults(item, expected, found) {
  const faults = [];
  for (const [name, declared] of item.outputs) {
    const [a, b] = [expected, found].map(outputs => outputs.get(name)), own = a.type === declared;
    const tolerance = (own ? item.tolerance : undefined) ?? tolerances[a.type] ?? 0;
    const { equal, reason } = b ? compareTensors(a, b, { tolerance, step: steps[a.type] })
                                : { equal: false, reason: 'no such output' };
    if (!equal) faults.push(`${name}: ${reason}`);
  }
  return faults;
}

// What the referee confirms of what is against `found`; `who` computed it.
async function judge(item, found, who, { inlay, worker, folder, expand, doubts }) {
  const model = path.join(folder, String(item.number), 'model.onnx'), { feeds } = item;
  const compare = (a, b) => compareResults(item, a, b), flags = expand ? expandFlags : [];
  const ask = () => who === 'run' ? judgeExecutor({ worker, model, feeds, found, compare })
                                  : judgeCompiled({ inlay, model, flags, feeds, compare });
  const faults = await settle(`${who}: ${describe(item)}`, compare(item.expected, found), doubts, ask);
  return faults.map(reason => fault(item, `${who}: ${reason}`));
}

async function judgeAll(cases, found, who, context) {
  const faults = [];
  for (const item of cases) faults.push(...await judge(item, found, who, context));
  return faults;
}

// The cases ONNX Runtime accepts, with what it computes.
async function askRuntime(cases, { folder, worker }) {
  const accepted = [];
  for (const item of cases) {
    const model = writeModel(path.join(folder, String(item.number)), [item], item.opset);
    const { refusal, outputs } = await worker.run('run', [model, item.feeds]);
    if (refusal === undefined) accepted.push(Object.assign(item, { expected: outputs }));
    else item.refusal = refusal;
  }
  return accepted;
}

async function runAlone(item, context) {
  const { inlay, folder } = context;
  const own = path.join(folder, String(item.number)), model = path.join(own, 'model.onnx');
  const inputs = writeInputs(own, item.feeds);
  const { code, stderr, outputs } = await runExecutor(inlay, model, inputs, path.join(own, 'out'));
  return code === 0 ? judge(item, outputs, 'run', context) : [fault(item, `run: exit code ${code}: ${stderr.trim()}`)];
}

// All in one process; one by one only where that fails.
async function checkExecutor(model, cases, context) {
  const folder = path.dirname(model), inputs = writeInputs(folder, feedsOf(cases));
  const { code, stderr, outputs } = await runExecutor(context.inlay, model, inputs, path.join(folder, 'out'));
  if (code === 0) return judgeAll(cases, outputs, 'run', context);
  const faults = [];
  for (const item of cases) faults.push(...await runAlone(item, context));
  return faults.length ? faults : [fault(cases[0], `run of the batch: exit code ${code}: ${stderr.trim()}`)];
}

async function checkCompiled(model, cases, context) {
  const { inlay, worker, expand } = context;
  const output = path.join(path.dirname(model), 'compiled.onnx');
  const { code, stderr } = await execute(inlay, ['compile', model, '-o', output, ...expand ? expandFlags : []]);
  if (code !== 0) return [fault(cases[0], `compile of the batch: exit code ${code}: ${stderr.trim()}`)];
  const { refusal, outputs } = await worker.run('run', [output, feedsOf(cases)]);
  if (refusal !== undefined) return [fault(cases[0], `compiled batch refused: ${refusal}`)];
  return judgeAll(cases, outputs, 'compiled', context);
}

async function checkBatch({ numbers, at }, context) {
  const draw = new Draw(seedFor(context.seed, `batch ${at}`)), opset = draw.pick(opsets), symbolic = draw.chance(0.3);
  const folder = path.join(context.work, `batch${at}`), own = { ...context, folder };
  const cases = numbers.map(number => makeCase(number, { ...context, opset }));
  try {
    const accepted = await askRuntime(cases, own);
    if (!accepted.length) return { cases, faults: [] };
    const model = writeModel(folder, accepted, opset, symbolic);
    const faults = own.expand ? [] : await checkExecutor(model, accepted, own);
    faults.push(...await checkCompiled(model, accepted, own));
    return { cases, faults };
  } catch (error) {
    return { cases, faults: [fault(cases[0], `batch of it: ${error.message}`)] };
  } finally {
    if (!context.keep) fs.rmSync(folder, { recursive: true, force: true });
  }
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

function splitBatches(first, count) {
  const batches = new Map();
  for (let number = first; number < first + count; ++number) {
    const at = Math.floor(number / batchSize);
    batches.set(at, [...batches.get(at) ?? [], number]);
  }
  return [...batches].map(([at, numbers]) => ({ at, numbers }));
}

function printRefused(cases) {
  const counts = new Map();
  for (const { node, refusal, outputs } of cases) {
    const key = `${node.op} ${outputs[0][1]}: ${refusal.slice(0, 160)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const [key, n] of [...counts].sort()) console.log(`refused ${n}: ${key}`);
}

function report(results, doubts, list) {
  const cases = results.flatMap(result => result.cases), faults = results.flatMap(result => result.faults);
  const refused = cases.filter(({ refusal }) => refusal !== undefined);
  if (list) printRefused(refused);
  printDoubts(doubts);
  for (const { item, reason } of faults) console.log(`FAIL ${describe(item)}\n     ${reason}`);
  console.log(`${cases.length - refused.length} compared, ${refused.length} without a kernel in ONNX Runtime, ` +
              `${faults.length} failed`);
  return faults.length || refused.length === cases.length ? 1 : 0;
}

function parse() {
  const text = { type: 'string' }, flag = { type: 'boolean' };
  const { values } = parseArgs({
    options: { inlay: text, count: text, seed: text, first: text, only: text, jobs: text, work: text, list: flag,
      expand: flag },
  });
  if (!values.inlay) throw new Error('--inlay is required');
  const names = values.only?.split(',') ?? Object.keys(generators), unknown = names.find(name => !generators[name]);
  if (unknown) throw new Error(`no generator for '${unknown}'`);
  return { ...values, names, seed: Number(values.seed ?? 0) };
}

async function main() {
  let options;
  try {
    options = parse();
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  const work = options.work ?? fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-differential-'));
  const context = { inlay: options.inlay, seed: options.seed, names: options.names, work, keep: Boolean(options.work),
    expand: options.expand, doubts: [] };
  const batches = splitBatches(Number(options.first ?? 0), Number(options.count ?? 400));
  const results = await mapInParallel(batches, Number(options.jobs ?? 2),
      (batch, worker) => checkBatch(batch, { ...context, worker }));
  if (!options.work) fs.rmSync(work, { recursive: true });
  return report(results, context.doubts, options.list);
}

// {name, bytes, feeds}: a node of any modelled operator, in an opset that has it.
function randomNode(draw) {
  const opset = draw.pick(opsets), item = makeCase(draw.integer(0, 1e9), { seed: 0, names: Object.keys(generators), opset });
  return { name: item.node.op, bytes: modelOf([item], opset, draw.chance(0.3)), feeds: item.feeds };
}

if (require.main === module) main().then(code => { process.exitCode = code; });

module.exports = { randomNode };
