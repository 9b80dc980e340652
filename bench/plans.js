#!/usr/bin/env node
//===- plans.js - What plans move, prove and take, by target --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every model of a folder for every target: bytes that the model's own
// transposes move, bytes moved by what `inlay compile` writes (with --before
// also what another inlay's does), whether that is proved least or how far it may be
// from that, in the target's costs, and seconds for layouts. The limits: nowhere
// more bytes than before; proved within 5 s each for all models of a target but --unproved.
//
//   plans.js --inlay BIN [--before BIN] [--models DIR] [--only A,B]
//            [--targets A,B] [--unproved N]
//
//===----------------------------------------------------------------------===//

'use strict';

const { parseArgs } = require('node:util');
const table = require('./table');

const { prepareModel } = table.oracle('models');

const usage = `usage: plans.js --inlay BIN [options]

  --before BIN   another inlay to compare with
  --models DIR   a folder of models (default: the bundled ones)
  --only A,B     these models only
  --targets A,B  these targets (default: none,nhwc,opu,ascend,ort)
  --unproved N   how many models of a target need not be proved (default: 2)`;

const longest = 5;

function parse() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: { inlay: text, before: text, models: text, only: text, targets: text, unproved: text },
  });
  if (!values.inlay) throw new Error('--inlay is required');
  const { targets = 'none,nhwc,opu,ascend,ort', unproved = '2', ...others } = values;
  return { models: table.bundledModels, ...others, targets: targets.split(','), unproved: Number(unproved) };
}

async function planOf(inlay, model, folder, target) {
  const flags = ['-t', target, '--format', 'json'];
  const report = JSON.parse(await table.compile(inlay, model, table.fileIn(folder, target), flags));
  return {
    given: report.ledger.in.bytes, bytes: report.ledger.out.bytes, seconds: report.layout_seconds,
    isProved: report.proved, gap: report.best_bytes - report.bound_bytes,
  };
}

async function measureModel(row, folder, { models, inlay, before, targets }) {
  const model = await prepareModel(models, row.name, folder);
  row.plans = [];
  for (const target of targets) {
    const plan = { target, ...await planOf(inlay, model, folder, target) };
    if (before) plan.before = (await planOf(before, model, folder, target)).bytes;
    row.plans.push(plan);
  }
}

const isMore = ({ before, bytes }) => before !== undefined && bytes > before;
const isSlow = ({ seconds }) => seconds > longest;

function printLine(name, cells, note = '') {
  console.log(`${name.padEnd(30)}${cells.map(cell => String(cell).padStart(12)).join(' ')}${note && `  ${note}`}`);
}

function noteOf(plan) {
  const notes = [plan.isProved ? 'proved' : `at most ${plan.gap} from the least`];
  if (isMore(plan)) notes.push('MORE than before');
  if (isSlow(plan)) notes.push('SLOW');
  return notes.join(', ');
}

function printRow({ name, plans, failure }) {
  if (failure) return printLine(name, [], `FAILED: ${failure}`);
  for (const plan of plans)
    printLine(name, [plan.target, plan.given, plan.before ?? '-', plan.bytes, plan.seconds.toFixed(2)], noteOf(plan));
}

// One line per target; whether its limits hold.
function reportTarget(target, rows, unproved) {
  const plans = rows.flatMap(row => row.plans).filter(plan => plan.target === target);
  const proved = plans.filter(plan => plan.isProved && !isSlow(plan)).length, more = plans.filter(isMore).length;
  console.log(`${target}: ${proved} of ${plans.length} proved within ${longest} s (limit ${plans.length - unproved}); ` +
              `more bytes than before: ${more} (limit 0)`);
  return proved >= plans.length - unproved && !more;
}

// The exit code.
function report(rows, { targets, unproved }) {
  const measured = rows.filter(row => !row.failure), failed = rows.length - measured.length;
  const good = targets.map(target => reportTarget(target, measured, unproved));
  console.log(`${measured.length} models, ${failed} failed`);
  return failed || !rows.length || good.includes(false) ? 1 : 0;
}

const printHeader = () => printLine('bytes moved', ['target', 'model', 'before', 'compiled', 'seconds']);

table.printTable({ usage, parse, printHeader, measureModel, printRow, report }).then(code => { process.exitCode = code; });
