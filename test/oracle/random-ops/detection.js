//===- detection.js - Random NonMaxSuppression and RoiAlign ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { range, float } = require('./draw');
const { tensor } = require('../element');

// Corners of boxes of all sizes in a square, either corner first.
function corners(draw, extent, turned) {
  const [a, b, c, d] = range(4).map(() => draw.real(0, extent));
  return turned && draw.chance(0.3) ? [a, b, c, d] : [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

const centered = draw => [draw.real(0, 3), draw.real(0, 3), draw.real(0.1, 3), draw.real(0.1, 3)];

function nonMaxSuppression(draw) {
  const [batch, classes, boxes] = [draw.integer(1, 3), draw.integer(1, 3), draw.integer(1, 12)], isCentered = draw.chance(0.4);
  const one = () => isCentered ? centered(draw) : corners(draw, 3, true);
  // Few marks, so that some are equal.
  const marks = range(batch * classes * boxes).map(() => draw.integer(0, 20) / 20);
  const number = (type, value) => tensor(type, draw.pick([[], [1]]), [value]), optional = make => draw.chance(0.7) ? make() : null;
  const operands = [
    tensor('float', [batch, boxes, 4], range(batch * boxes).flatMap(one)), tensor('float', [batch, classes, boxes], marks),
    draw.chance(0.9) ? number('int64', draw.integer(draw.chance(0.1) ? 0 : 1, 8)) : null,
    optional(() => number('float', draw.real(0, 1))), optional(() => number('float', draw.real(0, 0.8))),
  ];
  return { op: 'NonMaxSuppression', since: 11, operands, attrs: draw.attributes({ center_point_box: isCentered ? 1 : draw.maybe(0) }),
    outputs: ['int64'] };
}

function roiAlign(draw, opset) {
  const [images, channels, height, width] = [draw.integer(1, 3), draw.integer(1, 4), draw.integer(1, 8), draw.integer(1, 8)];
  const regions = draw.integer(1, 5), scale = draw.maybe(draw.pick([0.25, 0.5, 1, 2]));
  const type = draw.type(['double']), extent = Math.max(height, width) / (scale ?? 1) + 1;
  const attrs = {
    coordinate_transformation_mode: opset >= 16 ? draw.maybe(draw.pick(['half_pixel', 'output_half_pixel'])) : undefined,
    mode: draw.maybe(draw.pick(['avg', 'max'])), output_height: draw.maybe(draw.integer(1, 4)),
    output_width: draw.maybe(draw.integer(1, 4)), sampling_ratio: draw.maybe(draw.integer(0, 3)), spatial_scale: float(scale),
  };
  const operands = [draw.tensor(type, [images, channels, height, width]),
    tensor(type, [regions, 4], range(regions).flatMap(() => corners(draw, extent, draw.chance(0.2)))),
    draw.tensor('int64', [regions], 0, images - 1)];
  return { op: 'RoiAlign', since: 11, operands, attrs: draw.attributes(attrs), outputs: [type] };
}

module.exports = { NonMaxSuppression: nonMaxSuppression, RoiAlign: roiAlign };
