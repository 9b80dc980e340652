#!/usr/bin/env node
//===- steps.js - What a step costs beside its kernel ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chain of products of 1 x 4 by 4 x 4, each a step of its own whose kernel has
// next to nothing to do: what a step takes in memory (`inlay bench`) and in a
// library, the kernel's few nanoseconds included. Two lengths, so that what a
// run costs once is not in it. Fails where a step takes more than a
// microsecond.
//
//   steps.js --inlay BIN --runner PROGRAM [--threads N]
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const table = require('./table');
const onnx = table.oracle('onnx');
const { uniform } = table.oracle('random');
const { execute } = table.oracle('pool');
const { compileLibrary, runLibrary } = table.oracle('runner');

const usage = 'usage: steps.js --inlay BIN --runner PROGRAM [--threads N]';
const limit = 1e-3, lengths = [250, 1250], side = 4, rounds = 500;

function parse() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { inlay: text, runner: text, threads: { ...text, default: '1' } } });
  for (const name of ['inlay', 'runner'])
    if (!values[name]) throw new Error(`--${name} is required`);
  return { ...values, threads: Number(values.threads) };
}

// Each product by weights of its own: none of them is another's.
function makeChain(length) {
  const next = uniform(1), name = i => i === 0 ? 'x' : i === length ? 'y' : `v${i}`;
  const weights = () => Float32Array.from({ length: side * side }, () => 2 * next() - 1);
  return onnx.model({
    opset: 17, inputs: [['x', 'float', [1, side]]], outputs: [['y', 'float', [1, side]]],
    initializers: Array.from({ length }, (_, i) => onnx.tensorProto(`w${i}`, 'float', [side, side], weights())),
    nodes: Array.from({ length }, (_, i) =>
      ({ op: 'MatMul', name: `product_${i}`, inputs: [name(i), `w${i}`], outputs: [name(i + 1)] })),
  });
}

async function measureInMemory(model, length, { inlay, threads }) {
  const flags = ['--threads', String(threads), '--rounds', String(rounds), '--format', 'json'];
  const { code, stdout, stderr } = await execute(inlay, ['bench', model, ...flags], { timeout: 600 });
  if (code !== 0) throw new Error(`inlay bench: exit code ${code}: ${stderr.trim()}`);
  const { kernel_steps: steps, latency } = JSON.parse(stdout);
  if (steps !== length) throw new Error(`${steps} steps for ${length} products`);
  return latency[0].latency_ms.min;
}

async function measureLibrary(model, folder, context) {
  const feeds = { x: { type: 'float', dims: [1, side], data: new Float32Array(side).fill(0.5) } };
  const library = path.join(folder, 'library', 'model.so');
  await compileLibrary(model, feeds, library, context);
  const { report } = await runLibrary(library, feeds, new Map([['y', feeds.x]]), { ...context, rounds });
  return Math.min(...report.run_ms);
}

const perStep = ([short, long]) => (long - short) / (lengths[1] - lengths[0]);

async function main() {
  const context = parse(), folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-steps-'));
  try {
    const inMemory = [], inLibrary = [];
    for (const length of lengths) {
      const model = path.join(folder, `chain${length}.onnx`);
      fs.writeFileSync(model, makeChain(length));
      inMemory.push(await measureInMemory(model, length, context));
      inLibrary.push(await measureLibrary(model, folder, context));
    }
    const rows = [['in memory', perStep(inMemory)], ['in a library', perStep(inLibrary)]];
    for (const [name, each] of rows) console.log(`${name.padEnd(14)}${(1e6 * each).toFixed(0).padStart(6)} ns a step`);
    process.exitCode = rows.some(([, each]) => !(each < limit)) ? 1 : 0;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main().catch(error => {
  console.error(`${error.message}\n${usage}`);
  process.exitCode = 2;
});
