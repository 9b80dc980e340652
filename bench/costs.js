#!/usr/bin/env node
//===- costs.js - What forms and copies cost in ONNX Runtime --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times ONNX Runtime's kernels one by one, in the forms that storage orders
// give them, and writes bench/costs/ARCHITECTURE.json: rows of operator, shapes,
// bytes read and written, and microseconds. One thread, no optimisation. Some
// nodes of a kind run on one input, a single element of each result is
// returned, and the time of the same model without them is taken off; the best
// tenth of the runs counts, taken by turns with the other rows so that a slow
// minute of the machine does not meet one row alone.
//
//   costs.js [--only TEXT] [--seconds S] [--output FILE]
//
// `--only` takes the rows whose name contains TEXT, and prints them only.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');

const { oracle } = require('./table');
const ort = oracle('node_modules/onnxruntime-node');
const onnx = oracle('onnx');
const { uniform } = oracle('random');

const usage = `usage: costs.js [options]

  --only TEXT    rows whose name contains it; nothing is written
  --seconds S    for each row (default 2)
  --output FILE  default: bench/costs/ARCHITECTURE.json`;

const architectures = { x64: 'x86-64', arm64: 'arm64' };

function parse() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { only: text, seconds: { ...text, default: '2' }, output: text } });
  const architecture = architectures[process.arch] ?? process.arch;
  const seconds = Number(values.seconds);
  if (!(seconds > 0)) throw new Error('--seconds: a positive number is required');
  return { output: path.join(__dirname, 'costs', `${architecture}.json`), ...values, seconds };
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

const sizeOf = dims => dims.reduce((product, extent) => product * extent, 1);
const bytesOf = shapes => 4 * shapes.reduce((sum, dims) => sum + sizeOf(dims), 0);
const textOf = dims => dims.join('x');

// A row: `inputs` are shapes of tensors that are given, `weights` of constants
// behind them, `order` which of both the operator takes in which place.
function row(name, op, { inputs, weights = [], output = inputs[0], attrs = {}, domain, count = 4, order, lists = [] }) {
  return { name, op, inputs, weights, output, attrs, domain, count, order, lists,
           bytes: bytesOf([...inputs, ...weights, output]) };
}

function elementwiseRows() {
  const shapes = [[12, 128, 128], [12, 512, 512], [64, 3, 49, 49], [1, 64, 56, 56], [1, 128, 768], [1, 512, 768]];
  const add = (dims, other) => row(`Add_${textOf(dims)}_${textOf(other)}`, 'Add', { inputs: [dims], weights: [other], output: dims });
  return [...shapes.map(dims => row(`Relu_${textOf(dims)}`, 'Relu', { inputs: [dims] })),
          add([1, 64, 56, 56], [64, 1, 1]), add([1, 56, 56, 64], [64]), add([12, 128, 128], [128, 1]), add([12, 128, 128], [128]),
          add([1, 768, 128], [768, 1]), add([1, 128, 768], [768])];
}

// One row for each axis but those of one element.
function alongAxes(op, dims, make) {
  return dims.map((extent, axis) => extent > 1 && { name: `${op}_${textOf(dims)}_ax${axis}`, ...make(axis) }).filter(Boolean)
      .map(({ name, ...options }) => row(name, op, options));
}

function softmaxRows() {
  const shapes = [[12, 128, 128], [12, 512, 512], [64, 3, 49, 49], [1, 64, 56, 56], [1, 128, 768], [1, 512, 768]];
  return shapes.flatMap(dims => alongAxes('Softmax', dims, axis => ({ inputs: [dims], attrs: { axis } })));
}

function reduceRows() {
  const shapes = [[12, 128, 128], [1, 512, 768], [1, 64, 56, 56], [1, 56, 56, 64]];
  const make = dims => axis => ({ inputs: [dims], output: dims.map((extent, i) => i === axis ? 1 : extent), lists: [[axis]] });
  return ['ReduceMean', 'ReduceMax'].flatMap(op => shapes.flatMap(dims => alongAxes(op, dims, make(dims))));
}

function normalizationRows() {
  return [[1, 128, 768], [1, 512, 768], [64, 49, 96]].map(dims =>
    row(`LayerNormalization_${textOf(dims)}`, 'LayerNormalization',
        { inputs: [dims], weights: [[dims.at(-1)], [dims.at(-1)]], attrs: { axis: -1 }, output: dims }));
}

function copyRows() {
  const copies = [
    [[1, 128, 12, 64], [0, 2, 1, 3]], [[1, 128, 12, 64], [0, 2, 3, 1]], [[1, 128, 12, 64], [0, 3, 2, 1]],
    [[1, 128, 12, 64], [0, 1, 3, 2]], [[1, 12, 128, 64], [0, 1, 3, 2]], [[1, 64, 56, 56], [0, 2, 3, 1]],
    [[1, 64, 56, 56], [0, 1, 3, 2]], [[1, 56, 56, 64], [0, 3, 1, 2]], [[1, 56, 56, 64], [0, 2, 1, 3]],
    [[1, 3, 224, 224], [0, 2, 3, 1]], [[1, 224, 224, 3], [0, 3, 1, 2]], [[8, 8, 7, 7, 96], [0, 2, 1, 3, 4]],
    [[1, 8, 7, 8, 7, 96], [0, 1, 3, 2, 4, 5]], [[512, 1024], [1, 0]], [[128, 768], [1, 0]], [[1, 2, 58, 28, 28], [0, 2, 1, 3, 4]],
    [[1, 28, 28, 2, 58], [0, 1, 2, 4, 3]], [[1024, 1024, 4], [1, 0, 2]], [[1024, 256, 16], [1, 0, 2]],
    [[256, 256, 64], [1, 0, 2]], [[64, 64, 1024], [1, 0, 2]], [[64, 16, 49, 3], [3, 0, 2, 1]], [[49, 64, 3, 32], [2, 1, 0, 3]],
  ];
  return copies.map(([dims, perm]) => row(`Transpose_${textOf(dims)}_${perm.join('')}`, 'Transpose',
    { inputs: [dims], output: perm.map(dim => dims[dim]), attrs: { perm }, count: 2 }));
}

// [m, k] times [k, n], each stored transposed or not; `first`: the constant is
// the first operand.
function productRows() {
  const sizes = [[128, 768, 768], [128, 768, 3072], [1500, 384, 1536], [3136, 96, 288]];
  return sizes.flatMap(([m, k, n]) => {
    const left = trans => trans ? [k, m] : [m, k], right = trans => trans ? [n, k] : [k, n];
    const gemm = (transA, transB) => row(`Gemm_${m}_${k}_${n}_t${transA}${transB}`, 'Gemm',
      { inputs: [left(transA)], weights: [right(transB)], output: [m, n], attrs: { transA, transB }, count: 1 });
    // The transposed result: the constant, stored as suits, times the input.
    const swapped = trans => row(`Gemm_${n}_${k}_${m}_first_t0${trans}`, 'Gemm',
      { inputs: [trans ? [m, k] : [k, m]], weights: [[n, k]], output: [n, m], attrs: { transA: 0, transB: trans }, order: [1, 0],
        count: 1 });
    return [row(`MatMul_${m}_${k}_${n}`, 'MatMul', { inputs: [[m, k]], weights: [[k, n]], output: [m, n], count: 1 }),
            row(`MatMul_1x${m}_${k}_${n}`, 'MatMul', { inputs: [[1, m, k]], weights: [[k, n]], output: [1, m, n], count: 1 }),
            gemm(0, 0), gemm(0, 1), gemm(1, 0), swapped(1), swapped(0)];
  });
}

function stackRows() {
  return [[12, 128, 64, 128], [12, 128, 128, 64], [6, 1500, 64, 1500]].flatMap(([batch, m, k, n]) => {
    const domain = 'com.microsoft', name = `${batch}_${m}_${k}_${n}`, output = [batch, m, n];
    return [row(`MatMul_${name}`, 'MatMul', { inputs: [[batch, m, k], [batch, k, n]], output, count: 1 }),
            row(`FusedMatMul_${name}_t01`, 'FusedMatMul', { inputs: [[batch, m, k], [batch, n, k]], output, domain, attrs: { transB: 1 }, count: 1 }),
            row(`FusedMatMul_${name}_t10`, 'FusedMatMul', { inputs: [[batch, k, m], [batch, k, n]], output, domain, attrs: { transA: 1 }, count: 1 })];
  });
}

const allRows = () => [...elementwiseRows(), ...softmaxRows(), ...reduceRows(), ...normalizationRows(), ...copyRows(),
                       ...productRows(), ...stackRows()];

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

function randomValues(dims, seed) {
  const next = uniform(seed);
  return Float32Array.from({ length: sizeOf(dims) }, () => next() * 2 - 1);
}

// `count` nodes of the row on the same operands, and an element of each result;
// of each input, too, which is all there is without nodes.
function makeModel({ op, inputs, weights, output, attrs, domain, order, lists }, count) {
  const initializers = weights.map((dims, i) => onnx.tensorProto(`w${i}`, 'float', dims, randomValues(dims, i + 1)));
  initializers.push(...lists.map((list, i) => onnx.tensorProto(`l${i}`, 'int64', [list.length], list.map(BigInt))),
                    onnx.tensorProto('one', 'int64', [1], [1n]), onnx.tensorProto('zero', 'int64', [1], [0n]));
  const nodes = [], results = [];
  const pick = name => {
    const flat = `${name}_flat`, picked = `${name}_picked`;
    initializers.push(onnx.tensorProto(`${name}_whole`, 'int64', [1], [-1n]));
    nodes.push({ op: 'Reshape', inputs: [name, `${name}_whole`], outputs: [flat] },
               { op: 'Slice', inputs: [flat, 'zero', 'one'], outputs: [picked] });
    results.push([picked, 'float', [1]]);
  };
  const given = [...inputs.map((_, i) => `x${i}`), ...weights.map((_, i) => `w${i}`)];
  const operands = [...order ? order.map(i => given[i]) : given, ...lists.map((_, i) => `l${i}`)];
  inputs.forEach((_, i) => pick(`x${i}`));
  for (let i = 0; i < count; ++i) {
    nodes.push({ op, inputs: operands, outputs: [`y${i}`], attrs, domain });
    pick(`y${i}`);
  }
  return onnx.model({ opset: { '': 18, 'com.microsoft': 1 }, inputs: inputs.map((dims, i) => [`x${i}`, 'float', dims]), outputs: results,
                      nodes, initializers, values: Array.from({ length: count }, (_, i) => [`y${i}`, 'float', output]) });
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

const sessionOptions = {
  graphOptimizationLevel: 'disabled', executionMode: 'sequential', intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 4,
};

async function timeRun(session, feeds) {
  const start = process.hrtime.bigint();
  await session.run(feeds);
  return Number(process.hrtime.bigint() - start) / 1e3;
}

function bestTenth(times) {
  const sorted = [...times].sort((a, b) => a - b), count = Math.ceil(sorted.length / 10);
  return sorted.slice(0, count).reduce((sum, time) => sum + time, 0) / count;
}

// Adds runs of the row with and without its nodes, for `seconds`.
async function addTimes(measured, seconds) {
  const { spec, times } = measured, end = Date.now() + 1000 * seconds, most = 200;
  const feeds = Object.fromEntries(spec.inputs.map((dims, i) => [`x${i}`, new ort.Tensor('float32', randomValues(dims, 7 + i), dims)]));
  const sessions = [];
  for (const count of [0, spec.count]) sessions.push(await ort.InferenceSession.create(makeModel(spec, count), sessionOptions));
  for (const session of sessions) await timeRun(session, feeds);
  do {
    for (const [i, session] of sessions.entries()) times[i].push(await timeRun(session, feeds));
  } while (times[0].length < 5 || (Date.now() < end && times[0].length < most));
  for (const session of sessions) await session.release();
}

function describe({ spec, times }) {
  const { name, op, inputs, weights, output, attrs, lists, bytes } = spec;
  const us = (bestTenth(times[1]) - bestTenth(times[0])) / spec.count;
  return { name, op, inputs, weights, output, attrs, lists, bytes, us: Number(us.toFixed(2)) };
}

async function main() {
  let options;
  try {
    options = parse();
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  const rows = allRows().filter(({ name }) => name.includes(options.only ?? ''));
  const measured = rows.map(spec => ({ spec, times: [[], []] }));
  const visits = 4;
  for (let visit = 0; visit < visits; ++visit)
    for (const entry of measured) await addTimes(entry, options.seconds / visits);
  const described = measured.map(describe);
  for (const { name, us, bytes } of described) console.log(`${name.padEnd(44)}${us.toFixed(1).padStart(12)} us${(bytes / us / 1e3).toFixed(2).padStart(9)} GB/s`);
  if (!options.only) fs.writeFileSync(options.output, `[\n${described.map(entry => JSON.stringify(entry)).join(',\n')}\n]\n`);
  return 0;
}

main().then(code => { process.exitCode = code; });
