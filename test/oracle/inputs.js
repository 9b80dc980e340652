//===- inputs.js - Inputs for a model: seeded, or from files --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const onnx = require('./onnx');
const npy = require('./npy');
const { tensor, count, element } = require('./element');
const { uniform, seedFor } = require('./random');

// What a symbolic dimension measures, by its name.
const kinds = [[/^(h|w|height|width)$/i, 'image'], [/seq|len|time/i, 'sequence'], [/.*/, 'other']];
const kindOf = symbol => kinds.find(([pattern]) => pattern.test(symbol))[1];

// Extents of symbolic dimensions nobody fixed.
const defaultExtents = { image: 64, sequence: 16, other: 1 };

function extentOf(dim, fixed) {
  if (typeof dim === 'number') return dim;
  if (dim !== null && fixed[dim] !== undefined) return fixed[dim];
  return defaultExtents[kindOf(dim ?? '')];
}

// The graph inputs that are not initializers, as {name, type, dims}.
function requiredInputs(proto) {
  const constants = new Set(proto.graph.initializer.map(({ name }) => name));
  return proto.graph.input.filter(({ name }) => !constants.has(name)).map(({ name, type }) => {
    const { text, dims } = onnx.describeType(type);
    return { name, type: text, dims };
  });
}

// {symbol: extent} for the symbolic dimensions of all inputs, `extents` by kind.
function symbolicExtents(proto, extents = defaultExtents) {
  const symbols = requiredInputs(proto).flatMap(({ dims }) => dims ?? []).filter(dim => typeof dim === 'string');
  return Object.fromEntries(symbols.map(symbol => [symbol, extents[kindOf(symbol)]]));
}

// Integers go below this bound: masks are 0 or 1, indices stay inside the
// smallest constant table they index, anything else is small.
function integerBound(proto, name) {
  if (/mask|token_type|segment/i.test(name)) return 2;
  const tables = new Map(proto.graph.initializer.map(({ name: key, dims }) => [key, dims]));
  let bound = Infinity;
  for (const node of proto.graph.node) {
    if (node.opType !== 'Gather' || node.input[1] !== name) continue;
    const dims = tables.get(node.input[0]), axis = onnx.attribute(node, 'axis') ?? 0;
    if (dims) bound = Math.min(bound, Number(dims.at(axis)));
  }
  return Number.isFinite(bound) ? bound : 8;
}

function randomTensor({ type, dims }, bound, next) {
  const length = count(dims);
  return tensor(type, dims, Array.from({ length }, () => randomValue(type, bound, next)));
}

function randomValue(type, bound, next) {
  if (type === 'bool') return next() < 0.5;
  if (type === 'string') return `s${Math.floor(next() * bound)}`;
  if (/^(u?int|float8|float4)/.test(type)) return Math.floor(next() * Math.min(bound, 2 ** (element(type).bits - 1)));
  return next() * 2 - 1;
}

// Seeded feeds {name: tensor}; `given` wins, `extents` fixes symbolic dims.
function randomInputs(proto, { seed = 0, extents = {}, given = {} } = {}) {
  const feeds = {};
  for (const input of requiredInputs(proto)) {
    feeds[input.name] = given[input.name] ?? randomInput(proto, input, seed, extents);
  }
  return feeds;
}

function randomInput(proto, { name, type, dims }, seed, extents) {
  if (!dims || /\(/.test(type)) throw new Error(`input '${name}' is ${type} without a shape: give it with --input`);
  const fixed = dims.map(dim => extentOf(dim, extents));
  return randomTensor({ type, dims: fixed }, integerBound(proto, name), uniform(seedFor(seed, name)));
}

// A tensor from a .npy or a serialized TensorProto.
function readTensor(file) {
  const bytes = fs.readFileSync(file);
  if (file.endsWith('.npy')) return npy.read(bytes);
  return onnx.tensorValue(onnx.codec.decode('TensorProto', bytes));
}

// The same as bytes of a TensorProto.
function tensorBytes(name, { type, dims, data }) {
  const proto = { name, dims, dataType: element(type).number };
  if (type === 'string') proto.stringData = data.map(text => Buffer.from(text));
  else proto.rawData = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return onnx.codec.encode('TensorProto', proto);
}

module.exports = { requiredInputs, symbolicExtents, randomInputs, randomTensor, readTensor, tensorBytes };
