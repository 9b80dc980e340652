//===- resize.js - Resize 18 and 19, and GridSample 20 --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { floats, list, vector, opCase } = require('./describe');

const image = floats([1, 2, 6, 8]);

function resize(name, opset, { scales, sizes, roi, ...rest }, attrs) {
  const constants = {};
  if (roi) constants.roi = vector('float', roi);
  if (scales) constants.scales = vector('float', scales);
  if (sizes) constants.sizes = list(...sizes);
  const operands = ['x', roi ? 'roi' : '', scales ? 'scales' : ''];
  if (sizes) operands.push('sizes');
  return opCase(name, opset, 'Resize', operands, { inputs: { x: image }, constants, attrs, ...rest });
}

const axes = [2, 3], linear = 'linear', nearest = 'nearest', cubic = 'cubic';

const resizes = [
  resize('Resize_18_axes_scales', 18, { scales: [2, 0.5] }, { axes, mode: linear }),
  resize('Resize_18_axes_sizes', 18, { sizes: [9, 5] }, { axes, mode: linear }),
  resize('Resize_18_axes_reversed', 18, { sizes: [5, 9] }, { axes: [3, 2], mode: nearest }),
  resize('Resize_18_antialias_linear', 18, { scales: [0.5, 0.6] }, { axes, mode: linear, antialias: 1 }),
  resize('Resize_18_antialias_cubic', 18, { scales: [0.6, 0.6] }, { axes, mode: cubic, antialias: 1 }),
  resize('Resize_18_not_larger', 18, { sizes: [9, 9] }, { axes, mode: linear, keep_aspect_ratio_policy: 'not_larger' }),
  resize('Resize_18_not_smaller', 18, { sizes: [9, 9] },
      { axes, mode: linear, keep_aspect_ratio_policy: 'not_smaller' }),
  resize('Resize_19_stretch', 19, { sizes: [1, 2, 9, 7] }, { mode: cubic, keep_aspect_ratio_policy: 'stretch' }),
  resize('Resize_19_half_pixel_symmetric', 19, { scales: [1, 1, 1.3, 0.7] },
         { mode: linear, coordinate_transformation_mode: 'half_pixel_symmetric' }),
  resize('Resize_19_half_pixel_symmetric_nearest', 19, { scales: [1.7, 0.6] },
         { axes, mode: nearest, coordinate_transformation_mode: 'half_pixel_symmetric' }),
  resize('Resize_18_crop', 18, { sizes: [4, 4], roi: [0.2, 0.3, 0.8, 0.9] },
         { axes, mode: linear, coordinate_transformation_mode: 'tf_crop_and_resize',
             extrapolation_value: { float: 9 } }),
  resize('Resize_19_exclude_outside', 19, { scales: [1.5, 1.5] },
      { axes, mode: cubic, exclude_outside: 1, cubic_coeff_a: -0.5 }),
  resize('Resize_13_align_corners', 13, { scales: [1, 1, 2, 2] },
         { mode: linear, coordinate_transformation_mode: 'align_corners' }),
  resize('Resize_11_nearest_ceil', 11, { scales: [1, 1, 1.5, 1.5], roi: [] },
         { mode: nearest, nearest_mode: 'ceil', coordinate_transformation_mode: 'asymmetric' }),
];

const grid = floats([1, 3, 4, 2], -1.2, 1.2), volume = floats([1, 2, 3, 4, 5]),
    grid5 = floats([1, 2, 3, 2, 3], -1.2, 1.2);

const sample = (name, opset, attrs, inputs = { x: image, grid }, rest = {}) =>
  opCase(name, opset, 'GridSample', ['x', 'grid'], { inputs, attrs, ...rest });

const samples = [
  sample('GridSample_16_bilinear', 16, { mode: 'bilinear' }),
  sample('GridSample_16_bicubic', 16, { mode: 'bicubic', padding_mode: 'border' }),
  sample('GridSample_20_linear', 20, { mode: 'linear', padding_mode: 'reflection' }),
  sample('GridSample_20_cubic', 20, { mode: 'cubic', align_corners: 1 }),
  sample('GridSample_20_nearest', 20, { mode: 'nearest', padding_mode: 'border' }),
  sample('GridSample_22_linear_5d', 22, { mode: 'linear' }, { x: volume, grid: grid5 }),
  sample('GridSample_20_nearest_5d', 20, { mode: 'nearest', align_corners: 1 }, { x: volume, grid: grid5 }),
  opCase('AffineGrid_20', 20, 'AffineGrid', ['t', 's'],
         { inputs: { t: floats([1, 2, 3]) }, constants: { s: list(1, 2, 4, 5) }, attrs: { align_corners: 1 },
             opaque: true }),
];

module.exports = [...resizes, ...samples];
