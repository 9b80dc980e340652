#!/usr/bin/env node
//===- damage.js - Damages weights; inlay compare must notice -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every model of a folder and some of its weights of rank 2 or more, one at
// a time: (1) change its elements, until ONNX Runtime's outputs are beyond the
// limit; (2) `inlay compare` must find that the two differ; (3) print a row. A
// weight that no output depends on is counted as such, and is no failure. The
// whole model must be equal to itself.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const onnx = require('./onnx');
const { bytesOf } = require('./element');
const { symbolicExtents } = require('./inputs');
const { listModels, prepareModel } = require('./models');
const { mapInParallel, execute } = require('./pool');

const usage = `usage: damage.js MODELS_DIR --inlay BIN --work DIR [options]

  --only A,B       these models only
  --tensors N      weights of each model (default 10)
  --jobs N         models at a time (default 1)
  --timeout S      seconds for one comparison (default 600)`;

function parse(argv) {
  const text = { type: 'string' };
  const { values, positionals } = parseArgs({
    args: argv, allowPositionals: true,
    options: { inlay: text, work: text, only: text, tensors: text, jobs: text, timeout: text },
  });
  if (positionals.length !== 1 || !values.inlay || !values.work)
    throw new Error('a folder, --inlay and --work are required');
  const number = (key, otherwise) => Number(values[key] ?? otherwise);
  return { ...values, models: positionals[0], tensors: number('tensors', 10), jobs: number('jobs', 1),
           timeout: number('timeout', 600) };
}

//===----------------------------------------------------------------------===//
// Damage
//===----------------------------------------------------------------------===//

// What becomes of an element, from mild to harsh.
const damages = [
  { name: 'a quarter more', change: (value, i) => i % 2 ? value : value * 1.25 },
  { name: 'negative', change: value => -value },
];

const isWhole = type => /^u?int/.test(type);

// Integers take what their type holds.
function damageElements({ type, data }, change) {
  return data.map((value, i) => isWhole(type) ? Math.trunc(change(Number(value), i)) || 1 : change(value, i));
}

const isWeight = ({ dims, dataType }) =>
  dims.length >= 2 && dims.reduce((product, dim) => product * Number(dim), 1) > 1 && [1, 2, 3, 11].includes(dataType);

// Every so manyth of all weights, so that all depths are among them.
function chooseWeights({ graph }, count) {
  const all = graph.initializer.map((proto, index) => ({ proto, index })).filter(({ proto }) => isWeight(proto));
  if (all.length <= count) return all;
  return Array.from({ length: count }, (_, i) => all[Math.floor(i * all.length / count)]);
}

// The model with one initializer replaced, beside the original's own data.
function writeDamaged(original, { proto, index }, { change }) {
  const model = onnx.readFile(original), value = onnx.tensorValue(proto, path.dirname(original));
  const data = damageElements(value, change);
  if (data.every((element, i) => element === value.data[i])) return undefined;
  model.graph.initializer[index] = { name: proto.name, dims: proto.dims, dataType: proto.dataType,
                                     rawData: bytesOf({ data }) };
  const file = path.join(path.dirname(original), `damaged_${path.basename(original)}`);
  fs.writeFileSync(file, onnx.write(model));
  return file;
}

//===----------------------------------------------------------------------===//
// Both judges
//===----------------------------------------------------------------------===//

function compareInInlay(a, b, { inlay, timeout }, extents) {
  const dims = Object.entries(extents).flatMap(([name, extent]) => ['--dim', `${name}=${extent}`]);
  return execute(inlay, ['compare', a, b, '--format', 'json', ...dims], { timeout });
}

// 'found', 'overlooked', 'no effect', or what went wrong.
async function checkWeight(original, weight, context, extents) {
  for (const damage of damages) {
    const file = writeDamaged(original, weight, damage);
    if (!file) continue;
    const { verdict, reason } = await context.worker.run('compare', [original, file, { tolerance: 1e-5, extents }]);
    if (verdict === 'equal' || verdict === 'shows-nothing') continue;
    if (verdict !== 'different') return { verdict: 'failed', reason };
    const { code, stdout, stderr } = await compareInInlay(original, file, context, extents);
    if (code === 0) return { verdict: 'overlooked', reason: damage.name };
    if (code !== 1) return { verdict: 'failed', reason: stderr.trim() };
    const report = JSON.parse(stdout);
    if (report.not_compared) return { verdict: 'overlooked', reason: report.not_compared };
    return { verdict: 'found', node: report.first_difference?.[0]?.node };
  }
  return { verdict: 'no effect' };
}

// A model and its external data in `folder`, where damaged ones are written
// beside it.
async function copyModel(models, name, folder) {
  fs.mkdirSync(folder, { recursive: true });
  const prepared = await prepareModel(models, name, folder), original = path.join(folder, `${name}.onnx`);
  if (prepared === original) return original;
  const { graph } = onnx.readFile(prepared);
  const files = graph.initializer.filter(({ dataLocation }) => dataLocation === 1)
    .map(proto => onnx.externalRange(proto).location);
  fs.copyFileSync(prepared, original);
  for (const file of new Set(files)) fs.copyFileSync(path.join(models, file), path.join(folder, file));
  return original;
}

async function checkModel(name, context) {
  const folder = path.join(context.work, name), row = { name, results: [] };
  try {
    const original = await copyModel(context.models, name, folder);
    const proto = onnx.readFile(original), extents = symbolicExtents(proto);
    const { code, stdout, stderr } = await compareInInlay(original, original, context, extents);
    row.whole = code === 0 ? 'equal' : `exit code ${code}: ${stderr.trim() || JSON.parse(stdout).not_compared}`;
    for (const weight of chooseWeights(proto, context.tensors))
      row.results.push({ weight: weight.proto.name, ...await checkWeight(original, weight, context, extents) });
  } catch (error) {
    row.results.push({ weight: '-', verdict: 'failed', reason: error.message });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  printRow(row);
  return row;
}

const count = (row, verdict) => row.results.filter(result => result.verdict === verdict).length;

function printRow(row) {
  const columns = ['found', 'overlooked', 'no effect', 'failed'].map(verdict => String(count(row, verdict)).padStart(10));
  console.log(`${row.name.padEnd(30)} ${columns.join(' ')}  ${row.whole}`);
  for (const { weight, verdict, reason } of row.results)
    if (verdict === 'overlooked' || verdict === 'failed') console.log(`    ${verdict}: ${weight}: ${reason}`);
}

async function main() {
  let context, names;
  try {
    context = parse(process.argv.slice(2));
    names = listModels(context);
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  console.log(`${'model'.padEnd(30)} ${'found'.padStart(10)} overlooked  no effect     failed  whole`);
  const check = (name, worker) => checkModel(name, { ...context, worker });
  const rows = await mapInParallel(names, context.jobs, check, { timeout: context.timeout });
  const isFine = row => row.whole === 'equal' && count(row, 'overlooked') + count(row, 'failed') === 0;
  const found = rows.reduce((sum, row) => sum + count(row, 'found'), 0);
  console.log(`${found} damaged weights found in ${rows.length} models`);
  return rows.every(isFine) && found > 0 ? 0 : 1;
}

main().then(code => { process.exitCode = code; });
