//===- compiled.js - Every model of a folder, compiled and judged ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the scripts that compile a folder of models have in common: their
// options, the way through the folder, `inlay compile` with its report, and the
// comparison with the original in ONNX Runtime. What is written is deleted
// again: a model and its weights may have gigabytes.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const onnx = require('./onnx');
const { listModels, prepareModel, compareShowing } = require('./models');
const { mapInParallel, execute } = require('./pool');

// The options of each script; `own` are further ones.
function parseFolder(own = {}) {
  const text = { type: 'string' };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      inlay: text, work: text, only: text, table: { type: 'boolean' }, jobs: text, tolerance: text, ...own,
    },
  });
  if (positionals.length !== 1 || !values.inlay || !values.work)
    throw new Error('a folder, --inlay and --work are required');
  return { ...values, models: positionals[0] };
}

// The strategies in `list`, each one of `all`; without a list, all.
function chooseStrategies(all, list) {
  const chosen = list?.split(',') ?? all, unknown = chosen.filter(name => !all.includes(name));
  if (unknown.length) throw new Error(`no strategy '${unknown}': one of ${all} is required`);
  return chosen;
}

//===----------------------------------------------------------------------===//
// One model
//===----------------------------------------------------------------------===//

// What `inlay` answers to `args`.
async function askInlay(inlay, args) {
  const { code, stdout, stderr } = await execute(inlay, [...args, '--format', 'json'], { timeout: 600 });
  if (code !== 0) throw new Error(`inlay ${args[0]}: exit code ${code}: ${stderr.trim().split('\n', 1)[0]}`);
  return JSON.parse(stdout);
}

// The report of a compilation of `from` to `to`, in a folder of its own.
async function compileModel(inlay, from, to, flags) {
  fs.mkdirSync(path.dirname(to), { recursive: true });
  return askInlay(inlay, ['compile', from, '-o', to, ...flags, '--verify', 'off']);
}

// Model and weights as they lie in the folder of `file`.
const readAll = file => fs.readdirSync(path.dirname(file)).sort()
  .map(name => fs.readFileSync(path.join(path.dirname(file), name)));

function areSameBytes(fileA, fileB) {
  const [a, b] = [fileA, fileB].map(readAll);
  return a.length === b.length && a.every((bytes, i) => bytes.equals(b[i]));
}

// The functions of a model that have the metadata `key`, and the first of them
// that is not called, if any.
function functionsWith(proto, key) {
  const { functions } = proto, graphs = [proto.graph, ...functions].flatMap(graph => onnx.allGraphs({ graph }));
  const found = functions.filter(({ metadataProps }) => metadataProps.some(property => property.key === key));
  const called = new Set(graphs.flatMap(({ node }) => node.map(({ opType }) => opType)));
  return { found, idle: found.find(({ name }) => !called.has(name)) };
}

// Products and reductions over permuted tensors add in another order.
const limitFor = report => report.reordered_sums > 0 ? 1e-5 : 1e-6;

function describeDifference({ verdict, reason, outputs }) {
  const rows = outputs.filter(row => row.verdict !== 'equal').map(row => `${row.name}: ${row.reason ?? row.trivial}`);
  return `${verdict}: ${reason ?? rows.join('; ')}`;
}

// {error, verdict}: 'equal', or what is different between two files.
async function judge(worker, original, output, tolerance, options = {}) {
  const result = await compareShowing(worker, original, output, { ...options, tolerance: Number(tolerance) });
  const error = Math.max(0, ...result.outputs.map(row => row.error ?? Infinity));
  return { error, verdict: result.verdict === 'equal' ? 'equal' : describeDifference(result) };
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

const megabytes = bytes => bytes === undefined ? '-' : (bytes / 1e6).toFixed(2);

// A script's part: `parse()` gives the context with `targets`, `checkTarget`
// (original, folder, target, context) what is found, `faultsOf(row)` why a row
// fails; the rest prints.
async function checkModel(name, context, { checkTarget, faultsOf, printRow }) {
  const folder = path.join(context.work, name), rows = [];
  try {
    fs.mkdirSync(folder, { recursive: true });
    const original = await prepareModel(context.models, name, folder);
    for (const target of context.targets)
      rows.push({ name, target, ...await checkTarget(original, folder, target, context) });
  } catch (error) {
    rows.push({ name, failure: error.message });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  for (const row of rows) {
    printRow(row);
    for (const fault of faultsOf(row)) console.log(`    ${fault}`);
  }
  return rows;
}

// The exit code of a script: 0 where no row has a fault.
async function checkFolder(script) {
  const { usage, parse, faultsOf, printHeader, printTotals = () => {} } = script;
  let context, names;
  try {
    context = parse();
    names = listModels(context);
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  printHeader(context);
  const check = (name, worker) => checkModel(name, { ...context, worker }, script);
  const rows = (await mapInParallel(names, Number(context.jobs ?? 1), check, { timeout: 600 })).flat();
  printTotals(rows, context);
  const failed = rows.filter(row => faultsOf(row).length);
  console.log(`${rows.length - failed.length} passed, ${failed.length} failed`);
  return failed.length ? 1 : 0;
}

module.exports = {
  parseFolder, chooseStrategies, askInlay, compileModel, areSameBytes, functionsWith, limitFor, judge, megabytes, checkFolder,
};
