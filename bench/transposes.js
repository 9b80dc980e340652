#!/usr/bin/env node
//===- transposes.js - Transposes left by us and by ONNX Runtime ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every model of test/oracle/situations: what `inlay compile -t none` leaves
// beside ONNX Runtime's own graph at levels basic and all, counted by the same
// rules (test/oracle/transposes.js). The limits: no more bytes on any model, no
// more transposes in total.
//
//   transposes.js --inlay BIN [--only TEXT] [--verbose]
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');

const oracle = name => require(path.join(__dirname, '..', 'test', 'oracle', name));
const { situations } = oracle('situations');
const { mapInParallel, execute } = oracle('pool');

const levels = ['basic', 'all'];
const columns = ['model', 'inlay', ...levels];

async function measureModel(item, { inlay, work, worker }) {
  const file = name => path.join(work, `${item.name}.${name}.onnx`), row = { name: item.name };
  fs.writeFileSync(file('model'), item.bytes);
  row.model = await worker.run('transposes', [file('model'), item.feeds]);
  const { code, stderr } = await execute(inlay, ['compile', file('model'), '-t', 'none', '-o', file('inlay')]);
  if (code !== 0) return { ...row, failure: `inlay: exit code ${code}: ${stderr.trim().split('\n', 1)[0]}` };
  for (const level of levels) await worker.run('optimise', [file('model'), file(level), level]);
  for (const name of ['inlay', ...levels]) row[name] = await worker.run('transposes', [file(name), item.feeds]);
  return row;
}

async function tryModel(item, context) {
  try {
    return await measureModel(item, context);
  } catch (error) {
    return { name: item.name, failure: error.message };
  }
}

const isWorse = row => levels.some(level => row.inlay.bytes > row[level].bytes);
const isBetter = row => levels.some(level => row.inlay.bytes < row[level].bytes);

function printLine(name, cells, note = '') {
  const text = cells.map(({ transposes, bytes }) => `${transposes} / ${bytes}`.padStart(16)).join(' |');
  console.log(`${name.padEnd(46)}${text}${note}`);
}

function sumOf(rows, name) {
  const add = field => rows.reduce((sum, row) => sum + row[name][field], 0);
  return { transposes: add('transposes'), bytes: add('bytes') };
}

function report(rows, verbose) {
  const measured = rows.filter(row => !row.failure), failed = rows.filter(row => row.failure);
  const titles = ['in the model', 'inlay', ...levels.map(level => `runtime, ${level}`)];
  console.log(`${'transposes / bytes'.padEnd(46)}${titles.map(title => title.padStart(16)).join(' |')}`);
  for (const row of measured)
    if (verbose || isWorse(row) || isBetter(row))
      printLine(row.name, columns.map(name => row[name]), isWorse(row) ? '  MISSED' : '');
  for (const { name, failure } of failed) console.log(`${name.padEnd(46)} FAILED: ${failure}`);
  const totals = columns.map(name => sumOf(measured, name)), [, ours, ...theirs] = totals;
  printLine(`total of ${measured.length} models`, totals);
  const worse = measured.filter(isWorse).length, better = measured.filter(isBetter).length;
  const fewest = theirs.every(({ transposes }) => ours.transposes <= transposes);
  console.log(`fewer bytes than ONNX Runtime on ${better} models, more on ${worse}, equal on the rest; ` +
              `${fewest ? 'no more' : 'MORE'} transposes in total; ${failed.length} failed`);
  return worse || failed.length || !fewest ? 1 : 0;
}

async function main() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { inlay: text, only: text, verbose: { type: 'boolean' } } });
  if (!values.inlay) {
    console.error('usage: transposes.js --inlay BIN [--only TEXT] [--verbose]');
    return 2;
  }
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-transposes-'));
  const chosen = situations.filter(({ name, refused }) => !refused && name.includes(values.only ?? ''));
  const rows = await mapInParallel(chosen, 2, (item, worker) => tryModel(item, { ...values, work, worker }));
  fs.rmSync(work, { recursive: true });
  return report(rows, values.verbose);
}

main().then(code => { process.exitCode = code; });
