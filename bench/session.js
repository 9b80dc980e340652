#!/usr/bin/env node
//===- session.js - The time an ONNX Runtime session takes to create ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the seconds of the fastest of five sessions of MODEL, optimisation
// disabled, the library already loaded.
//
//===----------------------------------------------------------------------===//

'use strict';

const path = require('node:path');
const ort = require(path.join(__dirname, '..', 'test', 'oracle', 'node_modules', 'onnxruntime-node'));

async function main([model]) {
  const times = [];
  for (let i = 0; i < 5; ++i) {
    const start = process.hrtime.bigint();
    const session = await ort.InferenceSession.create(model, { graphOptimizationLevel: 'disabled', logSeverityLevel: 3 });
    times.push(Number(process.hrtime.bigint() - start) / 1e9);
    await session.release();
  }
  console.log(Math.min(...times));
}

main(process.argv.slice(2)).catch(error => { console.error(error.message); process.exit(1); });
