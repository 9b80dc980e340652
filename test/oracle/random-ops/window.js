//===- window.js - Random convolutions and pools --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { range } = require('./draw');
const { tensor } = require('../element');

// A window over `rank` spatial axes and extents it fits into. Pads are smaller
// than the window, so that none lies in padding alone. Where SAME would need
// negative pads, ONNX Runtime's pools shift their windows, its convolutions do
// not, and the specification is silent: strides then reach no further.
function drawWindow(draw, rank, { dilates = true } = {}) {
  const kernel = draw.integers(rank, 1, 3);
  const dilations = dilates ? draw.maybe(draw.integers(rank, 1, 2), 0.4) : undefined;
  const strides = draw.maybe(draw.integers(rank, 1, 3));
  const reach = kernel.map((k, i) => (k - 1) * (dilations?.[i] ?? 1) + 1);
  const extents = reach.map(r => r + draw.integer(0, 5));
  const auto = draw.chance(0.3) ? draw.pick(['SAME_UPPER', 'SAME_LOWER', 'VALID', 'NOTSET']) : undefined;
  if (/^SAME/.test(auto ?? '')) strides?.forEach((stride, i) => { strides[i] = Math.min(stride, kernel[i]); });
  const padded = (auto === undefined || auto === 'NOTSET') && draw.chance(0.6);
  const pads = padded ? [...kernel, ...kernel].map(k => draw.integer(0, k - 1)) : undefined;
  return { kernel, extents, attrs: { dilations, strides, pads, auto_pad: auto } };
}

// ONNX Runtime has no SAME with dilations in pools, and neither do we ask.
const isSame = ({ attrs }) => /^SAME/.test(attrs.auto_pad ?? '');

function conv(draw) {
  const rank = draw.integer(1, 3), window = drawWindow(draw, rank), type = draw.type(['double', 'float16']);
  const group = draw.pick([1, 1, 2, 3]), perGroup = draw.integer(1, 3), n = draw.integer(1, 2);
  const inner = draw.integer(1, 3), weights = [group * perGroup, inner, ...window.kernel];
  if (isSame(window)) window.attrs.dilations = undefined;
  const operands = [draw.tensor(type, [n, group * inner, ...window.extents]), draw.tensor(type, weights)];
  if (draw.chance(0.6)) operands.push(draw.tensor(type, [group * perGroup]));
  const attrs = { ...window.attrs, group: group > 1 ? group : draw.maybe(1, 0.3),
    kernel_shape: draw.maybe(window.kernel) };
  return { op: 'Conv', since: 11, operands, attrs: draw.attributes(attrs), outputs: [type] };
}

function convTranspose(draw) {
  const rank = draw.integer(1, 3), window = drawWindow(draw, rank), type = draw.type(['double']);
  const group = draw.pick([1, 1, 2]), [inner, outer] = draw.integers(2, 1, 3);
  const { strides, dilations } = window.attrs;
  if (isSame(window) && draw.chance(0.5)) window.attrs.strides = draw.integers(rank, 1, 3);
  const room = range(rank).map(i => Math.max(strides?.[i] ?? 1, dilations?.[i] ?? 1) - 1);
  const attrs = { ...window.attrs, group: group > 1 ? group : undefined,
    output_padding: draw.maybe(room.map(most => draw.integer(0, most)), 0.4) };
  if (isSame(window)) attrs.dilations = attrs.output_padding = undefined;
  const operands = [draw.tensor(type, [1, group * inner, ...window.extents]),
    draw.tensor(type, [group * inner, outer, ...window.kernel])];
  if (draw.chance(0.5)) operands.push(draw.tensor(type, [group * outer]));
  return { op: 'ConvTranspose', since: 11, operands, attrs: draw.attributes(attrs), outputs: [type] };
}

function poolCase(op) {
  return (draw, opset) => {
    const rank = draw.integer(1, 3), dilates = op === 'MaxPool' || opset >= (op === 'LpPool' ? 18 : 19);
    const window = drawWindow(draw, rank, { dilates }), [n, c] = draw.integers(2, 1, 3);
    if (isSame(window)) window.attrs.dilations = undefined;
    const type = draw.type(op === 'MaxPool' ? ['double', 'uint8', 'int8'] : ['float']), outputs = [type];
    const attrs = { ...window.attrs, kernel_shape: window.kernel };
    if (op !== 'LpPool' || opset >= 18) attrs.ceil_mode = draw.maybe(draw.integer(0, 1));
    if (op === 'AveragePool') attrs.count_include_pad = draw.maybe(draw.integer(0, 1));
    if (op === 'LpPool') attrs.p = draw.maybe(draw.integer(1, 3));
    if (op === 'MaxPool' && draw.chance(0.5)) {
      outputs.push('int64');
      attrs.storage_order = draw.maybe(draw.integer(0, 1), 0.3);
    }
    return { op, since: 12, operands: [draw.tensor(type, [n, c, ...window.extents])], attrs: draw.attributes(attrs),
      outputs };
  };
}

function globalCase(op) {
  return draw => ({ op, since: 11, operands: [draw.floats(draw.shape(3, 5))], outputs: ['float'],
    attrs: op === 'GlobalLpPool' ? draw.attributes({ p: draw.maybe(draw.integer(1, 3)) }) : {} });
}

const bytes = (draw, type, dims) => draw.tensor(type, dims, type === 'int8' ? -128 : 0, type === 'int8' ? 127 : 255);

function convInteger(draw) {
  const window = drawWindow(draw, 2), group = draw.pick([1, 1, 2]), [inner, outer] = draw.integers(2, 1, 3);
  if (isSame(window)) window.attrs.dilations = undefined;
  const operands = [bytes(draw, 'uint8', [1, group * inner, ...window.extents]),
    bytes(draw, 'uint8', [group * outer, inner, ...window.kernel])];
  if (draw.chance(0.6)) operands.push(draw.tensor('uint8', []));
  if (operands.length > 2 && draw.chance(0.6)) operands.push(draw.tensor('uint8', []));
  return { op: 'ConvInteger', since: 11, operands, outputs: ['int32'],
    attrs: draw.attributes({ ...window.attrs, group: group > 1 ? group : undefined }) };
}

const power = (draw, low, high) => tensor('float', [], [2 ** draw.integer(low, high)]);

function qLinearConv(draw) {
  const window = drawWindow(draw, 2), group = draw.pick([1, 1, 2]), [inner, outer] = draw.integers(2, 1, 3);
  const type = draw.pick(['uint8', 'int8']), zero = () => draw.tensor(type, []);
  if (isSame(window)) window.attrs.dilations = undefined;
  const operands = [bytes(draw, type, [1, group * inner, ...window.extents]), power(draw, -6, -3), zero(),
    bytes(draw, type, [group * outer, inner, ...window.kernel]), power(draw, -6, -3), zero(), power(draw, -2, 2),
    zero()];
  if (draw.chance(0.5)) operands.push(draw.tensor('int32', [group * outer], -99, 99));
  return { op: 'QLinearConv', since: 11, operands, outputs: [type],
    attrs: draw.attributes({ ...window.attrs, group: group > 1 ? group : undefined }) };
}

module.exports = {
  Conv: conv, ConvTranspose: convTranspose, ConvInteger: convInteger, QLinearConv: qLinearConv,
  AveragePool: poolCase('AveragePool'), MaxPool: poolCase('MaxPool'), LpPool: poolCase('LpPool'),
  GlobalAveragePool: globalCase('GlobalAveragePool'), GlobalMaxPool: globalCase('GlobalMaxPool'),
  GlobalLpPool: globalCase('GlobalLpPool'),
};
