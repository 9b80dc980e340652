//===- graph.js - A graph that scrolls ------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/** Pixels around what is seen that are drawn, too. */
const overscan = 300;
/** Below this scale words are too small to be read, and left out. */
const wordsFrom = 0.45;

/** One graph on the page. Only what is seen is in the document. */
class Pane {
  constructor(graph, title, actions) {
    this.graph = graph;
    this.actions = actions;
    this.open = new Set();
    this.scale = 1;
    this.drawn = new Map();
    this.hits = null;
    this.selected = null;
    this.layer = makeSvg('g', {});
    this.svg = makeSvg('svg', { role: 'group', 'aria-label': `${title}: the graph` }, this.layer);
    this.scroller = make('div', {
      class: 'scroller', tabindex: '0', role: 'application', id: `scroller-${graph.name}`,
      'aria-label': `${title}. Arrow keys go from node to node, Enter opens and closes.`,
    }, this.svg);
    this.ruler = makeSvg('svg', { class: 'ruler', width: '12', 'aria-hidden': 'true' });
    this.element = make('div', { class: 'pane', id: `pane-${graph.name}` },
      make('h2', {}, title), make('div', { class: 'view' }, this.scroller, this.ruler));
    this.scroller.addEventListener('scroll', () => this.schedule());
    for (const event of ['wheel', 'pointerdown', 'keydown', 'touchstart'])
      this.element.addEventListener(event, () => this.actions.lead(this), { passive: true });
    this.scroller.addEventListener('keydown', (event) => this.onKey(event));
    this.svg.addEventListener('click', (event) => this.onClick(event));
    this.svg.addEventListener('dblclick', (event) => this.onDoubleClick(event));
    this.ruler.addEventListener('click', (event) => this.onRuler(event));
    this.place();
  }

  place() {
    this.placement = new Placement(this.graph, this.open);
    this.resize();
  }

  /** The rows of the ruler and of the document follow the scale. */
  resize() {
    const { width, height } = this.placement;
    this.svg.setAttribute('width', width * this.scale);
    this.svg.setAttribute('height', height * this.scale);
    this.layer.setAttribute('transform', `scale(${this.scale})`);
    this.redraw();
  }

  redraw() {
    this.layer.replaceChildren();
    this.drawn.clear();
    this.drawRuler();
    this.draw();
  }

  schedule() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      this.draw();
      this.actions.onScroll(this);
    });
  }

  draw() {
    const top = this.scroller.scrollTop / this.scale - overscan;
    const bottom = top + this.scroller.clientHeight / this.scale + 2 * overscan;
    const seen = new Set();
    this.placement.items.forEach((item, index) => {
      if (item.y + item.height < top || item.y > bottom) return;
      seen.add(index);
      if (!this.drawn.has(index)) this.drawn.set(index, this.makeItem(item, index));
    });
    for (const [index, element] of this.drawn)
      if (!seen.has(index)) {
        element.remove();
        this.drawn.delete(index);
      }
  }

  makeItem(item, index) {
    const element = item.edge !== undefined ? this.makeEdge(item) :
                    item.isOpen ? this.makeFrame(item) : this.makeNode(item);
    element.dataset.item = index;
    this.mark(element, item);
    // Frames lie below edges, edges below nodes.
    const rank = item.edge !== undefined ? 1 : item.isOpen ? 0 : 2;
    element.rank = rank * 1000 + (item.depth || 0);
    let next = this.layer.lastElementChild, after = null;
    while (next && next.rank > element.rank) {
      after = next;
      next = next.previousElementSibling;
    }
    this.layer.insertBefore(element, after);
    return element;
  }

  mark(element, item) {
    const isHit = this.hits && item.node !== undefined && this.hits.has(item.node);
    element.classList.toggle('hit', !!isHit);
    element.classList.toggle('dim', !!this.hits && !isHit && !item.isOpen);
    element.classList.toggle('selected', this.isSelected(item));
  }

  isSelected(item) {
    const { selected } = this;
    return !!selected && (item.edge !== undefined ? item.edge === selected.edge : item.node === selected.node);
  }

  makeEdge(item) {
    const tensor = this.graph.tensors[item.tensor];
    const [first, ...rest] = item.points;
    let d = `M${first[0]},${first[1]}`;
    for (let i = 0; i + 2 < rest.length; i += 3)
      d += `C${rest.slice(i, i + 3).map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}`;
    const width = 1 + Math.max(0, Math.log10(Math.max(tensor.bytes || 1, 1)) - 3) * 0.7;
    const line = makeSvg('path', { d, 'stroke-width': width.toFixed(1) });
    line.classList.add(`stroke-${getColour(tensor.order)}`);
    return makeSvg('g', { class: `edge${item.isFar ? ' far' : ''}` },
      makeSvg('path', { d, class: 'reach' }), line);
  }

  makeNode(item) {
    const node = this.graph.nodes[item.node];
    const label = this.graph.describe(item.node);
    const group = makeSvg('g', {
      class: `node ${node.kind}${node.fallback ? ' fallback' : ''}`, role: 'button',
      'aria-label': label, id: `${this.graph.name}-${item.node}`,
    });
    if (node.kind === 'relayout') return this.makeMark(group, item, node);
    const round = node.kind === 'input' || node.kind === 'output' || node.kind === 'port' ? 12 : 5;
    group.append(makeSvg('rect', { x: item.x, y: item.y, width: item.width, height: item.height, rx: round }));
    const order = node.out && node.out.length ? this.graph.tensors[node.out[0]].order : undefined;
    if (round === 5)
      group.append(makeSvg('rect', {
        x: item.x, y: item.y + 3, width: 4, height: item.height - 6, rx: 2,
        class: `fill-${getColour(order)}`,
      }));
    if (this.scale >= wordsFrom) this.addWords(group, item, node);
    return group;
  }

  addWords(group, item, node) {
    const x = item.x + item.width / 2, y = item.y + item.height / 2;
    const letters = Math.max(6, Math.floor((item.width - 16) / 6.8));
    const put = (text, dy, attributes) => group.append(
      makeSvg('text', { x, y: y + dy, 'text-anchor': 'middle', ...attributes }, text));
    if (item.height < 30) {
      put(shorten(node.name || node.op, letters), 4, {});
      return;
    }
    const sign = node.levels ? '▸ ' : node.leftOut ? '… ' : '';
    put(`${sign}${shorten(node.op, letters)}`, -3, {});
    put(shorten(node.name, Math.floor(letters * 1.15)), 12, { class: 'small' });
  }

  /** Half in the colour that was, half in the one that is. */
  makeMark(group, item, node) {
    group.classList.add('mark');
    const r = item.width / 2, x = item.x + r, y = item.y + r;
    const getOrder = (list) => (list && list.length ? this.graph.tensors[list[0]].order : undefined);
    const reason = node.reason || {};
    const from = getOrder(node.in) || reason.from, to = getOrder(node.out) || reason.to;
    const half = (sweep, order) => makeSvg('path', {
      d: `M${x},${y - r}A${r},${r} 0 0 ${sweep} ${x},${y + r}Z`, class: `fill-${getColour(order)}`,
    });
    group.append(half(0, from), half(1, to), makeSvg('circle', { cx: x, cy: y, r }));
    return group;
  }

  makeFrame(item) {
    const node = this.graph.nodes[item.node];
    const words = node.kind === 'section' ? `▾ ${clean(node.name)}, ${clean(node.op)}` :
                  `▾ ${clean(node.op)}  ${shorten(node.name, 60)}`;
    return makeSvg('g', {
      class: `frame ${item.depth % 2 ? 'odd' : ''}`, role: 'group', 'aria-label': this.graph.describe(item.node),
      id: `${this.graph.name}-${item.node}`,
    }, makeSvg('rect', { x: item.x, y: item.y, width: item.width, height: item.height, rx: 8 }),
    makeSvg('rect', { class: 'bar', x: item.x, y: item.y, width: item.width, height: barHeight, opacity: 0 }),
    makeSvg('text', { x: item.x + 10, y: item.y + 17 }, words));
  }

  /** A tick for everything that is moved or stands alone, and for what is found. */
  drawRuler() {
    this.ruler.replaceChildren();
    const height = this.scroller.clientHeight || 1;
    const scale = height / this.placement.height;
    this.ruler.setAttribute('height', height);
    for (const item of this.placement.items) {
      if (item.node === undefined || item.isOpen) continue;
      const node = this.graph.nodes[item.node];
      const isHit = this.hits && this.hits.has(item.node);
      if (!isHit && (this.hits || (node.kind !== 'relayout' && !node.fallback))) continue;
      this.ruler.append(makeSvg('rect', {
        x: 2, y: ((item.y + item.height / 2) * scale).toFixed(1), width: 8, height: 2,
        class: isHit || node.kind === 'relayout' ? 'fill-1' : 'fill-none',
      }));
    }
  }

  onRuler(event) {
    const share = event.offsetY / (this.scroller.clientHeight || 1);
    this.scroller.scrollTop = share * this.placement.height * this.scale - this.scroller.clientHeight / 2;
  }

  getItem(event) {
    const element = event.target.closest('[data-item]');
    return element ? this.placement.items[Number(element.dataset.item)] : undefined;
  }

  onClick(event) {
    const item = this.getItem(event);
    if (!item) return;
    if (item.edge !== undefined) {
      this.actions.select(this, { edge: item.edge, from: item.from, to: item.to, tensor: item.tensor });
      return;
    }
    // One click opens and closes what has something inside; frames at their bar.
    const isBar = event.target.classList.contains('bar');
    if (item.isOpen && !isBar) return;
    if (this.graph.nodes[item.node].levels) this.toggle(item.node);
    this.actions.select(this, { node: item.node });
  }

  onDoubleClick(event) { event.preventDefault(); }

  toggle(node) {
    if (!this.graph.nodes[node].levels) return;
    const before = this.placement.byNode.get(node);
    const offset = before ? before.y * this.scale - this.scroller.scrollTop : 0;
    if (!this.open.delete(node)) this.open.add(node);
    this.place();
    // What was clicked stays where it is.
    const after = this.placement.byNode.get(node);
    if (after) this.scroller.scrollTop = after.y * this.scale - offset;
    this.draw();
  }

  setOpen(nodes) {
    this.open = new Set(nodes);
    this.place();
  }

  setScale(scale) {
    const { scroller } = this;
    const middle = (scroller.scrollTop + scroller.clientHeight / 2) / this.scale;
    this.scale = Math.min(2.5, Math.max(0.08, scale));
    this.resize();
    scroller.scrollTop = middle * this.scale - scroller.clientHeight / 2;
    this.centre();
    this.draw();
  }

  /** What is in the middle from top to bottom is so from left to right, too. */
  centre() {
    const item = this.getMiddle();
    if (item) this.scroller.scrollLeft = (item.x + item.width / 2) * this.scale - this.scroller.clientWidth / 2;
  }

  setHits(hits) {
    this.hits = hits;
    this.redraw();
  }

  setSelected(selected) {
    this.selected = selected;
    for (const [index, element] of this.drawn)
      this.mark(element, this.placement.items[index]);
    if (selected && selected.node !== undefined)
      this.scroller.setAttribute('aria-activedescendant', `${this.graph.name}-${selected.node}`);
    else
      this.scroller.removeAttribute('aria-activedescendant');
  }

  /** Opens what is around a node and brings it to the middle. */
  reveal(node) {
    const around = this.graph.getAncestors(node).filter((each) => !this.open.has(each));
    if (around.length) {
      around.forEach((each) => this.open.add(each));
      this.place();
    }
    const item = this.placement.byNode.get(node);
    if (!item) return;
    const { scroller, scale } = this;
    scroller.scrollTop = (item.y + item.height / 2) * scale - scroller.clientHeight / 2;
    scroller.scrollLeft = (item.x + item.width / 2) * scale - scroller.clientWidth / 2;
    this.draw();
  }

  /** The node nearest to the middle of what is seen, of those that `isWanted`. */
  getMiddle(isWanted = () => true) {
    const y = (this.scroller.scrollTop + this.scroller.clientHeight / 2) / this.scale;
    let best, distance = Infinity;
    for (const item of this.placement.items) {
      if (item.node === undefined || item.isOpen) continue;
      const own = Math.abs(item.y + item.height / 2 - y);
      if (own < distance && isWanted(item.node)) [best, distance] = [item, own];
    }
    return best;
  }

  /** The next node in a direction: along an edge, or beside. */
  getNeighbour(node, key) {
    const level = this.graph.levels[this.graph.homes.get(node)];
    const places = new Map(level.nodes.map((each) => [each[0], each]));
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      const isDown = key === 'ArrowDown';
      const next = level.edges.filter((edge) => edge[isDown ? 0 : 1] === node)
        .map((edge) => edge[isDown ? 1 : 0]);
      const [, x] = places.get(node);
      next.sort((a, b) => Math.abs(places.get(a)[1] - x) - Math.abs(places.get(b)[1] - x));
      return next[0];
    }
    const order = level.nodes.map((each) => each[0]);
    return order[order.indexOf(node) + (key === 'ArrowRight' ? 1 : -1)];
  }

  onKey(event) {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const current = this.selected && this.selected.node;
    let next;
    if (key.startsWith('Arrow'))
      next = current === undefined || current === null ? this.graph.levels[0].nodes[0][0] :
             this.getNeighbour(current, key);
    else if (key === 'Home') next = this.graph.getSteps()[0];
    else if (key === 'End') next = this.graph.getSteps().at(-1);
    else if ((key === 'Enter' || key === ' ') && current !== undefined && current !== null) this.toggle(current);
    else return;
    event.preventDefault();
    if (next === undefined) return;
    this.reveal(next);
    this.actions.select(this, { node: next });
  }
}
