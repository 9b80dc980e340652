#!/usr/bin/env node
//===- blocked_targets.js - What the blocked targets do to models ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models compiled for the targets that store channels in blocks. It fails when
// a convolution does not read the blocks that the target is named after, when
// more activations are moved than the model has inputs, and when an output
// differs from the original's in ONNX Runtime.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('./onnx');
const { parseFolder, compileModel, limitFor, judge, megabytes, checkFolder } = require('./compiled');
const { requiredInputs } = require('./inputs');

const usage = `usage: blocked_targets.js MODELS_DIR --inlay BIN --work DIR [options]

  --only A,B         these models only
  --tolerance X      limit of max|a-b| / max|a| for f32 and f64 (default 1e-6, 1e-5 where sums are reordered)`;

// How the convolutions of each are called: the order, then the size of the
// blocks, behind their number where channels are whole blocks.
const names = {
  nchw16c: /^Conv_NC1HWC0_(block|split_C_\d+)_16_/,
  chw32: /^Conv_NC1HWC0_(block|split_C_\d+)_32_/,
  nhcwb16: /^Conv_NHC1WC0_(block|split_C_\d+)_16_/,
  nc1hwc2: /^Conv_NC1HWC0_(block|split_C_\d+)_4_/,
};

const parse = () => ({ ...parseFolder(), targets: Object.keys(names) });

// Transposes of what depends on an input; weights may be moved beside them.
function movedActivations(proto) {
  const live = new Set(requiredInputs(proto).map(({ name }) => name)), moved = [];
  for (const node of proto.graph.node) {
    if (!node.input.some(name => live.has(name))) continue;
    node.output.forEach(name => live.add(name));
    if (node.opType === 'Transpose') moved.push(node.input[0]);
  }
  return moved;
}

const convolutions = proto => proto.graph.node.map(({ opType }) => opType).filter(name => /^Conv(_|$)/.test(name));

async function checkTarget(original, folder, target, context) {
  const output = path.join(folder, target, path.basename(original));
  try {
    const report = await compileModel(context.inlay, original, output, ['-t', target]);
    const proto = onnx.readFile(output);
    return {
      report, moved: movedActivations(proto), inputs: requiredInputs(proto).length, convolutions: convolutions(proto),
      ...await judge(context.worker, original, output, context.tolerance ?? limitFor(report)),
    };
  } finally {
    fs.rmSync(path.dirname(output), { recursive: true, force: true });
  }
}

function faultsOf({ failure, target, report, moved, inputs, convolutions, verdict }) {
  if (failure) return [failure];
  const others = convolutions.filter(name => !names[target].test(name)), faults = [];
  if (!convolutions.length) faults.push('there are no convolutions');
  if (others.length) faults.push(`${others.length} convolutions are in another order, first: ${others[0]}`);
  if (moved.length !== inputs) faults.push(`${moved.length} activations are moved for ${inputs} inputs: ${moved}`);
  if (!report.proved) faults.push('the layouts are not proved least');
  if (verdict !== 'equal') faults.push(verdict);
  return faults;
}

const printHeader = () => console.log('what each target moves: activations; all, in megabytes; and results');

function printRow({ name, target, report, moved, convolutions, verdict, error }) {
  if (!report) return console.log(name);
  console.log(`${name.padEnd(20)} ${target.padEnd(8)} ${convolutions.length} convolutions, ${moved.length} moved; ` +
              `${report.ledger.out.transposes}/${megabytes(report.ledger.out.bytes)}; ${verdict}, error ${error.toExponential(1)}`);
}

checkFolder({ usage, parse, checkTarget, faultsOf, printHeader, printRow }).then(code => { process.exitCode = code; });
