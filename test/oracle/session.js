//===- session.js - Runs a model in ONNX Runtime --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const ort = require('onnxruntime-node');
const onnx = require('./onnx');
const { adapt } = require('./border');
const { arrayOf, isSmallFloat, smallFloatBits } = require('./element');

// One thread and no rewriting: the same sums in the same order every time.
const sessionOptions = {
  graphOptimizationLevel: 'disabled', executionMode: 'sequential', intraOpNumThreads: 1, interOpNumThreads: 1,
  logSeverityLevel: 4,
};

const runtimeNames = { float: 'float32', double: 'float64' };
const ourNames = { float32: 'float', float64: 'double' };

// `loaded` tells a model that is refused from one that fails on its inputs.
class NotAccepted extends Error {
  constructor(message, loaded) {
    super(message);
    this.loaded = loaded;
  }
}

function toRuntime({ type, dims, data }) { return new ort.Tensor(runtimeNames[type] ?? type, data, dims); }

// `declared` is the type before a cast at the border.
function fromRuntime({ type, dims, data }, declared) {
  const shape = Array.from(dims);
  if (declared && isSmallFloat(declared))
    return { type: declared, dims: shape, data: smallFloatBits(declared, data) };
  if (/^(bfloat16|u?int)/.test(declared)) return { type: declared, dims: shape, data: arrayOf(declared, data) };
  const bits = type === 'float16' ? new Uint16Array(data.buffer, data.byteOffset, data.length) : data;
  return { type: ourNames[type] ?? type, dims: shape, data: bits };
}

function hasExternalData(proto) {
  return onnx.allGraphs(proto).some(graph => graph.initializer.some(({ dataLocation }) => dataLocation === 1));
}

// A session of the adapted model. External data is looked up beside the file,
// so a changed model that has any is written there for the moment.
async function createSession(file, plan) {
  if (!plan.changed) return ort.InferenceSession.create(file, sessionOptions);
  const bytes = onnx.write(plan.proto);
  if (!hasExternalData(plan.proto)) return ort.InferenceSession.create(bytes, sessionOptions);
  const beside = path.join(path.dirname(file), `.oracle-${process.pid}-${path.basename(file)}`);
  fs.writeFileSync(beside, bytes);
  try {
    return await ort.InferenceSession.create(beside, sessionOptions);
  } finally {
    fs.unlinkSync(beside);
  }
}

// Types of values inside the graph, as the runtime infers them: a Map from names
// to {type, rank}, without those that are not tensors. A tensor of unknown rank
// looks like a scalar.
async function inferTypes(file, proto, names) {
  const declared = new Set(proto.graph.output.map(({ name }) => name));
  const added = names.filter(name => !declared.has(name)).map(name => ({ name }));
  const graph = { ...proto.graph, output: [...proto.graph.output, ...added] };
  const session = await createSession(file, { changed: true, proto: { ...proto, graph } });
  const wanted = new Set(names);
  const found = session.outputMetadata.filter(({ name, isTensor }) => isTensor && wanted.has(name));
  await session.release();
  return new Map(found.map(({ name, type, shape }) => [name, { type: ourNames[type] ?? type, rank: shape.length }]));
}

function toFeeds(feeds) {
  return Object.fromEntries(Object.entries(feeds).map(([name, tensor]) => [name, toRuntime(tensor)]));
}

async function runPlan(file, plan) {
  let session;
  try {
    session = await createSession(file, plan);
    const fetched = await session.run(toFeeds(plan.feeds), [...plan.fetch.values()].map(({ from }) => from));
    const outputs = new Map();
    for (const [name, { from, type }] of plan.fetch) outputs.set(name, fromRuntime(fetched[from], type));
    return outputs;
  } catch (error) {
    throw new NotAccepted(error.message, session !== undefined);
  } finally {
    await session?.release();
  }
}

// Lengths of sequences and flags of optionals, which `containers.js` waits for.
function learnSizes(outputs, known) {
  const before = known.size;
  for (const [name, { data }] of outputs)
    if (/\.(length|has)$/.test(name)) known.set(name, Number(data[0]));
  return known.size > before;
}

// Runs `file` on {name: value} and returns {outputs: Map of tensors, hidden}.
// `expose` names further values to return. Throws NotAccepted with the
// runtime's message when it refuses the model or fails in it.
async function runModel(file, inputs, { proto = onnx.readFile(file), expose = [] } = {}) {
  const known = new Map();
  for (;;) {
    const plan = adapt(proto, inputs, { expose, known }), outputs = await runPlan(file, plan);
    if (!learnSizes(outputs, known)) return { outputs, hidden: plan.hidden };
  }
}

module.exports = { runModel, inferTypes, NotAccepted, sessionOptions };
