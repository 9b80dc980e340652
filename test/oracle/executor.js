//===- executor.js - Runs a model in `inlay run` --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { execute } = require('./pool');
const { readTensor, tensorBytes } = require('./inputs');

// Writes {name: tensor} to files; what --input takes, one for each.
function writeInputs(folder, feeds) {
  return Object.entries(feeds).map(([name, tensor]) => {
    const file = path.join(folder, `input_${name}.pb`);
    fs.writeFileSync(file, tensorBytes(name, tensor));
    return `${name}=${file}`;
  });
}

function readOutputs(text, folder) {
  const outputs = new Map();
  for (const { name, file } of JSON.parse(text).outputs ?? JSON.parse(text))
    outputs.set(name, readTensor(fs.existsSync(file) ? file : path.join(folder, file)));
  return outputs;
}

// {code, stderr, outputs}; `outputs` is a Map of tensors when it succeeded.
async function runExecutor(inlay, model, inputs, folder, flags = []) {
  const args = ['run', model, ...flags, ...inputs.flatMap(input => ['--input', input]), '--output', folder, '--format', 'json'];
  const { code, stdout, stderr } = await execute(inlay, args);
  return { code, stderr, outputs: code === 0 ? readOutputs(stdout, folder) : undefined };
}

module.exports = { writeInputs, runExecutor };
