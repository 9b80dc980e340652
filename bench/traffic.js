#!/usr/bin/env node
//===- traffic.js - Memory traffic left by us and by ONNX Runtime ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every model of a folder: operators and megabytes read and written, as it is,
// as `inlay compile` leaves it with rewriting and graph kernels, and as ONNX
// Runtime executes it at level all on this machine (its blocked convolutions
// pad channels to the width of the processor's registers), counted by the same
// rules (test/oracle/traffic.js: views are free, a kernel or fused operator
// reads each input and writes each output once). Symbolic dimensions are fixed
// by their names, the same everywhere. The limits: no more traffic than ONNX
// Runtime on any model, at most 0.8 times its traffic in geometric mean.
//
//   traffic.js --inlay BIN [--models DIR] [--only A,B] [--options "FLAGS"]
//
//===----------------------------------------------------------------------===//

'use strict';

const { parseArgs } = require('node:util');
const table = require('./table');

const onnx = table.oracle('onnx');
const { prepareModel } = table.oracle('models');
const { randomInputs, symbolicExtents } = table.oracle('inputs');

const usage = `usage: traffic.js --inlay BIN [options]

  --models DIR       a folder of models (default: the bundled ones)
  --only A,B         these models only
  --options "FLAGS"  of inlay compile (default: "-t none --rewrite on --graph-kernels on")`;

const extents = { image: 224, sequence: 128, other: 1 };
const limitOfEach = 1, limitOfMean = 0.8;

function parse() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { inlay: text, models: text, only: text, options: text } });
  if (!values.inlay) throw new Error('--inlay is required');
  const { models = table.bundledModels, options = '-t none --rewrite on --graph-kernels on' } = values;
  return { ...values, models, flags: options.split(/\s+/).filter(Boolean) };
}

//===----------------------------------------------------------------------===//
// One model
//===----------------------------------------------------------------------===//

function compile({ inlay, flags }, model, output, fixed) {
  const dims = Object.entries(fixed).flatMap(([symbol, extent]) => ['--dim', `${symbol}=${extent}`]);
  return table.compile(inlay, model, output, [...flags, ...dims]);
}

async function measureModel(row, folder, { worker, ...context }) {
  const model = await prepareModel(context.models, row.name, folder), proto = onnx.readFile(model);
  const fixed = symbolicExtents(proto, extents), feeds = randomInputs(proto, { extents: fixed });
  row.fixed = Object.entries(fixed).map(([symbol, extent]) => `${symbol}=${extent}`);
  row.before = await worker.run('traffic', [model, feeds]);
  const runtime = table.fileIn(folder, 'runtime'), ours = table.fileIn(folder, 'inlay');
  await worker.run('optimise', [model, runtime, 'all', { extents: fixed }]);
  row.runtime = await worker.run('traffic', [runtime, feeds]);
  await compile(context, model, ours, fixed);
  row.after = await worker.run('traffic', [ours, feeds]);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

const ratioOf = ({ after, runtime }) => after.bytes / runtime.bytes;
const isAbove = row => ratioOf(row) > limitOfEach;

const nodesOf = entry => String(entry?.nodes ?? '-');
const megabytesOf = entry => entry ? (entry.bytes / 1e6).toFixed(2) : '-';

function printLine(name, cells, note = '') {
  console.log(`${name.padEnd(30)}${cells.map(cell => cell.padStart(10)).join(' |')}${note}`);
}

function printHeader() {
  console.log('nodes and megabytes read and written; ratio: of inlay to ONNX Runtime; ' +
              `symbolic dimensions of images ${extents.image}, of sequences ${extents.sequence}, others ${extents.other}`);
  printLine('model', ['ops', 'kernels', 'MB before', 'MB after', 'ORT nodes', 'ORT MB', 'ratio']);
}

function printRow(row) {
  const { name, before, after, runtime, fixed = [], failure } = row;
  const unsized = [before, after, runtime].map(entry => entry?.unsized ?? 0);
  const notes = [
    ...fixed, ...unsized.some(Boolean) ? [`values of unknown size: ${unsized.join(', ')}`] : [],
    ...after && isAbove(row) ? ['MISSED'] : [], ...failure ? [`FAILED: ${failure}`] : [],
  ];
  printLine(name, [nodesOf(before), nodesOf(after), ...[before, after].map(megabytesOf), nodesOf(runtime),
                   megabytesOf(runtime), after ? ratioOf(row).toFixed(3) : '-'], notes.map(note => `  ${note}`).join(''));
}

// The exit code.
function report(rows) {
  const measured = rows.filter(row => !row.failure), failed = rows.length - measured.length;
  const mean = table.meanOf(measured.map(ratioOf)), above = measured.filter(isAbove).length;
  const isMet = mean <= limitOfMean;
  console.log(`geometric mean of ${measured.length} models: ${mean.toFixed(3)} (limit ${limitOfMean}` +
              `${isMet ? '' : ', MISSED'}); above ONNX Runtime: ${above} (limit 0); ${failed} failed`);
  return isMet && !above && !failed ? 0 : 1;
}

table.printTable({ usage, parse, printHeader, measureModel, printRow, report }).then(code => { process.exitCode = code; });
