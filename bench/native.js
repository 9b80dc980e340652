#!/usr/bin/env node
//===- native.js - Machine code beside ONNX Runtime -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every model of a folder in ONNX Runtime with all of its optimisations and as
// `inlay bench` runs it, by turns, with a pause between them, because workers of
// ONNX Runtime spin on; and ONNX Runtime once more, as a control. Each turn gives
// the median of its runs, and both of a round a ratio: ONNX Runtime's time over
// ours, so that more than 1 is faster. The table has the medians of the rounds,
// how long compiling took, with nothing in the cache, and by how much of its
// range an output is off, against the reference, which computes each operator in
// double. Where convolutions are computed by Winograd's tiles that is 5e-6 at
// most, unless it is more without them, too, as behind quantisers, where the
// last bit of a sum may be a step.
//
//   native.js --inlay BIN [--models DIR] [--only A,B] [--threads N] [--rounds N]
//
//===----------------------------------------------------------------------===//

'use strict';

const { parseArgs } = require('node:util');
const { setTimeout: pause } = require('node:timers/promises');
const table = require('./table');
const { createSession, makeInputs, toFeeds, timeRun } = require('./runtime');
const { prepareModel } = table.oracle('models');
const { writeInputs } = table.oracle('executor');
const { execute } = table.oracle('pool');

const usage = `usage: native.js --inlay BIN [options]

  --models DIR  a folder of models (default: the bundled ones)
  --only A,B    these models only
  --threads N   for both (default 1)
  --rounds N    turns of each (default 3)`;

const milliseconds = 700, restBetween = 100, maxTileError = 5e-6;

function parse() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: { inlay: text, models: text, only: text, threads: { ...text, default: '1' }, rounds: { ...text, default: '3' } },
  });
  if (!values.inlay) throw new Error('--inlay is required');
  const numbers = { threads: Number(values.threads), rounds: Number(values.rounds) };
  for (const [name, value] of Object.entries(numbers))
    if (!(Number.isInteger(value) && value > 0)) throw new Error(`--${name}: a positive integer is required`);
  return { models: table.bundledModels, ...values, ...numbers };
}

const medianOf = values => [...values].sort((a, b) => a - b)[values.length >> 1];

async function timeRuntime(session, feeds) {
  const times = [], end = Date.now() + milliseconds;
  await timeRun(session, feeds);
  while (times.length < 3 || Date.now() < end) times.push(await timeRun(session, feeds));
  return medianOf(times);
}

// What a command of ours printed; `codes` are those that are no error.
async function runInlay(inlay, args, codes) {
  const { code, stdout, stderr } = await execute(inlay, [...args, '--format', 'json'], { timeout: 600 });
  if (!codes.includes(code)) throw new Error(`inlay: exit code ${code}: ${stderr.trim().split('\n', 1)[0]}`);
  return JSON.parse(stdout);
}

const inputFlags = inputs => inputs.flatMap(input => ['--input', input]);

async function timeNative(model, inputs, { inlay, threads }) {
  const args = ['bench', model, '--threads', String(threads), '--cache', 'off', ...inputFlags(inputs)];
  const report = await runInlay(inlay, args, [0]);
  return {
    time: report.latency[0].latency_ms.median, fallbacks: report.evaluated_steps,
    compiling: report.compile.reduce((sum, { seconds }) => sum + seconds, 0),
  };
}

// The largest error of an output relative to its range.
async function compare(model, inputs, flags, { inlay }) {
  const { outputs } = await runInlay(inlay, ['compare', model, '--native', ...flags, ...inputFlags(inputs)], [0, 1]);
  return Math.max(0, ...outputs.map(output => output.relative_error ?? 0));
}

// That, whether there are tiles, and the error without them where it is large.
async function measureError(model, inputs, context) {
  const args = ['bench', model, '--rounds', '1', '--profile', ...inputFlags(inputs)];
  const { profile } = await runInlay(context.inlay, args, [0]);
  const error = await compare(model, inputs, [], context), isLarge = !(error <= maxTileError);
  return {
    error, hasTiles: profile.some(({ template }) => template?.startsWith('winograd')),
    withoutTiles: isLarge ? await compare(model, inputs, ['--winograd', 'off'], context) : 0,
  };
}

async function measureModel(row, folder, context) {
  const model = await prepareModel(context.models, row.name, folder), tensors = makeInputs(model);
  const inputs = writeInputs(folder, tensors), feeds = toFeeds(tensors), session = await createSession(model, context.threads);
  const rounds = [];
  for (let i = 0; i < context.rounds; ++i) {
    const original = await timeRuntime(session, feeds);
    await pause(restBetween);
    const native = await timeNative(model, inputs, context);
    await pause(restBetween);
    rounds.push({ original, native, control: await timeRuntime(session, feeds) });
  }
  await session.release();
  row.original = medianOf(rounds.map(({ original }) => original));
  row.native = medianOf(rounds.map(({ native }) => native.time));
  row.ratio = medianOf(rounds.map(({ original, native }) => original / native.time));
  row.control = medianOf(rounds.map(({ original, control }) => original / control));
  row.compiling = medianOf(rounds.map(({ native }) => native.compiling));
  row.fallbacks = rounds[0].native.fallbacks;
  Object.assign(row, await measureError(model, inputs, context));
}

const isLarge = ({ error, hasTiles }) => hasTiles && !(error <= maxTileError);
const isOff = row => isLarge(row) && row.withoutTiles <= maxTileError;

function noteOf(row) {
  if (isOff(row)) return `tiles: MISSED, more than ${maxTileError}`;
  return isLarge(row) ? `tiles; ${row.withoutTiles.toExponential(1)} without them` : row.hasTiles ? 'tiles' : '';
}

function printLine(name, cells, note = '') {
  console.log(`${name.padEnd(30)}${cells.map(cell => String(cell).padStart(12)).join(' |')}${note && `  ${note}`}`);
}

function printRow(row) {
  if (row.failure) return printLine(row.name, Array(7).fill('-'), `FAILED: ${row.failure}`);
  printLine(row.name, [row.original.toFixed(2), row.native.toFixed(2), row.ratio.toFixed(3), row.control.toFixed(3),
                       row.compiling.toFixed(2), row.fallbacks, row.error.toExponential(1)],
            noteOf(row));
}

// The exit code.
function report(rows) {
  const measured = rows.filter(row => !row.failure), failed = rows.length - measured.length;
  if (!measured.length) return 1;
  const mean = key => table.meanOf(measured.map(row => row[key])).toFixed(3);
  console.log(`${measured.length} models: geometric mean ${mean('ratio')}, of the controls ${mean('control')}; ` +
              `lowest ${Math.min(...measured.map(({ ratio }) => ratio)).toFixed(3)}; ${failed} failed`);
  const off = measured.filter(isOff).length, tiled = measured.filter(row => row.hasTiles && (isOff(row) || !isLarge(row)));
  if (tiled.length)
    console.log(`${tiled.length} models with tiles (but for those that are off without them): largest error ${Math.max(...tiled.map(({ error }) => error)).toExponential(1)} ` +
                `(limit ${maxTileError}); ${off} beyond it`);
  return failed || off ? 1 : 0;
}

const printHeader = () => printLine('medians', ['ORT ms', 'ours ms', 'ORT/ours', 'control', 'compile s', 'fallbacks', 'error']);

table.printTable({ usage, parse, printHeader, measureModel, printRow, report }).then(code => { process.exitCode = code; });
