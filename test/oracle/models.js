//===- models.js - Models of a folder, with weights, compared -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { adjustWeights } = require('./adjust');
const { execute } = require('./pool');

// Names of the models, without their ending; `only` lists some of them.
function listModels({ models, only }) {
  const names = fs.readdirSync(models).filter(file => file.endsWith('.onnx')).map(file => file.slice(0, -5)).sort();
  if (!only) return names;
  const wanted = only.split(','), missing = wanted.filter(name => !names.includes(name));
  if (missing.length) throw new Error(`no model '${missing}' in ${models}`);
  return wanted;
}

// The model to use: beside generated weights in `folder`, or where it is.
async function prepareModel(models, name, folder) {
  const table = path.join(models, 'weights.json'), original = path.join(models, `${name}.onnx`);
  if (!fs.existsSync(table) || !JSON.parse(fs.readFileSync(table))[name]) return original;
  const { code, stderr } = await execute(process.execPath, [path.join(models, 'fill_weights.js'), folder, name]);
  if (code !== 0) throw new Error(`fill_weights.js: ${stderr}`);
  const file = path.join(folder, `${name}.onnx`);
  adjustWeights(file);
  return file;
}

// Where an output shows nothing, values inside the graph must: at least one
// that both files compute, and all of those equal.
async function compareShowing(worker, original, output, options) {
  const result = await worker.run('compare', [original, output, options]);
  if (result.verdict !== 'shows-nothing') return result;
  const inside = await worker.run('compare', [original, output, { ...options, expose: 16, allowTrivial: true }]);
  const shown = inside.outputs.some(row => inside.exposed.includes(row.name) && !row.trivial);
  return shown ? { ...inside, exposedValues: inside.exposed.length } : result;
}

module.exports = { listModels, prepareModel, compareShowing };
