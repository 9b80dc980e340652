#!/usr/bin/env node
//===- border_bytes.js - Reported border bytes are those of the file ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles random networks, or the models of a folder, for a target with a
// pipeline, and counts in the file that is written what crosses the borders of
// groups (borders.js). It fails where the report says another number, where
// its bound is above it, or where it is proved and not the bound. Where extents
// depend on data the report says that it assumes them, and bytes are not judged.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const onnx = require('./onnx');
const { compileModel } = require('./compiled');
const { symbolicExtents, randomInputs } = require('./inputs');
const { listModels, prepareModel } = require('./models');
const { mapInParallel } = require('./pool');
const { seedFor } = require('./random');
const { Draw } = require('./random-ops/draw');
const { drawNetwork } = require('./random-ops/network');

const usage = `usage: border_bytes.js [MODELS_DIR] --inlay BIN [options]

  --count N    random networks instead of a folder (default 100)
  --first N    the number of the first (default 0)
  -t TARGET    a target with a pipeline (default opu)
  --only A,B   these models only
  --jobs N     models at a time (default 1)
  --work DIR   where files go (default: a folder that is deleted)`;

const strategies = ['greedy', 'optimal'];

// What is wrong with a report, given the bytes of the file.
function faultOf(report, bytes) {
  const { border_bytes_after: said, border_bytes_bound: bound, groups_proved: proved } = report;
  if (report.assumed.length) return undefined;
  if (said !== bytes) return `${said} bytes reported, ${bytes} written`;
  if (bound > bytes) return `${bound} bytes are said to be the least, ${bytes} written`;
  if (proved && bound !== bytes) return `proved best with ${bytes} bytes, the bound is ${bound}`;
  return undefined;
}

// {bytes, proved, fault} of one strategy.
async function checkFile(file, folder, strategy, { inlay, target }, worker) {
  const output = path.join(folder, strategy, path.basename(file)), proto = onnx.readFile(file);
  const extents = symbolicExtents(proto), feeds = randomInputs(proto, { extents });
  const dims = Object.entries(extents).flatMap(([symbol, extent]) => ['--dim', `${symbol}=${extent}`]);
  const report = await compileModel(inlay, file, output, ['-t', target, '--fusion-strategy', strategy, ...dims]);
  const bytes = await worker.run('borders', [output, feeds]);
  fs.rmSync(path.dirname(output), { recursive: true });
  return { bytes, proved: report.groups_proved, groups: report.num_groups, assumed: report.assumed, fault: faultOf(report, bytes) };
}

async function check(name, context, worker) {
  const folder = path.join(context.work, name), rows = [];
  fs.mkdirSync(folder, { recursive: true });
  try {
    const file = await context.prepare(name, folder);
    for (const strategy of strategies)
      rows.push({ name, strategy, ...await checkFile(file, folder, strategy, context, worker) });
  } catch (error) {
    rows.push({ name, strategy: '-', fault: error.message });
  }
  fs.rmSync(folder, { recursive: true, force: true });
  return rows;
}

// What a random network is called, and its file.
function randomCases({ first, count }) {
  const names = Array.from({ length: Number(count ?? 100) }, (_, i) => `random-${Number(first ?? 0) + i}`);
  const prepare = (name, folder) => {
    const file = path.join(folder, `${name}.onnx`);
    fs.writeFileSync(file, onnx.model(drawNetwork(new Draw(seedFor(Number(name.slice(7)), 'border bytes')))));
    return file;
  };
  return { names, prepare };
}

function folderCases(models, { only }) {
  return { names: listModels({ models, only }), prepare: (name, folder) => prepareModel(models, name, folder) };
}

function printRows(rows, isFolder) {
  for (const { name, strategy, bytes, groups, proved, assumed, fault } of rows)
    if (fault) console.log(`FAIL ${name} ${strategy}: ${fault}`);
    else if (isFolder)
      console.log(`${name.padEnd(29)} ${strategy.padEnd(8)} ${String(groups).padStart(5)} groups ` +
                  `${(bytes / 1e6).toFixed(3).padStart(10)} MB${proved ? ', proved' : ''}` +
                  `${assumed.length ? `, not judged: the report assumes ${assumed}` : ''}`);
}

async function main() {
  const text = { type: 'string' };
  const { values, positionals: [models] } = parseArgs({
    allowPositionals: true,
    options: { inlay: text, count: text, first: text, only: text, jobs: text, work: text, target: { type: 'string', short: 't' } },
  });
  if (!values.inlay) return console.error(usage), 2;
  const work = values.work ?? fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-borders-'));
  const { names, prepare } = models ? folderCases(models, values) : randomCases(values);
  const context = { inlay: values.inlay, target: values.target ?? 'opu', work, prepare };
  const rows = (await mapInParallel(names, Number(values.jobs ?? 1), async (name, worker) => {
    const found = await check(name, context, worker);
    printRows(found, models);
    return found;
  }, { timeout: 600 })).flat();
  if (!values.work) fs.rmSync(work, { recursive: true });
  const failed = rows.filter(({ fault }) => fault).length, proved = rows.filter(row => row.proved).length;
  const grouped = rows.filter(({ groups }) => groups > 0).length;
  console.log(`${rows.length - failed} passed, ${failed} failed; ${grouped} with groups, ${proved} proved`);
  return failed || !grouped ? 1 : 0;
}

main().then(code => { process.exitCode = code; });
