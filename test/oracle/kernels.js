#!/usr/bin/env node
//===- kernels.js - The graph kernels of every model of a folder ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every model and target: (1) compile it with rewriting and graph kernels;
// (2) compile it again, which must give the same bytes; (3) compile what was
// written, which must change nothing; (4) compare it with the original in ONNX
// Runtime; (5) print a row. It fails when any of these fails, when a kernel is
// written that nothing calls, and when kernels move more bytes than operators.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('./onnx');
const { parseFolder, compileModel, areSameBytes, functionsWith, judge, megabytes, checkFolder } = require('./compiled');

const usage = `usage: kernels.js MODELS_DIR --inlay BIN --work DIR [options]

  --targets A,B      default none,nhwc,opu,ascend
  --only A,B         these models only
  --options "FLAGS"  of inlay compile (default: "--rewrite on --graph-kernels on")
  --table            only the table: nothing is run
  --jobs N           models at a time (default 1)
  --tolerance X      limit of max|a-b| / max|a| for f32 and f64 (default 1e-5)`;

// A weight that is folded is rounded once more, and a composite operator adds
// in another order than its parts: the limit of reordered sums. ONNX Runtime's
// own rewriting of these models (level all beside disabled) stays below 3e-6.
const defaultTolerance = 1e-5;

function parse() {
  const values = parseFolder({ targets: { type: 'string' }, options: { type: 'string' } });
  const { targets = 'none,nhwc,opu,ascend', options = '--rewrite on --graph-kernels on' } = values;
  return { ...values, targets: targets.split(','), flags: options.split(/\s+/).filter(Boolean) };
}

//===----------------------------------------------------------------------===//
// One model
//===----------------------------------------------------------------------===//

// What the report promises and the file must keep.
function faultOf({ kernels, kernel_bytes_before: before, kernel_bytes_after: after }, { found, idle }) {
  if (idle) return `function ${idle.name} is not called`;
  if (kernels < found.length) return `${kernels} kernels reported, ${found.length} written as functions`;
  return after > before ? `kernels move ${after} bytes, operators ${before}` : undefined;
}

async function checkTarget(original, folder, target, context) {
  const file = name => path.join(folder, name, path.basename(original));
  const flags = ['-t', target, ...context.flags], compile = (from, to) => compileModel(context.inlay, from, to, flags);
  const row = {};
  try {
    row.report = await compile(original, file('once'));
    const functions = functionsWith(onnx.readFile(file('once')), 'inlay.kernel');
    row.functions = functions.found.length;
    const fault = faultOf(row.report, functions);
    if (fault) return { ...row, verdict: fault };
    await compile(original, file('again'));
    if (!areSameBytes(file('once'), file('again'))) return { ...row, verdict: 'two compilations differ' };
    await compile(file('once'), file('twice'));
    if (!areSameBytes(file('once'), file('twice'))) return { ...row, verdict: 'compiling twice changes the model' };
    if (context.table) return row;
    return { ...row, ...await judge(context.worker, original, file('once'), context.tolerance ?? defaultTolerance) };
  } catch (error) {
    return { ...row, verdict: error.message };
  } finally {
    for (const name of ['once', 'again', 'twice']) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

function faultsOf({ failure, verdict }) {
  return [failure, verdict].filter(text => text !== undefined && text !== 'equal');
}

function printHeader() {
  console.log('kernels and those of several operators, megabytes that operators and kernels read and write');
  console.log(`${'model'.padEnd(29)} ${'target'.padEnd(8)} ${'kernels'.padStart(8)} ${'fused'.padStart(6)} ` +
              `${'before'.padStart(10)} ${'after'.padStart(10)} | results`);
}

function printRow({ name, target = '', report = {}, functions = '-', error, verdict }) {
  const { kernels = '-', kernel_bytes_before: before, kernel_bytes_after: after } = report;
  const result = error === undefined ? 'not run' : `${verdict === 'equal' ? 'equal' : 'different'}, error ${error.toExponential(1)}`;
  console.log(`${name.padEnd(29)} ${target.padEnd(8)} ${String(kernels).padStart(8)} ${String(functions).padStart(6)} ` +
              `${megabytes(before).padStart(10)} ${megabytes(after).padStart(10)} | ${result}`);
}

checkFolder({ usage, parse, checkTarget, faultsOf, printHeader, printRow }).then(code => { process.exitCode = code; });
