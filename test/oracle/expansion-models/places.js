//===- places.js - Operators that say where elements come from ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They expand only where they are named, and where the model says what shape
// computed parameters lead to.
//
//===----------------------------------------------------------------------===//

'use strict';

const { tensor, floats, random, nodeCase } = require('./describe');

const list = values => tensor('int64', [values.length], values);
const named = (name, op, opset, operands, options) => nodeCase(name, op, opset, operands, { isNamed: true, ...options });

const slices = [
  named('known', 'Slice', 13, [floats([5, 6]), list([1]), list([4])], { dims: [3, 6], constant: [1, 2], stays: 'it is basic' }),
  named('computed', 'Slice', 13, [floats([5, 6]), list([1, -1]), list([4, 0]), list([0, 1]), list([2, -2])], { dims: [2, 3] }),
  named('computed_starts', 'Slice', 13, [floats([5, 6]), list([2]), list([100]), list([-1])], { dims: [5, 4], constant: [2, 3] }),
];

const pads = [
  named('computed', 'Pad', 13, [floats([2, 3]), list([1, 0, 0, 2]), tensor('float', [], [7])], { dims: [3, 5] }),
  named('reflect', 'Pad', 13, [floats([3, 4]), list([2, 1, 1, 3])], { constant: [1], attrs: { mode: 'reflect' }, dims: [6, 8] }),
];

const sizes = tensor('float', [4], [1, 1, 2, 1.5]);
const resizes = [
  named('cubic', 'Resize', 13, [floats([1, 1, 4, 4]), null, sizes], { constant: [2], attrs: { mode: 'cubic' }, dims: [1, 1, 8, 6] }),
  named('computed', 'Resize', 13, [floats([1, 2, 4, 4]), null, sizes], { attrs: { mode: 'linear' }, dims: [1, 2, 8, 6] }),
];

const sums = [
  named('product', 'Einsum', 12, [floats([3, 4]), floats([4, 5])], { attrs: { equation: 'ij,jk->ik' }, dims: [3, 5] }),
  named('batch', 'Einsum', 12, [floats([2, 3, 4]), floats([2, 5, 4])], { attrs: { equation: 'bij,bkj->bik' }, dims: [2, 3, 5] }),
  named('sum', 'Einsum', 12, [floats([3, 4])], { attrs: { equation: 'ij->j' }, dims: [4] }),
];

const triangles = [0, 1].flatMap(upper => [-1, 0, 2].map(k =>
  named(`${upper ? 'upper' : 'lower'}${k}`, 'Trilu', 14, [floats([2, 4, 5]), tensor('int64', [], [k])],
        { attrs: { upper }, dims: [2, 4, 5] })));

const made = [
  named('', 'EyeLike', 13, [floats([3, 4])], { dims: [3, 4] }),
  named('above', 'EyeLike', 13, [floats([4, 4])], { attrs: { k: 1, dtype: 7 }, outputs: ['int64'], dims: [4, 4] }),
  named('computed', 'ConstantOfShape', 9, [list([2, 3])], { dims: [2, 3] }),
];

// Products of bytes without their zero points. ONNX has no convolution of what
// they are then.
const bytes = (type, dims) => random(type, dims, type[0] === 'u' ? 0 : -128, 128);
const by = (scale, type, zero) => [tensor('float', [], [scale]), tensor(type, [], [zero])];
const products = [
  named('', 'MatMulInteger', 10, [bytes('uint8', [4, 9]), bytes('int8', [9, 5])], { outputs: ['int32'], dims: [4, 5] }),
  named('zero', 'MatMulInteger', 10, [bytes('uint8', [2, 4, 9]), bytes('uint8', [9, 5]), tensor('uint8', [], [130]),
                                      tensor('uint8', [5], [0, 1, 128, 254, 255])], { outputs: ['int32'], dims: [2, 4, 5] }),
  ...['int8', 'uint8'].map(type => named(type, 'QLinearMatMul', 13,
    [bytes(type, [4, 9]), ...by(0.02, type, 3), bytes('int8', [9, 5]), ...by(0.03, 'int8', -7), ...by(0.5, type, 60)],
    { outputs: [type], dims: [4, 5] })),
  named('', 'ConvInteger', 10, [bytes('uint8', [1, 2, 5, 5]), bytes('uint8', [3, 2, 3, 3]), tensor('uint8', [], [9])],
        { outputs: ['int32'], dims: [1, 3, 3, 3], stays: 'there is none of int32' }),
  named('', 'QLinearConv', 10, [bytes('uint8', [1, 2, 5, 5]), ...by(0.02, 'uint8', 3), bytes('int8', [3, 2, 3, 3]),
                                ...by(0.03, 'int8', 0), ...by(0.5, 'uint8', 60)],
        { outputs: ['uint8'], dims: [1, 3, 3, 3], stays: 'there is none of int32' }),
];

module.exports = [...slices, ...pads, ...resizes, ...sums, ...triangles, ...made, ...products];
