//===- describe.js - How the opset cases are written down -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A case is {name, opset, bytes, feeds, opaque, refused}: a small model, its
// inputs, whether it has ops the reference executor does not know, and, where
// ONNX Runtime has no kernel for it, a pattern of how it refuses the model.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('../onnx');
const { tensor, count, element, bytesOf } = require('../element');
const { uniform, seedFor } = require('../random');

const extent = dims => count(dims);

// Seeded values; the seed is the shape and the range, so that two inputs of a
// case differ when they should.
function random(type, dims, low, high, salt = '') {
  const next = uniform(seedFor(extent(dims), `${type}${dims}${low}${high}${salt}`));
  const integer = /int|bool/.test(type);
  const value = () => low + next() * (high - low);
  return tensor(type, dims, Array.from({ length: extent(dims) }, () => integer ? Math.floor(value()) : value()));
}

const floats = (dims, low = -2, high = 2, salt) => random('float', dims, low, high, salt);
const halves = (dims, low = -2, high = 2) => random('float16', dims, low, high);
const integers = (dims, low = -8, high = 8, type = 'int64') => random(type, dims, low, high);
const bools = dims => random('bool', dims, 0, 2);
const list = (...values) => tensor('int64', [values.length], values);
const scalar = (type, value) => tensor(type, [], [value]);
const vector = (type, values) => tensor(type, [values.length], values);

function initializer([name, { type, dims, data }]) {
  const proto = { name, dims, dataType: element(type).number };
  if (type === 'string') return { ...proto, stringData: data.map(text => Buffer.from(text)) };
  return { ...proto, rawData: bytesOf({ data }) };
}

// A model of several nodes. `outputs` are [name, type] without a shape, which
// is for shape inference to find.
function graphCase(name, opset, { inputs = {}, constants = {}, outputs, nodes, functions, dims = {}, opaque, refused,
                                  irVersion, opsets }) {
  const declare = ([key, { type, dims: extents }]) => [key, type, dims[key] ?? extents];
  const bytes = onnx.model({
    opset: opsets ?? opset, irVersion, inputs: Object.entries(inputs).map(declare), outputs, nodes, functions,
    initializers: Object.entries(constants).map(initializer), name,
  });
  return { name, opset, bytes, feeds: inputs, opaque: Boolean(opaque), refused };
}

// A model of one node with the operands listed ('' where one is left out).
function opCase(name, opset, op, operands, { attrs, outputs = [['y', 'float']], ...rest }) {
  const node = { op, name: `the_${op}`, inputs: operands, outputs: outputs.map(([key]) => key), attrs };
  return graphCase(name, opset, { ...rest, outputs: outputs.filter(([key]) => key), nodes: [node] });
}

module.exports = {
  random, floats, halves, integers, bools, list, scalar, vector, initializer, graphCase, opCase,
};
