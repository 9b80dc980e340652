#!/usr/bin/env node
//===- arena.js - How much memory plans of buffers need -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every model of a folder, with kernels: the arena that its intermediate
// tensors are planned into, and the most bytes that one step needs, which no
// arena is below. Unknown extents are fixed as the oracle does it. Fails where
// an arena is more than 5 % above that.
//
//===----------------------------------------------------------------------===//

'use strict';

const { parseArgs } = require('node:util');
const table = require('./table');

const { prepareModel } = table.oracle('models');
const { symbolicExtents } = table.oracle('inputs');
const { execute } = table.oracle('pool');
const onnx = table.oracle('onnx');

const usage = `usage: arena.js --inlay BIN [options]

  --models DIR   a folder of models (default: the bundled ones)
  --only A,B     these models only
  -t TARGET      what to compile for (default: none)`;

const limit = 1.05;

function parse() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { inlay: text, models: text, only: text, target: { ...text, short: 't' } } });
  if (!values.inlay) throw new Error('--inlay is required');
  return { models: table.bundledModels, target: 'none', ...values };
}

async function measureModel(row, folder, { models, inlay, target }) {
  const model = await prepareModel(models, row.name, folder), compiled = table.fileIn(folder, 'kernels');
  const dims = Object.entries(symbolicExtents(onnx.readFile(model))).flatMap(([name, extent]) => ['--dim', `${name}=${extent}`]);
  await table.compile(inlay, model, compiled, ['-t', target, '--rewrite', 'on', '--graph-kernels', 'on', ...dims]);
  const { code, stdout, stderr } = await execute(inlay, ['inspect', compiled, '--format', 'json'], { timeout: 600 });
  if (code !== 0) throw new Error(`inlay inspect: exit code ${code}: ${stderr.trim().split('\n', 1)[0]}`);
  row.plan = JSON.parse(stdout);
  if (row.plan.arena_bytes === undefined) throw new Error('inlay inspect reports no arena');
}

const ratioOf = ({ arena_bytes: arena, arena_bound_bytes: bound }) => bound ? arena / bound : 1;

function printLine(name, cells, note = '') {
  console.log(`${name.padEnd(30)}${cells.map(cell => String(cell).padStart(12)).join(' ')}${note && `  ${note}`}`);
}

function printRow({ name, plan, failure }) {
  if (failure) return printLine(name, [], `FAILED: ${failure}`);
  const cells = [plan.arena_bytes, plan.arena_bound_bytes, ratioOf(plan).toFixed(3), plan.arena_tensors, plan.arena_views,
    plan.arena_in_place, plan.heap_tensors];
  printLine(name, cells, ratioOf(plan) === 1 ? 'the least' : ratioOf(plan) > limit ? 'TOO LARGE' : '');
}

// The exit code.
function report(rows) {
  const planned = rows.filter(row => !row.failure), ratios = planned.map(({ plan }) => ratioOf(plan));
  const failed = rows.length - planned.length, large = ratios.filter(ratio => ratio > limit).length;
  console.log(`${planned.length} models: ${ratios.filter(ratio => ratio === 1).length} the least; ` +
              `more than ${limit} of the bound: ${large} (limit 0); ${failed} failed`);
  return failed || large || !rows.length ? 1 : 0;
}

const printHeader = () => printLine('bytes', ['arena', 'bound', 'ratio', 'tensors', 'views', 'in place', 'on heap']);

table.printTable({ usage, parse, printHeader, measureModel, printRow, report }).then(code => { process.exitCode = code; });
