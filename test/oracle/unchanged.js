#!/usr/bin/env node
//===- unchanged.js - What is written is what it was ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles every model of a folder for each target, plainly, with rewriting and
// with kernels, and compares the hashes of what is written, weights included,
// with those in a list. For changes of the code that must not change a result.
//
//   unchanged.js DIR --inlay BIN --work DIR --list FILE [--write] [--only A,B]
//
// `--write` adds to the list instead.
//
//===----------------------------------------------------------------------===//

'use strict';

const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { parseFolder, compileModel, checkFolder } = require('./compiled');

const usage = 'usage: unchanged.js DIR --inlay BIN --work DIR --list FILE [--write] [--only A,B]';

const targets = ['none', 'nhwc', 'opu', 'ascend'];
const variants = { plain: [], rewrite: ['--rewrite', 'on'], kernels: ['--rewrite', 'on', '--graph-kernels', 'on'] };

// A short hash of all files in a folder.
function hashFolder(folder) {
  const hash = crypto.createHash('sha256');
  for (const name of fs.readdirSync(folder).sort()) hash.update(name).update(fs.readFileSync(path.join(folder, name)));
  return hash.digest('hex').slice(0, 20);
}

async function hashCompiled(original, folder, target, variant, { inlay }) {
  const output = path.join(folder, 'compiled');
  fs.rmSync(output, { recursive: true, force: true });
  await compileModel(inlay, original, path.join(output, 'model.onnx'),
                     ['-t', target, '--external-data', 'always', ...variants[variant]]);
  return hashFolder(output);
}

async function checkTarget(original, folder, target, context) {
  const found = {};
  for (const variant of Object.keys(variants))
    found[variant] = await hashCompiled(original, folder, target, variant, context);
  const key = `${path.basename(original, '.onnx')} ${target}`, expected = context.hashes[key] ?? {};
  if (context.write) context.hashes[key] = found;
  return { found, changed: context.write ? [] : Object.keys(variants).filter(name => found[name] !== expected[name]) };
}

function parse() {
  const values = parseFolder({ list: { type: 'string' }, write: { type: 'boolean' } });
  if (!values.list) throw new Error('--list is required');
  const hashes = fs.existsSync(values.list) ? JSON.parse(fs.readFileSync(values.list)) : {};
  return { ...values, targets, hashes };
}

const save = ({ list, hashes, write }) => write &&
  fs.writeFileSync(list, `{\n${Object.keys(hashes).sort().map(key =>
    `  ${JSON.stringify(key)}: ${JSON.stringify(hashes[key])}`).join(',\n')}\n}\n`);

if (require.main === module)
  checkFolder({
    usage, parse, checkTarget,
    printHeader: () => {},
    printRow: ({ name, target, failure, changed = [] }) =>
      console.log(`${name.padEnd(32)}${target ?? ''} ${failure ?? (changed.length ? 'CHANGED' : 'as before')}`),
    faultsOf: ({ failure, changed = [] }) => failure ? [failure] : changed.map(name => `${name}: other bytes are written`),
    printTotals: (rows, context) => save(context),
  }).then(code => { process.exitCode = code; });
