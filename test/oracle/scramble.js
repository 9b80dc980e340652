//===- scramble.js - The same model in another order, renamed -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('./onnx');
const { uniform } = require('./random');

// Names that a node reads: its operands, and what its subgraphs capture. A name
// that a subgraph defines itself is no producer's outside, so it does no harm.
function namesRead(node) {
  const names = [...node.input], graphs = [];
  const push = ({ attribute }) => {
    for (const { g, graphs: list } of attribute) graphs.push(...(g ? [g] : []), ...list);
  };
  push(node);
  for (let i = 0; i < graphs.length; ++i) {
    names.push(...graphs[i].output.map(({ name }) => name));
    for (const inner of graphs[i].node) names.push(...inner.input), push(inner);
  }
  return names;
}

// A random topological order: the next node is drawn from those that can run.
function shuffled(nodes, next) {
  const producer = new Map(nodes.flatMap((node, i) => node.output.filter(Boolean).map(name => [name, i])));
  const users = nodes.map(() => []), waiting = nodes.map((node, i) => {
    const before = new Set(namesRead(node).map(name => producer.get(name)).filter(at => at !== undefined && at !== i));
    for (const at of before) users[at].push(i);
    return before.size;
  });
  const ready = [...nodes.keys()].filter(i => waiting[i] === 0), order = [];
  while (ready.length) {
    const at = Math.floor(next() * ready.length), i = ready[at];
    ready[at] = ready.at(-1);
    ready.pop();
    order.push(nodes[i]);
    for (const user of users[i]) if (--waiting[user] === 0) ready.push(user);
  }
  return order;
}

// Every value and node gets a new name, whose order is not that of the old.
function renamed(proto, next) {
  const names = new Map([['', '']]);
  const rename = name => {
    if (!names.has(name)) names.set(name, `r${Math.floor(next() * 1e9)}_${names.size}`);
    return names.get(name);
  };
  for (const graph of onnx.allGraphs(proto)) {
    for (const list of [graph.input, graph.output, graph.valueInfo, graph.initializer])
      for (const item of list) item.name = rename(item.name);
    for (const node of graph.node) {
      node.input = node.input.map(rename);
      node.output = node.output.map(rename);
      node.name = node.name && rename(`node ${node.name}`);
    }
  }
}

// Bytes of a model with the same meaning; inputs and outputs are renamed too.
function scramble(bytes, seed) {
  const proto = onnx.read(bytes), next = uniform(seed);
  for (const graph of onnx.allGraphs(proto)) graph.node = shuffled(graph.node, next);
  renamed(proto, next);
  return onnx.write(proto);
}

module.exports = { scramble };
