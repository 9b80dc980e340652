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
const onnx = require('./onnx');
const { parseFolder, chooseStrategies, askInlay, compileModel, limitFor, judge, megabytes, checkFolder } = require('./compiled');
const { requiredInputs } = require('./inputs');
const { notNhwc } = require('./convolutions');

const usage = `usage: layouts.js MODELS_DIR --inlay BIN --work DIR [options]

  --only A,B         these models only
  --targets A,B      default none,nhwc,ascend
  --strategies A,B   those to compile and compare (default: all four)
  --table            only the table: nothing is run
  --jobs N           models at a time (default 1)
  --tolerance X      limit of max|a-b| / max|a| for f32 and f64 (default 1e-6, 1e-5 where sums are reordered)`;

const allStrategies = ['per-op', 'region', 'region-plus', 'optimal'];

function parse() {
  const values = parseFolder({ targets: { type: 'string' }, strategies: { type: 'string' } });
  const targets = (values.targets ?? 'none,nhwc,ascend').split(',');
  return { ...values, targets, strategies: chooseStrategies(allStrategies, values.strategies) };
}

//===----------------------------------------------------------------------===//
// One model
//===----------------------------------------------------------------------===//

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

// {report, verdict, error}
async function checkStrategy(original, folder, target, strategy, context) {
  const output = path.join(folder, `${target}-${strategy}`, path.basename(original));
  try {
    const report = await compileModel(context.inlay, original, output, ['-t', target, '--layout-strategy', strategy]);
    const unconverted = target === 'nhwc' ? notNhwc(onnx.readFile(output)) : [];
    if (unconverted.length) return { report, verdict: `${unconverted.length} not converted, first: ${unconverted[0]}` };
    if (context.table) return { report };
    return { report, ...await judge(context.worker, original, output, context.tolerance ?? limitFor(report)) };
  } catch (error) {
    return { verdict: error.message };
  } finally {
    fs.rmSync(path.dirname(output), { recursive: true, force: true });
  }
}

async function checkTarget(original, folder, target, context) {
  const row = { ...describeModel(original), compiled: {} };
  try {
    row.explained = await askInlay(context.inlay, ['explain', original, '-t', target]);
  } catch (error) {
    row.failure = error.message;
  }
  const strategies = context.table ? ['optimal'] : context.strategies;
  for (const strategy of strategies)
    row.compiled[strategy] = await checkStrategy(original, folder, target, strategy, context);
  return row;
}

//===----------------------------------------------------------------------===//
// What was found
//===----------------------------------------------------------------------===//

// Reasons why a row fails.
function faultsOf(row) {
  const faults = row.failure ? [row.failure] : [];
  for (const [strategy, { verdict }] of Object.entries(row.compiled ?? {}))
    if (verdict !== undefined && verdict !== 'equal') faults.push(`${strategy}: ${verdict}`);
  for (const other of dearerThan(row)) faults.push(`optimal costs more than ${other}`);
  if (isCrowded(row)) faults.push(`${relayoutsOf(row)} relayouts for ${row.ends} inputs and outputs`);
  return faults;
}

function dearerThan({ explained }) {
  const table = explained?.strategies ?? {}, { bytes } = table.optimal ?? {};
  return Object.keys(table).filter(name => table[name].bytes_cancelled < bytes || table[name].bytes < bytes);
}

const relayoutsOf = ({ compiled }) => compiled?.optimal?.report?.ledger.out.transposes;
const isCrowded = row => row.target === 'nhwc' && row.isConvolutional && relayoutsOf(row) > row.ends;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

const cost = (count, bytes) => `${count ?? '-'}/${megabytes(bytes)}`;

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
  const { explained, compiled = {} } = row, report = compiled.optimal?.report, verdicts = Object.values(compiled);
  const end = name => report ? cost(report.ledger[name].transposes, report.ledger[name].bytes) : '-';
  const cells = allStrategies.map(name => strategyCell(explained?.strategies?.[name])).join(' |');
  const seconds = report ? `${(report.layout_seconds * 1e3).toFixed(1)} ms` : '-';
  const equal = verdicts.filter(({ verdict }) => verdict === 'equal').length;
  const ran = verdicts.filter(({ verdict }) => verdict !== undefined).length;
  const worst = Math.max(0, ...verdicts.map(({ error }) => error ?? 0));
  console.log(`${row.name.padEnd(29)} ${(row.target ?? '').padEnd(6)} ${end('in').padStart(11)} |${cells} |` +
              `${end('out').padStart(11)} ${(report?.proved ? 'yes' : 'no').padEnd(6)} ${seconds.padStart(8)} ` +
              `${ran ? `${equal} of ${ran} equal, error ${worst.toExponential(1)}` : 'not run'}`);
}

function printProofs(target, reports) {
  const proved = reports.filter(report => report.proved).length;
  const times = reports.map(report => report.layout_seconds).sort((a, b) => a - b);
  const [median, longest] = [times[times.length >> 1], times.at(-1)].map(seconds => (seconds ?? 0).toFixed(3));
  console.log(`${target}: proved ${proved} of ${reports.length}; layouts took at most ${longest} s, median ${median}`);
}

function printTotals(rows, { targets }) {
  for (const target of targets)
    printProofs(target, rows.filter(row => row.target === target).map(({ compiled }) => compiled.optimal?.report)
        .filter(Boolean));
  const explained = rows.filter(row => row.explained), cheapest = explained.filter(row => dearerThan(row).length === 0);
  console.log(`optimal costs no more than the others in ${cheapest.length} of ${explained.length} rows`);
  const convolutional = rows.filter(row => row.target === 'nhwc' && row.isConvolutional).length;
  const crowded = rows.filter(isCrowded).map(({ name }) => name).join(', ') || 'none';
  console.log(`nhwc, convolutional: ${convolutional}; more than one relayout per input and output in: ${crowded}`);
}

checkFolder({ usage, parse, checkTarget, faultsOf, printHeader, printRow, printTotals })
  .then(code => { process.exitCode = code; });
