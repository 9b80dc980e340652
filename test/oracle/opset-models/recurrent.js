//===- recurrent.js - RNN, GRU and LSTM -----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { floats, opCase } = require('./describe');
const { tensor } = require('../element');

const gates = { RNN: 1, GRU: 3, LSTM: 4 };
const lengths = tensor('int32', [2], [4, 2]);
const weights = (op, directions) => ({
  w: floats([directions, gates[op] * 5, 3], -1, 1), r: floats([directions, gates[op] * 5, 5], -1, 1),
});
const results = op => ['y', 'h', 'c'].slice(0, op === 'LSTM' ? 3 : 2).map(name => [name, 'float']);

// Each opset's definition; the last ones ONNX Runtime may not have.
const versions = Object.keys(gates).flatMap(op => [7, 14, 22].map(opset =>
  opCase(`${op}_${opset}`, opset, op, ['x', 'w', 'r', 'b', 'n'], {
    inputs: { x: floats([4, 2, 3]), n: lengths }, outputs: results(op),
    constants: { ...weights(op, 2), b: floats([2, gates[op] * 10], -1, 1) },
    attrs: { direction: 'bidirectional', hidden_size: 5 },
  })));

module.exports = [
  ...versions,
  // The first result is left out, and so are inputs in between.
  opCase('LSTM_7_states', 11, 'LSTM', ['x', 'w', 'r', '', '', 'h0', '', 'p'], {
    inputs: { x: floats([4, 2, 3]), h0: floats([1, 2, 5]) }, outputs: [['', ''], ['h', 'float'], ['c', 'float']],
    constants: { ...weights('LSTM', 1), p: floats([1, 15], -1, 1) }, attrs: { direction: 'reverse', hidden_size: 5 },
  }),
  opCase('GRU_14_activations', 14, 'GRU', ['x', 'w', 'r'], {
    inputs: { x: floats([4, 2, 3]) }, outputs: [['y', 'float']], constants: weights('GRU', 1),
    attrs: { hidden_size: 5, layout: 0, linear_before_reset: 1, activations: ['HardSigmoid', 'Softsign'],
      activation_alpha: { floats: [0.3] }, activation_beta: { floats: [0.4] } },
  }),
];
