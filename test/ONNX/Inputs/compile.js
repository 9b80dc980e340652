//===- compile.js - Models in, models out ---------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test of this folder is a script, run as `node TEST INLAY SCRATCH`. It
// describes a model as test/oracle/onnx.js does, compiles it, and asserts what
// must be true of the result. Protos are plain objects, named as in schema.js.
//
//===----------------------------------------------------------------------===//

'use strict';

const assert = require('node:assert').strict;
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const onnx = require('onnx.js');

const [inlay, scratch] = process.argv.slice(2);
fs.rmSync(scratch, { recursive: true, force: true });
fs.mkdirSync(scratch, { recursive: true });

const inScratch = name => path.join(scratch, name);
const simplified = [], unsimplified = ['--simplify', 'off'];

// {code, stderr} of `inlay compile` on files in the scratch folder.
function tryCompile(from, to, flags = simplified) {
  const args = ['compile', inScratch(from), '-o', inScratch(to), ...flags];
  const { status, stderr } = spawnSync(inlay, args, { encoding: 'utf8' });
  return { code: status, stderr };
}

// The proto that a model (a proto, or options of onnx.model) is compiled to.
function compile(model, flags = simplified) {
  fs.writeFileSync(inScratch('in.onnx'), model.graph ? onnx.write(model) : onnx.model(model));
  const { code, stderr } = tryCompile('in.onnx', 'out.onnx', flags);
  assert.equal(code, 0, stderr);
  return onnx.readFile(inScratch('out.onnx'));
}

// Calls check(result, original) with and without simplification.
function compileBothWays(model, check, flags = []) {
  const original = onnx.read(model.graph ? onnx.write(model) : onnx.model(model));
  for (const more of [simplified, unsimplified]) check(compile(model, [...flags, ...more]), original);
}

// What most tests look at.
const nodes = graph => graph.node.map(({ opType, input, output }) => `${output} = ${opType}(${input})`);
const types = list => list.map(({ name, type }) => ({ name, ...onnx.describeType(type) }));
const values = (graph, name) =>
  onnx.tensorValue(graph.initializer.find(tensor => tensor.name === name) ?? assert.fail(`no ${name}`), scratch);

module.exports = {
  assert, onnx, inScratch, simplified, unsimplified, tryCompile, compile, compileBothWays, nodes, types, values,
};
