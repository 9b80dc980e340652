#!/usr/bin/env node
//===- nodes.js - Nodes left by us and by ONNX Runtime's basic level ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every model of a folder, its dimensions as they are: nodes in the file, in
// what `inlay compile` leaves without and with `--rewrite on`, and in ONNX
// Runtime's own graph at level basic. Every node counts, those of subgraphs and
// Constant nodes too; a call of a model-local function counts as its nodes. The
// limit: with rewriting at most as many as ONNX Runtime. Where there are more
// without, the rewrites that make up for it are named.
//
//   nodes.js --inlay BIN [--models DIR] [--only A,B] [--kinds]
//
//===----------------------------------------------------------------------===//

'use strict';

const { parseArgs } = require('node:util');
const table = require('./table');

const onnx = table.oracle('onnx');
const { prepareModel } = table.oracle('models');

const usage = `usage: nodes.js --inlay BIN [options]

  --models DIR  a folder of models (default: the bundled ones)
  --only A,B    these models only
  --kinds       also print which operators there are more or fewer of`;

function parse() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { inlay: text, models: text, only: text, kinds: { type: 'boolean' } } });
  if (!values.inlay) throw new Error('--inlay is required');
  return { models: table.bundledModels, ...values };
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

const subgraphs = node => node.attribute.flatMap(({ g, graphs }) => g ? [g, ...graphs] : graphs);
const keyOf = (domain, name) => `${domain || ''}::${name}`;

// Nodes by operator: a Map from names.
function countKinds(proto) {
  const bodies = new Map((proto.functions ?? []).map(body => [keyOf(body.domain, body.name), body]));
  const kinds = new Map(), pending = [proto.graph];
  while (pending.length) {
    for (const node of pending.pop().node) {
      const body = bodies.get(keyOf(node.domain, node.opType));
      if (!body) kinds.set(node.opType, (kinds.get(node.opType) ?? 0) + 1);
      pending.push(...body ? [body] : [], ...subgraphs(node));
    }
  }
  return kinds;
}

const countNodes = kinds => [...kinds.values()].reduce((sum, count) => sum + count, 0);

//===----------------------------------------------------------------------===//
// One model
//===----------------------------------------------------------------------===//

// Kinds of the compiled model, and the report.
async function compile({ inlay }, model, output, flags) {
  const printed = await table.compile(inlay, model, output, ['-t', 'none', '--format', 'json', ...flags]);
  return { kinds: countKinds(onnx.readFile(output)), report: JSON.parse(printed) };
}

async function measureModel(row, folder, { worker, ...context }) {
  const model = await prepareModel(context.models, row.name, folder);
  row.before = countKinds(onnx.readFile(model));
  const runtime = table.fileIn(folder, 'runtime');
  await worker.run('optimise', [model, runtime, 'basic']);
  row.runtime = countKinds(onnx.readFile(runtime));
  row.plain = (await compile(context, model, table.fileIn(folder, 'plain'), [])).kinds;
  const { kinds, report } = await compile(context, model, table.fileIn(folder, 'rewritten'), ['--rewrite', 'on']);
  row.rewritten = kinds;
  row.rewrites = report.rewrites ?? {};
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

const isAbove = ({ rewritten, runtime }) => countNodes(rewritten) > countNodes(runtime);
const isPlainAbove = ({ plain, runtime }) => countNodes(plain) > countNodes(runtime);

const rewriteText = rewrites => Object.entries(rewrites).map(([name, { count }]) => `${name} ${count}`).join(', ');

function printLine(name, cells, note = '') {
  console.log(`${name.padEnd(30)}${cells.map(cell => String(cell).padStart(10)).join(' |')}${note && `  ${note}`}`);
}

function noteOf(row) {
  if (row.failure) return `FAILED: ${row.failure}`;
  if (isAbove(row)) return `MISSED by ${countNodes(row.rewritten) - countNodes(row.runtime)}`;
  return isPlainAbove(row) ? `made up for by ${rewriteText(row.rewrites)}` : '';
}

// Operators that `a` has more or fewer of than `b`.
function compareKinds(a, b) {
  const names = [...new Set([...a.keys(), ...b.keys()])].sort();
  const differences = names.map(name => [name, (a.get(name) ?? 0) - (b.get(name) ?? 0)]);
  return differences.filter(([, difference]) => difference).map(([name, difference]) =>
    `${name} ${difference > 0 ? '+' : ''}${difference}`).join(', ');
}

function printRow(row, { kinds }) {
  const { before, plain, rewritten, runtime } = row;
  printLine(row.name, [before, plain, rewritten, runtime].map(entry => entry ? countNodes(entry) : '-'), noteOf(row));
  if (!kinds || row.failure) return;
  console.log(`    without rewriting: ${compareKinds(plain, runtime)}`);
  console.log(`    with rewriting: ${compareKinds(rewritten, runtime)}`);
}

// The exit code.
function report(rows) {
  const measured = rows.filter(row => !row.failure), failed = rows.length - measured.length;
  const above = measured.filter(isAbove).length, plainAbove = measured.filter(isPlainAbove).length;
  console.log(`${measured.length} models: above ONNX Runtime's basic level with rewriting: ${above} (limit 0); ` +
              `without: ${plainAbove}; ${failed} failed`);
  return above || failed || !rows.length ? 1 : 0;
}

const printHeader = () => printLine('nodes', ['model', 'inlay', 'rewritten', 'ORT basic']);

table.printTable({ usage, parse, printHeader, measureModel, printRow, report }).then(code => { process.exitCode = code; });
