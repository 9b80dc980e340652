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

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');

const oracle = name => require(path.join(__dirname, '..', 'test', 'oracle', name));
const onnx = oracle('onnx');
const { listModels, prepareModel } = oracle('models');
const { mapInParallel, execute } = oracle('pool');

const usage = `usage: nodes.js --inlay BIN [options]

  --models DIR  a folder of models (default: the bundled ones)
  --only A,B    these models only
  --kinds       also print which operators there are more or fewer of`;

function parse() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { inlay: text, models: text, only: text, kinds: { type: 'boolean' } } });
  if (!values.inlay) throw new Error('--inlay is required');
  return { models: path.join(__dirname, '..', 'test', 'models'), ...values };
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

// Weights lie beside the model: each file has a folder of its own.
function fileIn(folder, name) {
  fs.mkdirSync(path.join(folder, name), { recursive: true });
  return path.join(folder, name, 'model.onnx');
}

// Kinds of the compiled model, and the report.
async function compile({ inlay }, model, output, flags) {
  const args = ['compile', model, '-o', output, '-t', 'none', '--verify', 'off', '--external-data', 'always',
                '--format', 'json', ...flags];
  const { code, stdout, stderr } = await execute(inlay, args, { timeout: 600 });
  if (code !== 0) throw new Error(`inlay: exit code ${code}: ${stderr.trim().split('\n', 1)[0]}`);
  return { kinds: countKinds(onnx.readFile(output)), report: JSON.parse(stdout) };
}

async function measureModel(row, folder, { worker, ...context }) {
  const model = await prepareModel(context.models, row.name, folder);
  row.before = countKinds(onnx.readFile(model));
  const runtime = fileIn(folder, 'runtime');
  await worker.run('optimise', [model, runtime, 'basic']);
  row.runtime = countKinds(onnx.readFile(runtime));
  row.plain = (await compile(context, model, fileIn(folder, 'plain'), [])).kinds;
  const { kinds, report } = await compile(context, model, fileIn(folder, 'rewritten'), ['--rewrite', 'on']);
  row.rewritten = kinds;
  row.rewrites = report.rewrites ?? {};
}

async function tryModel(name, context) {
  const row = { name }, folder = path.join(context.work, name);
  try {
    fs.mkdirSync(folder);
    await measureModel(row, folder, context);
  } catch (error) {
    row.failure = error.message;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  printRow(row, context.kinds);
  return row;
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

function printRow(row, kinds) {
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

async function main() {
  let context, names;
  try {
    context = parse();
    names = listModels(context);
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-nodes-'));
  printLine('nodes', ['model', 'inlay', 'rewritten', 'ORT basic']);
  const rows = await mapInParallel(names, 1, (name, worker) => tryModel(name, { ...context, work, worker }), { timeout: 600 });
  fs.rmSync(work, { recursive: true });
  return report(rows);
}

main().then(code => { process.exitCode = code; });
