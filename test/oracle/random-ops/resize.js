//===- resize.js - Random Resize and GridSample ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { float, list, parameter, range } = require('./draw');
const { tensor } = require('../element');

const floatList = values => parameter(tensor('float', [values.length], values));

// Attributes of one mode; what another mode would read is left out.
function resizeAttributes(draw, opset) {
  const mode = draw.pick(['nearest', 'linear', 'cubic']);
  const nearest = draw.maybe(draw.pick(['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil']));
  const transforms = ['half_pixel', 'asymmetric', 'align_corners', 'pytorch_half_pixel',
    ...opset >= 19 ? ['half_pixel_symmetric'] : [], ...opset < 13 ? ['tf_half_pixel_for_nn'] : []];
  return {
    mode, coordinate_transformation_mode: draw.maybe(draw.pick(transforms), 0.8),
    nearest_mode: mode === 'nearest' ? nearest : undefined,
    cubic_coeff_a: mode === 'cubic' ? float(draw.maybe(draw.pick([-0.5, -0.75]))) : undefined,
    exclude_outside: mode === 'cubic' ? draw.maybe(draw.integer(0, 1)) : undefined,
    antialias: opset >= 18 && mode !== 'nearest' ? draw.maybe(draw.integer(0, 1), 0.3) : undefined,
  };
}

// A scale for an extent. Where it meets no whole extent, ONNX Runtime differs
// from the specification in two cases, which are not drawn: it copies an axis
// whose extent stays, and aligns the corners of the extent without fraction.
function drawScale(draw, extent, corners) {
  const fits = scale => Number.isInteger(extent * scale) || (!corners && Math.floor(extent * scale) !== extent);
  return draw.pick([0.5, 0.75, 1.25, 1.5, 2, 2.5, 3].filter(fits));
}

function drawPolicy(draw, extents, sizes) {
  const ratios = sizes.map((size, i) => size / extents[i]), scale = { not_larger: Math.min(...ratios),
    not_smaller: Math.max(...ratios) };
  const fits = name => extents.every(extent => Math.round(extent * scale[name]) !== extent);
  return draw.maybe(draw.pick(['not_larger', 'not_smaller'].filter(fits)), 0.4);
}

function resize(draw, opset) {
  const attrs = resizeAttributes(draw, opset);
  const type = draw.type(attrs.mode === 'nearest' ? ['uint8', 'int8'] : ['float']);
  const dims = [draw.integer(1, 2), draw.integer(1, 2), draw.integer(2, 7), draw.integer(2, 7)];
  const corners = attrs.coordinate_transformation_mode === 'align_corners';
  const factors = range(2).map(i => drawScale(draw, dims[2 + i], corners));
  const sizes = range(2).map(() => draw.integer(1, 12)), byScale = draw.chance(0.5);
  const named = opset >= 18 && draw.chance(0.5);
  const full = values => named ? values : byScale ? [1, 1, ...values] : [...dims.slice(0, 2), ...values];
  if (named) attrs.axes = [2, 3];
  if (named && !byScale) attrs.keep_aspect_ratio_policy = drawPolicy(draw, dims.slice(2), sizes);
  const operands = [draw.tensor(type, dims), opset < 13 ? floatList([]) : null,
    ...byScale ? [floatList(full(factors))] : [opset < 13 ? floatList([]) : null, list(full(sizes))]];
  return { op: 'Resize', since: 11, operands, attrs: draw.attributes(attrs), outputs: [type] };
}

function gridSample(draw, opset) {
  const volume = opset >= 20 && draw.chance(0.3), spatial = draw.integers(volume ? 3 : 2, 2, 6);
  const [n, c] = draw.integers(2, 1, 2), out = draw.integers(spatial.length, 1, 4);
  const names = opset >= 20 ? ['linear', 'nearest', ...volume ? [] : ['cubic']] : ['bilinear', 'nearest', 'bicubic'];
  const attrs = { mode: draw.pick(names), padding_mode: draw.maybe(draw.pick(['zeros', 'border', 'reflection'])),
    align_corners: draw.maybe(draw.integer(0, 1)) };
  return { op: 'GridSample', since: 16, outputs: ['float'], attrs: draw.attributes(attrs),
    operands: [draw.floats([n, c, ...spatial]), draw.floats([n, ...out, spatial.length], -1.6, 1.6)] };
}

module.exports = { Resize: resize, GridSample: gridSample };
