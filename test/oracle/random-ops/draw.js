//===- draw.js - Seeded choices: numbers, shapes, tensors -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A case is a node: {op, since, operands, attrs, outputs, tolerance}.
// An operand is a tensor, `parameter(tensor)` where the node's shape hangs on
// its values, or null where it is left out. `outputs` are element types, null
// where one is left out. `since` is the first opset that has this form;
// `tolerance`, of range, replaces the one of the element type.
//
//===----------------------------------------------------------------------===//

'use strict';

const { tensor, count, element } = require('../element');
const { uniform } = require('../random');

const range = n => Array.from({ length: n }, (_, i) => i);
const replaced = (list, at, value) => list.map((old, i) => i === at ? value : old);

class Draw {
  constructor(seed) { this.next = uniform(seed); }

  // An integer, bounds included.
  integer(low, high) { return low + Math.floor(this.next() * (high - low + 1)); }
  real(low, high) { return low + this.next() * (high - low); }
  chance(probability) { return this.next() < probability; }
  pick(list) { return list[this.integer(0, list.length - 1)]; }
  integers(n, low, high) { return range(n).map(() => this.integer(low, high)); }

  shuffle(list) {
    const left = [...list], result = [];
    while (left.length) result.push(...left.splice(this.integer(0, left.length - 1), 1));
    return result;
  }

  // Some of a list, at least `least`, in any order.
  some(list, least = 0) { return this.shuffle(list).slice(0, this.integer(least, list.length)); }

  // Extents that differ most of the time, so that a mixed-up axis shows.
  shape(rankLow = 1, rankHigh = 4) {
    const rank = this.integer(rankLow, rankHigh);
    return range(rank).map(() => this.chance(0.12) ? 1 : this.integer(2, rank > 3 ? 5 : 7));
  }

  // The same, now and then without elements.
  shapeOrEmpty(rankLow, rankHigh) {
    const dims = this.shape(rankLow, rankHigh);
    return this.chance(0.04) ? dims.map(dim => this.chance(0.4) ? 0 : dim) : dims;
  }

  // An axis as a node may spell it.
  axis(rank, { from = 0, to = rank - 1 } = {}) {
    const axis = this.integer(from, to);
    return this.chance(0.3) ? axis - rank : axis;
  }
  spellAxes(axes, rank) { return axes.map(axis => this.chance(0.3) ? axis - rank : axis); }

  // A shape that broadcasts against `dims`, of that rank or a lower one.
  broadcastable(dims) {
    const kept = dims.slice(this.integer(0, dims.length));
    return kept.map(dim => this.chance(0.3) ? 1 : dim);
  }

  values(n, type, low, high) {
    const whole = /int|bool/.test(type);
    return range(n).map(() => whole ? this.integer(low, high) : this.real(low, high));
  }
  tensor(type, dims, low = defaultLow(type), high = defaultHigh(type)) {
    return tensor(type, dims, this.values(count(dims), type, low, high));
  }
  floats(dims, low, high) { return this.tensor('float', dims, low, high); }

  // Mostly f32; `others` are as likely as each other.
  type(others, mostly = 'float') { return this.chance(0.55) ? mostly : this.pick(others); }

  // The attributes whose value was drawn: those left out keep their default.
  attributes(candidates) {
    return Object.fromEntries(Object.entries(candidates).filter(([, value]) => value !== undefined));
  }
  maybe(value, probability = 0.6) { return this.chance(probability) ? value : undefined; }
}

function defaultLow(type) {
  if (/^u|bool/.test(type)) return 0;
  return /int/.test(type) ? -Math.min(9, 2 ** (element(type).bits - 1)) : -2;
}
function defaultHigh(type) {
  if (type === 'bool') return 1;
  return /int/.test(type) ? Math.min(9, 2 ** (element(type).bits - 1) - 1) : 2;
}

const floating = ['double', 'float16'];
const integral = ['int32', 'int64', 'int8', 'uint8', 'int16', 'uint16', 'uint32', 'uint64'];

const parameter = value => ({ ...value, parameter: true });
const list = values => parameter(tensor('int64', [values.length], values));
const scalarList = value => parameter(tensor('int64', [], [value]));

// An attribute that is a float even where its value is whole.
const float = value => value === undefined ? undefined : { float: value };

module.exports = { Draw, range, replaced, floating, integral, parameter, list, scalarList, float };
