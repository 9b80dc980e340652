//===- traffic.js - Counts the memory traffic of a model ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Independent of Inlay's own cost, and the same for files of Inlay and of ONNX
// Runtime. Every node reads each distinct tensor among its inputs once, weights
// included, and writes each of its outputs once. Counted are
//   * nodes of the graph and of subgraphs in If, Loop and Scan (once, whatever
//     the trip count); there, values from outside are read by the nodes inside;
//   * a call of a model-local function, or of an operator that ONNX Runtime has
//     fused, as one node: what is inside says what the kernel computes;
// but not
//   * nodes that only view their input: Reshape, Squeeze, Unsqueeze, Flatten,
//     Identity, and Dropout without a mask outside of training. A node behind
//     one reads the view, which has the bytes of what is viewed;
//   * Constant nodes, which are weights.
// Extents come from running the model; inside subgraphs, from what is declared
// there. A value of unknown extents counts as no bytes.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('./onnx');
const { byteSize, count } = require('./element');
const { runModel, inferTypes } = require('./session');
const { producedNames } = require('./border');
const { nestedTypes } = require('./transposes');

const views = new Set(['Reshape', 'Squeeze', 'Unsqueeze', 'Flatten', 'Identity']);
const isOfOnnx = ({ domain }) => !domain || domain === 'ai.onnx';

function isView(node) {
  if (!isOfOnnx(node)) return false;
  if (node.opType !== 'Dropout') return views.has(node.opType);
  const [, mask] = node.output, [, , training] = node.input;
  return !mask && !training;
}

const isConstant = node => isOfOnnx(node) && node.opType === 'Constant';

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

const tensorBytes = ({ dataType, dims }) => byteSize(dataType, count(dims));
const sparseBytes = ({ values, indices }) => tensorBytes(values) + tensorBytes(indices);

const constantForms = {
  value: tensorBytes, sparse_value: sparseBytes,
  value_float: () => byteSize('float', 1), value_floats: list => byteSize('float', list.length),
  value_int: () => byteSize('int64', 1), value_ints: list => byteSize('int64', list.length),
  value_string: () => 0, value_strings: () => 0,
};

function constantBytes(node) {
  const [{ name }] = node.attribute;
  return constantForms[name](onnx.attribute(node, name));
}

// Bytes of the graph's constants, by name.
function weights({ initializer, sparseInitializer, node }) {
  return new Map([
    ...initializer.map(tensor => [tensor.name, tensorBytes(tensor)]),
    ...sparseInitializer.map(tensor => [tensor.values.name, sparseBytes(tensor)]),
    ...node.filter(isConstant).map(constant => [constant.output[0], constantBytes(constant)]),
  ]);
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

// A graph, the bytes of its constants, and the scope around it.
const scopeOf = (graph, types, outer) => ({ graph, constants: weights(graph), types, outer });

function bytesIn(scope, name) {
  for (let at = scope; at; at = at.outer) {
    if (at.constants.has(name)) return at.constants.get(name);
    const found = at.types.get(name);
    if (found) return byteSize(found.type, count(found.dims));
  }
  return undefined;
}

const subgraphs = node => node.attribute.flatMap(({ g, graphs }) => g ? [g, ...graphs] : graphs);

// {nodes, bytes, unsized} of a model, from {type, dims} of the values in its
// graph and of those in subgraphs, by name; `unsized` counts unknown values.
function countTraffic(proto, types, nested = new Map()) {
  const scopes = [scopeOf(proto.graph, types)], total = { nodes: 0, bytes: 0, unsized: 0 };
  for (let i = 0; i < scopes.length; ++i) {
    const unknown = new Set();
    for (const node of scopes[i].graph.node) {
      if (isView(node) || isConstant(node)) continue;
      ++total.nodes;
      for (const name of new Set([...node.input, ...node.output])) {
        const bytes = name === '' ? 0 : bytesIn(scopes[i], name);
        if (bytes === undefined) unknown.add(name);
        total.bytes += bytes ?? 0;
      }
      scopes.push(...subgraphs(node).map(graph => scopeOf(graph, nested, scopes[i])));
    }
    total.unsized += unknown.size;
  }
  return total;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

const isTensor = ({ text }) => text !== 'undeclared' && !/\(/.test(text);

// Element types of what the nodes of the outermost graph compute, where that is
// a tensor: declared (the runtime refuses a model that declares a wrong one) or
// inferred.
async function elementTypes(file, proto) {
  const { valueInfo, output } = proto.graph;
  const declared = new Map([...valueInfo, ...output].map(({ name, type }) => [name, onnx.describeType(type)]));
  const names = [...new Set(producedNames(proto))], missing = names.filter(name => !declared.has(name));
  const inferred = missing.length ? await inferTypes(file, proto, missing) : new Map();
  const tensors = names.filter(name => declared.has(name) && isTensor(declared.get(name)));
  return new Map([...[...inferred].map(([name, { type }]) => [name, type]), ...tensors.map(name => [name, declared.get(name).text])]);
}

// {type, dims} of those values. The model is run with a Shape behind each, so
// that none has to be kept.
async function computedTypes(file, proto, feeds) {
  const elements = await elementTypes(file, proto), names = [...elements.keys()], shapeOf = name => `${name}.extents`;
  const shapes = names.map(name => onnx.node({ op: 'Shape', inputs: [name], outputs: [shapeOf(name)] }));
  const shown = { ...proto, graph: { ...proto.graph, node: [...proto.graph.node, ...shapes] } };
  const { outputs } = await runModel(file, feeds, { proto: shown, expose: names.map(shapeOf) });
  const dims = name => Array.from(outputs.get(shapeOf(name)).data, Number);
  return new Map(names.map(name => [name, { type: elements.get(name), dims: dims(name) }]));
}

async function measureTraffic(file, feeds) {
  const proto = onnx.readFile(file), hasSubgraphs = onnx.allGraphs(proto).length > 1;
  const types = new Map([...Object.entries(feeds), ...await computedTypes(file, proto, feeds)]);
  return countTraffic(proto, types, hasSubgraphs ? await nestedTypes(file) : undefined);
}

module.exports = { measureTraffic, countTraffic, computedTypes };
