#!/usr/bin/env node
//===- fusion.js - The groups of every model of a folder ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every model, target and strategy: (1) compile it; (2) compile what was
// written once more, which must change nothing; (3) compare it with the
// original in ONNX Runtime; (4) print a row. It fails when any of these fails,
// when an edge between groups has no reason, when a residual sum is not in the
// group of one of its convolutions, and when `optimal` lets more bytes cross
// borders than `greedy`.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const onnx = require('./onnx');
const { listModels, prepareModel, compareShowing } = require('./models');
const { mapInParallel, execute } = require('./pool');
const { looseNodes } = require('./residuals');

const usage = `usage: fusion.js MODELS_DIR --inlay BIN --work DIR [options]

  -t, --target A,B   targets with a pipeline (default opu)
  --only A,B         these models only
  --residual A,B     models whose sums and Relus must be in the groups of their Convs
  --strategies A,B   of greedy and optimal (default: both)
  --table            only the table: nothing is run
  --jobs N           models at a time (default 1)
  --tolerance X      limit of max|a-b| / max|a| for f32 and f64 (default 1e-6, 1e-5 where sums are reordered)`;

const allStrategies = ['greedy', 'optimal'];

function parse() {
  const text = { type: 'string' };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      inlay: text, work: text, only: text, residual: text, target: { type: 'string', short: 't' }, strategies: text,
      table: { type: 'boolean' }, jobs: text, tolerance: text,
    },
  });
  if (positionals.length !== 1 || !values.inlay || !values.work)
    throw new Error('a folder, --inlay and --work are required');
  const targets = (values.target ?? 'opu').split(','), strategies = values.strategies?.split(',') ?? allStrategies;
  const unknown = strategies.filter(name => !allStrategies.includes(name));
  if (unknown.length) throw new Error(`no strategy '${unknown}': one of ${allStrategies} is required`);
  return { ...values, models: positionals[0], targets, strategies };
}

//===----------------------------------------------------------------------===//
// One model
//===----------------------------------------------------------------------===//

async function compile(context, from, to, flags) {
  fs.mkdirSync(path.dirname(to), { recursive: true });
  const args = ['compile', from, '-o', to, ...flags, '--verify', 'off', '--format', 'json'];
  const { code, stdout, stderr } = await execute(context.inlay, args, { timeout: 600 });
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr.trim().split('\n', 1)[0]}`);
  return JSON.parse(stdout);
}

// Model and weights as they lie in a folder.
const readAll = file => fs.readdirSync(path.dirname(file)).sort()
  .map(name => fs.readFileSync(path.join(path.dirname(file), name)));
const isSame = (a, b) => a.length === b.length && a.every((bytes, i) => bytes.equals(b[i]));

// What the report promises and the file must keep.
function faultOf(report, file) {
  const proto = onnx.readFile(file), { functions } = proto;
  const groups = functions.filter(({ metadataProps }) => metadataProps.some(({ key }) => key === 'inlay.group'));
  if (groups.length !== report.num_groups) return `${report.num_groups} groups reported, ${groups.length} written`;
  const graphs = [proto.graph, ...functions].flatMap(graph => onnx.allGraphs({ graph }));
  const called = new Set(graphs.flatMap(({ node }) => node.map(({ opType }) => opType)));
  const idle = groups.find(({ name }) => !called.has(name));
  if (idle) return `function ${idle.name} is not called`;
  const silent = report.unfused_edges.find(({ reason, code }) => !reason || !code);
  return silent && `no reason between '${silent.from}' and '${silent.to}'`;
}

async function checkStrategy(original, folder, target, strategy, context) {
  const output = path.join(folder, 'once', path.basename(original));
  const flags = ['-t', target, '--fusion-strategy', strategy];
  try {
    const report = await compile(context, original, output, flags);
    const isResidual = context.residual?.split(',').includes(path.basename(original, '.onnx'));
    const loose = isResidual ? looseNodes(onnx.readFile(original), report) : [];
    if (loose.length) return { report, verdict: `${loose.length} not in the group of their Conv, first: '${loose[0]}'` };
    const fault = faultOf(report, output);
    if (fault) return { report, verdict: fault };
    const again = path.join(folder, 'twice', path.basename(original));
    await compile(context, output, again, flags);
    if (!isSame(readAll(output), readAll(again))) return { report, verdict: 'compiling twice changes the model' };
    if (context.table) return { report };
    const limit = report.reordered_sums > 0 ? 1e-5 : 1e-6;
    const result = await compareShowing(context.worker, original, output, { tolerance: Number(context.tolerance ?? limit) });
    const rows = result.outputs.filter(row => row.verdict !== 'equal').map(row => `${row.name}: ${row.reason ?? row.trivial}`);
    const error = Math.max(0, ...result.outputs.map(row => row.error ?? Infinity));
    return { report, error, verdict: result.verdict === 'equal' ? 'equal' : `${result.verdict}: ${result.reason ?? rows.join('; ')}` };
  } catch (error) {
    return { verdict: error.message };
  } finally {
    for (const name of ['once', 'twice']) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

async function checkModel(name, context) {
  const folder = path.join(context.work, name), rows = [];
  try {
    fs.mkdirSync(folder, { recursive: true });
    const original = await prepareModel(context.models, name, folder);
    for (const target of context.targets) {
      const row = { name, target, strategies: {} };
      for (const strategy of context.strategies)
        row.strategies[strategy] = await checkStrategy(original, folder, target, strategy, context);
      rows.push(row);
    }
  } catch (error) {
    rows.push({ name, failure: error.message, strategies: {} });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  for (const row of rows) printRow(row);
  return rows;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

const bytesOf = (row, strategy) => row.strategies[strategy]?.report?.border_bytes_after;

function faultsOf(row) {
  const faults = row.failure ? [row.failure] : [];
  for (const [strategy, { verdict }] of Object.entries(row.strategies))
    if (verdict !== undefined && verdict !== 'equal') faults.push(`${strategy}: ${verdict}`);
  if (bytesOf(row, 'optimal') > bytesOf(row, 'greedy')) faults.push('optimal costs more than greedy');
  return faults;
}

const megabytes = bytes => bytes === undefined ? '-' : (bytes / 1e6).toFixed(2);

function strategyCell(entry) {
  const report = entry?.report;
  if (!report) return '-'.padStart(33);
  const seconds = `${(report.fusion_seconds * 1e3).toFixed(0)} ms`;
  return `${String(report.num_groups).padStart(6)} ${String(report.ungrouped_ops).padStart(5)} ` +
         `${megabytes(report.border_bytes_after).padStart(10)} ${seconds.padStart(9)}`;
}

function printHeader(strategies) {
  console.log('groups, operators outside of them, megabytes that cross borders, and time, of each strategy');
  console.log(`${'model'.padEnd(29)} ${'target'.padEnd(8)} ${'before'.padStart(10)} |` +
              `${strategies.map(name => name.padStart(33)).join(' |')} | results`);
}

function printRow(row) {
  const entries = Object.values(row.strategies), report = entries.find(entry => entry.report)?.report;
  const ran = entries.filter(({ error }) => error !== undefined);
  const worst = Math.max(0, ...ran.map(({ error }) => error)).toExponential(1);
  const results = ran.length ? `${ran.filter(({ verdict }) => verdict === 'equal').length} of ${ran.length} equal, error ${worst}`
                             : 'not run';
  console.log(`${row.name.padEnd(29)} ${(row.target ?? '').padEnd(8)} ` +
              `${megabytes(report?.border_bytes_before).padStart(10)} |` +
              `${entries.map(strategyCell).join(' |')} | ${results}`);
  for (const fault of faultsOf(row)) console.log(`    ${fault}`);
}

async function main() {
  let context, names;
  try {
    context = parse();
    names = listModels(context);
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  printHeader(context.strategies);
  const check = (name, worker) => checkModel(name, { ...context, worker });
  const rows = (await mapInParallel(names, Number(context.jobs ?? 1), check, { timeout: 600 })).flat();
  const failed = rows.filter(row => faultsOf(row).length);
  console.log(`${rows.length - failed.length} passed, ${failed.length} failed`);
  return failed.length ? 1 : 0;
}

main().then(code => { process.exitCode = code; });
