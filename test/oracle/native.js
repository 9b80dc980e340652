#!/usr/bin/env node
//===- native.js - Models as machine code ---------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the models of a folder as machine code on one thread and on two. It
// fails when an output is farther than the tolerance from what ONNX Runtime
// computes without optimising, when two threads give other bits than one, and
// when a kernel computes something else than the operators it is made of. What
// follows a quantiser differs by steps wherever sums are rounded otherwise, also
// between the levels of ONNX Runtime: quantised models are judged kernel by
// kernel.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('./onnx');
const { parseFolder, checkFolder } = require('./compiled');
const { compareTensors } = require('./equal');
const { writeInputs } = require('./executor');
const { randomInputs, readTensor } = require('./inputs');
const { execute } = require('./pool');
const { runModel } = require('./session');

const usage = `usage: native.js MODELS_DIR --inlay BIN --work DIR [options]

  --only A,B     these models only
  --tolerance X  largest max|a-b| / max|a| (default 1e-5)
  --check        evaluate what each kernel computes, too`;

function parse() {
  const values = parseFolder({ tolerance: { type: 'string' }, check: { type: 'boolean' } });
  return { ...values, tolerance: Number(values.tolerance ?? 1e-5), targets: ['native'] };
}

// What `inlay run --native` prints, and its outputs.
async function runNative(model, inputs, folder, threads, { inlay, check }) {
  const own = path.join(folder, `out${threads}`);
  const args = ['run', model, '--native', '--threads', String(threads), ...inputs.flatMap(input => ['--input', input]),
                '--output', own, '--format', 'json', ...check && threads === 1 ? ['--check'] : []];
  const { code, stdout, stderr } = await execute(inlay, args);
  if (code !== 0 && !stdout) throw new Error(`${threads} threads: exit code ${code}: ${stderr.trim()}`);
  const report = JSON.parse(stdout);
  return { report, files: new Map(report.outputs.map(({ name, file }) => [name, fs.existsSync(file) ? file : path.join(own, file)])) };
}

function compareOutputs(expected, files, tolerance) {
  const faults = [];
  let error = 0;
  for (const [name, file] of files) {
    const result = compareTensors(expected.get(name), readTensor(file), { tolerance });
    error = Math.max(error, result.error);
    if (!result.equal) faults.push(`${name}: ${result.reason}`);
  }
  return { error, faults };
}

function compareBits(one, two) {
  const differs = name => !fs.readFileSync(one.get(name)).equals(fs.readFileSync(two.get(name)));
  return [...one.keys()].filter(differs).map(name => `${name}: other bits on two threads`);
}

const isQuantised = ({ graph }) => graph.node.some(({ opType }) => opType === 'QuantizeLinear');

async function checkTarget(original, folder, target, given) {
  const proto = onnx.readFile(original), feeds = randomInputs(proto), inputs = writeInputs(folder, feeds);
  const context = { ...given, check: given.check || isQuantised(proto) };
  const { outputs } = await runModel(original, feeds);
  const one = await runNative(original, inputs, folder, 1, context), two = await runNative(original, inputs, folder, 2, context);
  const { error, faults } = compareOutputs(outputs, one.files, isQuantised(proto) ? Infinity : context.tolerance);
  const wrong = one.report.wrong_kernels ? [`${one.report.wrong_kernels} kernels are wrong`] : [];
  return { report: one.report, error, faults: [...faults, ...compareBits(one.files, two.files), ...wrong] };
}

const faultsOf = ({ failure, faults }) => failure ? [failure] : faults;

const printHeader = () => console.log('steps of machine code, steps by the reference, largest error');

function printRow({ name, report, error }) {
  if (!report) return console.log(name);
  console.log(`${name.padEnd(32)} ${String(report.kernel_steps).padStart(5)} ${String(report.evaluated_steps).padStart(5)}  ` +
              error.toExponential(1));
}

checkFolder({ usage, parse, checkTarget, faultsOf, printHeader, printRow }).then(code => { process.exitCode = code; });
