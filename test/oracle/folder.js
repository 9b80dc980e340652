#!/usr/bin/env node
//===- folder.js - Compiles a folder of models and compares each ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every model: (1) write its weights, where the folder has a script for
// that; (2) compile it with and without simplification; (3) compare both with
// the original in ONNX Runtime; (4) print a row and delete the files.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const onnx = require('./onnx');
const { listModels, prepareModel, compareShowing } = require('./models');
const { mapInParallel, execute } = require('./pool');

const usage = `usage: folder.js MODELS_DIR --inlay BIN --work DIR [options] [-- flags of inlay compile]

  --only A,B       these models only
  --jobs N         models at a time (default 1)
  --tolerance X    limit of max|a-b| / max|a| for f32 and f64 (default 1e-6, 1e-5 where sums are reordered)`;

const variants = [{ name: 'unsimplified', flags: ['--simplify', 'off'] }, { name: 'simplified', flags: [] }];

function parse(argv) {
  const separator = argv.indexOf('--'), own = separator < 0 ? argv : argv.slice(0, separator);
  const text = { type: 'string' };
  const { values, positionals } = parseArgs({
    args: own, allowPositionals: true,
    options: { inlay: text, work: text, only: text, jobs: text, tolerance: text },
  });
  if (positionals.length !== 1 || !values.inlay || !values.work)
    throw new Error('a folder, --inlay and --work are required');
  return { ...values, models: positionals[0], flags: separator < 0 ? [] : argv.slice(separator + 1) };
}

function countNodes(file) {
  return onnx.allGraphs(onnx.readFile(file)).reduce((sum, graph) => sum + graph.node.length, 0);
}

async function checkVariant(original, folder, variant, context) {
  const output = path.join(folder, variant.name, path.basename(original));
  fs.mkdirSync(path.dirname(output), { recursive: true });
  const args = ['compile', original, '-o', output, '--format', 'json', ...variant.flags, ...context.flags];
  const { code, stdout, stderr } = await execute(context.inlay, args, { timeout: 600 });
  if (code !== 0) return { verdict: 'not-compiled', reason: `exit code ${code}: ${stderr.trim()}`, outputs: [] };
  // Products and reductions over permuted tensors add in another order.
  const limit = JSON.parse(stdout).reordered_sums > 0 ? 1e-5 : 1e-6;
  const options = { tolerance: Number(context.tolerance ?? limit) };
  const result = await compareShowing(context.worker, original, output, options);
  return { ...result, nodes: countNodes(output) };
}

async function checkModel(name, context) {
  const folder = path.join(context.work, name), row = { name, results: [] };
  try {
    fs.mkdirSync(folder, { recursive: true });
    const original = await prepareModel(context.models, name, folder);
    row.before = countNodes(original);
    for (const variant of variants) row.results.push(await checkVariant(original, folder, variant, context));
  } catch (error) {
    row.results.push({ verdict: 'failed', reason: error.message, outputs: [] });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  printRow(row);
  return row;
}

function describeResult(result) {
  const worst = Math.max(0, ...result.outputs.map(({ error }) => error ?? Infinity));
  const changed = result.outputs.reduce((sum, row) => sum + (row.changed ?? 0), 0);
  const note = result.exposedValues ? ` (${result.exposedValues} values inside)` : '';
  const columns = [String(result.nodes ?? '-').padStart(6), worst.toExponential(1).padStart(9),
                   String(changed).padStart(8), `${result.verdict}${note}`.padEnd(16)];
  return columns.join(' ');
}

function printRow({ name, before, results }) {
  console.log(`${name.padEnd(30)} ${String(before ?? '-').padStart(6)} | ${results.map(describeResult).join(' | ')}`);
  for (const { verdict, reason, outputs } of results) {
    if (verdict !== 'equal' && reason) console.log(`    ${verdict}: ${reason}`);
    for (const row of outputs)
      if (row.verdict !== 'equal') console.log(`    ${row.name}: ${row.verdict}, ${row.reason ?? row.trivial}`);
  }
}

function printHeader() {
  const columns = `${'after'.padStart(6)} ${'error'.padStart(9)} ${'changed'.padStart(8)} verdict`.padEnd(42);
  console.log(`${'model'.padEnd(30)} ${'nodes'.padStart(6)} | ${variants.map(() => columns).join(' | ')}`);
}

async function main() {
  let context, names;
  try {
    context = parse(process.argv.slice(2));
    names = listModels(context);
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  printHeader();
  const check = (name, worker) => checkModel(name, { ...context, worker });
  const rows = await mapInParallel(names, Number(context.jobs ?? 1), check, { timeout: 600 });
  const failed = rows.filter(({ results }) => results.length < variants.length ||
                                              results.some(({ verdict }) => verdict !== 'equal'));
  console.log(`${rows.length - failed.length} passed, ${failed.length} failed`);
  return failed.length ? 1 : 0;
}

main().then(code => { process.exitCode = code; });
