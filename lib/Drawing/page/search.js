//===- search.js - Searching and filtering --------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/** What a filter leaves of a graph, as places of nodes; the largest first. */
function keepTop(graph, count, get) {
  return [...graph.nodes.keys()].filter((node) => get(graph.nodes[node]) > 0)
    .sort((a, b) => get(graph.nodes[b]) - get(graph.nodes[a])).slice(0, count);
}

function keep(graph, test) {
  return [...graph.nodes.keys()].filter((node) => test(graph.nodes[node]));
}

const topCount = 20;

/** The choices of "Show": a name, and what it finds. */
const filters = (() => {
  const list = [
    ['', 'Everything', null],
    ['relayouts', 'Relayouts', (graph) => keepTop(graph, Infinity, (node) => (node.kind === 'relayout' ? graph.getMoved(node) || 1 : 0))],
    ['fallbacks', 'Operators outside of groups', (graph) => keep(graph, (node) => node.fallback)],
    ['bytes', `The ${topCount} that move most bytes`, (graph) => keepTop(graph, topCount, (node) => node.bytes || 0)],
    ['work', `The ${topCount} with most work`, (graph) => keepTop(graph, topCount, (node) => node.flops || 0)],
    ['time', `The ${topCount} that take longest`, (graph) => keepTop(graph, topCount, (node) => getSeconds(graph, node) || 0)],
  ];
  const codes = new Map();
  for (const edge of data.unfused || []) codes.set(edge.code, (codes.get(edge.code) || 0) + 1);
  for (const [code, count] of [...codes].sort((a, b) => b[1] - a[1]))
    list.push([`unfused-${code}`, `Not fused: ${clean(code)} (${formatCount(count)})`, (graph) => findUnfused(graph, code)]);
  return list.filter(([, , find]) => !find || Object.values(graphs).some((graph) => find(graph).length));
})();

/** Nodes at the ends of values that were not fused for this reason. */
function findUnfused(graph, code) {
  const names = new Set();
  for (const edge of data.unfused)
    if (edge.code === code) names.add(edge.from).add(edge.to);
  return graph.name === 'after' ? keep(graph, (node) => node.kind !== 'port' && names.has(node.name)) : [];
}

function findWords(graph, words) {
  const lower = words.toLowerCase();
  const contains = (text) => text !== undefined && text.toLowerCase().includes(lower);
  return keep(graph, (node) => node.kind !== 'port' && node.kind !== 'section' &&
    (contains(node.name) || contains(node.op) || (node.out || []).some((tensor) => contains(graph.tensors[tensor].name))));
}

const finder = {
  found: [],
  current: -1,

  update() {
    const words = document.getElementById('search').value.trim();
    const filter = filters.find(([key]) => key === document.getElementById('filter').value);
    const isAsked = words !== '' || !!filter[2];
    this.found = [];
    this.current = -1;
    for (const name of ['after', 'before']) {
      const graph = graphs[name];
      let nodes = filter[2] ? filter[2](graph) : words ? findWords(graph, words) : [];
      if (filter[2] && words) {
        const both = new Set(findWords(graph, words));
        nodes = nodes.filter((node) => both.has(node));
      }
      panes[name].setHits(isAsked ? new Set(nodes) : null);
      if (panes.view === 'both' || panes.view === name)
        this.found.push(...nodes.map((node) => ({ name, node })));
    }
    this.list(isAsked);
  },

  list(isAsked) {
    const maxListed = 300;
    document.getElementById('found').hidden = !isAsked;
    document.getElementById('found-title').textContent =
      this.found.length === 1 ? '1 node' : `${formatCount(this.found.length)} nodes`;
    document.getElementById('found-list').replaceChildren(...this.found.slice(0, maxListed).map(({ name, node }) => {
      const own = graphs[name].nodes[node];
      const moved = own.kind === 'relayout' ? graphs[name].getMoved(own) : own.bytes;
      const button = make('button', { type: 'button', title: graphs[name].describe(node) },
        `${clean(own.op)} `, make('span', { class: 'sub' }, `${shorten(own.name, 24)} ${moved ? formatBytes(moved) : ''}`));
      button.addEventListener('click', () => panes.goTo(name, node));
      return make('li', {}, button);
    }));
    panes.getShown().forEach((pane) => pane.redraw());
  },

  goToNext(step) {
    if (!this.found.length) return;
    this.current = (this.current + step + this.found.length) % this.found.length;
    const { name, node } = this.found[this.current];
    panes.goTo(name, node);
  },

  start() {
    document.getElementById('filter').append(...filters.map(([key, name]) => make('option', { value: key }, name)));
    document.getElementById('filter').addEventListener('change', () => this.update());
    const search = document.getElementById('search');
    let timer;
    search.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.update(), 80);
    });
    search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        clearTimeout(timer);
        if (this.current < 0) this.update();
        this.goToNext(event.shiftKey ? -1 : 1);
      } else if (event.key === 'Escape') {
        search.value = '';
        this.update();
      }
    });
  },
};
