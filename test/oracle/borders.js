//===- borders.js - Counts what crosses the borders of groups -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Independent of Inlay's own count. A node of the outermost graph is a call of a
// group or stands alone; what is inside of a function says what the group does.
// Every node reads each distinct value among its inputs, those that its
// subgraphs take from outside included, and writes each output that another
// node reads or that leaves the graph. Weights are not counted. Extents come
// from running the model.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('./onnx');
const { byteSize, count } = require('./element');
const { computedTypes } = require('./traffic');

const isConstant = ({ domain, opType }) => !domain && opType === 'Constant';

// Names that a node's subgraphs use and do not define themselves, nested ones
// included.
function captured(node) {
  const [, ...graphs] = onnx.allGraphs({ graph: { node: [node] } });
  const used = graphs.flatMap(graph => [...graph.node.flatMap(({ input }) => input), ...graph.output.map(({ name }) => name)]);
  const own = new Set(graphs.flatMap(graph => [
    ...graph.input.map(({ name }) => name), ...graph.initializer.map(({ name }) => name),
    ...graph.node.flatMap(({ output }) => output),
  ]));
  return used.filter(name => !own.has(name));
}

const readsOf = node => new Set([...node.input, ...captured(node)].filter(name => name !== ''));

// Bytes across borders, from {type, dims} of the values by name.
function countBorders({ graph }, types) {
  const nodes = graph.node.filter(node => !isConstant(node));
  const weights = new Set([
    ...graph.initializer.map(({ name }) => name), ...graph.sparseInitializer.map(({ values }) => values.name),
    ...graph.node.filter(isConstant).flatMap(({ output }) => output),
  ]);
  const bytesOf = name => {
    const found = types.get(name);
    if (!found) throw new Error(`the extents of '${name}' are not known`);
    return byteSize(found.type, count(found.dims));
  };
  const needed = new Set([...nodes.flatMap(node => [...readsOf(node)]), ...graph.output.map(({ name }) => name)]);
  let total = 0;
  for (const node of nodes) {
    for (const name of readsOf(node)) if (!weights.has(name)) total += bytesOf(name);
    for (const name of node.output) if (needed.has(name)) total += bytesOf(name);
  }
  return total;
}

async function measureBorders(file, feeds) {
  const proto = onnx.readFile(file);
  return countBorders(proto, new Map([...Object.entries(feeds), ...await computedTypes(file, proto, feeds)]));
}

module.exports = { measureBorders, countBorders };
