//===- main.js - Tables, tabs and the start -------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/** A table of which more rows come when they are asked for. */
function makeLongTable(columns, rows, numbers) {
  const perPage = 200;
  let shown = Math.min(perPage, rows.length);
  const box = make('div', {}, makeTable(columns, rows.slice(0, shown).map((row) => row()), numbers));
  const button = make('button', { type: 'button' }, 'More');
  const body = box.querySelector('tbody');
  button.addEventListener('click', () => {
    const more = makeTable(columns, rows.slice(shown, shown + perPage).map((row) => row()), numbers);
    body.append(...more.querySelector('tbody').children);
    shown = Math.min(shown + perPage, rows.length);
    button.hidden = shown >= rows.length;
  });
  button.hidden = shown >= rows.length;
  box.append(button);
  return box;
}

function fillMoves() {
  const panel = document.getElementById('moves');
  const { relayouts = [], unfused = [] } = data;
  panel.append(make('h2', {}, `Relayouts, and what forces each (${formatCount(relayouts.length)})`));
  const byBytes = [...relayouts].sort((a, b) => b.bytes - a.bytes);
  if (relayouts.length)
    panel.append(makeLongTable(['tensor', 'from', 'to', 'bytes', 'stored so for', 'needed by'],
      byBytes.map((each) => () => [makeTensorLink(each.tensor), clean(each.from), clean(each.to),
        formatBytes(each.bytes), clean(each.storedFor), clean(each.neededBy)]), new Set([3])));
  else panel.append(make('p', {}, 'None.'));
  if (!unfused.length) return;
  panel.append(make('h2', {}, `Values that cross borders (${formatCount(unfused.length)})`));
  panel.append(makeLongTable(['from', 'to', 'value', 'bytes', 'code', 'reason'],
    [...unfused].sort((a, b) => b.bytes - a.bytes).map((each) => () => [clean(each.from), clean(each.to),
      makeTensorLink(each.value), formatBytes(each.bytes), clean(each.code), clean(each.reason)]), new Set([3])));
}

/** The name of a tensor; leads to who computes it, in either graph. */
function makeTensorLink(name) {
  for (const graph of [graphs.after, graphs.before]) {
    const tensor = name ? graph.tensors.findIndex((each) => each.name === name) : -1;
    const maker = graph.makers.get(tensor);
    if (maker === undefined) continue;
    const button = make('button', { type: 'button', class: 'link' }, clean(name));
    button.addEventListener('click', () => panes.goTo(graph.name, maker));
    return button;
  }
  return clean(name) || '(no name)';
}

function fillNodes() {
  const panel = document.getElementById('nodes');
  const graph = graphs.after;
  const nodes = [...graph.nodes.keys()].filter((node) => !['port', 'section'].includes(graph.nodes[node].kind));
  panel.append(make('h2', {}, `Nodes after compiling (${formatCount(nodes.length)})`));
  panel.append(makeLongTable(['node', 'kind', 'result', 'order', 'work', 'bytes', 'time'], nodes.map((index) => () => {
    const node = graph.nodes[index];
    const out = node.out && node.out.length ? graph.tensors[node.out[0]] : {};
    const seconds = getSeconds(graph, node);
    return [makeLink('after', index), node.kind, clean(out.shape), clean(out.order),
      node.flops ? formatFlops(node.flops) : '', node.bytes ? formatBytes(node.bytes) : '',
      seconds ? formatSeconds(seconds) : ''];
  }), new Set([4, 5, 6])));
}

//===----------------------------------------------------------------------===//
// Tabs, theme, keys
//===----------------------------------------------------------------------===//

const tabs = [...document.querySelectorAll('[role="tab"]')];
/** What a view needs is made when it is first seen. */
const fillers = { moves: fillMoves, charts: fillCharts, nodes: fillNodes };

function showTab(name) {
  for (const tab of tabs) {
    const isOwn = tab.id === `tab-${name}`;
    tab.setAttribute('aria-selected', isOwn);
    tab.tabIndex = isOwn ? 0 : -1;
    document.getElementById(tab.getAttribute('aria-controls')).hidden = !isOwn;
  }
  if (fillers[name]) {
    fillers[name]();
    delete fillers[name];
  }
  if (name === 'graph') panes.getShown().forEach((pane) => pane.redraw());
}

function startTabs() {
  tabs.forEach((tab, i) => {
    tab.addEventListener('click', () => showTab(tab.getAttribute('aria-controls')));
    tab.addEventListener('keydown', (event) => {
      const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (!step) return;
      const next = tabs[(i + step + tabs.length) % tabs.length];
      showTab(next.getAttribute('aria-controls'));
      next.focus();
    });
  });
}

function setTheme(isDark) {
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  const button = document.getElementById('theme');
  button.setAttribute('aria-pressed', isDark);
  button.textContent = isDark ? 'Light' : 'Dark';
}

function startTheme() {
  const wish = matchMedia('(prefers-color-scheme: dark)');
  setTheme(wish.matches);
  wish.addEventListener('change', () => setTheme(wish.matches));
  document.getElementById('theme').addEventListener('click',
    () => setTheme(document.documentElement.dataset.theme !== 'dark'));
}

function fitWidth(pane) {
  const share = (pane.scroller.clientWidth - 8) / pane.placement.width;
  pane.setScale(Math.min(1, share));
}

/** Where reading begins: the first node, at a size that can be read. */
function showStart(pane) {
  const smallest = 0.8;
  fitWidth(pane);
  if (pane.scale < smallest) pane.setScale(smallest);
  const [first] = pane.graph.getSteps();
  if (first !== undefined) pane.reveal(first);
  pane.scroller.scrollTop = 0;
  pane.draw();
}

function startToolbar() {
  const on = (id, event, action) => document.getElementById(id).addEventListener(event, action);
  const forShown = (action) => () => panes.getShown().forEach(action);
  on('view', 'change', (event) => {
    panes.show(event.target.value);
    finder.update();
  });
  on('zoom-in', 'click', forShown((pane) => pane.setScale(pane.scale * 1.25)));
  on('zoom-out', 'click', forShown((pane) => pane.setScale(pane.scale / 1.25)));
  on('zoom-fit', 'click', forShown(fitWidth));
  on('open-all', 'click', forShown((pane) =>
    pane.setOpen([...pane.graph.nodes.keys()].filter((node) => pane.graph.nodes[node].levels))));
  on('close-all', 'click', forShown((pane) => pane.setOpen([])));
  document.addEventListener('keydown', (event) => {
    const isTyping = ['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.tagName);
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') document.getElementById('search').focus();
    else if (event.key === '+') document.getElementById('zoom-in').click();
    else if (event.key === '-') document.getElementById('zoom-out').click();
    else return;
    event.preventDefault();
  });
  addEventListener('resize', () => panes.getShown().forEach((pane) => pane.redraw()));
}

//===----------------------------------------------------------------------===//
// The start
//===----------------------------------------------------------------------===//

function fillHead() {
  const { before, after } = data.totals;
  document.getElementById('title').textContent = `${clean(data.model)} on ${clean(data.target)}`;
  const facts = [`${formatCount(before.nodes)} nodes → ${formatCount(after.nodes)}`,
    `${formatCount(before.transposes)} transposes → ${formatCount(after.transposes)}`,
    `${formatBytes(before.transposeBytes)} moved → ${formatBytes(after.transposeBytes)}`];
  if (after.groups) facts.push(`${formatCount(after.groups)} groups`);
  document.getElementById('facts').textContent = facts.join(' · ');
  if (!before.isLeftOut && !after.isLeftOut) return;
  const message = document.getElementById('message');
  message.hidden = false;
  message.textContent = `This model has ${formatCount(Math.max(before.nodes, after.nodes))} nodes. ` +
    'The page shows parts of it, which stay closed; inlay extract cuts out what you want to see.';
}

function fillLegend() {
  const legend = document.getElementById('legend');
  orders.slice(0, numColours).forEach((order, i) => legend.append(make('span', { class: `order-${i}` }, clean(order))));
  legend.append(make('span', {}, orders.length > numColours ? 'row-major and others' : 'row-major'));
  legend.append(make('span', { class: 'mark' }, 'relayout, larger where it moves more'));
  if (graphs.after.nodes.some((node) => node.fallback))
    legend.append(make('span', { class: 'alone' }, 'outside of groups'));
}

startTheme();
fillHead();
fillLegend();
startTabs();
panes.start();
finder.start();
startToolbar();
showDetails(null, null);
panes.getShown().forEach((pane) => showStart(pane));
