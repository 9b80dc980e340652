#!/usr/bin/env node
//===- wide.js - Operators with ten thousand operands ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Concat, Sum and Split of many operands between transposes, without and with a
// pipeline, and kernels of all. What grows with the cube of the number of
// operands takes hours here; the limit is a hundred times what is needed.
// Nothing may be left of the transposes.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { execute } = require('./pool');

const usage = 'usage: wide.js --inlay BIN --work DIR [--operands N]';
const operators = ['Concat', 'Sum', 'Split'], targets = ['none', 'opu'];
const flags = ['--rewrite', 'on', '--graph-kernels', 'on', '--verify', 'off', '--format', 'json'];

async function compileWide(model, target, { inlay, work }) {
  const args = ['compile', model, '-o', path.join(work, 'out.onnx'), '-t', target, ...flags];
  const { code, stdout, stderr } = await execute(inlay, args, { timeout: 200 });
  if (code !== 0) return stderr.trim() || `exit code ${code}`;
  const { transposes } = JSON.parse(stdout).ledger.out;
  return transposes === 0 ? undefined : `${transposes} transposes are left`;
}

async function main() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { inlay: text, work: text, operands: text } });
  if (!values.inlay || !values.work) return console.error(usage), 2;
  fs.mkdirSync(values.work, { recursive: true });
  let failed = 0;
  for (const op of operators) {
    const model = path.join(values.work, `${op}.onnx`);
    const made = await execute(process.execPath, [path.join(__dirname, 'big.js'), 'wide', model, '--op', op, '--nodes',
      values.operands ?? '10000']);
    if (made.code !== 0) throw new Error(made.stderr);
    for (const target of targets) {
      const fault = await compileWide(model, target, values);
      failed += fault ? 1 : 0;
      console.log(`${op.padEnd(7)} ${target.padEnd(6)} ${fault ?? 'compiled'}`);
    }
  }
  fs.rmSync(values.work, { recursive: true });
  console.log(`${operators.length * targets.length - failed} passed, ${failed} failed`);
  return failed ? 1 : 0;
}

main().then(code => { process.exitCode = code; });
