#!/usr/bin/env node
//===- compare.js - Are two ONNX files equal in ONNX Runtime? -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { parseArgs } = require('node:util');
const { compareFiles } = require('./oracle');
const { readTensor } = require('./inputs');

const usage = `usage: compare.js A.onnx B.onnx [options]

  --seed N              seed of the inputs (default 0)
  --dim NAME=N          extent of a symbolic dimension; may be repeated
  --input NAME=FILE     an input from a .npy or a TensorProto (.pb); may be repeated
  --tolerance X         limit of max|a-b| / max|a| for f32 and f64 (default 1e-6)
  --strict              do not allow a step of the last quantiser
  --allow-trivial LIST  outputs that may be empty, constant or next to zero; 'all' for every one
  --expose N|LIST       also compare N values inside the graph, or those named
  --format text|json

exit code: 0 equal, 1 different or shows nothing, 2 usage, 3 the first file is refused, 4 the second is`;

const exitCodes = { 'equal': 0, 'different': 1, 'shows-nothing': 1, 'refused-first': 3, 'refused-second': 4 };

function parse() {
  const text = { type: 'string' }, list = { type: 'string', multiple: true, default: [] };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'seed': text, 'dim': list, 'input': list, 'tolerance': text, 'strict': { type: 'boolean' },
      'allow-trivial': text, 'expose': text, 'format': text,
    },
  });
  if (positionals.length !== 2) throw new Error(`two files are required, ${positionals.length} given`);
  return { values, files: positionals };
}

const splitPair = text => {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new Error(`NAME=VALUE is required, found '${text}'`);
  return [text.slice(0, at), text.slice(at + 1)];
};

function toOptions(values) {
  const trivial = values['allow-trivial'], { expose } = values;
  return {
    seed: Number(values.seed ?? 0), tolerance: Number(values.tolerance ?? 1e-6), strict: values.strict,
    extents: Object.fromEntries(values.dim.map(splitPair).map(([name, extent]) => [name, Number(extent)])),
    given: Object.fromEntries(values.input.map(splitPair).map(([name, file]) => [name, readTensor(file)])),
    allowTrivial: trivial === 'all' ? true : trivial?.split(',') ?? [],
    expose: expose === undefined ? undefined : /^\d+$/.test(expose) ? Number(expose) : expose.split(','),
  };
}

function print(result) {
  for (const { name, type, dims, error, limit, changed, verdict, reason, trivial } of result.outputs)
    console.log(`${verdict}  ${name}: ${type}[${dims}] error ${error} limit ${limit} changed ${changed}` +
                (reason ?? trivial ? ` (${reason ?? trivial})` : ''));
  for (const name of result.hidden ?? []) console.log(`not compared  ${name}: not a tensor of a type node can read`);
  console.log(result.reason ? `${result.verdict}: ${result.reason}` : result.verdict);
}

async function main() {
  let files, options, values;
  try {
    ({ files, values } = parse());
    options = toOptions(values);
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  const result = await compareFiles(...files, options);
  if (values.format === 'json') console.log(JSON.stringify(result, null, 2));
  else print(result);
  return exitCodes[result.verdict];
}

main().then(code => { process.exitCode = code; }, error => {
  console.error(error.message);
  process.exitCode = 2;
});
