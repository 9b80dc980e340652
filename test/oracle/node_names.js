#!/usr/bin/env node
//===- node_names.js - Every node that is written has a name of its own ---===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models of situations/, rewrite-models/ and subgraphs/, and calls of functions,
// with nodes that have no names, equal names, or names that look as if Inlay had
// made them, under random targets and switches:
//   (1) every node has a name, and no two of a graph or function have the same;
//   (2) a node whose name was the only one of its kind, and whose operator and
//       output are still there, keeps it;
//   (3) compiling again gives the same bytes;
//   (4) ONNX Runtime loads the result where it loads the model with names as
//       they were.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const ort = require('onnxruntime-node');
const onnx = require('./onnx');
const { Draw } = require('./random-ops/draw');
const { seedFor } = require('./random');
const { execute } = require('./pool');
const { sessionOptions } = require('./session');
const { generate } = require('./subgraphs/generate');
const { situations } = require('./situations');
const forms = require('./rewrite-models');

const usage = `usage: node_names.js --inlay BIN [--count N] [--first N] [--work DIR]`;

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

// Calls of functions that call a function, beside nodes of their own.
function callingModel(draw) {
  const op = (type, from, to) => ({ op: type, inputs: [from].flat(), outputs: [to] });
  const call = (type, from, to) => ({ ...op(type, from, to), domain: 'own' });
  const opset = { '': 18, 'own': 1 }, function_ = (name, nodes) =>
    ({ name, domain: 'own', inputs: ['a'], outputs: ['b'], opset, nodes });
  const types = ['Relu', 'Tanh', 'Neg', 'Softplus', 'Softsign'];
  return onnx.modelProto({
    opset, irVersion: 9, inputs: [['x', 'float', [2, 3]]], outputs: [['y', 'float', [2, 3]]],
    nodes: [call('Outer', 'x', 's'), op(draw.pick(types), 's', 't'), call('Inner', 't', 'u'), call('Outer', 'u', 'v'),
      { op: 'Add', inputs: ['t', 'v'], outputs: ['y'] }],
    functions: [
      function_('Inner', [op(draw.pick(types), 'a', 'c'), op(draw.pick(types), 'c', 'b')]),
      function_('Outer', [call('Inner', 'a', 'c'), op(draw.pick(types), 'c', 'd'), call('Inner', 'd', 'b')]),
    ],
  });
}

function drawModel(draw) {
  const kind = draw.integer(0, 9);
  if (kind <= 2) return onnx.read(onnx.write(kind === 0 ? callingModel(draw) : generate(draw)));
  return onnx.read(draw.pick(kind <= 7 ? situations.filter(({ refused }) => !refused) : forms).bytes);
}

const graphsOf = proto => [...onnx.allGraphs(proto), ...proto.functions];

// What nodes may be called: as others, as what could be made of others, or not at all.
function drawName(draw, used) {
  if (draw.chance(0.3) || !used.length) return draw.pick(['', 'n', 'group_0', 'kernel_0', 'Transpose', 'x', `a${used.length}`]);
  const base = draw.pick(used);
  return draw.pick([base, `${base}/Transpose`, `${base}/Reshape`, `${base}/step_1`, `${base}/exp`, `${base}_1`, `${base}_2`,
    `${base}\n\t\u0001`, `${base}é漢`, `a${used.length}`]).slice(-600);
}

// Gives the nodes other names, mostly.
function rename(proto, draw) {
  if (draw.chance(0.2)) return;
  const used = [];
  for (const { node } of graphsOf(proto))
    for (const each of node) used.push(each.name = draw.chance(0.5) ? `a${used.length}` : drawName(draw, used.filter(Boolean)));
  if (draw.chance(0.1)) proto.graph.node[0].name = 'long'.repeat(5e4);
}

function drawFlags(draw) {
  const flags = ['--verify', 'off', '-t', draw.pick(['none', 'nhwc', 'opu', 'ascend'])];
  if (draw.chance(0.4)) flags.push('--rewrite', 'on');
  if (draw.chance(0.4)) flags.push('--graph-kernels', 'on');
  if (draw.chance(0.3)) flags.push('--expand', 'all');
  if (draw.chance(0.2)) flags.push('--simplify', 'off');
  return flags;
}

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

function checkUnique(proto) {
  for (const { name, node } of graphsOf(proto)) {
    const seen = new Set();
    for (const each of node) {
      if (!each.name) throw new Error(`${each.opType} of ${each.output} in ${name} has no name`);
      if (seen.has(each.name)) throw new Error(`two nodes of ${name} are called '${each.name.slice(-60)}'`);
      seen.add(each.name);
    }
  }
}

const keyOf = ({ opType, output }) => `${opType} ${output[0]}`;

// How many nodes kept their names. An Identity that went may be needed again, as
// a new node.
function checkKept(before, after) {
  const counts = new Map(), names = new Map();
  for (const { node } of graphsOf(before))
    for (const { name } of node) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const each of before.graph.node)
    if (each.opType !== 'Identity' && each.name && counts.get(each.name) === 1) names.set(keyOf(each), each.name);
  let kept = 0;
  for (const each of [after.graph, ...after.functions].flatMap(({ node }) => node)) {
    const name = names.get(keyOf(each));
    if (!name) continue;
    if (name !== each.name) throw new Error(`'${name}' of ${each.output[0]} is called '${each.name.slice(-60)}'`);
    ++kept;
  }
  return kept;
}

async function isLoaded(bytes) {
  try {
    await (await ort.InferenceSession.create(bytes, sessionOptions)).release();
    return true;
  } catch {
    return false;
  }
}

async function check(number, { inlay, folder }) {
  const draw = new Draw(seedFor(number, 'names of nodes')), proto = drawModel(draw), original = onnx.write(proto);
  const file = name => path.join(folder, `${number}-${name}.onnx`);
  rename(proto, draw);
  fs.writeFileSync(file('in'), onnx.write(proto));
  const flags = drawFlags(draw);
  for (const name of ['out', 'again']) {
    const { code, stderr } = await execute(inlay, ['compile', file('in'), '-o', file(name), ...flags]);
    // An operator that the opset cannot say is another matter.
    if (code === 5) return { kept: 0, refused: 1 };
    if (code !== 0) throw new Error(`exit code ${code}: ${stderr.trim().slice(0, 300)}`);
  }
  const [bytes, again] = ['out', 'again'].map(name => fs.readFileSync(file(name)));
  if (!bytes.equals(again)) throw new Error('compiling again gives other bytes');
  const result = onnx.read(bytes);
  checkUnique(result);
  const kept = checkKept(proto, result);
  if (!await isLoaded(bytes) && await isLoaded(original)) throw new Error(`ONNX Runtime refuses the result of ${flags.join(' ')}`);
  return { kept, refused: 0 };
}

async function main() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { inlay: text, count: text, first: text, work: text } });
  if (!values.inlay) return console.error(usage), 2;
  const folder = values.work ?? fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-names-'));
  fs.mkdirSync(folder, { recursive: true });
  const first = Number(values.first ?? 0), count = Number(values.count ?? 100), total = { kept: 0, refused: 0, failed: 0 };
  for (let number = first; number < first + count; ++number)
    try {
      const { kept, refused } = await check(number, { inlay: values.inlay, folder });
      total.kept += kept, total.refused += refused;
    } catch (error) {
      ++total.failed;
      console.log(`FAIL ${number}: ${error.message}`);
    }
  if (!values.work) fs.rmSync(folder, { recursive: true });
  console.log(`${count - total.failed} passed, ${total.failed} failed; ${total.kept} names kept, ${total.refused} models refused`);
  return total.failed || !total.kept ? 1 : 0;
}

main().then(code => { process.exitCode = code; });
