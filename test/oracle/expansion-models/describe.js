//===- describe.js - Cases of expansions ----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A case is a model of one node: {name, op, opset, inputs, constants, attrs,
// outputs} and how to judge it:
//   by         'range' (as equal.js does) or 'element', where each element has
//              the error of numbers of its own size, or of 1
//   precision  'float' where ONNX Runtime computes doubles in it
//   stays      why the operator has no expansion in this form
//   isNamed    it expands only where it is asked for by name
//   dims       the shape of the first output, where it says what is computed
//
//===----------------------------------------------------------------------===//

'use strict';

const { tensor, count } = require('../element');
const { floats, random } = require('../opset-models/describe');

const infinity = Infinity;

// Every kind of number that a function may stumble over.
const numbers = [0, -0, 1, -1, 0.5, -0.5, 1.5, -1.5, 2, -2, 3, -3, 6, -6, 20, -20, 88.8, -88.8, 104, -104, 1e4, -1e4];
const extremes = [1e30, -1e30, 3e38, -3e38, 1e-30, -1e-30, 1e-40, -1e-40, infinity, -infinity, NaN];
const ramp = Array.from({ length: 161 }, (_, i) => (i - 80) / 10);

const vector = (type, values) => tensor(type, [values.length], values);
const matrix = (type, ...rows) => tensor(type, [rows.length, rows[0].length], rows.flat());

function nodeCase(name, op, opset, operands, { attrs, outputs = ['float'], constant = [], dims, ...rest } = {}) {
  const inputs = {}, constants = {};
  const names = operands.map((operand, i) => {
    if (!operand) return '';
    const key = `x${i}`;
    (constant.includes(i) ? constants : inputs)[key] = operand;
    return key;
  });
  const results = outputs.map((type, i) => [type ? `y${i}` : '', type, ...i === 0 && dims ? [dims] : []]);
  return { name: `${op}_${opset}${name ? `_${name}` : ''}`, op, opset, names, inputs, constants, attrs, results,
      ...rest };
}

module.exports = { tensor, count, floats, random, numbers, extremes, ramp, vector, matrix, nodeCase, infinity };
