//===- quantize.js - Random quantisers ------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { replaced } = require('./draw');

const types = opset => ['uint8', 'int8', ...opset >= 21 ? ['uint16', 'int16', 'int4', 'uint4'] : [],
  ...opset >= 19 ? ['float8e4m3fn', 'float8e5m2'] : []];

// Per tensor, per axis, or from opset 21 per block. The shape of the scale and
// the attributes that say so.
function granularity(draw, opset, dims) {
  const axis = draw.integer(0, dims.length - 1), spelled = draw.chance(0.3) ? axis - dims.length : axis;
  const kind = draw.pick(['tensor', 'axis', ...opset >= 21 ? ['block'] : []]);
  if (kind === 'tensor' || opset < 13) return { scaleDims: [], attrs: {} };
  if (kind === 'axis') return { scaleDims: [dims[axis]], attrs: { axis: spelled } };
  const block = draw.integer(1, dims[axis]);
  const scaleDims = replaced(dims, axis, Math.ceil(dims[axis] / block));
  return { scaleDims, attrs: { axis: spelled, block_size: block } };
}

const zeroPoint = (draw, type, dims) =>
  /^float/.test(type) ? draw.tensor(type, dims, 0, 0) : draw.tensor(type, dims);

function quantize(draw, opset) {
  const type = draw.pick(types(opset)), dims = draw.shape(1, 4);
  const { scaleDims, attrs } = granularity(draw, opset, dims);
  const reach = /int4/.test(type) ? 0.8 : 20;
  return { op: 'QuantizeLinear', since: 11, attrs, outputs: [type],
    operands: [draw.floats(dims, -reach, reach), draw.floats(scaleDims, 0.05, 0.3), zeroPoint(draw, type, scaleDims)] };
}

function dequantize(draw, opset) {
  const type = draw.pick(types(opset)), dims = draw.shape(1, 4);
  const { scaleDims, attrs } = granularity(draw, opset, dims);
  // Bits of finite numbers.
  const x = /^float/.test(type) ? draw.tensor(type, dims, 0, 99) : draw.tensor(type, dims);
  const operands = [x, draw.floats(scaleDims, 0.05, 0.3)];
  if (draw.chance(0.7)) operands.push(zeroPoint(draw, type, scaleDims));
  return { op: 'DequantizeLinear', since: 11, operands, attrs, outputs: ['float'] };
}

const dynamic = draw => ({ op: 'DynamicQuantizeLinear', since: 11, operands: [draw.floats(draw.shape(1, 3), -3, 5)],
  outputs: ['uint8', 'float', 'uint8'] });

module.exports = { QuantizeLinear: quantize, DequantizeLinear: dequantize, DynamicQuantizeLinear: dynamic };
