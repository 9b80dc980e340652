//===- reuse.js - The same model with names used again --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph's own names hide those of the graphs around it. So a value inside may
// have any name but that of another value of its graph and of what the graph
// uses from outside: the If's own outputs, those of later or earlier nodes, of
// the other branch.
//
//===----------------------------------------------------------------------===//

'use strict';

const subgraphs = node => node.attribute.flatMap(({ g, graphs }) => [...g ? [g] : [], ...graphs]);

function definitions(graph) {
  return [...graph.input.map(({ name }) => name), ...graph.initializer.map(({ name }) => name),
    ...graph.node.flatMap(({ output }) => output)].filter(Boolean);
}

// Names that a graph takes from outside.
function captures(graph) {
  const uses = new Set(graph.output.map(({ name }) => name));
  for (const node of graph.node) {
    for (const name of node.input) uses.add(name);
    for (const inner of subgraphs(node)) for (const name of captures(inner)) uses.add(name);
  }
  for (const name of definitions(graph)) uses.delete(name);
  return uses;
}

// Renames the values of `graph` by `names`, a Map that holds what it captures.
function apply(graph, names) {
  const rename = name => names.get(name) ?? name;
  for (const list of [graph.input, graph.output, graph.initializer]) for (const item of list) item.name = rename(item.name);
  for (const node of graph.node) {
    node.input = node.input.map(rename);
    node.output = node.output.map(rename);
  }
}

class Renamer {
  constructor(draw, strict) {
    this.draw = draw;
    this.strict = strict;
    this.pool = [];
  }

  // New names of a subgraph's values. `visible` are the names, old and new, of
  // what is defined around it and before it.
  choose(graph, outer, visible) {
    const taken = new Set([...captures(graph)].map(name => outer.get(name) ?? name)), names = new Map(outer);
    for (const name of definitions(graph)) {
      const free = this.pool.filter(candidate => !taken.has(candidate) && !(this.strict && visible.has(candidate)));
      const chosen = free.length && this.draw.chance(0.7) ? this.draw.pick(free) : name;
      taken.add(chosen);
      names.set(name, chosen);
    }
    return names;
  }

  rename(graph, names, visible) {
    const before = new Set([...visible, ...graph.input.map(({ name }) => names.get(name)),
      ...graph.initializer.map(({ name }) => names.get(name))]);
    for (const node of graph.node) {
      for (const inner of subgraphs(node)) this.rename(inner, this.choose(inner, names, before), before);
      for (const name of node.output) before.add(names.get(name));
    }
    apply(graph, names);
  }
}

// Changes `proto`. With `strict` no name hides one that can be seen where it is
// defined, which is what ONNX Runtime asks of names.
function reuseNames(proto, draw, strict) {
  const renamer = new Renamer(draw, strict), own = definitions(proto.graph);
  renamer.pool = draw.shuffle(own).slice(0, 12);
  renamer.rename(proto.graph, new Map(own.map(name => [name, name])), new Set());
  return proto;
}

module.exports = { reuseNames, subgraphs };
