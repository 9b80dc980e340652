#!/usr/bin/env node
//===- costs.js - Reported work is that of the model ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations that `inlay inspect --cost` says each node takes, beside those
// that work.js counts from extents in ONNX Runtime. Nodes whose extents depend
// on data are unknown to Inlay, and only counted here; those of subgraphs are
// not looked at.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const onnx = require('./onnx');
const { symbolicExtents, randomInputs } = require('./inputs');
const { listModels, prepareModel } = require('./models');
const { execute, mapInParallel } = require('./pool');

const usage = `usage: costs.js MODELS_DIR --inlay BIN [options]

  --only A,B   these models only
  --jobs N     models at a time (default 1)`;

// What Inlay says, by the names of nodes.
async function reported(file, extents, inlay) {
  const dims = Object.entries(extents).flatMap(([symbol, extent]) => ['--dim', `${symbol}=${extent}`]);
  const { code, stdout, stderr } = await execute(inlay, ['inspect', file, '--cost', '--format', 'json', ...dims], { timeout: 300 });
  if (code !== 0) throw new Error(`inlay inspect: exit code ${code}: ${stderr.trim()}`);
  const report = JSON.parse(stdout);
  return { total: report.flops, nodes: new Map(report.costs.map(({ node, flops }) => [node, flops])) };
}

// {total, unknown, faults} of a model.
async function checkModel(name, folder, { models, inlay }, worker) {
  const file = await prepareModel(models, name, folder), proto = onnx.readFile(file), extents = symbolicExtents(proto);
  const said = await reported(file, extents, inlay);
  const counted = await worker.run('work', [file, randomInputs(proto, { extents })]);
  const faults = [];
  let unknown = 0, total = 0;
  for (const [node, flops] of counted) {
    const own = said.nodes.get(node);
    if (own === null) ++unknown;
    else if (own !== flops) faults.push(`${node}: ${own} operations reported, ${flops} counted`);
    total += own === null ? 0 : flops;
  }
  const hasSubgraphs = onnx.allGraphs(proto).length > 1;
  if (!hasSubgraphs && said.total !== total) faults.push(`${said.total} operations reported in all, ${total} counted`);
  return { total, unknown, nodes: counted.length, faults };
}

async function main() {
  const text = { type: 'string' };
  const { values, positionals: [models] } = parseArgs({ allowPositionals: true, options: { inlay: text, only: text, jobs: text } });
  if (!values.inlay || !models) return console.error(usage), 2;
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-costs-'));
  let failed = 0;
  const names = listModels({ models, only: values.only });
  await mapInParallel(names, Number(values.jobs ?? 1), async (name, worker) => {
    const folder = path.join(work, name);
    fs.mkdirSync(folder);
    try {
      const { total, unknown, nodes, faults } = await checkModel(name, folder, { ...values, models }, worker);
      failed += faults.length > 0;
      console.log(`${name.padEnd(30)}${(total / 1e9).toFixed(3).padStart(10)} GFLOP in ${nodes} nodes` +
                  `${unknown ? `, ${unknown} of unknown size` : ''}`);
      for (const fault of faults.slice(0, 5)) console.log(`FAIL ${name}: ${fault}`);
    } catch (error) {
      ++failed;
      console.log(`FAIL ${name}: ${error.message}`);
    }
    fs.rmSync(folder, { recursive: true });
  }, { timeout: 600 });
  fs.rmSync(work, { recursive: true });
  console.log(`${names.length - failed} passed, ${failed} failed`);
  return failed ? 1 : 0;
}

main().then(code => { process.exitCode = code; });
