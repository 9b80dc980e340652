//===- onnx.js - Reading and building ONNX models -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   const proto = onnx.read(bytes)       plain objects, named as in schema.js
//   onnx.write(proto)                    bytes
//   onnx.model({opset: 18, inputs: [['x', 'float', [1, 'N']]], outputs: [['y', 'float', [1, 'N']]],
//               nodes: [{op: 'Relu', inputs: ['x'], outputs: ['y']}]})      bytes
//
// It shares no code with Inlay, so that a test does not trust what it tests.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { Codec } = require('./wire');
const { schema, attributeTypes } = require('./schema');
const element = require('./element');

const codec = new Codec(schema);

const read = bytes => codec.decode('ModelProto', bytes);
const write = proto => codec.encode('ModelProto', proto);

function readFile(file) { return read(fs.readFileSync(file)); }

//===----------------------------------------------------------------------===//
// Types and tensors
//===----------------------------------------------------------------------===//

// 'float' and dims (undefined: no shape; null: unknown; a string: a symbol),
// or 'seq(T)', 'optional(T)', 'map(int64,T)', 'sparse(float)' with T alike.
function typeProto(text, dims) {
  const nested = /^(seq|optional|sparse)\((.*)\)$/.exec(text), map = /^map\((\w+),(.*)\)$/.exec(text);
  if (map) return { mapType: { keyType: element.element(map[1]).number, valueType: typeProto(map[2], dims) } };
  if (!nested) return { tensorType: tensorType(text, dims) };
  if (nested[1] === 'sparse') return { sparseTensorType: tensorType(nested[2], dims) };
  return { [nested[1] === 'seq' ? 'sequenceType' : 'optionalType']: { elemType: typeProto(nested[2], dims) } };
}

function tensorType(text, dims) {
  return { elemType: element.element(text).number, shape: dims && { dim: dims.map(dimension) } };
}

function dimension(dim) {
  if (dim === null) return {};
  return typeof dim === 'string' ? { dimParam: dim } : { dimValue: dim };
}

// The inverse of `typeProto`: {text, dims}.
function describeType(type) {
  if (!type) return { text: 'undeclared' };
  const tensorLike = type.tensorType ?? type.sparseTensorType;
  if (tensorLike) {
    const dims = tensorLike.shape?.dim.map(dim => dim.dimParam || (dim.dimValue ?? null));
    const name = element.element(tensorLike.elemType).name;
    return { text: type.tensorType ? name : `sparse(${name})`, dims };
  }
  if (type.mapType)
    return { text: `map(${element.element(type.mapType.keyType).name},${describeType(type.mapType.valueType).text})` };
  if (type.opaqueType) return { text: 'opaque' };
  const inner = describeType((type.sequenceType ?? type.optionalType).elemType);
  return { text: `${type.sequenceType ? 'seq' : 'optional'}(${inner.text})`, dims: inner.dims };
}

// A TensorProto from values. `options.encoding`: 'raw' (default), 'typed' (the
// field of the element type) or 'external' (`location`, `offset`, `length`).
function tensorProto(name, type, dims, values, options = {}) {
  const { number, field, bits } = element.element(type);
  const proto = { name, dims, dataType: number };
  if (options.encoding === 'external') {
    proto.dataLocation = 1;
    proto.externalData = ['location', 'offset', 'length'].filter(key => options[key] !== undefined)
        .map(key => ({ key, value: String(options[key]) }));
    return proto;
  }
  const data = element.arrayOf(type, values);
  if (type === 'string') proto.stringData = data.map(text => Buffer.from(text));
  else if (options.encoding === 'typed') proto[field] = bits < 8 || bits === 16 ? Array.from(data) : data;
  else proto.rawData = element.bytesOf({ data });
  return proto;
}

// A tensor {name, type, dims, data} from a TensorProto; `folder` is where
// external data lies.
function tensorValue(proto, folder) {
  const { name: type, field, array } = element.element(proto.dataType);
  const dims = proto.dims.map(Number), value = { name: proto.name, type, dims };
  if (type === 'string') return { ...value, data: proto.stringData.map(text => text.toString()) };
  if (proto.dataLocation === 1) return { ...value, data: element.fromBytes(type, externalBytes(proto, folder)) };
  if (proto.rawData) return { ...value, data: element.fromBytes(type, proto.rawData) };
  const wide = array === BigInt64Array || array === BigUint64Array;
  return { ...value, data: array.from(proto[field], wide ? BigInt : Number) };
}

// {location, offset, length} of a tensor that lies in another file.
function externalRange(proto) {
  const entries = Object.fromEntries(proto.externalData.map(({ key, value }) => [key, value]));
  const size = element.byteSize(proto.dataType, element.count(proto.dims));
  return { location: entries.location, offset: Number(entries.offset ?? 0), length: Number(entries.length ?? size) };
}

function externalBytes(proto, folder) {
  const { location, offset, length } = externalRange(proto), bytes = Buffer.alloc(length);
  const file = fs.openSync(path.join(folder, location));
  try {
    fs.readSync(file, bytes, 0, length, offset);
  } finally {
    fs.closeSync(file);
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// Integers are INT and fractions FLOAT; {float: 1} and {floats: []} say it
// where that would be wrong. TensorProtos, GraphProtos, {ref, type}, {typeProto}.
function attributeProto(name, value) {
  const [type, field, content] = attributeContent(value);
  return { name, type: attributeTypes[type], [field]: content };
}

function attributeContent(value) {
  if (Array.isArray(value)) return listContent(value);
  if (typeof value === 'bigint') return ['INT', 'i', value];
  if (typeof value === 'number') return Number.isInteger(value) ? ['INT', 'i', value] : ['FLOAT', 'f', value];
  if (typeof value === 'string') return ['STRING', 's', Buffer.from(value)];
  if (value.float !== undefined) return ['FLOAT', 'f', value.float];
  if (value.floats) return ['FLOATS', 'floats', value.floats];
  if (value.strings) return ['STRINGS', 'strings', value.strings.map(text => Buffer.from(text))];
  if (value.ref) return [value.type, 'refAttrName', value.ref];
  if (value.typeProto) return ['TYPE_PROTO', 'tp', value.typeProto];
  if (value.node) return ['GRAPH', 'g', value];
  if (value.values) return ['SPARSE_TENSOR', 'sparseTensor', value];
  return ['TENSOR', 't', value];
}

function listContent(list) {
  if (typeof list[0] === 'string') return ['STRINGS', 'strings', list.map(text => Buffer.from(text))];
  if (list[0]?.node) return ['GRAPHS', 'graphs', list];
  if (list[0]?.dataType) return ['TENSORS', 'tensors', list];
  const integers = list.every(item => typeof item === 'bigint' || Number.isInteger(item));
  return integers ? ['INTS', 'ints', list] : ['FLOATS', 'floats', list];
}

// The value of a node's attribute, strings as strings; undefined when absent.
function attribute(node, name) {
  const found = node.attribute.find(candidate => candidate.name === name);
  if (!found) return undefined;
  const kind = Object.keys(attributeTypes).find(key => attributeTypes[key] === found.type);
  const field = { FLOAT: 'f', INT: 'i', STRING: 's', TENSOR: 't', GRAPH: 'g', FLOATS: 'floats', INTS: 'ints',
    STRINGS: 'strings', TENSORS: 'tensors', GRAPHS: 'graphs', SPARSE_TENSOR: 'sparseTensor', TYPE_PROTO: 'tp' }[kind];
  if (kind === 'STRING') return found.s.toString();
  return kind === 'STRINGS' ? found.strings.map(String) : found[field];
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

const entries = object => object && Object.entries(object).map(([key, value]) => ({ key, value }));
const opsets = versions => Object.entries(versions).map(([domain, version]) => ({ domain, version }));
const valueInfo = ([name, type, dims]) => ({ name, type: type && typeProto(type, dims) });

function node({ op, inputs = [], outputs = [], attrs = {}, name, domain, overload, doc, metadata }) {
  return {
    input: inputs, output: outputs, name, opType: op, domain, overload, docString: doc,
    attribute: Object.entries(attrs).map(([key, value]) => attributeProto(key, value)),
    metadataProps: entries(metadata),
  };
}

function graph({ name = 'g', inputs = [], outputs = [], nodes = [], initializers = [], sparseInitializers = [],
                 values = [], doc, metadata }) {
  return {
    name, docString: doc, node: nodes.map(node), initializer: initializers, sparseInitializer: sparseInitializers,
    input: inputs.map(valueInfo), output: outputs.map(valueInfo), valueInfo: values.map(valueInfo),
    metadataProps: entries(metadata),
  };
}

function functionProto({ name, domain, overload, inputs, outputs, nodes, attributes = [], defaults = {}, opset, doc }) {
  return {
    name, domain, overload, docString: doc, input: inputs, output: outputs, node: nodes.map(node),
    attribute: attributes, attributeProto: Object.entries(defaults).map(([key, value]) => attributeProto(key, value)),
    opsetImport: opsets(opset),
  };
}

// The IR version a model of that opset was first written with.
function irVersionFor(opset) {
  const steps = [[7, 3], [9, 4], [10, 5], [11, 6], [14, 7], [18, 8], [20, 9], [22, 10], [23, 11], [25, 12]];
  return steps.find(([last]) => opset <= last)?.[1] ?? 13;
}

// `opset` is a version of the default domain or {domain: version}.
function modelProto(options) {
  const { opset = 18, functions = [], metadata, producer = 'oracle', doc, ...rest } = options;
  const imports = typeof opset === 'object' ? opset : { '': opset };
  return {
    irVersion: options.irVersion ?? irVersionFor(imports[''] ?? 18), producerName: producer, docString: doc,
    opsetImport: opsets(imports), metadataProps: entries(metadata), functions: functions.map(functionProto),
    graph: graph(rest),
  };
}

const model = options => write(modelProto(options));

// Every graph of a model: its own and those nested in attributes, outermost
// first. The nesting is bounded by the list, not by the stack.
function allGraphs(proto) {
  const graphs = [proto.graph];
  for (let i = 0; i < graphs.length; ++i)
    for (const { attribute: attributes } of graphs[i].node)
      for (const { g, graphs: list } of attributes) graphs.push(...(g ? [g] : []), ...list);
  return graphs;
}

module.exports = {
  codec, read, write, readFile, typeProto, describeType, tensorProto, tensorValue, externalRange, attributeProto,
  attribute, node, graph, modelProto, model, allGraphs, irVersionFor,
};
