#!/usr/bin/env node
//===- threads.js - Two threads beside two processes ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What two threads make of two cores: runs of a model in a second on two
// threads, over those of two processes of one thread each that run side by side
// and share the caches and the memory as threads do. By turns, medians. Fails
// below 0.93.
//
//   threads.js --inlay BIN [--models DIR] [--only A,B] [--rounds N]
//
//===----------------------------------------------------------------------===//

'use strict';

const { parseArgs } = require('node:util');
const table = require('./table');
const { prepareModel } = table.oracle('models');
const { execute } = table.oracle('pool');

const usage = `usage: threads.js --inlay BIN [options]

  --models DIR  a folder of models (default: the bundled ones)
  --only A,B    these models only
  --rounds N    turns of each (default 3)`;

const least = 0.93;

function parse() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { inlay: text, models: text, only: text, rounds: { ...text, default: '3' } } });
  if (!values.inlay) throw new Error('--inlay is required');
  const rounds = Number(values.rounds);
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds: a positive integer is required');
  return { models: table.bundledModels, ...values, rounds };
}

const medianOf = values => [...values].sort((a, b) => a - b)[values.length >> 1];

// The median of the runs of one process, in milliseconds.
async function timeProcess(model, threads, numRuns, { inlay }) {
  const args = ['bench', model, '--threads', String(threads), '--rounds', String(numRuns), '--format', 'json'];
  const { code, stdout, stderr } = await execute(inlay, args, { timeout: 600 });
  if (code !== 0) throw new Error(`inlay: exit code ${code}: ${stderr.trim().split('\n', 1)[0]}`);
  return JSON.parse(stdout).latency[0].latency_ms.median;
}

// Enough runs for most of them to have the other process beside them.
const countRuns = time => Math.max(10, Math.ceil(2000 / time));

async function measureModel(row, folder, context) {
  const model = await prepareModel(context.models, row.name, folder);
  const numRuns = countRuns(await timeProcess(model, 1, 3, context));
  const rounds = [];
  for (let i = 0; i < context.rounds; ++i) {
    const threads = await timeProcess(model, 2, numRuns, context);
    const processes = await Promise.all([1, 2].map(() => timeProcess(model, 1, numRuns, context)));
    rounds.push({ threads, processes: (processes[0] + processes[1]) / 2 });
  }
  row.threads = medianOf(rounds.map(({ threads }) => threads));
  row.processes = medianOf(rounds.map(({ processes }) => processes));
  row.ratio = medianOf(rounds.map(({ threads, processes }) => processes / (2 * threads)));
}

function printLine(name, cells, note = '') {
  console.log(`${name.padEnd(30)}${cells.map(cell => String(cell).padStart(16)).join(' |')}${note && `  ${note}`}`);
}

function printRow(row) {
  if (row.failure) return printLine(row.name, ['-', '-', '-'], `FAILED: ${row.failure}`);
  printLine(row.name, [row.threads.toFixed(2), row.processes.toFixed(2), row.ratio.toFixed(3)], row.ratio < least ? 'MISSED' : '');
}

// The exit code.
function report(rows) {
  const measured = rows.filter(row => !row.failure), failed = rows.length - measured.length;
  const below = measured.filter(({ ratio }) => ratio < least).length;
  console.log(`${measured.length} models: ${below} below ${least}; ${failed} failed`);
  return below || failed || !rows.length ? 1 : 0;
}

const printHeader = () => printLine('medians', ['2 threads ms', '1 of 2 beside ms', 'threads/processes']);

table.printTable({ usage, parse, printHeader, measureModel, printRow, report }).then(code => { process.exitCode = code; });
