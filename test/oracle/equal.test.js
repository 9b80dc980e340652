//===- equal.test.js - The meaning of equal -------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const test = require('node:test');
const assert = require('node:assert');
const { compareTensors } = require('./equal');
const { tensor } = require('./element');

const floats = (...values) => tensor('float', [values.length], values);
const isEqual = (a, b, options) => compareTensors(a, b, options).equal;

test('f32: the error is relative to the largest magnitude, not to each element', () => {
  assert.ok(isEqual(floats(1000, 1), floats(1000, 1.0005)));
  assert.ok(!isEqual(floats(1000, 1), floats(1000, 1.005)));
});

test('f32: the tolerance can be changed', () => {
  assert.ok(!isEqual(floats(1, 2), floats(1, 2.00001)));
  assert.ok(isEqual(floats(1, 2), floats(1, 2.00001), { tolerance: 1e-5 }));
});

test('f16: two units in the last place at the largest magnitude', () => {
  const halves = (...values) => tensor('float16', [values.length], values);
  assert.ok(isEqual(halves(1024, 1), halves(1026, 1)));
  assert.ok(!isEqual(halves(1024, 1), halves(1027, 1)));
});

test('bf16: two units in the last place at the largest magnitude', () => {
  const values = (...list) => tensor('bfloat16', [list.length], list);
  assert.ok(isEqual(values(128, 1), values(130, 1)));
  assert.ok(!isEqual(values(128, 1), values(131, 1)));
});

test('NaN and infinities agree by position', () => {
  assert.ok(isEqual(floats(NaN, Infinity, -Infinity, 1, 2), floats(NaN, Infinity, -Infinity, 1, 2)));
  assert.ok(!isEqual(floats(NaN, 1, 2), floats(1, NaN, 2)));
  assert.ok(!isEqual(floats(Infinity, 1), floats(-Infinity, 1)));
  assert.ok(!isEqual(floats(3e38, 1), floats(Infinity, 1)));
});

test('a zero tensor is equal to zeros only', () => {
  assert.ok(isEqual(floats(0, 0), floats(0, -0)));
  assert.ok(!isEqual(floats(0, 0), floats(0, 1e-30)));
});

test('integers, booleans and strings must be equal', () => {
  for (const type of ['int8', 'int64', 'uint4', 'bool']) {
    assert.ok(isEqual(tensor(type, [2], [0, 1]), tensor(type, [2], [0, 1])), type);
    assert.ok(!isEqual(tensor(type, [2], [0, 1]), tensor(type, [2], [1, 1])), type);
  }
  assert.ok(!isEqual(tensor('string', [1], ['a']), tensor('string', [1], ['b'])));
  const big = 2n ** 53n;
  assert.ok(!isEqual(tensor('int64', [1], [big]), tensor('int64', [1], [big + 1n])));
});

test('a step of the last quantiser is allowed and counted', () => {
  const result = compareTensors(floats(0, 1, 2), floats(0, 1.25, 2), { step: 0.25 });
  assert.deepEqual([result.equal, result.changed], [true, 1]);
  assert.ok(!isEqual(floats(0, 1, 2), floats(0, 1.5, 2), { step: 0.25 }));
});

test('types and shapes must agree', () => {
  assert.match(compareTensors(floats(1, 2), tensor('double', [2], [1, 2])).reason, /float\[2\] became double\[2\]/);
  assert.match(compareTensors(floats(1, 2), tensor('float', [2, 1], [1, 2])).reason, /became float\[2,1\]/);
});

test('empty, constant, tiny and all-NaN outputs are trivial, others are not', () => {
  const trivial = value => compareTensors(value, value).trivial;
  assert.equal(trivial(tensor('float', [0, 4], [])), 'empty');
  assert.equal(trivial(floats(3, 3, 3)), 'constant');
  assert.equal(trivial(tensor('int64', [2], [5, 5])), 'constant');
  assert.match(trivial(floats(1e-12, 0)), /next to zero/);
  assert.match(trivial(floats(NaN, NaN)), /without a finite/);
  assert.equal(trivial(floats(1, 2)), undefined);
  assert.equal(trivial(floats(3)), undefined);
});
