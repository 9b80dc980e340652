//===- worker.js - The child process that holds ONNX Runtime --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { compareFiles, tryRun } = require('./oracle');
const { measureTransposes } = require('./transposes');
const { measureBorders } = require('./borders');
const { measureTraffic } = require('./traffic');
const { measureWork } = require('./work');
const { optimise } = require('./optimise');
const { inferTypes } = require('./session');
const onnx = require('./onnx');

// Pairs of names and ranks.
async function inferRanks(file, names) {
  const types = await inferTypes(file, onnx.readFile(file), names);
  return [...types].map(([name, { rank }]) => [name, rank]);
}

const tasks = {
  compare: compareFiles, run: tryRun, transposes: measureTransposes, traffic: measureTraffic, borders: measureBorders,
  work: measureWork, optimise, ranks: inferRanks,
};

process.on('message', async ({ task, args }) => {
  try {
    process.send({ result: await tasks[task](...args) });
  } catch (error) {
    process.send({ failure: error.message });
  }
});
