#!/usr/bin/env node
//===- rewrites.js - Operators taken apart become operators ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every form of rewrite-models, on random, large, flat, masked and extreme
// values: (1) `--rewrite on` leaves the composite operator and nothing of its
// parts, or, where the form is none, no composite operator; (2) both models
// give equal outputs in ONNX Runtime; (3) `inlay run` agrees with it.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const onnx = require('./onnx');
const forms = require('./rewrite-models');
const { mapInParallel, execute } = require('./pool');
const { writeInputs, runExecutor } = require('./executor');
const { compareOutputs } = require('./oracle');

const usage = `usage: rewrites.js --inlay BIN [options]

  --only TEXT      forms whose name contains TEXT
  --work DIR       keep the models here (default: a temporary folder)
  --jobs N         forms at a time (default 2)`;

// The executor sums in its own order.
const executorTolerance = 1e-5;

function checkNodes(file, { composite, found }) {
  const types = onnx.readFile(file).graph.node.map(({ opType }) => opType).filter(type => type !== 'Constant');
  const isFound = types.includes(composite);
  if (!found) return isFound ? [`became ${types.join(', ')}`] : [];
  return isFound && types.length === 1 ? [] : [`left ${types.join(', ')}`];
}

async function checkOutputs(model, output, { kind, x }, { worker }) {
  const options = { given: { x }, strict: true, allowTrivial: kind === 'random' ? [] : true };
  const result = await worker.run('compare', [model, output, options]);
  if (result.verdict === 'equal') return [];
  const details = result.outputs.filter(row => row.verdict !== 'equal').map(row => `${row.reason ?? row.trivial}`);
  return [`${kind}: ${result.verdict} ${result.reason ?? details.join('; ')}`];
}

async function checkExecutor(model, output, { kind, x }, { inlay, worker }) {
  const folder = path.join(path.dirname(model), kind);
  fs.mkdirSync(folder, { recursive: true });
  const { refusal, outputs: expected } = await worker.run('run', [model, { x }]);
  if (refusal) return [`${kind}: refused: ${refusal}`];
  const { code, stderr, outputs } = await runExecutor(inlay, output, writeInputs(folder, { x }), folder);
  if (code !== 0) return [`${kind}: executor: exit code ${code}: ${stderr.trim()}`];
  const rows = compareOutputs(expected, outputs, () => undefined, { tolerance: executorTolerance, allowTrivial: true });
  return rows.filter(row => row.verdict !== 'equal').map(row => `${kind}: executor: ${row.reason}`);
}

async function checkForm(form, context) {
  const folder = path.join(context.work, form.name);
  const model = path.join(folder, 'model.onnx'), output = path.join(folder, 'out.onnx');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(model, form.bytes);
  const { code, stderr } = await execute(context.inlay, ['compile', model, '-o', output, '--rewrite', 'on']);
  if (code !== 0) return { form, faults: [`exit code ${code}: ${stderr.trim()}`] };
  const faults = checkNodes(output, form);
  for (const feed of form.feeds) {
    faults.push(...await checkOutputs(model, output, feed, context));
    faults.push(...await checkExecutor(model, output, feed, context));
  }
  return { form, faults };
}

function report(results) {
  const failed = results.filter(({ faults }) => faults.length);
  for (const { form, faults } of failed) for (const fault of faults) console.log(`FAIL ${form.name}: ${fault}`);
  const counts = new Map();
  for (const { form } of results) counts.set(form.composite, (counts.get(form.composite) ?? 0) + 1);
  console.log([...counts].map(([composite, count]) => `${composite} ${count}`).join(', '));
  console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
  return failed.length || !results.length ? 1 : 0;
}

async function main() {
  const text = { type: 'string' };
  let values;
  try {
    ({ values } = parseArgs({ options: { 'inlay': text, 'only': text, 'work': text, 'jobs': text } }));
    if (!values.inlay) throw new Error('--inlay is required');
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  const chosen = forms.filter(({ name }) => name.includes(values.only ?? ''));
  const work = values.work ?? fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-rewrites-'));
  const results = await mapInParallel(chosen, Number(values.jobs ?? 2),
      (form, worker) => checkForm(form, { inlay: values.inlay, work, worker }));
  if (!values.work) fs.rmSync(work, { recursive: true });
  return report(results);
}

main().then(code => { process.exitCode = code; });
