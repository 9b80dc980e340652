#!/usr/bin/env node
//===- opsets.js - What changed after opset 17, in models of our own ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every case of opset-models: (1) ONNX Runtime accepts the model and its
// outputs show something; (2) both exports, unsimplified and simplified, give
// equal outputs; (3) `inlay run` agrees with ONNX Runtime, or the case has ops
// the executor leaves to others and it says which. A case ONNX Runtime has no
// kernel for must still compile, and must still be refused as noted.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const onnx = require('./onnx');
const cases = require('./opset-models');
const { mapInParallel, execute } = require('./pool');
const { tensorBytes } = require('./inputs');
const { writeInputs, runExecutor } = require('./executor');
const { judgeCompiled, judgeExecutor, compareWithin, settle, printDoubts } = require('./referee');

const usage = `usage: opsets.js --inlay BIN [options]

  --only TEXT      cases whose name contains TEXT
  --work DIR       keep the models here (default: a temporary folder)
  --symbolic       declare every extent of the inputs as a symbol
  --constant       make every input a constant, so that simplification folds it all
  --no-run         do not check the reference executor
  --jobs N         cases at a time (default 2)
  --write DIR      only write the models and their inputs`;

// The executor sums in its own order.
const executorTolerance = 1e-5;
const unsupported = 5;

// Every extent as a symbol of its own; equal extents are not assumed equal.
function makeSymbolic(bytes) {
  const proto = onnx.read(bytes);
  for (const { name, type } of proto.graph.input)
    type.tensorType.shape.dim.forEach((dim, i, dims) => { dims[i] = { dimParam: `${name}_${i}` }; });
  return onnx.write(proto);
}

// The inputs as initializers: folding then has to compute what a run computes.
function makeConstant({ bytes, feeds, ...rest }) {
  const proto = onnx.read(bytes);
  proto.graph.input = [];
  for (const [name, tensor] of Object.entries(feeds))
    proto.graph.initializer.push(onnx.codec.decode('TensorProto', tensorBytes(name, tensor)));
  return { ...rest, bytes: onnx.write(proto), feeds: {}, tolerance: executorTolerance };
}

function writeCase(folder, { bytes, feeds }, symbolic) {
  fs.mkdirSync(folder, { recursive: true });
  const model = path.join(folder, 'model.onnx');
  fs.writeFileSync(model, symbolic ? makeSymbolic(bytes) : bytes);
  return { model, inputs: writeInputs(folder, feeds) };
}

// Each check returns the reasons why it failed.

async function checkExport(original, output, flags, item, { inlay, worker, doubts }) {
  const { code, stderr } = await execute(inlay, ['compile', original, '-o', output, ...flags]);
  const label = flags.length ? 'unsimplified' : 'simplified';
  if (code !== 0) return [`${label}: inlay compile, exit code ${code}: ${stderr.trim()}`];
  if (item.refused) return [];
  const result = await worker.run('compare', [original, output,
      { given: item.feeds, strict: true, tolerance: item.tolerance }]);
  if (result.verdict === 'equal') return [];
  const details = result.outputs.filter(row => row.verdict !== 'equal')
      .map(row => `${row.name}: ${row.reason ?? row.trivial}`);
  const faults = [`${label}: ${result.verdict} ${result.reason ?? details.join('; ')}`];
  if (result.verdict !== 'different' || result.reason) return faults;
  return settle(item.name, faults, doubts, () => judgeCompiled({
    inlay, model: original, flags, feeds: item.feeds, compare: compareWithin(item.tolerance ?? 1e-6) }));
}

async function checkRuntime(original, item, worker) {
  const result = await worker.run('run', [original, item.feeds]);
  if (!item.refused) return { outputs: result.outputs, faults: result.refusal ? [`refused: ${result.refusal}`] : [] };
  if (!result.refusal) return { faults: ['no longer refused by ONNX Runtime: remove the note'] };
  return { faults: item.refused.test(result.refusal) ? [] : [`refused for another reason: ${result.refusal}`] };
}

async function checkExecutor({ model, inputs }, item, expected, { inlay, worker, doubts }) {
  const { code, stderr, outputs } = await runExecutor(inlay, model, inputs, path.join(path.dirname(model), 'out'));
  if (code === unsupported && item.opaque) return [];
  if (code !== 0) return [`executor: exit code ${code}: ${stderr.trim()}`];
  const compare = compareWithin(executorTolerance, executorTolerance), faults = compare(expected, outputs);
  return settle(item.name, faults.map(fault => `executor: ${fault}`), doubts,
      () => judgeExecutor({ worker, model, feeds: item.feeds, found: outputs, compare }));
}

async function checkCase(item, context) {
  const files = writeCase(path.join(context.work, item.name), item, context.symbolic);
  const output = name => path.join(path.dirname(files.model), name);
  try {
    const { outputs, faults } = await checkRuntime(files.model, item, context.worker);
    if (faults.length) return { item, faults };
    faults.push(...await checkExport(files.model, output('unsimplified.onnx'), ['--simplify', 'off'], item, context));
    faults.push(...await checkExport(files.model, output('simplified.onnx'), [], item, context));
    if (outputs && context.run) faults.push(...await checkExecutor(files, item, outputs, context));
    return { item, faults };
  } catch (error) {
    return { item, faults: [error.message] };
  }
}

function report(results, doubts) {
  const failed = results.filter(({ faults }) => faults.length), refused = results.filter(({ item }) => item.refused);
  printDoubts(doubts);
  for (const { item, faults } of failed) for (const fault of faults) console.log(`FAIL ${item.name}: ${fault}`);
  const names = refused.map(({ item }) => item.name).join(', ');
  console.log(`without a kernel in ONNX Runtime, compiled only: ${names || 'none'}`);
  console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
  return failed.length ? 1 : 0;
}

async function main() {
  const text = { type: 'string' }, flag = { type: 'boolean' };
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        'inlay': text, 'only': text, 'work': text, 'symbolic': flag, 'constant': flag, 'no-run': flag, 'jobs': text,
            'write': text,
      },
    }));
    if (!values.inlay && !values.write) throw new Error('--inlay is required');
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  const named = cases.filter(({ name }) => name.includes(values.only ?? ''));
  const chosen = values.constant ? named.map(makeConstant) : named;
  if (values.write) {
    for (const item of chosen) writeCase(path.join(values.write, item.name), item, values.symbolic);
    return 0;
  }
  const work = values.work ?? fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-opsets-'));
  const context = { inlay: values.inlay, work, symbolic: values.symbolic, run: !values['no-run'], doubts: [] };
  const results = await mapInParallel(chosen, Number(values.jobs ?? 2),
      (item, worker) => checkCase(item, { ...context, worker }));
  if (!values.work) fs.rmSync(work, { recursive: true });
  return report(results, context.doubts);
}

main().then(code => { process.exitCode = code; });
