//===- charts.js - Charts -------------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/** Bars beside each other: rows of [name, value before, value after]. */
function makeBars(caption, rows, format, series) {
  const width = 560, left = 150, row = 14 * series.length + 10, height = rows.length * row + 24;
  const largest = Math.max(1, ...rows.flatMap(([, ...values]) => values));
  const svg = makeSvg('svg', { width, height, role: 'img', 'aria-label': caption });
  rows.forEach(([name, ...values], i) => {
    svg.append(makeSvg('text', { x: left - 8, y: i * row + row / 2 + 2, 'text-anchor': 'end' }, shorten(name, 20)));
    values.forEach((value, j) => {
      const y = i * row + 4 + j * 14, length = (value / largest) * (width - left - 90);
      svg.append(makeSvg('rect', { x: left, y, width: Math.max(length, value > 0 ? 1 : 0), height: 11, class: series[j].className }),
        makeSvg('text', { x: left + length + 5, y: y + 10, class: 'small' }, format(value)));
    });
  });
  series.forEach(({ name, className }, j) => {
    const x = left + j * 120, y = height - 14;
    svg.append(makeSvg('rect', { x, y, width: 11, height: 11, class: className }),
      makeSvg('text', { x: x + 16, y: y + 10, class: 'small' }, name));
  });
  return make('figure', {}, make('figcaption', {}, caption), svg, makeHiddenTable(caption, rows, format, series));
}

/** The same numbers for who does not see the picture. */
function makeHiddenTable(caption, rows, format, series) {
  const details = make('details', {}, make('summary', {}, 'as a table'));
  details.append(makeTable(['', ...series.map(({ name }) => name)],
    rows.map(([name, ...values]) => [clean(name), ...values.map(format)])));
  return details;
}

function makeTable(columns, rows, numbers = new Set(columns.keys())) {
  const isNumber = (i) => i > 0 && numbers.has(i);
  const cell = (tag, text, i) => make(tag, isNumber(i) ? { class: 'number' } : {}, text);
  return make('table', {},
    make('thead', {}, make('tr', {}, ...columns.map((name, i) => cell('th', name, i)))),
    make('tbody', {}, ...rows.map((row) => make('tr', {}, ...row.map((text, i) => cell('td', text, i))))));
}

const beforeAndAfter = [{ name: 'before', className: 'bar-a' }, { name: 'after', className: 'bar-b' }];

/** A number of each kind of operator in both graphs, the largest first. */
function sumByKind(get) {
  const sums = new Map();
  Object.values(graphs).forEach((graph, side) => {
    for (const node of graph.nodes) {
      if (!['operator', 'relayout', 'kernel', 'group', 'control'].includes(node.kind)) continue;
      const value = get(graph, node);
      if (!value) continue;
      const kind = node.kind === 'group' ? 'groups' : node.kind === 'kernel' ? 'kernels' : node.op;
      if (!sums.has(kind)) sums.set(kind, [0, 0]);
      sums.get(kind)[side] += value;
    }
  });
  return [...sums].map(([kind, values]) => [kind, ...values])
    .sort((a, b) => Math.max(b[1], b[2]) - Math.max(a[1], a[2])).slice(0, 12);
}

function addStrategies(box) {
  if (!data.strategies) return;
  const rows = data.strategies.map((each) => [each.name, each.bytes, each.bytesCancelled]);
  const figure = makeBars('Bytes that relayouts move, by strategy', rows, formatBytes,
    [{ name: 'as chosen', className: 'bar-a' }, { name: 'after cancelling', className: 'bar-b' }]);
  figure.append(makeTable(['strategy', 'relayouts', 'bytes', 'after cancelling', 'bytes'],
    data.strategies.map((each) => [each.name, formatCount(each.relayouts), formatBytes(each.bytes),
      formatCount(each.relayoutsCancelled), formatBytes(each.bytesCancelled)])),
  make('p', { class: 'note' }, data.proved ? 'The last one is proved least.' : 'Not proved least.'));
  box.append(figure);
}

/** The tensors that are alive while a step runs. */
function getAlive(graph, steps, place) {
  const first = new Map(), last = new Map();
  steps.forEach((index, i) => {
    for (const tensor of graph.nodes[index].out || []) if (!first.has(tensor)) first.set(tensor, i);
    for (const tensor of graph.nodes[index].in || []) last.set(tensor, i);
  });
  return [...first].filter(([tensor, from]) => from <= place && (last.get(tensor) ?? -1) >= place)
    .map(([tensor]) => tensor)
    .sort((a, b) => (graph.tensors[b].bytes || 0) - (graph.tensors[a].bytes || 0));
}

function addMemory(box, graph) {
  const steps = graph.getSteps();
  const live = steps.map((index) => graph.nodes[index].live ?? 0);
  const most = Math.max(...live, 0);
  if (!most) return;
  const width = 560, height = 190, bottom = height - 20;
  const x = (i) => (i / Math.max(1, live.length - 1)) * (width - 10) + 5;
  const y = (value) => bottom - (value / most) * (bottom - 24);
  // One point for each pixel is enough.
  const every = Math.max(1, Math.floor(live.length / (2 * width)));
  const points = live.map((value, i) => [i, value]).filter(([i, value]) => i % every === 0 || value === most);
  const line = points.map(([i, value]) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join('L');
  const peak = live.indexOf(most);
  const caption = `Memory over time, ${graph.name}`;
  const svg = makeSvg('svg', { width, height, role: 'img', 'aria-label': `${caption}: at most ${formatBytes(most)}` },
    makeSvg('path', { class: 'area', d: `M${x(0)},${bottom}L${line}L${x(live.length - 1)},${bottom}Z` }),
    makeSvg('path', { class: 'curve', d: `M${line}` }),
    makeSvg('line', { class: 'axis', x1: 0, x2: width, y1: bottom, y2: bottom }),
    makeSvg('line', { class: 'peak', x1: x(peak), x2: x(peak), y1: y(most) - 6, y2: bottom }),
    makeSvg('text', { x: Math.min(Math.max(x(peak), 60), width - 60), y: 12, 'text-anchor': 'middle' }, formatBytes(most)),
    makeSvg('text', { x: 2, y: height - 5, class: 'small' }, 'first node'),
    makeSvg('text', { x: width - 2, y: height - 5, class: 'small', 'text-anchor': 'end' }, 'last node'));
  const alive = getAlive(graph, steps, peak);
  const figure = make('figure', {}, make('figcaption', {}, caption), svg,
    make('p', {}, 'Most is alive at ', makeLink(graph.name, steps[peak])));
  figure.append(makeTable(['tensor', 'shape', 'bytes'], alive.slice(0, 8).map((tensor) => [
    shorten(graph.tensors[tensor].name || '(no name)', 40), clean(graph.tensors[tensor].shape),
    formatBytes(graph.tensors[tensor].bytes)]), new Set([2])));
  box.append(figure);
}

/** 1, 2, 5, 10, ... as far as the values go. */
function getTicks(values) {
  const ticks = [], least = Math.min(...values), most = Math.max(...values);
  for (let power = Math.floor(Math.log10(least)); 10 ** power <= most; ++power)
    for (const digit of [1, 2, 5]) {
      const value = Number((digit * 10 ** power).toPrecision(1));
      if (value >= least && value <= most) ticks.push(value);
    }
  return ticks;
}

/** Rows of a profile: work for each byte, and how fast that went. */
function addRoofline(box) {
  const dots = data.profile.filter((row) => row.gflops > 0 && row.gbytes > 0)
    .map((row) => ({ row, x: row.gflops / row.gbytes, y: row.gflops }));
  if (!dots.length) return;
  const rates = data.rates || {};
  const roof = rates.flops ? rates.flops / 1e9 : Math.max(...dots.map(({ y }) => y));
  const bandwidth = rates.bandwidth ? rates.bandwidth / 1e9 : Math.max(...dots.map(({ row }) => row.gbytes));
  const width = 560, height = 300, left = 56, bottom = height - 34;
  const xs = dots.map((dot) => dot.x).concat(roof / bandwidth), ys = dots.map((dot) => dot.y).concat(roof);
  const scale = (values, low, high) => {
    const from = Math.log10(Math.min(...values)) - 0.3, to = Math.log10(Math.max(...values)) + 0.3;
    return (value) => low + ((Math.log10(value) - from) / (to - from)) * (high - low);
  };
  const x = scale(xs, left, width - 12), y = scale(ys, bottom, 14);
  const first = Math.min(...xs) / 2, last = Math.max(...xs) * 2, knee = roof / bandwidth;
  const svg = makeSvg('svg', { width, height, role: 'img', 'aria-label': 'Roofline' },
    makeSvg('path', { class: 'roof', d: `M${x(first)},${y(first * bandwidth)}L${x(knee)},${y(roof)}L${x(last)},${y(roof)}` }),
    makeSvg('line', { class: 'axis', x1: left, x2: width, y1: bottom, y2: bottom }),
    makeSvg('line', { class: 'axis', x1: left, x2: left, y1: 8, y2: bottom }),
    makeSvg('text', { x: (left + width) / 2, y: height - 8, class: 'small', 'text-anchor': 'middle' }, 'FLOP for each byte (log)'),
    makeSvg('text', { x: 4, y: 12, class: 'small' }, 'GFLOP/s (log)'));
  for (const value of getTicks(xs))
    svg.append(makeSvg('text', { x: x(value), y: bottom + 13, class: 'small', 'text-anchor': 'middle' }, String(value)));
  for (const value of getTicks(ys))
    svg.append(makeSvg('text', { x: left - 6, y: y(value) + 4, class: 'small', 'text-anchor': 'end' }, String(value)));
  for (const { row, x: a, y: b } of dots) {
    const size = 3 + Math.sqrt(row.ms / data.profile[0].ms) * 7;
    svg.append(makeSvg('circle', { class: `dot ${row.template === 'fallback' ? 'slow' : ''}`, cx: x(a), cy: y(b), r: size.toFixed(1) },
      makeSvg('title', {}, `${clean(row.operators)} ${clean(row.result)}: ${row.ms.toFixed(3)} ms`)));
  }
  const words = rates.flops && rates.bandwidth ? 'The line is what the target says the machine can do.' :
                'The line is the best that was measured: the target says no rates.';
  box.append(make('figure', {}, make('figcaption', {}, 'Roofline of what was measured'), svg, make('p', { class: 'note' }, words)));
}

function addProfile(box) {
  if (!data.profile || !data.profile.length) return;
  const sums = new Map();
  for (const row of data.profile) sums.set(row.operators, (sums.get(row.operators) || 0) + row.ms);
  box.append(makeBars('Measured time by operators', [...sums].sort((a, b) => b[1] - a[1]).slice(0, 12),
    (ms) => formatSeconds(ms / 1e3), [{ name: 'measured', className: 'bar-c' }]));
  addRoofline(box);
}

function fillCharts() {
  const box = make('div', { class: 'charts' });
  document.getElementById('charts').append(box);
  addStrategies(box);
  box.append(makeBars('Bytes read and written, by operator', sumByKind((graph, node) => node.bytes), formatBytes, beforeAndAfter));
  const work = sumByKind((graph, node) => node.flops);
  if (work.length) box.append(makeBars('Work, by operator', work, formatFlops, beforeAndAfter));
  const time = sumByKind((graph, node) => node.seconds);
  if (time.length) box.append(makeBars('Estimated time, by operator', time, formatSeconds, beforeAndAfter));
  addMemory(box, graphs.before);
  addMemory(box, graphs.after);
  addProfile(box);
}
