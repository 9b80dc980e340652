#!/usr/bin/env node
//===- expansions.js - Is an operator equal to what it consists of? -------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every case of expansion-models, a model of one composite operator:
//   (1) ONNX Runtime accepts it, or has no kernel for this form;
//   (2) `inlay compile --expand` leaves no such operator, unless the case says
//       why it stays;
//   (3) ONNX Runtime's results of both are equal: NaN and infinities by
//       position, integers exactly, floats by range as in equal.js, or element
//       by element within a few units in the last place of max(|a|, 1). Where a
//       function adds 1 to what is much smaller, less is left of that.
// Where (3) fails, the referee decides, which does not depend on the machine:
// see referee.js. `--doubt-all` asks it about every case.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const onnx = require('./onnx');
const cases = require('./expansion-models');
const { numbers } = require('./element');
const { compareTensors } = require('./equal');
const { initializer } = require('./opset-models/describe');
const { mapInParallel, execute } = require('./pool');
const { judgeCompiled, settle, printDoubts } = require('./referee');

const usage = `usage: expansions.js --inlay BIN [options]

  --only TEXT      cases whose name contains TEXT
  --work DIR       keep the models here (default: a temporary folder)
  --jobs N         cases at a time (default 2)
  --doubt-all      as if ONNX Runtime differed with itself in every case
  --worker FILE    stands in for worker.js
  --list           name every case that ONNX Runtime has no kernel for`;

// Operators that expand only where they are named are, in their own cases.
const flagsOf = ({ op, isNamed }) =>
  ['--simplify', 'off', '--verify', 'off', '--expand', `all,Sigmoid,Tanh,Equal${isNamed ? `,${op}` : ''}`];
// Units in the last place: half of one per step, and a step of exp or erf may
// take two.
const units = { float: 8, double: 32, float16: 2 };
const mantissaBits = { float: 23, double: 52, float16: 10 };

function modelOf({ name, op, opset, names, inputs, constants, attrs, results }) {
  const node = { op, name: 'the_node', inputs: names, outputs: results.map(([key]) => key), attrs };
  return onnx.model({
    opset, inputs: Object.entries(inputs).map(([key, { type, dims }]) => [key, type, dims]), nodes: [node], name,
    outputs: results.filter(([key]) => key), initializers: Object.entries(constants).map(initializer),
  });
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

function isClose(a, b, type) {
  if (Object.is(a, b) || a === b) return true;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false;
  return Math.abs(a - b) <= units[type] * 2 ** (Math.floor(Math.log2(Math.max(Math.abs(a), 1))) - mantissaBits[type]);
}

function compareElements(a, b, precision = a.type) {
  const shape = ({ type, dims }) => `${type}[${dims}]`;
  if (shape(a) !== shape(b)) return `${shape(a)} became ${shape(b)}`;
  const [x, y] = [numbers(a), numbers(b)], wrong = [...x.keys()].filter(i => !isClose(Number(x[i]), Number(y[i]),
      precision));
  return wrong.length ? `${wrong.slice(0, 4).map(i => `[${i}] ${x[i]} became ${y[i]}`).join(', ')}` : undefined;
}

// `precision` of doubles, where it is less than theirs.
function compareOutput(a, b, by, precision) {
  if (by === 'element' && units[a.type]) return compareElements(a, b, a.type === 'double' ? precision : undefined);
  const { equal, reason } = compareTensors(a, b, { tolerance: a.type === 'double' ? 1e-12 : 1e-6 });
  return equal ? undefined : reason;
}

function compareAll({ results, by }, expected, found, precision) {
  const faults = results.filter(([name]) => name)
      .map(([name]) => [name, compareOutput(expected.get(name), found.get(name), by, precision)]);
  return faults.filter(([, fault]) => fault).map(([name, fault]) => `${name}: ${fault}`);
}

//===----------------------------------------------------------------------===//
// One case
//===----------------------------------------------------------------------===//

function checkStructure(output, { op, stays, isNamed }) {
  // Max and Min of two are basic; one that expands only where it is named may
  // consist of simpler ones.
  const isBasic = ({ input, name }) => (/^M(ax|in)$/.test(op) && input.length === 2 && !stays) ||
                                       (isNamed && name !== 'the_node');
  const left = onnx.readFile(output).graph.node.some(node => node.opType === op && !isBasic(node));
  if (left && !stays) return ['is still there'];
  return !left && stays ? ['was expanded: remove the note'] : [];
}

async function judge(item, model, before, after, { inlay, doubts, doubtAll }) {
  const compare = (expected, found) => compareAll(item, expected, found);
  const different = doubtAll ? ['asked for'] : compareAll(item, before.outputs, after.outputs, item.precision);
  return settle(item.name, different, doubts,
      () => judgeCompiled({ inlay, model, flags: flagsOf(item), feeds: item.inputs, compare }));
}

async function checkCase(item, context) {
  const { inlay, work, worker } = context;
  const model = path.join(work, `${item.name}.onnx`), output = path.join(work, `${item.name}-expanded.onnx`);
  fs.writeFileSync(model, modelOf(item));
  try {
    const before = await worker.run('run', [model, item.inputs]);
    if (before.refusal) return { item, refusal: before.refusal, faults: [] };
    const { code, stderr } = await execute(inlay, ['compile', model, '-o', output, ...flagsOf(item)]);
    if (code !== 0) return { item, faults: [`inlay compile, exit code ${code}: ${stderr.trim()}`] };
    const faults = checkStructure(output, item);
    const after = await worker.run('run', [output, item.inputs]);
    if (after.refusal) return { item, faults: [...faults, `no longer accepted: ${after.refusal}`] };
    return { item, faults: [...faults, ...await judge(item, model, before, after, context)] };
  } catch (error) {
    return { item, faults: [error.message] };
  }
}

//===----------------------------------------------------------------------===//
// All cases
//===----------------------------------------------------------------------===//

function report(results, doubts, list) {
  const failed = results.filter(({ faults }) => faults.length), refused = results.filter(({ refusal }) => refusal);
  for (const { item, refusal } of list ? refused : []) console.log(`refused ${item.name}: ${refusal.split('\n')[0]}`);
  printDoubts(doubts);
  for (const { item, faults } of failed) for (const fault of faults) console.log(`FAIL ${item.name}: ${fault}`);
  const operators = new Set(results.filter(({ refusal }) => !refusal).map(({ item }) => item.op));
  console.log(`${results.length - failed.length - refused.length} cases of ${operators.size} operators equal, ` +
              `${refused.length} without a kernel in ONNX Runtime, ` +
              `${doubts.length ? `${doubts.length} judged in f64, ` : ''}${failed.length} failed`);
  return failed.length || refused.length === results.length ? 1 : 0;
}

function checkNames() {
  const seen = new Set();
  for (const { name } of cases) {
    if (seen.has(name)) throw new Error(`two cases are called '${name}'`);
    seen.add(name);
  }
}

async function main() {
  const text = { type: 'string' };
  let values;
  try {
    ({ values } = parseArgs({ options: { inlay: text, only: text, work: text, jobs: text, worker: text,
        list: { type: 'boolean' }, 'doubt-all': { type: 'boolean' } } }));
    if (!values.inlay) throw new Error('--inlay is required');
    checkNames();
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  const work = values.work ?? fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-expansions-'));
  fs.mkdirSync(work, { recursive: true });
  const chosen = cases.filter(({ name }) => name.includes(values.only ?? ''));
  const context = { inlay: values.inlay, work, doubts: [], doubtAll: values['doubt-all'] };
  const results = await mapInParallel(chosen, Number(values.jobs ?? 2),
      (item, worker) => checkCase(item, { ...context, worker }), { program: values.worker });
  if (!values.work) fs.rmSync(work, { recursive: true });
  return report(results, context.doubts, values.list);
}

main().then(code => { process.exitCode = code; });
