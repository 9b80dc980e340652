//===- indexing.js - Random Gather, Scatter, TopK and their kin -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { range, list, floating } = require('./draw');
const { tensor, count } = require('../element');

const moved = [...floating, 'int32', 'int64', 'uint8', 'bool'];

// Indices into an extent, some counted from its end.
function indices(draw, dims, extent, type = draw.pick(['int32', 'int64'])) {
  const one = () => draw.chance(0.25) ? -draw.integer(1, extent) : draw.integer(0, extent - 1);
  return tensor(type, dims, range(count(dims)).map(one));
}

function gather(draw) {
  const type = draw.type(moved), dims = draw.shape(1, 4), axis = draw.integer(0, dims.length - 1);
  return { op: 'Gather', since: 11, operands: [draw.tensor(type, dims), indices(draw, draw.shape(0, 3), dims[axis])],
    attrs: draw.chance(0.3) && axis === 0 ? {} : { axis: draw.chance(0.3) ? axis - dims.length : axis },
    outputs: [type] };
}

function gatherElements(draw) {
  const type = draw.type(moved), dims = draw.shape(1, 4), axis = draw.integer(0, dims.length - 1);
  const taken = dims.map((dim, i) => i === axis ? draw.integer(1, 5) : draw.integer(1, dim));
  return { op: 'GatherElements', since: 11, operands: [draw.tensor(type, dims), indices(draw, taken, dims[axis])],
    attrs: { axis: draw.chance(0.3) ? axis - dims.length : axis }, outputs: [type] };
}

// Tuples of `depth` indices that address `dims` from `batch` on.
function tuples(draw, outer, dims, batch, depth) {
  const values = [];
  for (let i = 0; i < count(outer); ++i)
    for (let k = 0; k < depth; ++k) {
      const extent = dims[batch + k];
      values.push(draw.chance(0.25) ? -draw.integer(1, extent) : draw.integer(0, extent - 1));
    }
  return tensor('int64', [...outer, depth], values);
}

function gatherND(draw, opset) {
  const type = draw.type(moved), dims = draw.shape(1, 4);
  const batch = opset >= 12 ? draw.integer(0, dims.length - 1) : 0, depth = draw.integer(1, dims.length - batch);
  const outer = [...dims.slice(0, batch), ...draw.shape(0, 2)];
  return { op: 'GatherND', since: 11, operands: [draw.tensor(type, dims), tuples(draw, outer, dims, batch, depth)],
    attrs: batch || draw.chance(0.3) ? { batch_dims: batch } : {}, outputs: [type] };
}

const reductions = opset => [...opset >= 16 ? ['add', 'mul'] : [], ...opset >= 18 ? ['max', 'min'] : []];

// Two writers of one element are only defined with a reduction.
function scatterElements(draw, opset) {
  const reduction = opset >= 16 ? draw.maybe(draw.pick(reductions(opset))) : undefined;
  const type = draw.type(reduction ? ['double', 'int32', 'int64'] : moved), dims = draw.shape(1, 4);
  const axis = draw.integer(0, dims.length - 1);
  const taken = dims.map((dim, i) => draw.integer(1, reduction && i === axis ? dim + 2 : dim));
  const at = reduction ? indices(draw, taken, dims[axis]) : distinctAlong(draw, taken, axis, dims[axis]);
  return { op: 'ScatterElements', since: 11, operands: [draw.tensor(type, dims), at, draw.tensor(type, taken)],
    attrs: draw.attributes({ axis: draw.chance(0.3) ? axis - dims.length : axis, reduction }), outputs: [type] };
}

function distinctAlong(draw, dims, axis, extent) {
  const order = draw.shuffle(range(extent)), stride = count(dims.slice(axis + 1));
  const value = i => order[Math.floor(i / stride) % dims[axis]];
  return tensor('int64', dims, range(count(dims)).map(i => draw.chance(0.25) ? value(i) - extent : value(i)));
}

function scatterND(draw, opset) {
  const reduction = opset >= 16 ? draw.maybe(draw.pick(reductions(opset))) : undefined;
  const type = draw.type(reduction ? ['double', 'int32', 'int64'] : moved), dims = draw.shape(1, 4);
  const depth = draw.integer(1, dims.length), places = count(dims.slice(0, depth));
  const n = reduction ? draw.integer(1, places + 1) : draw.integer(1, places);
  const chosen = reduction ? draw.integers(n, 0, places - 1) : draw.shuffle(range(places)).slice(0, n);
  const split = at => range(depth).map(k =>
    Math.floor(at / count(dims.slice(k + 1, depth))) % dims[k] - (draw.chance(0.2) ? dims[k] : 0));
  return { op: 'ScatterND', since: 11, attrs: draw.attributes({ reduction }), outputs: [type],
    operands: [draw.tensor(type, dims), tensor('int64', [n, depth], chosen.flatMap(split)),
      draw.tensor(type, [n, ...dims.slice(depth)])] };
}

function oneHot(draw) {
  const dims = draw.shape(1, 3), depth = draw.integer(2, 5), type = draw.type(['int64', 'int32']);
  const at = tensor(draw.pick(['int64', 'int32', 'float']), dims, draw.values(count(dims), 'int32', -depth - 1, depth));
  return { op: 'OneHot', since: 11, operands: [at, list([depth]), draw.tensor(type, [2])],
    attrs: draw.attributes({ axis: draw.maybe(draw.integer(-dims.length - 1, dims.length)) }), outputs: [type] };
}

function nonZero(draw) {
  const type = draw.type(['bool', 'int32', 'int64']), dims = draw.shape(0, 4);
  return { op: 'NonZero', since: 13, outputs: ['int64'],
    operands: [tensor(type, dims, range(count(dims)).map(() => draw.integer(0, 1)))] };
}

// Ties are broken by the lower index.
function topK(draw) {
  const type = draw.type(['double', 'int32', 'int64']), dims = draw.shape(1, 4);
  const axis = draw.integer(0, dims.length - 1);
  const x = tensor(type, dims, range(count(dims)).map(() => draw.integer(0, 12)));
  const attrs = { axis: draw.chance(0.3) ? axis - dims.length : axis, largest: draw.maybe(draw.integer(0, 1)) };
  return { op: 'TopK', since: 11, operands: [x, list([draw.integer(1, dims[axis])])], attrs: draw.attributes(attrs),
    outputs: [type, 'int64'] };
}

module.exports = {
  Gather: gather, GatherElements: gatherElements, GatherND: gatherND, ScatterElements: scatterElements,
  ScatterND: scatterND, OneHot: oneHot, NonZero: nonZero, TopK: topK,
};
