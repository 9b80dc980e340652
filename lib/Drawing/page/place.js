//===- place.js - Where nodes stand when some are open --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/**
 * A map of a line onto a longer one that keeps what is left left and what is
 * right right. `stretches` are [from, to, length]: the piece that becomes at
 * least so long. Where several lie above each other the longest counts.
 */
class Stretched {
  constructor(stretches) {
    const cuts = [...new Set(stretches.flatMap(([from, to]) => [from, to]))].sort((a, b) => a - b);
    this.from = [];
    this.to = [];
    let more = 0;
    cuts.forEach((cut, i) => {
      this.from.push(cut);
      this.to.push(cut + more);
      const next = cuts[i + 1];
      if (next === undefined) return;
      let rate = 0;
      for (const [from, to, length] of stretches)
        if (from <= cut && to >= next) rate = Math.max(rate, length / (to - from) - 1);
      more += rate * (next - cut);
    });
    this.more = more;
  }

  at(value) {
    const { from, to } = this;
    if (from.length === 0 || value <= from[0]) return value;
    let low = 0, high = from.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (from[middle] <= value) low = middle; else high = middle;
    }
    if (low + 1 === from.length) return value + this.more;
    const part = (value - from[low]) / (from[low + 1] - from[low]);
    return to[low] + part * (to[low + 1] - to[low]);
  }
}

const barHeight = 26, framePadding = 12, maxDepth = 60;

/** Where everything of a graph stands when these nodes are open. */
class Placement {
  constructor(graph, open) {
    this.graph = graph;
    this.open = open;
    this.sizes = new Map();
    this.items = [];
    this.byNode = new Map();
    const margin = 24;
    const size = graph.levels.length ? this.measure(0, 0) : { width: 0, height: 0 };
    this.width = size.width + 2 * margin;
    this.height = size.height + 2 * margin;
    if (graph.levels.length) this.put(0, margin, margin, 0);
  }

  isOpen(node, depth) {
    const levels = this.graph.nodes[node].levels;
    return levels && depth < maxDepth && this.open.has(node);
  }

  /** The size of an open node: a bar, and its levels beside each other. */
  measureNode(node, depth) {
    let width = framePadding, height = 0;
    for (const level of this.graph.nodes[node].levels) {
      const size = this.measure(level, depth + 1);
      width += size.width + framePadding;
      height = Math.max(height, size.height);
    }
    return { width: Math.max(width, 160), height: height + barHeight + 2 * framePadding };
  }

  /** The size of a level, and how its lines are stretched. */
  measure(index, depth) {
    const level = this.graph.levels[index];
    const across = [], down = [];
    const inner = new Map();
    for (const [node, x, y, width, height] of level.nodes) {
      if (!this.isOpen(node, depth)) continue;
      const size = this.measureNode(node, depth);
      inner.set(node, size);
      if (size.width > width) across.push([x - width / 2, x + width / 2, size.width]);
      if (size.height > height) down.push([y - height / 2, y + height / 2, size.height]);
    }
    const size = { x: new Stretched(across), y: new Stretched(down), inner };
    size.width = level.width + size.x.more;
    size.height = level.height + size.y.more;
    this.sizes.set(index, size);
    return size;
  }

  put(index, left, top, depth) {
    const level = this.graph.levels[index];
    const size = this.sizes.get(index);
    for (const [node, x, y, width, height] of level.nodes) {
      const own = size.inner.get(node);
      // The middle of what the node's own piece became.
      const cx = left + (size.x.at(x - width / 2) + size.x.at(x + width / 2)) / 2;
      const cy = top + (size.y.at(y - height / 2) + size.y.at(y + height / 2)) / 2;
      const w = own ? own.width : width, h = own ? own.height : height;
      const item = { node, x: cx - w / 2, y: cy - h / 2, width: w, height: h, depth, isOpen: !!own };
      this.items.push(item);
      this.byNode.set(node, item);
      if (own) this.putInside(node, item, depth);
    }
    level.edges.forEach((edge, place) => this.putEdge(edge, index, place, size, left, top));
  }

  putInside(node, item, depth) {
    let left = item.x + framePadding;
    for (const level of this.graph.nodes[node].levels) {
      this.put(level, left, item.y + barHeight + framePadding, depth + 1);
      left += this.sizes.get(level).width + framePadding;
    }
  }

  /** What is stretched beside a node must not take the ends of its edges away. */
  attach(points, edge, size) {
    const level = this.graph.levels[this.graph.homes.get(edge[0])];
    if (!size.places) size.places = new Map(level.nodes.map((each) => [each[0], each]));
    const ends = [[0, 1, edge[0], edge[3], 1], [points.length - 1, points.length - 2, edge[1], edge[edge.length - 2], 0]];
    for (const [end, next, node, x, isBottom] of ends) {
      const [, centre, , width] = size.places.get(node);
      const item = this.byNode.get(node);
      const share = Math.min(1, Math.max(-1, (x - centre) / (width / 2)));
      const to = [item.x + item.width / 2 + share * Math.min(item.width, width) / 2, item.y + isBottom * item.height];
      const dx = to[0] - points[end][0];
      points[end] = to;
      points[next] = [points[next][0] + dx, points[next][1]];
    }
    // An edge runs between its ends, not through what is open there.
    const top = points[0][1], bottom = points.at(-1)[1];
    for (const point of points) point[1] = Math.min(Math.max(point[1], top), Math.max(top, bottom));
  }

  putEdge(edge, level, place, size, left, top) {
    const [from, to, tensor] = edge;
    const key = `${level}:${place}`;
    const add = (points, isFar) => {
      const ys = points.map(([, y]) => y);
      const y = Math.min(...ys);
      this.items.push({ edge: key, from, to, tensor, points, isFar, y, height: Math.max(...ys) - y });
    };
    const points = [];
    for (let i = 3; i < edge.length; i += 2)
      points.push([left + size.x.at(edge[i]), top + size.y.at(edge[i + 1])]);
    if (points.length) {
      this.attach(points, edge, size);
      return add(points, false);
    }
    // An edge that is too long is a short line at both of its ends.
    const start = this.byNode.get(from), end = this.byNode.get(to);
    const x = start.x + start.width / 2 + 10, y = start.y + start.height;
    add([[x, y], [x, y + 4], [x + 4, y + 8], [x + 10, y + 10]], true);
    const u = end.x + end.width / 2 - 10, v = end.y;
    return add([[u - 10, v - 10], [u - 4, v - 8], [u, v - 4], [u, v]], true);
  }
}
