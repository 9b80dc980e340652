//===- promote.js - A model in double precision ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same model with f64 in place of f32, f16 and bf16: inputs, constants and
// the types that nodes name. What rounding did is gone, what a node computes is
// not. Declared types inside the graph are dropped: they are inferred.
//
//===----------------------------------------------------------------------===//

'use strict';

const path = require('node:path');
const onnx = require('./onnx');
const { element, numbers, arrayOf, tensor } = require('./element');

const promoted = new Set(['float', 'float16', 'bfloat16']);
const double = element('double').number;
const isPromoted = number => promoted.has(element(number).name);
// Attributes whose value is an element type.
const typeAttributes = new Set(['to', 'dtype', 'output_dtype', 'stash_type', 'softmax_precision']);

function promoteTensor(value) {
  if (!promoted.has(value.type)) return value;
  return tensor('double', value.dims, Array.from(numbers(value), Number));
}

const promoteFeeds = feeds => Object.fromEntries(Object.entries(feeds).map(([name, value]) =>
  [name, value.type ? promoteTensor(value) : value]));

// To what the type would hold of it; other types stay as they are.
function roundTensor(value, type) {
  if (value.type !== 'double' || !promoted.has(type)) return value;
  return { type, dims: value.dims, data: arrayOf(type, value.data) };
}

function promoteProto(proto, folder) {
  if (!isPromoted(proto.dataType)) return proto;
  const { dims, data } = promoteTensor(onnx.tensorValue(proto, folder));
  return onnx.tensorProto(proto.name, 'double', dims, data);
}

function promoteType({ name, type }) {
  const { text, dims } = onnx.describeType(type);
  return { name, type: promoted.has(text) ? onnx.typeProto('double', dims) : type };
}

function promoteAttribute(node, attribute, folder) {
  const { name, t, i } = attribute;
  if (t) return { ...attribute, t: promoteProto(t, folder) };
  if (typeAttributes.has(name) && i && isPromoted(Number(i))) return { ...attribute, i: double };
  if (node.opType !== 'Constant' || !/^value_floats?$/.test(name)) return attribute;
  const [dims, values] = name === 'value_float' ? [[], [attribute.f]] : [[attribute.floats.length], attribute.floats];
  return onnx.attributeProto('value', onnx.tensorProto('', 'double', dims, values));
}

function promoteNodes(nodes, folder) {
  for (const node of nodes)
    node.attribute = node.attribute.map(attribute => promoteAttribute(node, attribute, folder));
}

// Bytes of the model that `file` holds, in f64.
function promoteModel(file) {
  const proto = onnx.readFile(file), folder = path.dirname(file);
  for (const graph of onnx.allGraphs(proto)) {
    graph.input = graph.input.map(promoteType);
    graph.output = graph.output.map(promoteType);
    graph.valueInfo = [];
    graph.initializer = graph.initializer.map(initializer => promoteProto(initializer, folder));
    promoteNodes(graph.node, folder);
  }
  for (const { node } of proto.functions) promoteNodes(node, folder);
  return onnx.write(proto);
}

module.exports = { promoteModel, promoteFeeds, roundTensor };
