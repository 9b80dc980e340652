#!/usr/bin/env node
//===- testdata.js - Round trip of ONNX's own operator tests --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every model: (1) run it in ONNX Runtime on its own inputs; (2) compile
// it with and without simplification; (3) what was accepted must be accepted
// after, with equal results. A model with random ops that have no seed can
// only agree in types and shapes. What ONNX Runtime does not accept must not
// make the compiler crash.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const onnx = require('./onnx');
const { requiredInputs } = require('./inputs');
const { mapInParallel, execute } = require('./pool');
const { compareOutputs } = require('./oracle');
const { judgeCompiled, compareWithin, settle, printDoubts } = require('./referee');

const usage = `usage: testdata.js --inlay BIN [options]

  --root DIR       where the tests are (default /usr/share/libonnx-testdata/data)
  --only TEXT      tests whose name contains TEXT
  --jobs N         models at a time (default 2)
  --tolerance X    limit of max|a-b| / max|a| for f32 and f64 (default 1e-6)
  --expand         composite operators are written as what they consist of
  --list           name every model ONNX Runtime refuses, and every random one`;

const roundTrips = [{ name: 'unsimplified', flags: ['--simplify', 'off'] }, { name: 'simplified', flags: [] }];
// Before, operators that expansions consist of do not broadcast or do not exist.
const minExpandOpset = 10;
const expansions = [{
  name: 'expanded', flags: ['--simplify', 'off', '--verify', 'off', '--expand', 'all,Sigmoid,Tanh'],
  applies: proto => proto.opsetImport.some(({ domain, version }) => !domain && version >= minExpandOpset),
}];
const lastOrderlyExit = 6;

//===----------------------------------------------------------------------===//
// Tests on disk
//===----------------------------------------------------------------------===//

function findTests(root, only = '') {
  const tests = [];
  for (const group of fs.readdirSync(root).sort())
    for (const name of fs.readdirSync(path.join(root, group)).sort()) {
      const folder = path.join(root, group, name), model = path.join(folder, 'model.onnx');
      if (name.includes(only) && fs.existsSync(model)) tests.push({ name: `${group}/${name}`, folder, model });
    }
  return tests;
}

function readSequence({ tensorValues, sequenceValues }) {
  const nested = sequenceValues.length > 0;
  return { sequence: nested ? sequenceValues.map(readSequence) : tensorValues.map(tensor => onnx.tensorValue(tensor)) };
}

function readOptional(proto) {
  if (proto.tensorValue) return { optional: onnx.tensorValue(proto.tensorValue) };
  return { optional: proto.sequenceValue ? readSequence(proto.sequenceValue) : null };
}

// A test's input is a message of the declared type.
function readValue(file, type) {
  const bytes = fs.readFileSync(file);
  if (type.startsWith('seq')) return readSequence(onnx.codec.decode('SequenceProto', bytes));
  if (type.startsWith('optional')) return readOptional(onnx.codec.decode('OptionalProto', bytes));
  return onnx.tensorValue(onnx.codec.decode('TensorProto', bytes));
}

function readInputSets({ folder }, proto) {
  const sets = fs.readdirSync(folder).filter(name => name.startsWith('test_data_set')).sort();
  const inputs = requiredInputs(proto);
  return sets.map(set => Object.fromEntries(inputs.map(({ name, type }, i) =>
    [name, readValue(path.join(folder, set, `input_${i}.pb`), type)])));
}

// Drawing numbers without a seed; Dropout only where it is told to train.
function isRandom(proto) {
  return onnx.allGraphs(proto).some(graph => graph.node.some(node => {
    if (onnx.attribute(node, 'seed') !== undefined) return false;
    return /^Random|^Bernoulli$|^Multinomial$/.test(node.opType) || (node.opType === 'Dropout' && node.input[2]);
  }));
}

//===----------------------------------------------------------------------===//
// One test
//===----------------------------------------------------------------------===//

const shapeOf = outputs => [...outputs].map(([name, { type, dims }]) => `${name} ${type}[${dims}]`).join(', ');

function differences(expected, found, random, tolerance) {
  if (random) {
    const [before, after] = [shapeOf(expected), shapeOf(found)];
    return before === after ? [] : [`${before} became ${after}`];
  }
  const rows = compareOutputs(expected, found, () => undefined, { tolerance, allowTrivial: true });
  return rows.filter(({ equal }) => !equal).map(({ name, reason }) => `${name}: ${reason}`);
}

// Before IR version 4 every initializer is listed as an input too, also one
// that simplification has computed; it is no input for that.
function declaredBorder({ irVersion, graph }) {
  const weights = new Set(irVersion < 4 ? graph.initializer.map(({ name }) => name) : []);
  const inputs = graph.input.filter(({ name }) => !weights.has(name));
  return [inputs, graph.output].map(list => list.map(({ name, type }) => `${name} ${onnx.describeType(type).text}`)
      .join(', ')).join(' -> ');
}

// The original loads but fails on its inputs: so must the export.
async function checkLoads(output, inputs, worker) {
  const after = await worker.run('run', [output, inputs]);
  return after.loaded ? {} : { fault: `no longer loads: ${after.refusal}` };
}

async function checkVariant(test, variant, before, context) {
  const output = path.join(context.work, `${test.name.replaceAll('/', '-')}-${variant.name}.onnx`);
  const { code, stderr } = await execute(context.inlay, ['compile', test.model, '-o', output, ...variant.flags]);
  if (code < 0 || code > lastOrderlyExit) return { fault: `inlay compile ended with ${code}: ${stderr.trim()}` };
  if (!before.accepted && !before.loaded) return {};
  if (code !== 0) return { fault: `inlay compile, exit code ${code}: ${stderr.trim()}` };
  if (!before.accepted) return checkLoads(output, before.sets[0], context.worker);
  const border = [before.proto, onnx.readFile(output)].map(declaredBorder);
  if (border[0] !== border[1]) return { fault: `border (${border[0]}) became (${border[1]})` };
  for (const [i, inputs] of before.sets.entries()) {
    const after = await context.worker.run('run', [output, inputs]);
    if (after.refusal) return { fault: `no longer accepted: ${after.refusal}` };
    const different = differences(before.results[i].outputs, after.outputs, before.random, context.tolerance);
    const found = await settle(`${test.name}, ${variant.name}`, different, context.doubts, () => judgeCompiled({
      inlay: context.inlay, model: test.model, flags: variant.flags, feeds: inputs,
      compare: compareWithin(context.tolerance) }));
    if (found.length) return { accepted: true, fault: found.join('; ') };
  }
  fs.unlinkSync(output);
  return { accepted: true, equal: true };
}

async function runOriginal(test, worker) {
  const proto = onnx.readFile(test.model), sets = readInputSets(test, proto), results = [];
  for (const inputs of sets) {
    const result = await worker.run('run', [test.model, inputs]);
    if (result.refusal) return { accepted: false, refusal: result.refusal, loaded: result.loaded, sets, results };
    results.push(result);
  }
  const hidden = results.some(result => result.hidden.length);
  return { accepted: true, proto, sets, results, random: isRandom(proto), hidden };
}

async function checkTest(test, context) {
  const report = { name: test.name, faults: [], variants: [] };
  try {
    const crash = error => ({ accepted: false, refusal: error.message, sets: [] });
    const before = await runOriginal(test, context.worker).catch(crash);
    const { accepted, refusal, random, hidden } = before;
    Object.assign(report, { accepted, refusal, random, hidden });
    for (const variant of context.variants) {
      if (before.proto && variant.applies?.(before.proto) === false) continue;
      const result = await checkVariant(test, variant, before, context);
      report.variants.push(result);
      if (result.fault) report.faults.push(`${variant.name}: ${result.fault}`);
    }
  } catch (error) {
    report.faults.push(error.message);
  }
  return report;
}

//===----------------------------------------------------------------------===//
// All tests
//===----------------------------------------------------------------------===//

function print(reports, { variants, doubts }, list) {
  const names = select => reports.filter(select).map(({ name }) => name);
  const row = (label, select) => console.log(`${label.padEnd(44)} ${names(select).length}`);
  printDoubts(doubts);
  for (const { name, faults } of reports) for (const fault of faults) console.log(`FAIL ${name}: ${fault}`);
  for (const { name, refusal, random } of list ? reports : []) {
    if (refusal) console.log(`refused ${name}: ${refusal.split('\n')[0]}`);
    if (random) console.log(`random ${name}`);
  }
  row('models', () => true);
  row('accepted before', ({ accepted }) => accepted);
  variants.forEach((variant, i) => {
    row(`accepted after, ${variant.name}`, report => report.variants[i]?.accepted);
    row(`equal, ${variant.name}`, report => report.variants[i]?.equal);
  });
  row('random, types and shapes only', ({ random }) => random);
  row('with an output node cannot read', ({ hidden }) => hidden);
  const failed = names(({ faults }) => faults.length).length;
  console.log(`${reports.length - failed} passed, ${failed} failed`);
  return failed || !reports.length ? 1 : 0;
}

async function main() {
  const text = { type: 'string' };
  let values;
  try {
    ({ values } = parseArgs({ options: { inlay: text, root: text, only: text, jobs: text, tolerance: text,
        list: { type: 'boolean' }, expand: { type: 'boolean' } } }));
    if (!values.inlay) throw new Error('--inlay is required');
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  const tests = findTests(values.root ?? '/usr/share/libonnx-testdata/data', values.only);
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-testdata-'));
  const context = { inlay: values.inlay, work, tolerance: Number(values.tolerance ?? 1e-6),
    variants: values.expand ? expansions : roundTrips, doubts: [] };
  const check = (test, worker) => checkTest(test, { ...context, worker });
  const reports = await mapInParallel(tests, Number(values.jobs ?? 2), check, { timeout: 60 });
  fs.rmSync(work, { recursive: true });
  return print(reports, context, values.list);
}

if (require.main === module) main().then(code => { process.exitCode = code; });

module.exports = { findTests, readInputSets };
