#!/usr/bin/env node
//===- subgraph_names.js - Names in subgraphs that equal those outside ----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A random model with subgraphs, and the same with names used again:
//   (1) both compile to the same graph, but for names; with kernels, what was
//       written is finished, and some are called in subgraphs;
//   (2) the executor gives both the same bits;
//   (3) ONNX Runtime loads the results and gives both the same bits; models,
//       too, where it takes their names, and kernels compute the same bits.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { isDeepStrictEqual, parseArgs } = require('node:util');
const onnx = require('./onnx');
const { Draw } = require('./random-ops/draw');
const { seedFor } = require('./random');
const { runModel } = require('./session');
const { writeInputs, runExecutor } = require('./executor');
const { execute } = require('./pool');
const { areSameBytes, functionsWith } = require('./compiled');
const { bytesOf, tensor } = require('./element');
const { generate } = require('./subgraphs/generate');
const { reuseNames } = require('./subgraphs/reuse');

const usage = `usage: subgraph_names.js --inlay BIN [--count N] [--first N] [--work DIR]`;

// Names as they come, so that graphs which differ in names only are equal.
function withoutNames(proto) {
  const makeRename = names => name => {
    if (!names.has(name)) names.set(name, `n${names.size}`);
    return names.get(name);
  };
  const rename = makeRename(new Map([['', '']]));
  const renameNodes = (nodes, rename) => nodes.forEach(node =>
    Object.assign(node, { name: '', input: node.input.map(rename), output: node.output.map(rename) }));
  for (const graph of onnx.allGraphs(proto)) {
    for (const list of [graph.input, graph.initializer, graph.valueInfo, graph.output])
      for (const item of list) item.name = rename(item.name);
    renameNodes(graph.node, rename);
  }
  // A function sees nothing of what is around its calls.
  for (const body of proto.functions) {
    const inner = makeRename(new Map([['', '']]));
    Object.assign(body, { input: body.input.map(inner), output: body.output.map(inner) });
    renameNodes(body.node, inner);
  }
  return proto;
}

// Calls of kernels in subgraphs.
function countInside(proto) {
  const kernels = new Set(functionsWith(proto, 'inlay.kernel').found.map(({ name }) => name));
  const [, ...inside] = onnx.allGraphs(proto);
  return inside.flatMap(({ node }) => node).filter(({ opType }) => kernels.has(opType)).length;
}

function differing(expected, found) {
  for (const [name, value] of expected)
    if (!Buffer.from(bytesOf(value)).equals(Buffer.from(bytesOf(found.get(name))))) return name;
  return undefined;
}

const feedsFor = draw => ({ x: draw.floats([3], -1, 1), rows: draw.floats([2, 3], -1, 1),
  c: tensor('bool', [], [draw.integer(0, 1)]), d: tensor('bool', [], [draw.integer(0, 1)]) });

// The outputs; undefined when the model is refused.
async function run(file, feeds) {
  try {
    return (await runModel(file, feeds)).outputs;
  } catch (error) {
    if (error.loaded !== false) throw error;
    return undefined;
  }
}

async function compile(inlay, from, to, flags) {
  const { code, stderr } = await execute(inlay, ['compile', from, '-o', to, '--verify', 'off', ...flags]);
  if (code !== 0) throw new Error(`${path.basename(from)}: exit code ${code}: ${stderr.trim()}`);
}

const kernelFlags = ['--graph-kernels', 'on'];

// Kernels are finished and compute what the operators did, bit by bit.
async function checkKernels(file, output, feeds, { inlay, folder }) {
  const [again, plain] = ['again', 'plain'].map(name => path.join(folder, `${name}-${path.basename(output)}`));
  await compile(inlay, output, again, kernelFlags);
  if (!areSameBytes(output, again)) throw new Error('compiling twice changes the model');
  await compile(inlay, file, plain, []);
  const expected = await run(plain, feeds), found = await run(output, feeds);
  if (!expected || !found) throw new Error('ONNX Runtime refuses a model with kernels');
  const wrong = differing(expected, found);
  if (wrong) throw new Error(`kernels give another ${wrong}`);
}

// Throws what is wrong with a case.
async function check(number, { inlay, folder }) {
  const draw = new Draw(seedFor(number, 'names of subgraphs')), isStrict = draw.chance(0.8);
  const file = name => path.join(folder, `${number}-${name}.onnx`);
  const apart = generate(draw), bytes = onnx.write(apart), feeds = feedsFor(draw);
  fs.writeFileSync(file('apart'), bytes);
  fs.writeFileSync(file('reused'), onnx.write(reuseNames(onnx.read(bytes), draw, isStrict)));
  const others = [[], ['--simplify', 'off'], ['--rewrite', 'on'], ['--expand', 'all']];
  const flags = draw.chance(0.4) ? kernelFlags : draw.pick(others);
  for (const name of ['apart', 'reused']) await compile(inlay, file(name), file(`${name}-out`), flags);
  const [one, other] = ['apart-out', 'reused-out'].map(name => withoutNames(onnx.readFile(file(name))));
  if (!isDeepStrictEqual(one, other)) throw new Error('the results differ in more than names');
  if (flags === kernelFlags) await checkKernels(file('apart'), file('apart-out'), feeds, { inlay, folder });

  const inputs = writeInputs(folder, feeds), executed = [];
  for (const name of ['apart', 'reused']) {
    const { code, stderr, outputs } = await runExecutor(inlay, file(name), inputs, folder);
    if (code !== 0) throw new Error(`${name} is not executed: ${stderr.trim()}`);
    executed.push(outputs);
  }
  let isAccepted = false;
  const wrong = differing(...executed);
  if (wrong) throw new Error(`the executor gives another ${wrong}`);

  // It mistakes an initializer for the input of the graph that it hides.
  for (const suffix of isStrict ? ['', '-out'] : ['-out']) {
    const expected = await run(file(`apart${suffix}`), feeds), found = await run(file(`reused${suffix}`), feeds);
    // A result must be accepted, what was read need not be.
    if (!found && !suffix) continue;
    if (!expected || !found) throw new Error(`ONNX Runtime refuses a model${suffix}`);
    const other = differing(expected, found);
    if (other) throw new Error(`ONNX Runtime gives another ${other} for reused${suffix}`);
    isAccepted ||= !suffix;
  }
  return { isAccepted, inside: countInside(one) };
}

async function main() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { inlay: text, count: text, first: text, work: text } });
  if (!values.inlay) return console.error(usage), 2;
  const folder = values.work ?? fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-subgraphs-'));
  fs.mkdirSync(folder, { recursive: true });
  const first = Number(values.first ?? 0), count = Number(values.count ?? 100);
  let failed = 0, asked = 0, inside = 0;
  for (let number = first; number < first + count; ++number)
    try {
      const found = await check(number, { inlay: values.inlay, folder });
      asked += found.isAccepted;
      inside += found.inside;
    } catch (error) {
      ++failed;
      console.log(`FAIL ${number}: ${error.message}`);
    }
  if (!values.work) fs.rmSync(folder, { recursive: true });
  console.log(`${count - failed} passed, ${failed} failed; ONNX Runtime ran ${asked} with names used again; ` +
              `${inside} kernels in subgraphs`);
  if (!inside) console.log('FAIL: no kernel in a subgraph was looked at');
  return failed || !inside ? 1 : 0;
}

main().then(code => { process.exitCode = code; });
