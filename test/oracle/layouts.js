#!/usr/bin/env node
//===- layouts.js - Every strategy on every model of a folder -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every model and target: (1) what each strategy costs, before and after
// cancelling, as `inlay explain` tells it; (2) each strategy compiled, and its
// outputs compared with the original's in ONNX Runtime; (3) a row of the table.
// It fails when an output differs, when `optimal` costs more than another
// strategy, when a convolution is not in NHWC for nhwc, and when a
// convolutional model keeps more relayouts than it has inputs and outputs.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const onnx = require('./onnx');
const { listModels, prepareModel, compareShowing } = require('./models');
const { requiredInputs } = require('./inputs');
const { notNhwc } = require('./convolutions');
const { mapInParallel, execute } = require('./pool');

const usage = `usage: layouts.js MODELS_DIR --inlay BIN --work DIR [options]

  --only A,B         these models only
  --targets A,B      default none,nhwc,ascend
  --strategies A,B   those to compile and compare (default: all four)
  --table            only the table: nothing is run
  --jobs N           models at a time (default 1)
  --tolerance X      limit of max|a-b| / max|a| for f32 and f64 (default 1e-6, 1e-5 where sums are reordered)`;

// A contraction with permuted operands adds in another order: such models have
// the limit of reordered sums. The table shows what was reached.
const defaultTolerance = 1e-6;
const reorderedTolerance = 1e-5;

const allStrategies = ['per-op', 'region', 'region-plus', 'optimal'];

function parse() {
  const text = { type: 'string' };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      inlay: text, work: text, only: text, targets: text, strategies: text, table: { type: 'boolean' }, jobs: text,
      tolerance: text,
    },
  });
  if (positionals.length !== 1 || !values.inlay || !values.work)
    throw new Error('a folder, --inlay and --work are required');
  const { targets = 'none,nhwc,ascend', strategies = allStrategies.join(',') } = values;
  const known = strategies.split(',').filter(name => !allStrategies.includes(name));
  if (known.length) throw new Error(`no strategy '${known}': one of ${allStrategies} is required`);
  return { ...values, models: positionals[0], targets: targets.split(','), strategies: strategies.split(',') };
}

//===----------------------------------------------------------------------===//
// One model
//===----------------------------------------------------------------------===//

async function inlayJson(inlay, args) {
  const { code, stdout, stderr } = await execute(inlay, [...args, '--format', 'json'], { timeout: 600 });
  if (code !== 0) throw new Error(`inlay ${args[0]}: exit code ${code}: ${stderr.trim().split('\n', 1)[0]}`);
  return JSON.parse(stdout);
}

// Convolutions without what fixes an order of its own: such a model needs no
// relayout but at its inputs and outputs. {isConvolutional, ends}.
const fixOrder = ['Transpose', 'MatMul', 'Einsum', 'LayerNormalization', 'InstanceNormalization', 'NonMaxSuppression',
  'If', 'Loop', 'Scan'];

function describeModel(file) {
  const proto = onnx.readFile(file), ops = new Set(proto.graph.node.map(({ opType }) => opType));
  return {
    isConvolutional: ops.has('Conv') && !fixOrder.some(op => ops.has(op)),
    ends: requiredInputs(proto).length + proto.graph.output.length,
  };
}

function describeDifference({ verdict, reason, outputs }) {
  const rows = outputs.filter(row => row.verdict !== 'equal').map(row => `${row.name}: ${row.reason ?? row.trivial}`);
  return `${verdict}: ${reason ?? rows.join('; ')}`;
}

// {report, verdict, error}; the files are deleted, each may have gigabytes.
async function checkStrategy(original, folder, target, strategy, context) {
  const output = path.join(folder, `${target}-${strategy}`, path.basename(original));
  fs.mkdirSync(path.dirname(output), { recursive: true });
  const flags = ['-t', target, '--layout-strategy', strategy, '--verify', 'off'];
  try {
    const report = await inlayJson(context.inlay, ['compile', original, '-o', output, ...flags]);
    const unconverted = target === 'nhwc' ? notNhwc(onnx.readFile(output)) : [];
    if (unconverted.length) return { report, verdict: `${unconverted.length} not converted, first: ${unconverted[0]}` };
    if (context.table) return { report };
    const limit = report.reordered_sums > 0 ? reorderedTolerance : defaultTolerance;
    const options = { tolerance: Number(context.tolerance ?? limit) };
    const result = await compareShowing(context.worker, original, output, options);
    const error = Math.max(0, ...result.outputs.map(row => row.error ?? Infinity));
    return { report, error, verdict: result.verdict === 'equal' ? 'equal' : describeDifference(result) };
  } catch (error) {
    return { verdict: error.message };
  } finally {
    fs.rmSync(path.dirname(output), { recursive: true, force: true });
  }
}

async function checkTarget(original, folder, target, context) {
  const row = { target, ...describeModel(original), compiled: {} };
  try {
    row.explained = await inlayJson(context.inlay, ['explain', original, '-t', target]);
  } catch (error) {
    row.failure = error.message;
  }
  const strategies = context.table ? ['optimal'] : context.strategies;
  for (const strategy of strategies)
    row.compiled[strategy] = await checkStrategy(original, folder, target, strategy, context);
  return row;
}

async function checkModel(name, context) {
  const folder = path.join(context.work, name), rows = [];
  try {
    fs.mkdirSync(folder, { recursive: true });
    const original = await prepareModel(context.models, name, folder);
    for (const target of context.targets) rows.push({ name, ...await checkTarget(original, folder, target, context) });
  } catch (error) {
    rows.push({ name, failure: error.message, compiled: {} });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  for (const row of rows) printRow(row);
  return rows;
}

//===----------------------------------------------------------------------===//
// What was found
//===----------------------------------------------------------------------===//

// Reasons why a row fails.
function faultsOf(row) {
  const faults = row.failure ? [row.failure] : [];
  for (const [strategy, { verdict }] of Object.entries(row.compiled))
    if (verdict !== undefined && verdict !== 'equal') faults.push(`${strategy}: ${verdict}`);
  for (const other of dearerThan(row)) faults.push(`optimal costs more than ${other}`);
  if (isCrowded(row)) faults.push(`${relayoutsOf(row)} relayouts for ${row.ends} inputs and outputs`);
  return faults;
}

function dearerThan({ explained }) {
  const table = explained?.strategies ?? {}, { bytes } = table.optimal ?? {};
  return Object.keys(table).filter(name => table[name].bytes_cancelled < bytes || table[name].bytes < bytes);
}

const relayoutsOf = ({ compiled }) => compiled.optimal?.report?.ledger.out.transposes;
const isCrowded = row => row.target === 'nhwc' && row.isConvolutional && relayoutsOf(row) > row.ends;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

const megabytes = bytes => (bytes / 1e6).toFixed(2);
const cost = (count, bytes) => `${count ?? '-'}/${bytes === undefined ? '-' : megabytes(bytes)}`;

function strategyCell(entry) {
  if (!entry) return '-'.padStart(27);
  const after = cost(entry.relayouts_cancelled, entry.bytes_cancelled);
  return `${cost(entry.relayouts, entry.bytes).padStart(13)} ${after.padStart(13)}`;
}

function printHeader() {
  console.log('transposes/megabytes: of the model, of each strategy before and after cancelling, and what was written');
  const columns = allStrategies.map(name => name.padStart(27)).join(' |');
  console.log(`${'model'.padEnd(29)} ${'target'.padEnd(6)} ${'in'.padStart(11)} |${columns} |${'out'.padStart(11)} ` +
              `proved ${'layouts'.padStart(8)} results`);
}

function printRow(row) {
  const { explained, compiled } = row, report = compiled.optimal?.report, verdicts = Object.values(compiled);
  const end = name => report ? cost(report.ledger[name].transposes, report.ledger[name].bytes) : '-';
  const cells = allStrategies.map(name => strategyCell(explained?.strategies?.[name])).join(' |');
  const seconds = report ? `${(report.layout_seconds * 1e3).toFixed(1)} ms` : '-';
  const equal = verdicts.filter(({ verdict }) => verdict === 'equal').length;
  const ran = verdicts.filter(({ verdict }) => verdict !== undefined).length;
  const worst = Math.max(0, ...verdicts.map(({ error }) => error ?? 0));
  console.log(`${row.name.padEnd(29)} ${(row.target ?? '').padEnd(6)} ${end('in').padStart(11)} |${cells} |` +
              `${end('out').padStart(11)} ${(report?.proved ? 'yes' : 'no').padEnd(6)} ${seconds.padStart(8)} ` +
              `${ran ? `${equal} of ${ran} equal, error ${worst.toExponential(1)}` : 'not run'}`);
  for (const fault of faultsOf(row)) console.log(`    ${fault}`);
}

function printProofs(target, reports) {
  const proved = reports.filter(report => report.proved).length;
  const times = reports.map(report => report.layout_seconds).sort((a, b) => a - b);
  const [median, longest] = [times[times.length >> 1], times.at(-1)].map(seconds => (seconds ?? 0).toFixed(3));
  console.log(`${target}: proved ${proved} of ${reports.length}; layouts took at most ${longest} s, median ${median}`);
}

function printTotals(rows, targets) {
  for (const target of targets)
    printProofs(target, rows.filter(row => row.target === target).map(({ compiled }) => compiled.optimal?.report)
        .filter(Boolean));
  const explained = rows.filter(row => row.explained), cheapest = explained.filter(row => dearerThan(row).length === 0);
  console.log(`optimal costs no more than the others in ${cheapest.length} of ${explained.length} rows`);
  const convolutional = rows.filter(row => row.target === 'nhwc' && row.isConvolutional).length;
  const crowded = rows.filter(isCrowded).map(({ name }) => name).join(', ') || 'none';
  console.log(`nhwc, convolutional: ${convolutional}; more than one relayout per input and output in: ${crowded}`);
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
  printHeader();
  const check = (name, worker) => checkModel(name, { ...context, worker });
  const rows = (await mapInParallel(names, Number(context.jobs ?? 1), check, { timeout: 600 })).flat();
  printTotals(rows, context.targets);
  const failed = rows.filter(row => faultsOf(row).length);
  console.log(`${rows.length - failed.length} passed, ${failed.length} failed`);
  return failed.length ? 1 : 0;
}

main().then(code => { process.exitCode = code; });
