//===- equal.js - What "equal results" means ------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The error of a floating-point output is max|a-b| / max|a| over the finite
// elements; NaN and infinities must agree by position. The limit is
//   f32, f64     `tolerance`, of range
//   f16, bf16    two units in the last place at max|a|
//   behind Q/DQ  one step of the last quantiser, when `step` is given
// Everything else must be equal element by element. An output that is empty,
// constant or next to zero would also be equal between wrong models: such a
// one is marked trivial, with the reason.
//
//===----------------------------------------------------------------------===//

'use strict';

const { numbers, count } = require('./element');

const floatTypes = new Set(['float', 'double', 'float16', 'bfloat16', 'complex64', 'complex128']);
const mantissaBits = { float16: 10, bfloat16: 7 };
const nextToZero = 1e-9;

// One sweep over both: positions of what is not finite, and the extremes.
function measure(a, b) {
  const result = { range: 0, difference: 0, changed: 0, misplaced: 0, nonFinite: 0 };
  for (let i = 0; i < a.length; ++i) {
    const x = a[i], y = b[i];
    if (!Number.isFinite(x)) ++result.nonFinite;
    if (Object.is(x, y) || x === y) {
      if (Number.isFinite(x)) result.range = Math.max(result.range, Math.abs(x));
      continue;
    }
    ++result.changed;
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      ++result.misplaced;
      continue;
    }
    result.range = Math.max(result.range, Math.abs(x));
    result.difference = Math.max(result.difference, Math.abs(x - y));
  }
  return result;
}

// The largest |a-b| allowed.
function allowedDifference(type, range, { tolerance, step }) {
  const bits = mantissaBits[type];
  const limit = bits === undefined ? tolerance * range : range > 0 ? 2 * 2 ** (Math.floor(Math.log2(range)) - bits) : 0;
  return Math.max(limit, step ?? 0);
}

function compareFloats(a, b, options) {
  const found = measure(numbers(a), numbers(b)), allowed = allowedDifference(a.type, found.range, options);
  const error = found.difference === 0 ? 0 : found.difference / found.range;
  const report = { error, limit: found.range ? allowed / found.range : 0, changed: found.changed };
  if (found.misplaced) return { ...report, equal: false, reason: `${found.misplaced} NaN or infinity out of place` };
  if (found.difference > allowed) return { ...report, equal: false, reason: `error ${error.toExponential(2)}` };
  return { ...report, equal: true, trivial: trivialFloats(a, found) };
}

function trivialFloats(a, { range, nonFinite }) {
  const { length } = a.data;
  if (nonFinite === length) return 'without a finite element';
  if (range < nextToZero) return `next to zero, at most ${range.toExponential(1)}`;
  return trivialValues(a);
}

function compareExactly(a, b) {
  let changed = 0;
  const x = numbers(a), y = numbers(b);
  for (let i = 0; i < x.length; ++i) if (!Object.is(x[i], y[i])) ++changed;
  const report = { error: changed ? Infinity : 0, limit: 0, changed };
  if (changed) return { ...report, equal: false, reason: `${changed} of ${x.length} elements differ` };
  return { ...report, equal: true, trivial: trivialValues(a) };
}

function trivialValues({ data }) {
  if (data.length < 2) return undefined;
  for (let i = 1; i < data.length; ++i) if (data[i] !== data[0]) return undefined;
  return 'constant';
}

// {equal, error, limit, changed, reason, trivial} of two tensors.
function compareTensors(a, b, { tolerance = 1e-6, step } = {}) {
  const shape = ({ type, dims }) => `${type}[${dims}]`;
  if (shape(a) !== shape(b))
    return { equal: false, error: Infinity, limit: 0, changed: 0, reason: `${shape(a)} became ${shape(b)}` };
  if (count(a.dims) === 0) return { equal: true, error: 0, limit: 0, changed: 0, trivial: 'empty' };
  return floatTypes.has(a.type) ? compareFloats(a, b, { tolerance, step }) : compareExactly(a, b);
}

module.exports = { compareTensors };
