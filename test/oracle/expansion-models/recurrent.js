//===- recurrent.js - Recurrent networks, step by step --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { random, nodeCase } = require('./describe');

const length = 3, batch = 2, size = 4, hidden = 5;
const gates = { RNN: 1, GRU: 3, LSTM: 4 };

// A network of an operator, with biases where `isBiased`.
function network(name, op, { direction = 'forward', isBiased = true, attrs } = {}) {
  const directions = direction === 'bidirectional' ? 2 : 1, rows = gates[op] * hidden, floats = dims => random('float', dims, -1, 1);
  const operands = [floats([length, batch, size]), floats([directions, rows, size]), floats([directions, rows, hidden]),
                    ...isBiased ? [floats([directions, 2 * rows])] : []];
  return nodeCase(name, op, 14, operands,
                  { isNamed: true, attrs: { hidden_size: hidden, direction, ...attrs }, dims: [length, directions, batch, hidden] });
}

module.exports = Object.keys(gates).flatMap(op => [
  network('', op),
  network('bare', op, { isBiased: false }),
  network('reverse', op, { direction: 'reverse' }),
  network('both', op, { direction: 'bidirectional' }),
]).concat(network('linear', 'GRU', { attrs: { linear_before_reset: 1 } }));
