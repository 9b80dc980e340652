#!/usr/bin/env node
//===- big.js - Models for measuring time and memory ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written in pieces: no model of more than a few megabytes is ever in memory,
// except a chain's nodes.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const onnx = require('./onnx');
const { tagBytes, varintBytes, BYTES } = require('./wire');
const { uniform } = require('./random');

const usage = `usage: big.js chain OUT [--nodes N]       N nodes in a row (default 1000000)
       big.js residual OUT [--nodes N]    a residual network with transposes (default 1000000)
       big.js wide OUT --op OP [--nodes N]  Concat, Sum or Split of N operands between transposes (default 10000)
       big.js inline OUT [--bytes N]      weights inside the file (default 500000000)
       big.js external OUT [--bytes N]    weights in OUT.data, a sparse file (default 20000000000)`;

const modelGraph = 7, graphNode = 1, graphInitializer = 5, tensorRaw = 9;
const side = 1024, tileBytes = side * side * 4;

const delimited = (field, length) => Buffer.concat([tagBytes(field, BYTES), varintBytes(length)]);
const total = chunks => chunks.reduce((sum, { length }) => sum + length, 0);

// The graph's bytes are given by their parts; the model's head and the graph's
// length come first.
function writeModel(out, graph, parts, length, write) {
  const head = onnx.write({ ...onnx.modelProto({ opset: 18 }), graph: undefined });
  const rest = onnx.codec.encode('GraphProto', graph);
  const file = fs.openSync(out, 'w');
  try {
    fs.writeSync(file, Buffer.concat([head, delimited(modelGraph, length + rest.length), rest]));
    for (const part of parts) write(file, part);
  } finally {
    fs.closeSync(file);
  }
}

//===----------------------------------------------------------------------===//
// A chain
//===----------------------------------------------------------------------===//

// Sin and Add in turn: neither is an identity, and no two are equal.
function chainNode(i, count) {
  const output = i + 1 === count ? 'y' : `v${i + 1}`, inputs = i % 2 ? [`v${i}`, 'w'] : [`v${i}`];
  return { input: inputs, output: [output], name: `n${i}`, opType: i % 2 ? 'Add' : 'Sin' };
}

// Fields by hand: a million calls of the general encoder would take a minute.
function shortField(field, text) { return String.fromCharCode(field << 3 | BYTES, text.length) + text; }

function nodeText({ input, output, name, opType, attributes = '' }) {
  const inputs = input.map(value => shortField(1, value)).join('');
  const body = inputs + shortField(2, output[0]) + shortField(3, name) + shortField(4, opType) + attributes;
  return String.fromCharCode(graphNode << 3 | BYTES, body.length) + body;
}

// The nodes `make(0)` to `make(count - 1)`, in pieces.
function nodeParts(count, make) {
  const parts = [], step = 10000;
  for (let from = 0; from < count; from += step) {
    let text = '';
    for (let i = from; i < Math.min(count, from + step); ++i) text += nodeText(make(i));
    parts.push(Buffer.from(text, 'latin1'));
  }
  return parts;
}

function writeChain(out, count) {
  const parts = nodeParts(count, i => chainNode(i, count));
  const graph = onnx.graph({
    name: 'chain', inputs: [['v0', 'float', [4]]], outputs: [['y', 'float', [4]]],
    initializers: [onnx.tensorProto('w', 'float', [4], [1, 2, 3, 4])],
  });
  writeModel(out, graph, parts, total(parts), (file, part) => fs.writeSync(file, part));
}

//===----------------------------------------------------------------------===//
// A residual network
//===----------------------------------------------------------------------===//

// A block over an NHWC value: transposed to NCHW, three convolutions, back,
// added to where it came from.
const blockOps = ['Transpose', 'Conv', 'Relu', 'Conv', 'Relu', 'Conv', 'Transpose', 'Add', 'Relu', 'Sin'];

function attributeText(name, value) {
  const bytes = onnx.codec.encode('AttributeProto', onnx.attributeProto(name, value));
  return shortField(5, bytes.toString('latin1'));
}

function residualNode(i, count, attributes) {
  const at = i % blockOps.length, start = i - at, output = [i + 1 === count ? 'y' : `v${i + 1}`];
  const second = blockOps[at] === 'Conv' ? [`w${at}`] : blockOps[at] === 'Add' ? [`v${start}`] : [];
  return { input: [`v${i}`, ...second], output, name: `n${i}`, opType: blockOps[at], attributes: attributes[at] };
}

// The number of nodes is rounded up to whole blocks.
function writeResidual(out, atLeast) {
  const count = Math.ceil(atLeast / blockOps.length) * blockOps.length;
  const attributes = { 0: attributeText('perm', [0, 3, 1, 2]), 6: attributeText('perm', [0, 2, 3, 1]) };
  const parts = nodeParts(count, i => residualNode(i, count, attributes));
  const shape = [1, 8, 8, 4], weights = [1, 3, 5].map((at, i) =>
    onnx.tensorProto(`w${at}`, 'float', [4, 4, 1, 1], Array.from({ length: 16 }, (_, k) => (k * 7 + i) % 5 - 2)));
  const graph = onnx.graph({
    name: 'residual', inputs: [['v0', 'float', shape]], outputs: [['y', 'float', shape]], initializers: weights,
  });
  writeModel(out, graph, parts, total(parts), (file, part) => fs.writeSync(file, part));
}

//===----------------------------------------------------------------------===//
// One operator with many operands or results
//===----------------------------------------------------------------------===//

const toNhwc = [0, 2, 3, 1], toNchw = [0, 3, 1, 2];
const transpose = (name, from, to, perm) => ({ op: 'Transpose', name, inputs: [from], outputs: [to], attrs: { perm } });
const each = (count, make) => Array.from({ length: count }, (_, i) => make(i));

// Every operand is a sum of its own, transposed; the result is transposed back.
function wideSum(op, count) {
  const attrs = op === 'Concat' ? { axis: 3 } : {};
  return {
    inputs: [['x', 'float', [1, 2, 3, 3]]],
    outputs: [['y', 'float', [1, op === 'Concat' ? 2 * count : 2, 3, 3]]],
    initializers: each(count, i => onnx.tensorProto(`k${i}`, 'float', [1], [i])),
    nodes: [
      ...each(count, i => ({ op: 'Add', name: `add${i}`, inputs: ['x', `k${i}`], outputs: [`a${i}`] })),
      ...each(count, i => transpose(`there${i}`, `a${i}`, `t${i}`, toNhwc)),
      { op, name: 'wide', inputs: each(count, i => `t${i}`), outputs: ['w'], attrs },
      transpose('back', 'w', 'y', toNchw),
    ],
  };
}

// Split, a Relu for each part, and Concat, all behind a transpose.
function wideSplit(count) {
  const shape = [1, count, 3, 3];
  return {
    inputs: [['x', 'float', shape]], outputs: [['y', 'float', shape]],
    initializers: [onnx.tensorProto('parts', 'int64', [count], Array(count).fill(1))],
    nodes: [
      transpose('there', 'x', 't', toNhwc),
      { op: 'Split', name: 'wide', inputs: ['t', 'parts'], outputs: each(count, i => `a${i}`), attrs: { axis: 3 } },
      ...each(count, i => ({ op: 'Relu', name: `relu${i}`, inputs: [`a${i}`], outputs: [`r${i}`] })),
      { op: 'Concat', name: 'join', inputs: each(count, i => `r${i}`), outputs: ['w'], attrs: { axis: 3 } },
      transpose('back', 'w', 'y', toNchw),
    ],
  };
}

function writeWide(out, op, count) {
  const options = op === 'Split' ? wideSplit(count) : wideSum(op, count);
  fs.writeFileSync(out, onnx.model({ opset: 18, name: 'wide', ...options }));
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

// y = x w0 w1 ..., every weight a square tile of 4 MiB that keeps the variance.
function writeInline(out, bytes) {
  const count = Math.ceil(bytes / tileBytes), next = uniform(1);
  const tile = Buffer.from(Float32Array.from({ length: side * side }, () => (next() - 0.5) * 0.108).buffer);
  const parts = Array.from({ length: count }, (_, i) => {
    const fields = onnx.codec.encode('TensorProto', { name: `w${i}`, dims: [side, side], dataType: 1 });
    const raw = delimited(tensorRaw, tileBytes);
    return Buffer.concat([delimited(graphInitializer, fields.length + raw.length + tileBytes), fields, raw]);
  });
  const value = i => i === count ? 'y' : i ? `h${i}` : 'x';
  const graph = onnx.graph({
    name: 'inline', inputs: [['x', 'float', [1, side]]], outputs: [['y', 'float', [1, side]]],
    nodes: parts.map((_, i) => ({ op: 'MatMul', name: `m${i}`, inputs: [value(i), `w${i}`], outputs: [value(i + 1)] })),
  });
  writeModel(out, graph, parts, total(parts) + count * tileBytes, (file, part) => {
    fs.writeSync(file, part);
    fs.writeSync(file, tile);
  });
}

// y = sum of x wi, every weight 1 GiB of holes but for its first page.
function writeExternal(out, bytes) {
  const columns = 256 * side, size = side * columns * 4, count = Math.ceil(bytes / size);
  const location = `${path.basename(out)}.data`, page = Buffer.alloc(4096, 0x3c);
  const file = fs.openSync(path.join(path.dirname(out), location), 'w');
  fs.ftruncateSync(file, count * size);
  const initializers = [], nodes = [];
  for (let i = 0; i < count; ++i) {
    fs.writeSync(file, page, 0, page.length, i * size);
    initializers.push(onnx.tensorProto(`w${i}`, 'float', [side, columns], [],
                                       { encoding: 'external', location, offset: i * size, length: size }));
    nodes.push({ op: 'MatMul', name: `m${i}`, inputs: ['x', `w${i}`], outputs: [`p${i}`] });
  }
  fs.closeSync(file);
  nodes.push({ op: 'Sum', name: 'sum', inputs: initializers.map((_, i) => `p${i}`), outputs: ['y'] });
  fs.writeFileSync(out, onnx.model({
    opset: 18, name: 'external', initializers, nodes, inputs: [['x', 'float', [1, side]]],
    outputs: [['y', 'float', [1, columns]]],
  }));
}

function main() {
  const text = { type: 'string' };
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { nodes: text, bytes: text, op: text } });
  const [kind, out] = positionals;
  const kinds = {
    chain: () => writeChain(out, Number(values.nodes ?? 1e6)),
    residual: () => writeResidual(out, Number(values.nodes ?? 1e6)),
    wide: () => writeWide(out, values.op ?? 'Concat', Number(values.nodes ?? 1e4)),
    inline: () => writeInline(out, Number(values.bytes ?? 5e8)),
    external: () => writeExternal(out, Number(values.bytes ?? 2e10)),
  };
  if (!out || !kinds[kind]) {
    console.error(usage);
    return 2;
  }
  kinds[kind]();
  return 0;
}

process.exitCode = main();
