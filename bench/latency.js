#!/usr/bin/env node
//===- latency.js - What ONNX Runtime takes for compiled models -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every model of a folder, as it is, once more as a control, and as
// `inlay compile` writes it, in ONNX Runtime with all of its optimisations and
// one thread. The three run by turns in one process, each round in another
// order, on random inputs. A round gives a ratio of times; the table has the
// median of those with its 95 % interval. The limits: no model whose interval
// lies above 1.02, and a geometric mean of the medians of at most 1.
//
//   latency.js --inlay BIN [--models DIR] [--only A,B] [--seconds S] [-- FLAG...]
//
// Flags behind `--` go to `inlay compile`.
//
//===----------------------------------------------------------------------===//

'use strict';

const { parseArgs } = require('node:util');
const table = require('./table');

const { createSession, makeInputs, toFeeds, timeRun } = require('./runtime');
const { prepareModel } = table.oracle('models');

const usage = `usage: latency.js --inlay BIN [options] [-- FLAG...]

  --models DIR  a folder of models (default: the bundled ones)
  --only A,B    these models only
  --seconds S   for each model, but at least 15 rounds (default 20)
  --limit X     of the geometric mean (default 1)
  -- FLAG...    for inlay compile`;

const leastRounds = 15, limitOfEach = 1.02;

function parse() {
  const text = { type: 'string' };
  const { values, positionals } = parseArgs({
    options: { inlay: text, models: text, only: text, seconds: { ...text, default: '20' }, limit: { ...text, default: '1' } },
    allowPositionals: true,
  });
  if (!values.inlay) throw new Error('--inlay is required');
  const numbers = { seconds: Number(values.seconds), limit: Number(values.limit) };
  for (const [name, value] of Object.entries(numbers))
    if (!(value > 0)) throw new Error(`--${name}: a positive number is required`);
  return { models: table.bundledModels, ...values, ...numbers, flags: positionals };
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

// The median of `values` and a 95 % interval of it, from their ranks: it
// supposes nothing of how they are distributed.
function medianOf(values) {
  const sorted = [...values].sort((a, b) => a - b), count = sorted.length;
  const at = rank => sorted[Math.min(count - 1, Math.max(0, rank))];
  const half = 0.98 * Math.sqrt(count);
  return {
    middle: (at(Math.floor((count - 1) / 2)) + at(Math.ceil((count - 1) / 2))) / 2,
    low: at(Math.floor(count / 2 - half)),
    high: at(Math.ceil(count / 2 + half)),
  };
}

//===----------------------------------------------------------------------===//
// One model
//===----------------------------------------------------------------------===//

// Milliseconds of each session in each round, all in an order that changes.
async function timeRounds(sessions, feeds, seconds) {
  const rounds = [], names = Object.keys(sessions), end = Date.now() + 1000 * seconds;
  for (const name of names) await timeRun(sessions[name], feeds);
  while (rounds.length < leastRounds || Date.now() < end) {
    const round = {}, first = rounds.length % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) round[name] = await timeRun(sessions[name], feeds);
    rounds.push(round);
  }
  return rounds;
}

async function measureModel(row, folder, context) {
  const model = await prepareModel(context.models, row.name, folder);
  const compiled = table.fileIn(folder, 'compiled');
  await table.compile(context.inlay, model, compiled, context.flags);
  const sessions = {};
  for (const [name, file] of Object.entries({ original: model, control: model, compiled }))
    sessions[name] = await createSession(file);
  const rounds = await timeRounds(sessions, toFeeds(makeInputs(model)), context.seconds);
  for (const session of Object.values(sessions)) await session.release();
  row.rounds = rounds.length;
  row.original = medianOf(rounds.map(({ original }) => original)).middle;
  row.control = medianOf(rounds.map(({ control, original }) => control / original));
  row.compiled = medianOf(rounds.map(({ compiled: time, original }) => time / original));
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

const isAbove = ({ compiled }) => compiled.low > limitOfEach;

function printLine(name, cells, note = '') {
  console.log(`${name.padEnd(30)}${cells.map(cell => String(cell).padStart(22)).join(' |')}${note && `  ${note}`}`);
}

const ratioText = ({ middle, low, high }) => `${middle.toFixed(3)} (${low.toFixed(3)}..${high.toFixed(3)})`;

function printRow(row) {
  if (row.failure) return printLine(row.name, ['-', '-', '-', '-'], `FAILED: ${row.failure}`);
  printLine(row.name, [row.rounds, row.original.toFixed(2), ratioText(row.control), ratioText(row.compiled)],
            isAbove(row) ? 'SLOWER' : '');
}

// The exit code.
function report(rows, { limit }) {
  const measured = rows.filter(row => !row.failure), failed = rows.length - measured.length;
  if (!measured.length) return 1;
  const above = measured.filter(isAbove).length, mean = table.meanOf(measured.map(({ compiled }) => compiled.middle));
  console.log(`${measured.length} models: ${above} slower (limit 0); geometric mean ${mean.toFixed(4)} (limit ${limit}), ` +
              `of the controls ${table.meanOf(measured.map(({ control }) => control.middle)).toFixed(4)}; ${failed} failed`);
  return above || failed || mean > limit ? 1 : 0;
}

const printHeader = () => printLine('ratios of times', ['rounds', 'milliseconds', 'control', 'compiled']);

table.printTable({ usage, parse, printHeader, measureModel, printRow, report }).then(code => { process.exitCode = code; });
