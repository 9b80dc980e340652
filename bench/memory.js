#!/usr/bin/env node
//===- memory.js - The memory that a model takes --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The most memory that a process has had resident (VmHWM): a program in C that
// runs a library of the model, beside node that runs it in ONNX Runtime. From
// each is taken what the same program takes for a model of one operator. A
// library's weights are mapped: what it reads of them counts.
//
//   memory.js --inlay BIN --runner PROGRAM [--models DIR] [--only A,B] [--threads N]
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const table = require('./table');
const { makeInputs } = require('./runtime');
const onnx = table.oracle('onnx');
const { prepareModel } = table.oracle('models');
const { runExecutor, writeInputs } = table.oracle('executor');
const { execute } = table.oracle('pool');
const { compileLibrary, runLibrary } = table.oracle('runner');

const usage = `usage: memory.js --inlay BIN --runner PROGRAM [options]

  --models DIR  a folder of models (default: the bundled ones)
  --only A,B    these models only
  --threads N   for both (default 1)`;

function parse() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: { inlay: text, runner: text, models: text, only: text, threads: { ...text, default: '1' } },
  });
  for (const name of ['inlay', 'runner'])
    if (!values[name]) throw new Error(`--${name} is required`);
  return { models: table.bundledModels, ...values, threads: Number(values.threads) };
}

// What a process does that runs a model in ONNX Runtime.
async function runInRuntime() {
  const { createSession, toFeeds } = require('./runtime');
  const [model, threads] = process.argv.slice(3), session = await createSession(model, Number(threads));
  await session.run(toFeeds(makeInputs(model)));
  console.log(/VmHWM:\s*(\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]);
}

async function measureRuntime(model, { threads }) {
  const { code, stdout, stderr } = await execute(process.execPath, [__filename, '--in-runtime', model, String(threads)]);
  if (code !== 0) throw new Error(`ONNX Runtime: exit code ${code}: ${stderr.trim().split('\n', 1)[0]}`);
  return Number(stdout);
}

async function measureLibrary(model, folder, context) {
  const feeds = makeInputs(model), library = path.join(folder, 'library', 'model.so');
  await compileLibrary(model, feeds, library, context);
  const { code, stderr, outputs } = await runExecutor(context.inlay, model, writeInputs(folder, feeds), folder, ['--native']);
  if (code !== 0) throw new Error(`inlay run: exit code ${code}: ${stderr.trim()}`);
  return (await runLibrary(library, feeds, outputs, context)).report.peak_kb;
}

// A model of one operator.
function smallest(folder) {
  const file = path.join(folder, 'smallest.onnx');
  fs.writeFileSync(file, onnx.model({ opset: 17, inputs: [['x', 'float', [1]]], outputs: [['y', 'float', [1]]],
                                      nodes: [{ op: 'Relu', inputs: ['x'], outputs: ['y'] }] }));
  return file;
}

async function measureModel(row, folder, context) {
  const model = await prepareModel(context.models, row.name, folder), base = smallest(folder);
  row.ours = await measureLibrary(model, folder, context) - await measureLibrary(base, folder, context);
  row.runtime = await measureRuntime(model, context) - await measureRuntime(base, context);
  row.ratio = row.runtime / row.ours;
}

const megabytes = kilobytes => (kilobytes * 1024 / 1e6).toFixed(1);

function printLine(name, cells, note = '') {
  console.log(`${name.padEnd(30)}${cells.map(cell => String(cell).padStart(12)).join(' |')}${note && `  ${note}`}`);
}

function printRow(row) {
  if (row.failure) return printLine(row.name, ['-', '-', '-'], `FAILED: ${row.failure}`);
  printLine(row.name, [megabytes(row.runtime), megabytes(row.ours), row.ratio.toFixed(2)]);
}

// The exit code.
function report(rows) {
  const measured = rows.filter(row => !row.failure), failed = rows.length - measured.length;
  if (!measured.length) return 1;
  console.log(`${measured.length} models: geometric mean ${table.meanOf(measured.map(({ ratio }) => ratio)).toFixed(2)}; ${failed} failed`);
  return failed ? 1 : 0;
}

const printHeader = () => printLine('memory in MB', ['ORT', 'ours', 'ORT/ours']);

const main = () => process.argv[2] === '--in-runtime' ? runInRuntime()
  : table.printTable({ usage, parse, printHeader, measureModel, printRow, report });
main().then(code => { process.exitCode = code ?? 0; });
