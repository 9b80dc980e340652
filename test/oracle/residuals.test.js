//===- residuals.test.js - Residual sums that are not in their group ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const test = require('node:test');
const assert = require('node:assert').strict;
const { looseNodes } = require('./residuals');

const node = (name, opType, input) => ({ name, opType, input, output: [name] });
const proto = { graph: { node: [
  node('a', 'Conv', ['x']), node('b', 'Conv', ['x']), node('sum', 'Add', ['a', 'b']), node('act', 'Relu', ['sum']),
] } };
const looseIn = (...groups) =>
  looseNodes(proto, { groups: groups.map((names, i) => ({ name: `g${i}`, ops: names.map(name => ({ node: name })) })) });

test('a sum with its Relu in the group of one Conv is where it belongs', () => {
  assert.deepEqual(looseIn(['a'], ['b', 'sum', 'act']), []);
});

test('a sum alone, with both Convs, or in no group is not', () => {
  assert.deepEqual(looseIn(['a'], ['b'], ['sum', 'act']), ['sum']);
  assert.deepEqual(looseIn(['a', 'b', 'sum', 'act']), ['sum']);
  assert.deepEqual(looseIn(['a'], ['b']), ['sum', 'act']);
});

test('a Relu apart from what it reads is not', () => {
  assert.deepEqual(looseIn(['a', 'sum'], ['b'], ['act']), ['act']);
});
