#!/usr/bin/env node
//===- fill_weights.js - Writes the weights of the models in this folder --===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The models are structure only: their large initializers are external data in
// MODEL.weights. This copies MODEL.onnx to a folder and writes that file beside
// it, with random values that are the same on every machine. weights.json lists
// every external tensor of a model as [offset, ONNX data type, dims].
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');

const usage = 'usage: fill_weights.js OUT_DIR MODEL... | all';

// xorshift32, in [-1, 1).
function uniform(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state = (state ^ (state << 13)) >>> 0;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    return state / 2147483648 - 1;
  };
}

// Per ONNX data type: the array, and an element from a value and its scale.
// Quantised weights span most of their range; their scale is in the model.
const writers = {
  1: { array: Float32Array, element: (value, scale) => value * scale },
  2: { array: Uint8Array, element: value => 128 + Math.round(value * 100) },
  3: { array: Int8Array, element: value => Math.round(value * 100) },
};

// Keeps the variance of what flows through a layer about constant.
function scaleOf(dims, count) {
  const fanIn = dims.length === 2 ? (dims[0] + dims[1]) / 2 : count / dims[0];
  return Math.sqrt((dims.length === 2 ? 3 : 6) / fanIn);
}

function tensorBytes(type, dims, index) {
  const count = dims.reduce((product, extent) => product * extent, 1), { array: Kind, element } = writers[type];
  const next = uniform(0x9e3779b9 ^ (index * 2654435761) ^ count), scale = scaleOf(dims, count);
  const data = new Kind(count);
  for (let i = 0; i < count; ++i) data[i] = element(next(), scale);
  return Buffer.from(data.buffer);
}

function fill(name, tensors, out) {
  fs.copyFileSync(path.join(__dirname, `${name}.onnx`), path.join(out, `${name}.onnx`));
  const file = fs.openSync(path.join(out, `${name}.weights`), 'w');
  tensors.forEach(([offset, type, dims], index) => {
    const bytes = tensorBytes(type, dims, index);
    fs.writeSync(file, bytes, 0, bytes.length, offset);
  });
  fs.closeSync(file);
}

function main([out, ...names]) {
  const table = JSON.parse(fs.readFileSync(path.join(__dirname, 'weights.json')));
  const wanted = names[0] === 'all' ? Object.keys(table) : names;
  const unknown = wanted.filter(name => !table[name]);
  if (!wanted.length || unknown.length) {
    console.error(unknown.length ? `no model '${unknown}'` : usage);
    return 2;
  }
  fs.mkdirSync(out, { recursive: true });
  for (const name of wanted) fill(name, table[name], out);
  return 0;
}

process.exitCode = main(process.argv.slice(2));
