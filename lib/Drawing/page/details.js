//===- details.js - What is known of a node or an edge --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

function addRow(table, name, value) {
  if (value !== undefined && value !== '')
    table.append(make('tr', {}, make('th', { scope: 'row' }, name), make('td', {}, clean(value))));
}

function makeLink(name, node) {
  const button = make('button', { type: 'button', class: 'link' }, graphs[name].describe(node));
  button.addEventListener('click', () => panes.goTo(name, node));
  return button;
}

function makeTensor(graph, index) {
  const tensor = graph.tensors[index];
  const words = [tensor.type, tensor.shape, tensor.order, formatBytes(tensor.bytes)];
  return make('div', { class: `tensor order-${getColour(tensor.order)}` },
    make('div', {}, clean(tensor.name) || '(no name)'),
    make('div', { class: 'kind' }, words.filter(Boolean).map(clean).join('  ')));
}

function addTensors(panel, title, graph, list) {
  if (!list || !list.length) return;
  const maxShown = 12;
  panel.append(make('h3', {}, title), ...list.slice(0, maxShown).map((tensor) => makeTensor(graph, tensor)));
  if (list.length > maxShown)
    panel.append(make('p', { class: 'note' }, `and ${list.length - maxShown} more`));
}

function addLinks(panel, title, name, list) {
  if (!list || !list.length) return;
  const maxShown = 8;
  panel.append(make('h3', {}, title));
  for (const node of list.slice(0, maxShown)) panel.append(make('p', {}, makeLink(name, node)));
  if (list.length > maxShown)
    panel.append(make('p', { class: 'note' }, `and ${list.length - maxShown} more`));
}

function addReason(panel, node) {
  const { reason } = node;
  if (!reason) return;
  panel.append(make('h3', {}, 'Why'));
  const table = make('table', {});
  addRow(table, 'stored', reason.from);
  addRow(table, 'for', reason.storedFor);
  addRow(table, 'needed', reason.to);
  addRow(table, 'by', reason.neededBy);
  addRow(table, node.fallback ? 'stands alone' : 'reason', reason.words);
  panel.append(table);
}

function addCosts(panel, graph, node) {
  const row = getProfile(graph, node);
  const table = make('table', {});
  if (node.kind === 'relayout') addRow(table, 'moves', formatBytes(graph.getMoved(node)));
  if (node.flops) addRow(table, 'work', formatFlops(node.flops));
  if (node.bytes) addRow(table, 'reads and writes', formatBytes(node.bytes));
  if (node.weights) addRow(table, 'weights of it', formatBytes(node.weights));
  if (node.flops && node.bytes) addRow(table, 'per byte', `${(node.flops / node.bytes).toFixed(1)} FLOP`);
  if (node.live !== undefined) addRow(table, 'alive meanwhile', formatBytes(node.live));
  if (node.seconds) addRow(table, 'at least', `${formatSeconds(node.seconds)}${node.bound ? `, ${node.bound} bound` : ''}`);
  if (row) addRow(table, 'measured', `${formatSeconds(row.ms / 1e3)} (${clean(row.template)}, ${clean(row.operators)})`);
  if (table.childElementCount) panel.append(make('h3', {}, 'Cost'), table);
}

function showNode(panel, graph, index) {
  const node = graph.nodes[index];
  panel.append(make('h2', {}, clean(node.op)), make('p', {}, clean(node.name)));
  panel.append(make('p', { class: 'kind' }, node.fallback ? `${node.kind}, outside of groups` : node.kind));
  const table = make('table', {});
  addRow(table, 'layouts', node.layouts);
  addRow(table, 'stages', node.stages);
  if (node.leftOut) addRow(table, 'not in this page', `${formatCount(node.leftOut)} nodes`);
  if (table.childElementCount) panel.append(table);
  if (node.levels) {
    const button = make('button', { type: 'button' }, 'Open or close');
    button.addEventListener('click', () => panes[graph.name].toggle(index));
    panel.append(button);
  }
  addReason(panel, node);
  addCosts(panel, graph, node);
  addTensors(panel, 'Reads', graph, node.in);
  addTensors(panel, 'Constants', graph, node.constants);
  addTensors(panel, 'Writes', graph, node.out);
  addLinks(panel, 'Comes from', 'before', graph.name === 'after' ? node.origins : undefined);
  addLinks(panel, 'Became', 'after', graph.name === 'before' ? becomes.get(index) : undefined);
}

function showEdge(panel, graph, { from, to, tensor }) {
  panel.append(make('h2', {}, 'Tensor'), makeTensor(graph, tensor));
  const name = graph.tensors[tensor].name;
  if (graph.name === 'after' && name) {
    const was = graphs.before.tensors.find((each) => each.name === name);
    const table = make('table', {});
    if (was) addRow(table, 'order before', was.order);
    addRow(table, 'order after', graph.tensors[tensor].order);
    if (table.childElementCount) panel.append(table);
  }
  for (const edge of (name && unfusedOfTensor.get(name)) || [])
    panel.append(make('p', {}, `Not fused into ${clean(edge.to)}: ${clean(edge.reason)} (${clean(edge.code)})`));
  addLinks(panel, 'From', graph.name, [graph.makers.get(tensor) ?? from]);
  addLinks(panel, 'To', graph.name, graph.users.get(tensor) || [to]);
}

function showDetails(graph, what) {
  const panel = document.getElementById('details');
  panel.replaceChildren();
  if (!what) showNothing(panel);
  else if (what.node !== undefined) showNode(panel, graph, what.node);
  else showEdge(panel, graph, what);
}

/** Before anything is chosen: what the whole is. */
function showNothing(panel) {
  const { before, after } = data.totals;
  panel.append(make('h2', {}, 'The model'));
  const table = make('table', {}, make('tr', {}, make('th', {}, ''), make('th', {}, 'before'), make('th', {}, 'after')));
  const add = (name, format, key) => table.append(make('tr', {}, make('th', { scope: 'row' }, name),
    make('td', { class: 'number' }, format(before[key])), make('td', { class: 'number' }, format(after[key]))));
  add('nodes', formatCount, 'nodes');
  add('groups', formatCount, 'groups');
  add('transposes', formatCount, 'transposes');
  add('bytes moved', formatBytes, 'transposeBytes');
  add('peak memory', formatBytes, 'peakBytes');
  add('weights', formatBytes, 'weightBytes');
  add('work', formatFlops, 'flops');
  panel.append(table, make('p', { class: 'note' },
    'Click a node or an edge. Circles move elements and are larger where they move more; ' +
    'their halves say the order before and after.'));
}
