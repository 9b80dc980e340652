#!/usr/bin/env node
//===- found.js - Models that once showed a fault -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The models of found-models/, each with the flags that showed its fault: what
// is written loads in ONNX Runtime and gives equal results, and the claim that
// was wrong holds. What a whole class of them has in common is a property test
// elsewhere; this is the list of those that were met.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { mapInParallel, execute } = require('./pool');
const { compareShowing } = require('./models');
const { limitFor } = require('./compiled');

const usage = 'usage: found.js --inlay BIN [--only A,B]';
const models = path.join(__dirname, 'found-models');
const fileOf = name => path.join(models, `${name}.onnx`);

//===----------------------------------------------------------------------===//
// Claims: each returns what is wrong, or nothing
//===----------------------------------------------------------------------===//

const transposeBytes = report => report.totals.transpose_bytes.after;

const movesNothing = async ({ report }) =>
  transposeBytes(report) === 0 && report.proved ? '' : `${transposeBytes(report)} bytes, proved: ${report.proved}`;

// Either both are proved and cost the same, or no bound passes the other's cost.
const costsLike = other => async ({ report, compile }) => {
  const { report: twin } = await compile(other, []);
  const [a, b] = [report, twin].map(transposeBytes);
  if (report.proved && twin.proved) return a === b ? '' : `${a} bytes, '${other}' ${b}, both proved`;
  return report.bound_bytes <= b && twin.bound_bytes <= a ? '' : `a bound passes the cost of an equal model`;
};

// What is claimed as least must be, or the certificate names the move.
const isLeastOrNames = word => async ({ report, name, compile }) => {
  const { report: better } = await compile(`${name}.better`, []);
  const found = transposeBytes(report) <= transposeBytes(better);
  return found || JSON.stringify(report.never_searched ?? []).includes(word) ? '' :
    `${transposeBytes(report)} bytes; '${word}' is not named among what was not considered`;
};

const isLeast = async ({ report, name, compile }) => {
  const { report: better } = await compile(`${name}.better`, []), [own, least] = [report, better].map(transposeBytes);
  return own <= least ? '' : `${own} bytes, ${least} would do`;
};

//===----------------------------------------------------------------------===//
// The models
//===----------------------------------------------------------------------===//

const rewrite = ['--rewrite', 'on'], kernels = ['--graph-kernels', 'on'], expand = ['--expand', 'all'];
const verify = ['--verify', 'on'];

const cases = [
  { model: 'if_same_name' },
  { model: 'loop_later_name' },
  { model: 'scan_axes' },
  { model: 'opset7_relu', flags: ['-t', 'ascend'] },
  { model: 'opset7_relu', flags: expand },
  { model: 'opset8_reshape', flags: ['-t', 'opu'] },
  { model: 'opset8_reshape', flags: ['-t', 'nhwc', ...rewrite, ...kernels] },
  { model: 'opset10_norms', flags: kernels },
  { model: 'opset7_gelu_tanh', flags: rewrite },
  { model: 'opset8_layer_norm', flags: rewrite },
  { model: 'opset8_swish', flags: rewrite },
  { model: 'opset8_norms', flags: kernels },
  { model: 'name_clash_function' },
  { model: 'name_clash_expand', flags: expand },
  { model: 'chain_of_transposes', claim: movesNothing },
  { model: 'noise_noisy', claim: costsLike('noise_plain') },
  { model: 'opu_border_bytes', flags: ['-t', 'opu', '--fusion-strategy', 'optimal'] },
  { model: 'concat_500_inputs' },
  { model: 'split_2000' },
  { model: 'cheaper_recompute_relu', claim: isLeastOrNames('computing twice') },
  { model: 'cheaper_cse_add', claim: isLeastOrNames('operators that compute the same') },
  { model: 'cheaper_matmul_rank4', claim: isLeast },
  { model: 'cheaper_scan_axis', claim: isLeast },
  { model: 'batch_norm_zero_variance', flags: [...expand, ...verify] },
  // Means of BatchNormalizations that are large beside their deviations: f32
  // loses 3.7e-5 of the range, most of it in the original.
  { model: 'verify_rounding', flags: [...rewrite, ...verify], tolerance: 1e-4 },
];

// Pairs that `inlay compare` must tell apart.
const different = [{ model: 'compare_nan', other: 'compare_nan.damaged', flags: ['--dim', 'batch=1'] }];

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

// What is least is a question of bytes unless a target is given.
async function compileTo(inlay, folder, name, flags) {
  const output = path.join(folder, `${name}.${Math.random()}.onnx`);
  const given = [...flags.includes('-t') ? [] : ['-t', 'none'], ...flags, ...flags.includes('--verify') ? [] : ['--verify', 'off']];
  const args = ['compile', fileOf(name), '-o', output, '--format', 'json', ...given];
  const { code, stdout, stderr } = await execute(inlay, args, { timeout: 120 });
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr.trim()}`);
  return { output, report: JSON.parse(stdout) };
}

async function checkCompiled({ model, flags = [], claim, tolerance }, { inlay, folder, worker }) {
  const compile = (name, extra) => compileTo(inlay, folder, name, extra);
  const { output, report } = await compile(model, flags);
  const options = { tolerance: tolerance ?? limitFor(report) };
  const { verdict, reason, outputs } = await compareShowing(worker, fileOf(model), output, options);
  if (verdict !== 'equal') return `${verdict}: ${reason ?? JSON.stringify(outputs)}`;
  return claim ? claim({ report, name: model, compile, output }) : '';
}

async function checkDifferent({ model, other, flags }, { inlay }) {
  const { code, stdout } = await execute(inlay, ['compare', fileOf(model), fileOf(other), ...flags]);
  return code === 1 ? '' : `exit code ${code}, 1 was expected: ${stdout.trim()}`;
}

async function check(entry, context) {
  const run = entry.other ? checkDifferent : checkCompiled;
  const fault = await run(entry, context).catch(error => error.message);
  console.log(`${fault ? 'failed' : 'ok    '}  ${entry.model} ${(entry.flags ?? []).join(' ')}`);
  if (fault) console.log(`    ${fault}`);
  return !fault;
}

async function main() {
  const text = { type: 'string' }, { values } = parseArgs({ options: { inlay: text, only: text } });
  if (!values.inlay) {
    console.error(usage);
    return 2;
  }
  const wanted = values.only?.split(',');
  const chosen = [...cases, ...different].filter(({ model }) => !wanted || wanted.includes(model));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inlay-found-'));
  try {
    const passed = (await mapInParallel(chosen, 2, (entry, worker) =>
      check(entry, { inlay: values.inlay, folder, worker }))).filter(Boolean).length;
    console.log(`${passed} passed, ${chosen.length - passed} failed`);
    return passed === chosen.length && passed > 0 ? 0 : 1;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

main().then(code => { process.exitCode = code; });
