//===- movement.js - Random nodes that only move elements -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { range, replaced, list, scalarList, floating, integral } = require('./draw');
const { count, element, tensor } = require('../element');

const moved = [...floating, ...integral, 'bool'];

function transpose(draw) {
  const type = draw.type(moved), dims = draw.shapeOrEmpty(0, 5);
  const perm = draw.maybe(draw.shuffle(range(dims.length)), 0.8);
  return { op: 'Transpose', since: 11, operands: [draw.tensor(type, dims)],
    attrs: draw.attributes({ perm: dims.length ? perm : undefined }), outputs: [type] };
}

// The factors of the count dealt out again, one extent possibly left open.
function reshape(draw, opset) {
  const type = draw.type(moved), dims = draw.shape(0, 4), rank = draw.integer(1, 4), target = range(rank).map(() => 1);
  for (const dim of dims) target[draw.integer(0, rank - 1)] *= dim;
  if (target[0] === dims[0] && draw.chance(0.5)) target[0] = 0;
  else if (draw.chance(0.5)) target[draw.integer(0, rank - 1)] = -1;
  const allowzero = opset >= 14 && !target.includes(0) ? draw.maybe(1, 0.2) : undefined;
  return { op: 'Reshape', since: 11, operands: [draw.tensor(type, dims), list(target)],
    attrs: draw.attributes({ allowzero }), outputs: [type] };
}

function flatten(draw) {
  const type = draw.type(moved), dims = draw.shapeOrEmpty(0, 4);
  const axis = draw.maybe(draw.integer(-dims.length, dims.length));
  return { op: 'Flatten', since: 11, operands: [draw.tensor(type, dims)],
    attrs: draw.attributes({ axis: dims.length ? axis : 0 }), outputs: [type] };
}

// `axes` is an attribute until opset 12 and an operand from 13 on.
function withAxes(draw, opset, op, x, axes) {
  if (opset < 13) return { op, since: 11, operands: [x], attrs: draw.attributes({ axes }), outputs: [x.type] };
  return { op, since: 13, operands: axes ? [x, list(axes)] : [x], outputs: [x.type] };
}

function squeeze(draw, opset) {
  const dims = draw.shape(1, 3).flatMap(dim => draw.chance(0.4) ? [dim, 1] : [dim]);
  const ones = range(dims.length).filter(i => dims[i] === 1);
  const chosen = draw.spellAxes(draw.some(ones, Math.min(1, ones.length)), dims.length);
  return withAxes(draw, opset, 'Squeeze', draw.tensor(draw.type(moved), dims),
      chosen.length && draw.chance(0.8) ? chosen : undefined);
}

function unsqueeze(draw, opset) {
  const dims = draw.shapeOrEmpty(0, 3), rank = dims.length + draw.integer(1, 2);
  const axes = draw.spellAxes(draw.shuffle(range(rank)).slice(0, rank - dims.length), rank);
  return withAxes(draw, opset, 'Unsqueeze', draw.tensor(draw.type(moved), dims), axes);
}

function concat(draw) {
  const type = draw.type(moved), dims = draw.shape(1, 4), axis = draw.integer(0, dims.length - 1);
  const operands = range(draw.integer(1, 4)).map(() =>
    draw.tensor(type, dims.map((dim, i) => i === axis ? draw.integer(draw.chance(0.1) ? 0 : 1, 4) : dim)));
  return { op: 'Concat', since: 11, operands, attrs: { axis: draw.chance(0.3) ? axis - dims.length : axis },
    outputs: [type] };
}

function split(draw, opset) {
  const type = draw.type(moved), dims = draw.shape(1, 4), axis = draw.integer(0, dims.length - 1);
  const parts = draw.integers(draw.integer(1, 4), 1, 3), equal = draw.chance(0.4), attrs = { axis };
  dims[axis] = equal ? parts.length * 2 : parts.reduce((sum, part) => sum + part);
  const operands = [draw.tensor(type, dims)], outputs = parts.map(() => type);
  if (equal && opset >= 18) {
    attrs.num_outputs = parts.length;
    if (draw.chance(0.4) && parts.length > 1) operands[0] = draw.tensor(type, replaced(dims, axis, dims[axis] - 1));
  } else if (!equal && opset < 13) attrs.split = parts;
  else if (!equal) operands.push(list(parts));
  if (draw.chance(0.3)) attrs.axis -= dims.length;
  return { op: 'Split', since: 11, operands, attrs, outputs };
}

function tile(draw) {
  const type = draw.type(moved), dims = draw.shapeOrEmpty(1, 4);
  return { op: 'Tile', since: 11, operands: [draw.tensor(type, dims), list(draw.integers(dims.length, 1, 3))],
    outputs: [type] };
}

function expand(draw) {
  const type = draw.type(moved), target = draw.shapeOrEmpty(1, 4), from = draw.broadcastable(target);
  const spelled = target.map((dim, i) => draw.chance(0.2) && from[i - target.length + from.length] === dim ? 1 : dim);
  return { op: 'Expand', since: 11, operands: [draw.tensor(type, from), list(spelled)], outputs: [type] };
}

function depthToSpace(draw) {
  const type = draw.type(['double']), block = draw.integer(1, 3), [n, c, h, w] = draw.integers(4, 1, 3);
  return { op: 'DepthToSpace', since: 11, operands: [draw.tensor(type, [n, c * block * block, h, w])],
    attrs: draw.attributes({ blocksize: block, mode: draw.maybe(draw.pick(['DCR', 'CRD'])) }), outputs: [type] };
}

function spaceToDepth(draw) {
  const type = draw.type(['double']), block = draw.integer(1, 3), [n, c, h, w] = draw.integers(4, 1, 3);
  return { op: 'SpaceToDepth', since: 13, operands: [draw.tensor(type, [n, c, h * block, w * block])],
    attrs: { blocksize: block }, outputs: [type] };
}

function trilu(draw) {
  const type = draw.type(['double', 'int64']), k = draw.maybe(scalarList(draw.integer(-4, 4)));
  return { op: 'Trilu', since: 14, operands: [draw.tensor(type, draw.shape(2, 4)), ...k ? [k] : []],
    attrs: draw.attributes({ upper: draw.maybe(draw.integer(0, 1)) }), outputs: [type] };
}

function eyeLike(draw) {
  const from = draw.type(['double', 'int32']), to = draw.maybe(draw.pick(['float', 'double', 'int64']), 0.5);
  const attrs = { k: draw.maybe(draw.integer(-3, 3)), dtype: to && element(to).number };
  return { op: 'EyeLike', since: 11, operands: [draw.tensor(from, draw.shape(2, 2))], attrs: draw.attributes(attrs),
    outputs: [to ?? from] };
}

function shape(draw, opset) {
  const dims = draw.shapeOrEmpty(0, 4), bound = () => draw.maybe(draw.integer(-5, 5), 0.5);
  return { op: 'Shape', since: 11, operands: [draw.tensor(draw.type(moved), dims)], outputs: ['int64'],
    attrs: opset < 15 ? {} : draw.attributes({ start: bound(), end: bound() }) };
}

const size = draw => ({ op: 'Size', since: 13, operands: [draw.floats(draw.shapeOrEmpty(0, 4))], outputs: ['int64'] });

function constantOfShape(draw) {
  const type = draw.type([...moved]), dims = draw.shapeOrEmpty(0, 3);
  const value = draw.tensor(type, [1]), isDefault = type === 'float' && draw.chance(0.3);
  const proto = { dims: [1], dataType: element(type).number, rawData: Buffer.from(value.data.buffer) };
  return { op: 'ConstantOfShape', since: 11, operands: [list(dims)], attrs: isDefault ? {} : { value: proto },
    outputs: [type] };
}

function sequence(draw) {
  const type = draw.type(['double', 'int32', 'int64']), whole = /int/.test(type);
  const delta = (draw.chance(0.5) ? -1 : 1) * (whole ? draw.integer(1, 3) : draw.integer(1, 12) / 4);
  const start = draw.integer(-5, 5), limit = start + (draw.chance(0.1) ? -1 : 1) * delta * draw.integer(1, 6);
  const scalar = value => ({ ...tensor(type, [], [value]), parameter: true });
  return { op: 'Range', since: 11, operands: [start, whole ? limit + draw.integer(0, 1) : limit, delta].map(scalar),
    outputs: [type] };
}

module.exports = {
  Transpose: transpose, Reshape: reshape, Flatten: flatten, Squeeze: squeeze, Unsqueeze: unsqueeze, Concat: concat,
  Split: split, Tile: tile, Expand: expand, DepthToSpace: depthToSpace, SpaceToDepth: spaceToDepth, Trilu: trilu,
  EyeLike: eyeLike, Shape: shape, Size: size, ConstantOfShape: constantOfShape, Range: sequence,
};
