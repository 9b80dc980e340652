//===- panes.js - Both graphs, and what is selected -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

/** The panes that are seen, what is selected, and scrolling together. */
const panes = {
  before: null,
  after: null,
  view: 'after',
  /** The one that is scrolled by a person; the other follows. */
  leader: null,

  start() {
    const actions = {
      select: (pane, what) => this.select(pane, what),
      onScroll: (pane) => this.follow(pane),
      lead: (pane) => { this.leader = pane; },
    };
    this.before = new Pane(graphs.before, 'Before, as the model is', actions);
    this.after = new Pane(graphs.after, `After, for ${clean(data.target)}`, actions);
    for (const pane of [this.before, this.after]) openFirst(pane);
    this.show('after');
  },

  getShown() {
    return this.view === 'both' ? [this.before, this.after] : [this[this.view]];
  },

  show(view) {
    this.view = view;
    document.getElementById('view').value = view;
    document.getElementById('panes').replaceChildren(...this.getShown().map((pane) => pane.element));
    for (const pane of this.getShown()) {
      pane.redraw();
      pane.centre();
    }
  },

  /** The other graph shows what the node in the middle of this one was or became. */
  follow(pane) {
    if (this.view !== 'both' || pane !== this.leader) return;
    const other = pane === this.before ? this.after : this.before;
    const middle = pane.getMiddle((node) => this.getPartner(pane, node) !== undefined);
    const partner = middle && this.getPartner(pane, middle.node);
    const item = partner !== undefined && other.placement.byNode.get(partner);
    if (!item) return;
    const offset = (middle.y + middle.height / 2) * pane.scale - pane.scroller.scrollTop;
    other.scroller.scrollTop = (item.y + item.height / 2) * other.scale - offset;
    other.scroller.scrollLeft = (item.x + item.width / 2) * other.scale - other.scroller.clientWidth / 2;
    other.draw();
  },

  /** The node of the other graph; of what is closed, the node around it. */
  getPartner(pane, node) {
    const isBefore = pane === this.before;
    const other = isBefore ? this.after : this.before;
    const found = isBefore ? becomes.get(node) : this.after.graph.nodes[node].origins;
    if (!found || !found.length) return undefined;
    const around = [...other.graph.getAncestors(found[0]), found[0]];
    return around.reverse().find((each) => other.placement.byNode.has(each));
  },

  select(pane, what) {
    for (const each of [this.before, this.after])
      each.setSelected(each === pane ? what : null);
    if (this.view === 'both' && what && what.node !== undefined) {
      const other = pane === this.before ? this.after : this.before;
      const partner = this.getPartner(pane, what.node);
      if (partner !== undefined) other.setSelected({ node: partner });
    }
    showDetails(pane.graph, what);
  },

  /** Shows and selects a node, wherever it is. */
  goTo(name, node) {
    showTab('graph');
    if (this.view !== 'both' && this.view !== name) this.show(name);
    this.leader = this[name];
    this[name].reveal(node);
    this.select(this[name], { node });
    this.follow(this[name]);
  },
};

/** Sections are open from the start, unless a graph is large. */
function openFirst(pane) {
  const maxOpen = 4000;
  const { nodes } = pane.graph;
  if (nodes.length <= maxOpen)
    pane.setOpen([...nodes.keys()].filter((node) => nodes[node].kind === 'section' && nodes[node].levels));
}
