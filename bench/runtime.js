//===- runtime.js - Timing ONNX Runtime -----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const table = require('./table');

const ort = table.oracle('node_modules/onnxruntime-node');
const onnx = table.oracle('onnx');
const { requiredInputs, randomInputs } = table.oracle('inputs');

// All of its optimisations.
function createSession(model, threads = 1) {
  return ort.InferenceSession.create(model, {
    graphOptimizationLevel: 'all', executionMode: 'sequential', intraOpNumThreads: threads, interOpNumThreads: 1, logSeverityLevel: 4,
  });
}

// Random tensors for the inputs of a model, {name: tensor}, as the tests have
// them.
function makeInputs(model) {
  const proto = onnx.readFile(model), tensors = randomInputs(proto, { seed: 1 });
  return Object.fromEntries(requiredInputs(proto).map(({ name }) => [name, tensors[name]]));
}

// What the runtime calls the types that inputs have.
const runtimeNames = { float: 'float32', double: 'float64' };

// The same tensors as the runtime takes them.
function toFeeds(inputs) {
  const entries = Object.entries(inputs).map(([name, { type, dims, data }]) =>
    [name, new ort.Tensor(runtimeNames[type] ?? type, data, dims)]);
  return Object.fromEntries(entries);
}

// Milliseconds.
async function timeRun(session, feeds) {
  const start = process.hrtime.bigint();
  await session.run(feeds);
  return Number(process.hrtime.bigint() - start) / 1e6;
}

module.exports = { createSession, makeInputs, toFeeds, timeRun };
