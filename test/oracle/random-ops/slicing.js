//===- slicing.js - Random Slice and Pad ----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { range, list, floating } = require('./draw');

// As an end, INT_MAX is the last element going forward. Going backward it is
// clamped like any other, but ONNX Runtime takes it for the first: not drawn.
const far = [2 ** 31 - 1, -(2 ** 31), 100, -100];

// Bounds may lie anywhere; a step may go backward.
function slice(draw) {
  const type = draw.type([...floating, 'int32', 'int64', 'uint8', 'bool']), dims = draw.shape(1, 4);
  const axes = draw.some(range(dims.length), 1), named = draw.chance(0.8);
  const n = named ? axes.length : dims.length, used = named ? axes : range(n);
  const stepped = draw.chance(0.6), steps = range(n).map(() => (draw.chance(0.35) ? -1 : 1) * draw.integer(1, 3));
  const bound = (dim, list) => draw.chance(0.15) ? draw.pick(list) : draw.integer(-dim - 1, dim + 1);
  const starts = used.map(axis => bound(dims[axis], far));
  const ends = used.map((axis, i) => bound(dims[axis], stepped && steps[i] < 0 ? far.slice(1) : far));
  const operands = [draw.tensor(type, dims), list(starts), list(ends)];
  if (named) operands.push(list(draw.spellAxes(axes, dims.length)));
  if (stepped) operands.push(...named ? [] : [null], list(steps));
  return { op: 'Slice', since: 11, operands, outputs: [type] };
}

// Extents are at least 1 after negative pads, and reflection stays inside.
function drawPad(draw, dim, mode) {
  if (mode === 'reflect' || mode === 'wrap') return [draw.integer(0, dim - 1), draw.integer(0, dim - 1)];
  const cut = dim > 2 && draw.chance(0.2);
  return cut ? [-1, draw.integer(-1, 2)] : [draw.integer(0, 3), draw.integer(0, 3)];
}

function pad(draw, opset) {
  const type = draw.type([...floating, 'int32', 'int64', 'uint8', 'int8']), dims = draw.shape(1, 4);
  const mode = draw.maybe(draw.pick(['constant', 'reflect', 'edge', ...opset >= 19 ? ['wrap'] : []]), 0.8);
  const named = opset >= 18 && draw.chance(0.5), axes = named ? draw.some(range(dims.length), 1) : range(dims.length);
  const pads = axes.map(axis => drawPad(draw, dims[axis], mode));
  const operands = [draw.tensor(type, dims), list([...pads.map(([low]) => low), ...pads.map(([, high]) => high)])];
  const value = (mode ?? 'constant') === 'constant' && draw.chance(0.5) ? draw.tensor(type, []) : null;
  if (value || named) operands.push(value);
  if (named) operands.push(list(draw.spellAxes(axes, dims.length)));
  return { op: 'Pad', since: 13, operands, attrs: draw.attributes({ mode }), outputs: [type] };
}

module.exports = { Slice: slice, Pad: pad };
