//===- cast.js - Random casts ---------------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values out of the target's range only where ONNX defines the result: into
// floats, and between integers.
//
//===----------------------------------------------------------------------===//

'use strict';

const { floating, integral, range } = require('./draw');
const { element, tensor, count } = require('../element');

const narrow = [['float8e4m3fn', 19], ['float8e4m3fnuz', 19], ['float8e5m2', 19], ['float8e5m2fnuz', 19],
  ['bfloat16', 13], ['int4', 21], ['uint4', 21], ['float8e8m0', 24], ['int2', 25], ['uint2', 25]];
const wide = ['float', ...floating, ...integral, 'bool'].map(type => [type, 13]);

// Finite numbers over the whole range of the small floats, and what is not.
function anyFloat(draw) {
  if (draw.chance(0.06)) return draw.pick([Infinity, -Infinity, NaN, -0, 0]);
  return draw.real(-2, 2) * 2 ** draw.integer(-20, 20);
}

function valueFor(draw, from, to) {
  const whole = /int/.test(from), unsigned = /^u/.test(from);
  if (from === 'bool') return draw.integer(0, 1);
  if (whole) return draw.integer(unsigned ? 0 : -128, 127);
  if (to === 'float8e8m0') return Math.abs(anyFloat(draw));
  if (!/int/.test(to)) return anyFloat(draw);
  const { bits } = element(to), half = 2 ** Math.min(bits - 1, from === 'float16' ? 10 : 20);
  // Into 4 and 2 bits floats are rounded, ties to even; ONNX Runtime rounds
  // ties away from zero, so that none is drawn.
  return draw.chance(0.3) && bits >= 8 ? draw.integer(/^u/.test(to) ? 0 : -half, half - 1) / 2
                          : draw.real(/^u/.test(to) ? 0 : -half, half - 1);
}

function operandFor(draw, from, to) {
  const dims = draw.shape(0, 3);
  return tensor(from, dims, range(count(dims)).map(() => valueFor(draw, from, to)));
}

function cast(draw) {
  const [to, since] = draw.pick([...wide, ...narrow]), from = draw.pick(wide)[0];
  const attrs = { to: element(to).number };
  if (/^float8/.test(to) && draw.chance(0.4)) attrs.saturate = draw.integer(0, 1);
  if (to === 'float8e8m0') attrs.round_mode = draw.pick(['up', 'down', 'nearest']);
  return { op: 'Cast', since, operands: [operandFor(draw, from, to)], attrs, outputs: [to] };
}

function castLike(draw) {
  const [to] = draw.pick(wide), from = draw.pick(wide)[0];
  return { op: 'CastLike', since: 19, operands: [operandFor(draw, from, to), draw.tensor(to, [1])], outputs: [to] };
}

module.exports = { Cast: cast, CastLike: castLike };
