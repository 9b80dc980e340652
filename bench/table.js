//===- table.js - A table with a row for each model of a folder -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const oracle = name => require(path.join(__dirname, '..', 'test', 'oracle', name));
const { listModels } = oracle('models');
const { mapInParallel, execute } = oracle('pool');

const bundledModels = path.join(__dirname, '..', 'test', 'models');

// Weights lie beside the model: each file has a folder of its own.
function fileIn(folder, name) {
  fs.mkdirSync(path.join(folder, name), { recursive: true });
  return path.join(folder, name, 'model.onnx');
}

// Compiles without checking the result; what the command printed.
async function compile(inlay, model, output, flags) {
  const args = ['compile', model, '-o', output, '--verify', 'off', '--external-data', 'always', ...flags];
  const { code, stdout, stderr } = await execute(inlay, args, { timeout: 600 });
  if (code !== 0) throw new Error(`inlay: exit code ${code}: ${stderr.trim().split('\n', 1)[0]}`);
  return stdout;
}

const meanOf = ratios => Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);

// The row of a model: what `measureModel` adds to it, or why it failed.
async function tryModel(name, context, { measureModel, printRow }) {
  const row = { name }, folder = path.join(context.work, name);
  try {
    fs.mkdirSync(folder);
    await measureModel(row, folder, context);
  } catch (error) {
    row.failure = error.message;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  printRow(row, context);
  return row;
}

// The exit code: 2 for what `parse` refuses, else what `report` returns.
async function printTable({ usage, parse, printHeader, report, ...row }) {
  let context, names;
  try {
    context = parse();
    names = listModels(context);
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-table-'));
  printHeader();
  const rows = await mapInParallel(names, 1, (name, worker) => tryModel(name, { ...context, work, worker }, row), { timeout: 600 });
  fs.rmSync(work, { recursive: true });
  return report(rows, context);
}

module.exports = { oracle, bundledModels, fileIn, compile, meanOf, printTable };
