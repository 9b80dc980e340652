#!/usr/bin/env node
//===- rounds.js - What is proved least of models is least ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two claims about every model of a folder and each target, dimensions fixed:
//   (1) compiling the result again moves as many bytes;
//   (2) pairs of inverse transposes, half of them with an operator between, cost
//       nothing: where both are proved the model and the one with them leave as
//       many bytes, otherwise no bound is above what the other leaves.
// What is padded is counted with its padding as long as it is not stored, so
// that (2) is not asked of targets with formats.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('./onnx');
const { addNoise } = require('./noise');
const { seedFor } = require('./random');
const { parseFolder, compileModel, megabytes, checkFolder } = require('./compiled');

const usage = `usage: rounds.js MODELS_DIR --inlay BIN --work DIR [options]

  --only A,B         these models only
  --targets A,B      default none,nhwc,ascend
  --pairs N          pairs of transposes at most (default 40)`;

const withFormats = new Set(['ascend']);

function parse() {
  const values = parseFolder({ targets: { type: 'string' }, pairs: { type: 'string' } });
  return { pairs: '40', ...values, targets: (values.targets ?? 'none,nhwc,ascend').split(',') };
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

const extentOf = name => /batch/i.test(name) ? 2 : 64;

// {name: extent} for every named dimension of the inputs.
function chooseExtents(proto) {
  const dims = proto.graph.input.flatMap(({ type }) => onnx.describeType(type).dims ?? []);
  return Object.fromEntries(dims.filter(dim => typeof dim === 'string' && dim).map(dim => [dim, extentOf(dim)]));
}

const dimFlags = extents => Object.entries(extents).flatMap(([name, extent]) => ['--dim', `${name}=${extent}`]);

// Ranks of what the nodes of the graph give, by name.
async function inferRanks(original, proto, worker) {
  const names = proto.graph.node.flatMap(({ output }) => output.filter(Boolean));
  return worker.run('ranks', [original, [...new Set(names)]]);
}

//===----------------------------------------------------------------------===//
// One model
//===----------------------------------------------------------------------===//

// What a compilation leaves, what is proved, and the file.
async function leave({ inlay }, from, to, target, flags) {
  const { ledger, proved, bound_bytes: bound } = await compileModel(inlay, from, to, ['-t', target, ...flags]);
  return { file: to, bytes: ledger.out.bytes, proved, bound };
}

async function makeNoisy(original, { worker, pairs }) {
  const proto = onnx.readFile(original), ranks = await inferRanks(original, proto, worker);
  const inserted = addNoise(proto, new Map(ranks), Number(pairs), seedFor(1, path.basename(original)));
  // Beside the original, whose weights it reads.
  const file = path.join(path.dirname(original), 'noisy.onnx');
  fs.writeFileSync(file, onnx.write(proto));
  return { file, inserted };
}

async function checkTarget(original, folder, target, context) {
  const flags = dimFlags(chooseExtents(onnx.readFile(original)));
  const file = name => path.join(folder, `${target}-${name}`, 'model.onnx');
  const once = await leave(context, original, file('once'), target, flags);
  const row = { once, again: await leave(context, once.file, file('again'), target, []) };
  if (!withFormats.has(target)) {
    const noisy = await makeNoisy(original, context);
    row.noisy = { inserted: noisy.inserted, ...await leave(context, noisy.file, file('noisy'), target, flags) };
  }
  for (const name of ['once', 'again', 'noisy']) fs.rmSync(path.dirname(file(name)), { recursive: true, force: true });
  return row;
}

//===----------------------------------------------------------------------===//
// What was found
//===----------------------------------------------------------------------===//

function isAlike(a, b) {
  if (a.proved && b.proved) return a.bytes === b.bytes;
  return a.bound <= b.bytes && b.bound <= a.bytes;
}

const describe = ({ bytes, proved, bound }) => proved ? `${bytes} (proved)` : `${bytes} (at least ${bound})`;

function faultsOf({ failure, once, again, noisy }) {
  if (failure) return [failure];
  const faults = [];
  if (once.bytes !== again.bytes) faults.push(`leaves ${describe(once)}, then ${describe(again)}`);
  if (noisy && !isAlike(once, noisy)) faults.push(`leaves ${describe(once)}, with noise ${describe(noisy)}`);
  if (noisy && noisy.inserted === 0) faults.push('no transpose was inserted');
  return faults;
}

function printRow({ name, target, failure, once, again, noisy }) {
  const cells = failure ? ['FAILED'] : [once, again, noisy].map(found => megabytes(found?.bytes).padStart(9));
  console.log(`${name.padEnd(30)}${(target ?? '').padEnd(8)}${cells.join(' ')}  ` +
    `${once?.proved ? 'proved' : 'open  '} ${noisy ? `${noisy.proved ? 'proved' : 'open  '} ${noisy.inserted} pairs` : ''}`);
}

checkFolder({
  usage, parse, checkTarget, faultsOf, printRow,
  printHeader: () => console.log(`${'MB moved'.padEnd(38)}${['once', 'again', 'noisy'].map(name => name.padStart(9)).join(' ')}`),
}).then(code => { process.exitCode = code; });
