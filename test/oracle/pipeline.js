#!/usr/bin/env node
//===- pipeline.js - The printed pipeline, whole and cut ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `inlay compile` makes of models, for each target and set of options:
//
//   1. the printed pipeline, run by inlay-opt on the model as it was read, gives
//      the module that `inlay compile --emit mlir` writes;
//   2. run one pass at a time, with the module written and read in between, it
//      gives the same;
//   3. `--stop-after` the middle and the last pass gives what is there then,
//      what it says is left, run on that, gives the end, and compiling it gives
//      the file that compiling the model gives. `--all`: after every pass.
//
//   pipeline.js MODEL... --inlay BIN --inlay-opt BIN --work DIR [--all]
//
//===----------------------------------------------------------------------===//

'use strict';

const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');

const { values, positionals: models } = parseArgs({
  allowPositionals: true,
  options: {
    'inlay': { type: 'string' }, 'inlay-opt': { type: 'string' }, 'work': { type: 'string' }, 'all': { type: 'boolean' },
  },
});
const targets = ['none', 'nhwc', 'opu', 'ascend'];
const flagSets = values.all ? [[], ['--rewrite', 'on'], ['--rewrite', 'on', '--graph-kernels', 'on']]
                            : [['--rewrite', 'on']];
fs.mkdirSync(values.work, { recursive: true });

const run = (tool, args) => execFileSync(values[tool], args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: 'pipe' });
// A module has one name in folders of its own, since it says what its data file is called.
const folder = name => path.join(values.work, name);
function file(name) {
  fs.mkdirSync(folder(name), { recursive: true });
  return path.join(folder(name), 'net.mlir');
}
function move(from, to) {
  fs.rmSync(folder(to), { recursive: true });
  fs.renameSync(folder(from), folder(to));
}
const onnx = name => file(name).replace('.mlir', '.onnx');
const apply = (passes, from, to) => run('inlay-opt', [file(from), `--pass-pipeline=builtin.module(${passes})`, '-o', file(to)]);

// The passes between the outer parentheses.
function split(text) {
  const steps = [''];
  let depth = 0;
  for (const c of text.trim().slice('builtin.module('.length, -1)) {
    depth += '({'.includes(c) - ')}'.includes(c);
    if (c === ',' && depth === 0) steps.push('');
    else steps[steps.length - 1] += c;
  }
  return steps;
}

// What --stop-after calls each step.
function nameSteps(steps) {
  const seen = {};
  return steps.map(step => {
    const name = step.match(/inlay-[a-z-]+/)[0];
    seen[name] = (seen[name] ?? 0) + 1;
    return `${name}:${seen[name]}`;
  });
}

// A module without what only one that was stopped says, and without the name of its data, which has a checksum.
const read = name => fs.readFileSync(file(name), 'utf8')
  .replace(/(, )?inlay\.rest = "[^"]*"/, '').replaceAll(`"${name}.mlir.data"`, '"data"');
const readRest = name => fs.readFileSync(file(name), 'utf8').match(/inlay\.rest = "builtin\.module\((.*?)\)"/)[1];

function check(model, target, flags) {
  const compile = (...more) => run('inlay', ['compile', model, '-t', target, '--verify', 'off', ...flags, ...more]);
  const same = (a, b, what) => assert.ok(read(a) === read(b), `${model} for ${target} ${flags.join(' ')}: ${what}`);

  compile('--stop-after', 'inlay-set-target', '-o', file('read'));
  compile('--emit', 'mlir', '-o', file('mlir'));
  apply(split(compile('--print-pipeline', '--emit', 'mlir')).join(','), 'read', 'printed');
  same('mlir', 'printed', 'the printed pipeline gives another module');

  compile('-o', onnx('whole'));
  const steps = split(compile('--print-pipeline')), names = nameSteps(steps);
  apply(steps.join(','), 'read', 'end');
  let last = 'read';
  for (const [i, step] of steps.entries()) {
    // What is read stays mapped while it is written.
    const next = `step${i % 2}`;
    apply(step, last, next);
    last = next;
    const isChosen = values.all || i === steps.length >> 1 || i === steps.length - 1;
    if (i === 0 || !isChosen) continue;
    compile('--stop-after', names[i], '-o', file('cut'));
    same('cut', last, `stopped after ${names[i]} it differs`);
    run('inlay', ['compile', file('cut'), '-o', onnx('compiled')]);
    assert.ok(fs.readFileSync(onnx('compiled')).equals(fs.readFileSync(onnx('whole'))),
              `${model} for ${target}: compiled after ${names[i]} it is another file`);
    assert.strictEqual(readRest('cut'), steps.slice(i + 1).join(','), 'what is left');
    if (i === steps.length - 1) continue;
    apply(readRest('cut'), 'cut', 'continued');
    same('continued', 'end', `continued after ${names[i]} it differs`);
  }
  same(last, 'end', 'pass by pass it differs');
  return steps.length;
}

// A model with its weights, where its folder has a script for them.
function prepare(model) {
  const script = path.join(path.dirname(model), 'fill_weights.js');
  if (!fs.existsSync(script)) return model;
  execFileSync(process.execPath, [script, values.work, path.basename(model, '.onnx')]);
  return path.join(values.work, path.basename(model));
}

let cuts = 0;
for (const model of models.map(prepare))
  for (const target of targets)
    for (const flags of flagSets) cuts += check(model, target, flags);
console.log(`${models.length * targets.length * flagSets.length} pipelines, ${cuts} passes: the same whole, cut and continued`);
