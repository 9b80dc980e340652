//===- quantize.js - Situations 34 to 38: Q and DQ stay units -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { situation, sized, permuted, toNhwc, toNchw } = require('./describe');
const { count } = require('../element');

const bytes = dims => count(dims);
const eighths = extent => Array.from({ length: extent }, (_, i) => (i + 1) / 8);
const scales = (g, extent) => g.constant([extent], 'float', { values: eighths(extent) });
const zeros = (g, extent) => g.constant([extent], 'int8', { low: -20, high: 20 });
const int8Input = (g, dims, name = 'x') => g.input(name, dims, 'int8', { low: -100, high: 100 });

// 34. The axis of a quantiser moves with its dimension.
const axes = [
  ...sized('s34-axis-through-unsqueeze', { none: 1 }, (g, dims) => {
    const extent = dims[1], x = int8Input(g, [extent, dims[2]]);
    const real = g.op('DequantizeLinear', [x, scales(g, extent), zeros(g, extent)], { axis: 0 });
    const four = g.op('Unsqueeze', [real, g.list(0, 3)]);
    g.output(g.transpose(four, [0, 2, 3, 1]));
  }),
  ...sized('s34-constant', { none: 0 }, (g, dims) => {
    const extent = dims[1], weight = g.constant([extent], 'int8', { low: -100, high: 100 });
    const real = g.op('DequantizeLinear', [weight, scales(g, extent), zeros(g, extent)], { axis: 0 });
    const four = g.transpose(g.op('Unsqueeze', [real, g.list(0, 1, 2)]), toNchw);
    g.output(g.op('Mul', [g.input('x', dims), four]));
  }),
  ...sized('s34-negative-axis', { none: 0 }, (g, dims) => {
    const x = g.transpose(int8Input(g, permuted(dims, toNhwc)), toNchw);
    const real = g.op('DequantizeLinear', [x, scales(g, dims[1]), zeros(g, dims[1])], { axis: -3 });
    g.output(g.transpose(real, toNhwc));
  }),
  ...sized('s34-one-scale', { none: 0 }, (g, dims) => {
    const x = g.transpose(int8Input(g, permuted(dims, toNhwc)), toNchw);
    g.output(g.transpose(g.op('DequantizeLinear', [x, scales(g, 1), zeros(g, 1)]), toNhwc));
  }),
];

// 35. Blocks of a dimension.
const blocked = [
  situation('s35-blocked', { none: 2, opset: 21 }, g => {
    const x = g.transpose(int8Input(g, [8, 8, 8]), [1, 2, 0]);
    const real = g.op('DequantizeLinear', [x, g.constant([8, 2, 8], 'float', { low: 1, high: 6 })],
        { axis: 1, block_size: 4 });
    g.output(g.transpose(real, [2, 0, 1]));
  }),
  situation('s35-blocked-quantizer', { none: 2, opset: 21 }, g => {
    const x = g.transpose(g.input('x', [3, 8, 7]), [2, 0, 1]);
    const small = g.op('QuantizeLinear', [x, g.constant([7, 3, 2], 'float', { low: 1, high: 6 })],
        { axis: 2, block_size: 4, output_dtype: 3 });
    g.output(g.transpose(small, [1, 2, 0]), 'int8');
  }),
];

// 36. int8 stays int8 where no zero point says so.
const types = [
  ...sized('s36-no-zero-point', dims => ({ none: 1, noneBytes: bytes(dims) }), (g, dims) => {
    const scale = g.scalar(0.5), real = g.op('DequantizeLinear', [int8Input(g, dims), scale]);
    g.output(g.op('Relu', [g.transpose(real, toNhwc)]));
  }),
  ...sized('s36-output-dtype', dims => ({ none: 1, noneBytes: bytes(dims), opset: 21 }), (g, dims) => {
    const scale = g.scalar(0.5), real = g.op('DequantizeLinear', [int8Input(g, dims), scale]);
    g.output(g.op('QuantizeLinear', [g.transpose(real, toNhwc), g.scalar(0.25)], { output_dtype: 3 }), 'int8');
  }),
];

// 37. A transpose stuck inside a unit, and a unit that does nothing.
const units = [
  ...sized('s37-stuck', dims => ({ none: 1, noneBytes: bytes(dims.slice(1)) }), (g, dims) => {
    const scale = g.scalar(0.5), zero = g.scalar(3, 'int8');
    const real = g.op('DequantizeLinear', [int8Input(g, dims.slice(1)), scale, zero]);
    const moved = g.transpose(g.op('Unsqueeze', [real, g.list(0)]), toNhwc);
    g.output(g.op('QuantizeLinear', [moved, scale, zero]), 'int8');
  }),
  situation('s37-empty-unit-at-output', { none: 0 }, g => {
    const scale = g.scalar(0.5), zero = g.scalar(3, 'int8');
    const real = g.op('DequantizeLinear', [int8Input(g, [1, 8, 8, 8]), scale, zero]);
    g.output(g.op('QuantizeLinear', [g.transpose(g.transpose(real, toNhwc), toNchw), scale, zero]), 'int8');
  }),
];

// 38. A quarter of the bytes on the int8 side.
const narrow = [
  ...sized('s38-dequantized', dims => ({ none: 1, noneBytes: bytes(dims) }), (g, dims) => {
    const real = g.op('DequantizeLinear', [int8Input(g, dims), g.scalar(0.5), g.scalar(3, 'int8')]);
    g.output(g.transpose(real, toNhwc));
  }),
  ...sized('s38-quantized', dims => ({ none: 1, noneBytes: bytes(dims) }), (g, dims) => {
    const moved = g.transpose(g.input('x', dims), toNhwc);
    g.output(g.op('QuantizeLinear', [moved, g.scalar(0.5), g.scalar(3, 'int8')]), 'int8');
  }),
  ...sized('s38-per-channel', dims => ({ none: 1, noneBytes: bytes(dims) }), (g, dims) => {
    const real = g.op('DequantizeLinear', [int8Input(g, dims), scales(g, dims[1]), zeros(g, dims[1])], { axis: 1 });
    g.output(g.transpose(real, toNhwc));
  }),
  ...sized('s38-conv-in-units', { none: 0, nhwc: 1 }, (g, dims) => {
    const zero = g.scalar(0, 'int8'), unit = (value, scale) => {
      const small = g.op('QuantizeLinear', [value, g.scalar(scale), zero]);
      return g.op('DequantizeLinear', [small, g.scalar(scale), zero]);
    };
    const weight = g.constant([4, dims[1], 3, 3], 'int8', { low: -3, high: 4 });
    const real = g.op('DequantizeLinear', [weight, scales(g, 4), g.constant([4], 'int8', { values: [0, 0, 0, 0] })],
        { axis: 0 });
    const y = g.op('Conv', [unit(g.input('x', dims), 0.125), real], { pads: [1, 1, 1, 1] });
    g.output(g.op('GlobalAveragePool', [unit(g.op('Relu', [y]), 2)]));
  }),
];

module.exports = [...axes, ...blocked, ...types, ...units, ...narrow];
