#!/usr/bin/env node
//===- attention.js - Attention taken apart, in all its forms -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every form of attention-models: (1) `--rewrite on` finds the attention, of
// rank 3 where nothing but transposes of heads is in the way, or does not where
// there is none; (2) what is exported for the model's opset gives equal outputs
// in ONNX Runtime; (3) `inlay run` agrees with it.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const forms = require('./attention-models');
const { mapInParallel, execute } = require('./pool');
const { writeInputs, runExecutor } = require('./executor');
const { compareOutputs } = require('./oracle');

const usage = `usage: attention.js --inlay BIN [options]

  --only TEXT      forms whose name contains TEXT
  --work DIR       keep the models here (default: a temporary folder)
  --jobs N         forms at a time (default 2)`;

// The executor sums in its own order.
const executorTolerance = 1e-5;

const count = (text, pattern) => (text.match(pattern) ?? []).length;

// What the module has after rewriting: rank 0 stands for no attention.
function checkFound(text, { rank, rotations = 0 }) {
  const merged = count(text, /inlay\.attention .*q_num_heads/g), all = count(text, /inlay\.attention /g);
  const found = all === 0 ? 0 : merged === all ? 3 : 4, faults = [];
  if (all > 1) faults.push(`became ${all} attentions`);
  if (found !== rank) faults.push(`attention of rank ${found} instead of ${rank}`);
  if (rank && count(text, /inlay\.softmax /g)) faults.push('a softmax is left');
  if (rank === 3 && count(text, /inlay\.transpose /g)) faults.push('a transpose is left');
  const turned = count(text, /inlay\.rotary_embedding /g);
  if (turned !== rotations) faults.push(`${turned} rotations instead of ${rotations}`);
  return faults;
}

async function compile(form, model, output, { inlay }) {
  const { code, stderr } = await execute(inlay, ['compile', model, '-o', output, '--rewrite', 'on']);
  return code === 0 ? [] : [`${path.basename(output)}: exit code ${code}: ${stderr.trim()}`];
}

async function checkOutputs(form, model, output, { worker }) {
  const result = await worker.run('compare', [model, output, { given: form.feeds, strict: true, allowTrivial: true }]);
  if (result.verdict === 'equal') return [];
  const details = result.outputs.filter(row => row.verdict !== 'equal').map(row => `${row.reason ?? row.trivial}`);
  return [`${result.verdict} ${result.reason ?? details.join('; ')}`];
}

async function checkExecutor(form, model, output, { inlay, worker }) {
  const folder = path.dirname(model);
  const { outputs: expected } = await worker.run('run', [model, form.feeds]);
  const { code, stderr, outputs } = await runExecutor(inlay, output, writeInputs(folder, form.feeds), folder);
  if (code !== 0) return [`executor: exit code ${code}: ${stderr.trim()}`];
  const rows = compareOutputs(expected, outputs, () => undefined, { tolerance: executorTolerance, allowTrivial: true });
  return rows.filter(row => row.verdict !== 'equal').map(row => `executor: ${row.reason}`);
}

async function checkForm(form, context) {
  const folder = path.join(context.work, form.name), file = name => path.join(folder, name);
  const [model, module, output] = ['model.onnx', 'out.mlir', 'out.onnx'].map(file);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(model, form.bytes);
  const faults = [...await compile(form, model, module, context), ...await compile(form, model, output, context)];
  if (faults.length) return { form, faults };
  faults.push(...checkFound(fs.readFileSync(module, 'utf8'), form));
  faults.push(...await checkOutputs(form, model, output, context));
  faults.push(...await checkExecutor(form, model, output, context));
  return { form, faults };
}

function report(results) {
  const failed = results.filter(({ faults }) => faults.length);
  for (const { form, faults } of failed) for (const fault of faults) console.log(`FAIL ${form.name}: ${fault}`);
  const ranks = [3, 4, 0].map(rank => results.filter(({ form }) => form.rank === rank).length);
  console.log(`${ranks[0]} of rank 3, ${ranks[1]} of rank 4, ${ranks[2]} that are none`);
  console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
  return failed.length || !results.length ? 1 : 0;
}

async function main() {
  const text = { type: 'string' };
  let values;
  try {
    ({ values } = parseArgs({ options: { inlay: text, only: text, work: text, jobs: text } }));
    if (!values.inlay) throw new Error('--inlay is required');
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  const chosen = forms.filter(({ name }) => name.includes(values.only ?? ''));
  const work = values.work ?? fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-attention-'));
  const results = await mapInParallel(chosen, Number(values.jobs ?? 2),
      (form, worker) => checkForm(form, { inlay: values.inlay, work, worker }));
  if (!values.work) fs.rmSync(work, { recursive: true });
  return report(results);
}

main().then(code => { process.exitCode = code; });
