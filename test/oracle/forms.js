//===- forms.js - Forms in which exporters write an operator --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What scripts over such forms do alike: compile each with `--rewrite on`,
// compare in ONNX Runtime and with the reference executor, and report.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { mapInParallel, execute } = require('./pool');
const { writeInputs, runExecutor } = require('./executor');
const { judgeCompiled, judgeExecutor, compareWithin, settle, printDoubts } = require('./referee');

// The executor sums in its own order.
const executorTolerance = 1e-5;
const flags = ['--rewrite', 'on'];
// The constants of a form are those of f32, also in f64.
const compareForms = compareWithin(1e-6, 1e-6);

const usage = name => `usage: ${name}.js --inlay BIN [options]

  --only TEXT      forms whose name contains TEXT
  --work DIR       keep the models here (default: a temporary folder)
  --jobs N         forms at a time (default 2)`;

// Each check returns its faults, in words.

async function compile(model, output, { inlay }) {
  const { code, stderr } = await execute(inlay, ['compile', model, '-o', output, ...flags]);
  return code === 0 ? [] : [`${path.basename(output)}: exit code ${code}: ${stderr.trim()}`];
}

async function checkOutputs(model, output, feeds, { inlay, worker, doubts }, allowTrivial = true) {
  const result = await worker.run('compare', [model, output, { given: feeds, strict: true, allowTrivial }]);
  if (result.verdict === 'equal') return [];
  const details = result.outputs.filter(row => row.verdict !== 'equal').map(row => `${row.reason ?? row.trivial}`);
  const faults = [`${result.verdict} ${result.reason ?? details.join('; ')}`];
  if (result.verdict !== 'different' || result.reason) return faults;
  return settle(path.basename(path.dirname(model)), faults, doubts,
      () => judgeCompiled({ inlay, model, flags, feeds, compare: compareForms }));
}

async function checkExecutor(model, output, feeds, { inlay, worker, doubts }) {
  const folder = path.dirname(model), { refusal, outputs: expected } = await worker.run('run', [model, feeds]);
  if (refusal) return [`refused: ${refusal}`];
  const { code, stderr, outputs } = await runExecutor(inlay, output, writeInputs(folder, feeds), folder);
  if (code !== 0) return [`executor: exit code ${code}: ${stderr.trim()}`];
  const compare = compareWithin(executorTolerance, executorTolerance), faults = compare(expected, outputs);
  return settle(path.basename(folder), faults.map(fault => `executor: ${fault}`), doubts,
      () => judgeExecutor({ worker, model, feeds, found: outputs, compare }));
}

function report(results, doubts, describe) {
  const failed = results.filter(({ faults }) => faults.length);
  printDoubts(doubts);
  for (const { form, faults } of failed) for (const fault of faults) console.log(`FAIL ${form.name}: ${fault}`);
  console.log(describe(results.map(({ form }) => form)));
  console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
  return failed.length || !results.length ? 1 : 0;
}

// Writes the form's model into a folder of its own and has `check(form, file,
// context)` look at it; `file(name)` is a path in that folder.
async function checkForm(form, check, context) {
  const folder = path.join(context.work, form.name), file = name => path.join(folder, name);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(file('model.onnx'), form.bytes);
  return { form, faults: await check(form, file, context) };
}

async function run(name, forms, check, describe) {
  const text = { type: 'string' };
  let values;
  try {
    ({ values } = parseArgs({ options: { inlay: text, only: text, work: text, jobs: text } }));
    if (!values.inlay) throw new Error('--inlay is required');
  } catch (error) {
    console.error(`${error.message}\n\n${usage(name)}`);
    return 2;
  }
  const chosen = forms.filter(form => form.name.includes(values.only ?? ''));
  const work = values.work ?? fs.mkdtempSync(path.join(os.tmpdir(), `inlay-${name}-`));
  const context = { inlay: values.inlay, work, doubts: [] };
  const results = await mapInParallel(chosen, Number(values.jobs ?? 2),
      (form, worker) => checkForm(form, check, { ...context, worker }));
  if (!values.work) fs.rmSync(work, { recursive: true });
  return report(results, context.doubts, describe);
}

// The whole script: `describe` says in a line what the forms were.
function main(name, forms, check, describe) {
  run(name, forms, check, describe).then(code => { process.exitCode = code; });
}

module.exports = { compile, checkOutputs, checkExecutor, main };
