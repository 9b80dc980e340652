#!/usr/bin/env node
//===- lengths.js - Libraries of an open length beside those of one -------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles bert_base for texts of any length, whose exporter fixed it (it is
// opened, and given a mask as such texts have one), and mobilenet_v2_dyn for
// pictures of any height and width: once for all sizes up to the largest, and
// once for each of some. Prints times of both, by turns in one run, and the
// first over the second; fails where that is more than 1.10.
//
//   lengths.js --inlay BIN --runner PROGRAM --models DIR
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const table = require('./table');
const { compileModel } = table.oracle('compiled');
const { randomInputs } = table.oracle('inputs');
const onnx = table.oracle('onnx');
const { prepareModel } = table.oracle('models');
const { runLibrary } = table.oracle('runner');

const usage = `usage: lengths.js --inlay BIN --runner PROGRAM --models DIR [options]

  --only MODEL   bert_base or mobilenet_v2_dyn (default: both)
  --sizes A,B    sizes to measure, as 128 or 192x160 (default: some)
  --largest A    what the library takes (default 512, 224x224)
  --rounds N     turns of each (default 5)
  --threads N    (default 1)`;

const most = 1.10;

function parse() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: {
    inlay: text, runner: text, models: text, only: text, sizes: text, largest: text, rounds: { ...text, default: '5' }, threads: { ...text, default: '1' } } });
  if (!values.inlay || !values.runner || !values.models || (values.only && !(values.only in cases))) throw new Error(usage);
  return { ...values, rounds: Number(values.rounds), threads: Number(values.threads) };
}

// What the exporter computed for 128 words, for as many as there are.
const opened = {
  slice_1: { nodes: [['Shape', ['a_0'], 'shape'], ['Gather', ['shape', 'one'], 'length', { axis: 0 }],
                     ['Range', ['zero', 'length', 'one'], 'range'], ['Unsqueeze', ['range', 'axis0'], 'slice_1']] },
  gather: { nodes: [['Mul', ['a_0', 'zero'], 'gather']] },
  where: { nodes: [['Unsqueeze', ['mask', 'axes12'], 'mask4'], ['Cast', ['mask4'], 'kept', { to: 1 }],
                   ['Sub', ['float1', 'kept'], 'rest'], ['Mul', ['rest', 'low'], 'where']] },
};
const constants = [['zero', 'int64', [], [0n]], ['one', 'int64', [], [1n]], ['axis0', 'int64', [1], [0n]], ['axes12', 'int64', [2], [1n, 2n]],
                   ['float1', 'float', [], Float32Array.of(1)], ['low', 'float', [], Float32Array.of(-1e4)],
                   ['heads', 'int64', [4], [1n, -1n, 12n, 64n]], ['joined', 'int64', [3], [1n, -1n, 768n]]];

function openBert(file) {
  const proto = onnx.readFile(file), { graph } = proto;
  const rank = new Map(graph.initializer.map(({ name, dims }) => [name, Number(dims[0])]));
  const isOpened = ({ output }) => output[0] in opened;
  const added = Object.values(opened).flatMap(({ nodes }) => nodes).map(([op, inputs, output, attrs]) => onnx.node({ op, inputs, outputs: [output], attrs }));
  for (const node of graph.node)
    if (node.opType === 'Reshape') node.input[1] = rank.get(node.input[1]) === 4 ? 'heads' : 'joined';
  graph.node = [...added, ...graph.node.filter(node => !isOpened(node))];
  const known = new Set(['slice_1']);
  graph.initializer = [...graph.initializer.filter(({ name }) => !known.has(name)), ...constants.map(own => onnx.tensorProto(...own))];
  const port = (name, type, dims) => ({ name, type: onnx.typeProto(type, dims) });
  graph.input = ['a_0', 'mask'].map(name => port(name, 'int64', [1, 'sequence']));
  graph.output[0] = port(graph.output[0].name, 'float', [1, 'sequence', 768]);
  graph.valueInfo = [];
  fs.writeFileSync(file, onnx.write(proto));
}

const medianOf = values => [...values].sort((a, b) => a - b)[values.length >> 1];

// Milliseconds of a run, the median of so many that the first ones, which find
// nothing in the caches and touch memory for the first time, do not decide.
async function timeOf(library, feeds, outputs, context) {
  const { report } = await runLibrary(library, feeds, outputs, { ...context, rounds: 25 });
  return { time: medianOf(report.run_ms), peak: report.peak_kb / 1024 };
}

// By model: how it is opened, which dimensions are open, and what others are.
const cases = {
  bert_base: {
    open: openBert, symbols: ['sequence'], fixed: {}, sizes: '64,128,256,512', largest: '512',
    outputsOf: ([length]) => [['hidden', [1, length, 768]], ['pooled', [1, 768]]],
  },
  mobilenet_v2_dyn: {
    open: () => {}, symbols: ['h', 'w'], fixed: { batch: 1 }, sizes: '96x96,128x128,160x160,192x160,224x160,224x224', largest: '224x224',
    outputsOf: () => [['logits', [1, 1000]]],
  },
};

const readSize = text => text.split('x').map(Number);
const dimFlags = extents => Object.entries(extents).flatMap(([name, extent]) => ['--dim', `${name}=${extent}`]);
const extentsOf = ({ symbols, fixed }, size) => ({ ...fixed, ...Object.fromEntries(symbols.map((symbol, i) => [symbol, size[i]])) });

async function measureSize(own, model, open, text, context) {
  const size = readSize(text), extents = extentsOf(own, size);
  const library = path.join(context.folder, `of${text}`, 'model.so');
  await compileModel(context.inlay, model, library, dimFlags(extents));
  const feeds = randomInputs(onnx.readFile(model), { seed: size[0], extents });
  const outputs = new Map(own.outputsOf(size).map(([name, dims]) => [name, { type: 'float', dims }]));
  const lengths = own.symbols.map((symbol, i) => `${symbol}=${size[i]}`).join(',');
  const times = { open: [], fixed: [] };
  for (let i = 0; i < context.rounds; ++i) {
    times.open.push(await timeOf(open, feeds, outputs, { ...context, lengths }));
    times.fixed.push(await timeOf(library, feeds, outputs, context));
  }
  fs.rmSync(path.dirname(library), { recursive: true });
  const [opened, fixed] = [times.open, times.fixed].map(all => medianOf(all.map(({ time }) => time)));
  const [openedPeak, fixedPeak] = [times.open, times.fixed].map(all => Math.max(...all.map(({ peak }) => peak)));
  return { opened, fixed, ratio: medianOf(times.open.map(({ time }, i) => time / times.fixed[i].time)), openedPeak, fixedPeak };
}

// The largest ratio.
async function measureModel(name, options) {
  const own = cases[name], work = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-lengths-'));
  const model = await prepareModel(options.models, name, work);
  own.open(model);
  const open = path.join(work, 'open', 'model.so');
  const ranges = readSize(options.largest ?? own.largest).map(largest => `1..${largest}`);
  await compileModel(options.inlay, model, open, dimFlags(extentsOf(own, ranges)));
  console.log(`${name}\n   size   any size ms   this one ms   ratio   MB of both`);
  let worst = 0;
  for (const text of (options.sizes ?? own.sizes).split(',')) {
    const row = await measureSize(own, model, open, text, { ...options, folder: work });
    worst = Math.max(worst, row.ratio);
    console.log(`${text.padStart(7)} ${row.opened.toFixed(2).padStart(13)} ${row.fixed.toFixed(2).padStart(13)} ${row.ratio.toFixed(3).padStart(7)}   ${row.openedPeak.toFixed(0)}, ${row.fixedPeak.toFixed(0)}`);
  }
  fs.rmSync(work, { recursive: true });
  return worst;
}

async function main() {
  const options = parse();
  let worst = 0;
  for (const name of options.only ? [options.only] : Object.keys(cases)) worst = Math.max(worst, await measureModel(name, options));
  return worst <= most ? 0 : 1;
}

if (require.main === module)
  main().then(code => { process.exitCode = code; }, error => { console.error(error.message); process.exitCode = 2; });

module.exports = { openBert };
