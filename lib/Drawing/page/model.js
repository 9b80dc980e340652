//===- model.js - The data of the page ------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

const data = JSON.parse(document.getElementById('data').textContent);

/** One of both graphs, with what is asked of it often. */
class Graph {
  constructor(name, picture) {
    this.name = name;
    this.nodes = picture.nodes;
    this.tensors = picture.tensors;
    this.levels = picture.levels;
    this.parent = new Map();
    this.homes = new Map();
    this.users = new Map();
    this.makers = new Map();
    this.nodes.forEach((node, index) => this.enter(node, index));
    this.levels.forEach((level, index) => {
      for (const [node] of level.nodes) this.homes.set(node, index);
    });
  }

  enter(node, index) {
    for (const level of node.levels || []) this.parent.set(level, index);
    // Sections and ports only pass tensors on.
    if (node.kind === 'section' || node.kind === 'port') return;
    for (const tensor of node.out || []) this.makers.set(tensor, index);
    for (const tensor of node.in || []) {
      if (!this.users.has(tensor)) this.users.set(tensor, []);
      this.users.get(tensor).push(index);
    }
  }

  /** The nodes around a node, from the outermost. */
  getAncestors(index) {
    const ancestors = [];
    for (let node = index;;) {
      const parent = this.parent.get(this.homes.get(node));
      if (parent === undefined) return ancestors.reverse();
      ancestors.push(parent);
      node = parent;
    }
  }

  /** Nodes of the graph itself, in order; sections are looked into. */
  getSteps() {
    const steps = [];
    const add = (level) => {
      for (const [node] of level.nodes) {
        if (this.nodes[node].kind === 'section')
          for (const inner of this.nodes[node].levels || []) add(this.levels[inner]);
        else if (this.nodes[node].kind !== 'port') steps.push(node);
      }
    };
    if (this.levels.length) add(this.levels[0]);
    return steps;
  }

  describe(index) {
    const node = this.nodes[index];
    const name = clean(node.name);
    return node.kind === 'relayout' ? `${clean(node.op)} ${name}, ${formatBytes(this.getMoved(node))}` :
           `${clean(node.op)} ${name}`;
  }

  /** What a relayout writes. */
  getMoved(node) {
    return node.out && node.out.length ? this.tensors[node.out[0]].bytes : undefined;
  }
}

const graphs = {
  before: new Graph('before', data.before),
  after: new Graph('after', data.after),
};

/** Which nodes of `after` each node of `before` became. */
const becomes = new Map();
graphs.after.nodes.forEach((node, index) => {
  for (const origin of node.origins || []) {
    if (!becomes.has(origin)) becomes.set(origin, []);
    becomes.get(origin).push(index);
  }
});

/** The storage orders of what is computed, those of the most bytes first. */
const orders = (() => {
  const bytes = new Map();
  for (const graph of Object.values(graphs))
    for (const index of [...graph.makers.keys()]) {
      const tensor = graph.tensors[index];
      if (tensor.order)
        bytes.set(tensor.order, (bytes.get(tensor.order) || 0) + (tensor.bytes || 0));
    }
  bytes.delete('row-major');
  // The two that most models have are of the same colours on every page.
  const usual = ['NHWC', 'NCHW'];
  return [...bytes.keys()].sort((a, b) =>
    usual.indexOf(b) - usual.indexOf(a) || bytes.get(b) - bytes.get(a));
})();
const numColours = 6;

/** "0" to "5", or "none". */
function getColour(order) {
  const place = orders.indexOf(order);
  return place < 0 || place >= numColours ? 'none' : String(place);
}

/** Rows of the profile by the tensor that they compute. */
const timeOfTensor = new Map((data.profile || []).map((row) => [row.result, row]));

function getProfile(graph, node) {
  for (const tensor of node.out || []) {
    const row = timeOfTensor.get(graph.tensors[tensor].name);
    if (row && graph.tensors[tensor].name) return row;
  }
  return undefined;
}

function getSeconds(graph, node) {
  const row = getProfile(graph, node);
  return row ? row.ms / 1e3 : node.seconds;
}

/** Why values cross borders, by the name of the value. */
const unfusedOfTensor = new Map();
for (const edge of data.unfused || []) {
  if (!unfusedOfTensor.has(edge.value)) unfusedOfTensor.set(edge.value, []);
  unfusedOfTensor.get(edge.value).push(edge);
}
