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
const onnx = require('./onnx');
const { parseFolder, chooseStrategies, compileModel, areSameBytes, functionsWith, limitFor, judge, megabytes,
  checkFolder } = require('./compiled');
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
  const values = parseFolder({ residual: text, target: { type: 'string', short: 't' }, strategies: text });
  const targets = (values.target ?? 'opu').split(',');
  return { ...values, targets, strategies: chooseStrategies(allStrategies, values.strategies) };
}

//===----------------------------------------------------------------------===//
// One model
//===----------------------------------------------------------------------===//

// What the report promises and the file must keep.
function faultOf(report, file) {
  const { found, idle } = functionsWith(onnx.readFile(file), 'inlay.group');
  if (found.length !== report.num_groups) return `${report.num_groups} groups reported, ${found.length} written`;
  if (idle) return `function ${idle.name} is not called`;
  const silent = report.unfused_edges.find(({ reason, code }) => !reason || !code);
  return silent && `no reason between '${silent.from}' and '${silent.to}'`;
}

async function checkStrategy(original, folder, target, strategy, context) {
  const output = path.join(folder, 'once', path.basename(original));
  const flags = ['-t', target, '--fusion-strategy', strategy];
  try {
    const report = await compileModel(context.inlay, original, output, flags);
    const isResidual = context.residual?.split(',').includes(path.basename(original, '.onnx'));
    const loose = isResidual ? looseNodes(onnx.readFile(original), report) : [];
    if (loose.length) return { report, verdict: `${loose.length} not in the group of their Conv, first: '${loose[0]}'` };
    const fault = faultOf(report, output);
    if (fault) return { report, verdict: fault };
    const again = path.join(folder, 'twice', path.basename(original));
    await compileModel(context.inlay, output, again, flags);
    if (!areSameBytes(output, again)) return { report, verdict: 'compiling twice changes the model' };
    if (context.table) return { report };
    return { report, ...await judge(context.worker, original, output, context.tolerance ?? limitFor(report)) };
  } catch (error) {
    return { verdict: error.message };
  } finally {
    for (const name of ['once', 'twice']) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

async function checkTarget(original, folder, target, context) {
  const strategies = {};
  for (const strategy of context.strategies)
    strategies[strategy] = await checkStrategy(original, folder, target, strategy, context);
  return { strategies };
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

const bytesOf = (row, strategy) => row.strategies?.[strategy]?.report?.border_bytes_after;

function faultsOf(row) {
  const faults = row.failure ? [row.failure] : [];
  for (const [strategy, { verdict }] of Object.entries(row.strategies ?? {}))
    if (verdict !== undefined && verdict !== 'equal') faults.push(`${strategy}: ${verdict}`);
  if (bytesOf(row, 'optimal') > bytesOf(row, 'greedy')) faults.push('optimal costs more than greedy');
  return faults;
}

function strategyCell(entry) {
  const report = entry?.report;
  if (!report) return '-'.padStart(33);
  const seconds = `${(report.fusion_seconds * 1e3).toFixed(0)} ms`;
  return `${String(report.num_groups).padStart(6)} ${String(report.ungrouped_ops).padStart(5)} ` +
         `${megabytes(report.border_bytes_after).padStart(10)} ${seconds.padStart(9)}`;
}

function printHeader({ strategies }) {
  console.log('groups, operators outside of them, megabytes that cross borders, and time, of each strategy');
  console.log(`${'model'.padEnd(29)} ${'target'.padEnd(8)} ${'before'.padStart(10)} |` +
              `${strategies.map(name => name.padStart(33)).join(' |')} | results`);
}

function printRow(row) {
  const entries = Object.values(row.strategies ?? {}), report = entries.find(entry => entry.report)?.report;
  const ran = entries.filter(({ error }) => error !== undefined);
  const worst = Math.max(0, ...ran.map(({ error }) => error)).toExponential(1);
  const results = ran.length ? `${ran.filter(({ verdict }) => verdict === 'equal').length} of ${ran.length} equal, error ${worst}`
                             : 'not run';
  console.log(`${row.name.padEnd(29)} ${(row.target ?? '').padEnd(8)} ` +
              `${megabytes(report?.border_bytes_before).padStart(10)} |` +
              `${entries.map(strategyCell).join(' |')} | ${results}`);
}

checkFolder({ usage, parse, checkTarget, faultsOf, printHeader, printRow }).then(code => { process.exitCode = code; });
