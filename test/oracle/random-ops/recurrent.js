//===- recurrent.js - Random RNN, GRU and LSTM ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not drawn: layout 1 and a hidden size that is left out, which ONNX Runtime
// refuses; coefficients left out of activations for which it has zeros instead
// of the defaults of ONNX's operators.
//
//===----------------------------------------------------------------------===//

'use strict';

const { range, float } = require('./draw');
const { tensor } = require('../element');

// How many of alpha and beta each takes; the last ones have no default that
// everybody shares.
const functions = {
  Relu: 0, Tanh: 0, Sigmoid: 0, Softsign: 0, Softplus: 0, LeakyRelu: 1, Elu: 1, ThresholdedRelu: 1,
  HardSigmoid: 2, Affine: 2, ScaledTanh: 2,
};

const any = Object.keys(functions);
// For gates: what multiplies a state by more than one lets rounding grow with
// each step, and ONNX Runtime has no f64 to tell it from an error.
const bounded = ['Sigmoid', 'HardSigmoid', 'Tanh', 'Softsign', 'ScaledTanh'];
const activationsOf = { RNN: [any], GRU: [bounded, any], LSTM: [bounded, any, any] };

// Activations of each direction and the coefficients that they take, in order.
function drawActivations(draw, op, directions) {
  if (draw.chance(0.5)) return {};
  const activations = range(directions).flatMap(() => activationsOf[op].map(choice => draw.pick(choice)));
  const alphas = activations.filter(name => functions[name] > 0).map(() => draw.real(0.1, 0.6));
  const betas = activations.filter(name => functions[name] > 1).map(() => draw.real(0.1, 0.6));
  return { activations, activation_alpha: alphas.length ? { floats: alphas } : undefined,
    activation_beta: betas.length ? { floats: betas } : undefined };
}

const gatesOf = { RNN: 1, GRU: 3, LSTM: 4 };

function drawNetwork(draw, opset, op) {
  const gates = gatesOf[op];
  const [length, batch, size, hidden] = [draw.integer(1, 5), draw.integer(1, 4), draw.integer(1, 5), draw.integer(1, 5)];
  const direction = draw.maybe(draw.pick(['forward', 'reverse', 'bidirectional'])), directions = direction === 'bidirectional' ? 2 : 1;
  const weights = dims => draw.floats(dims, -1, 1), optional = make => draw.chance(0.5) ? make() : null;
  const state = () => weights([directions, batch, hidden]);
  const operands = [draw.floats([length, batch, size]), weights([directions, gates * hidden, size]),
    weights([directions, gates * hidden, hidden]), optional(() => weights([directions, 2 * gates * hidden])),
    optional(() => tensor('int32', [batch], range(batch).map(() => draw.integer(1, length)))), optional(state)];
  const attrs = { direction, hidden_size: hidden, layout: opset >= 14 ? draw.maybe(0, 0.2) : undefined,
    clip: float(draw.maybe(draw.real(0.2, 1.5), 0.25)), ...drawActivations(draw, op, directions) };
  return { operands, attrs, state, peepholes: () => weights([directions, 3 * hidden]), optional };
}

// Some of the results, at least one.
function drawOutputs(draw, n) {
  const outputs = range(n).map(() => draw.chance(0.7) ? 'float' : null);
  if (outputs.every(type => !type)) outputs[draw.integer(0, n - 1)] = 'float';
  while (outputs.at(-1) === null) outputs.pop();
  return outputs;
}

function rnn(draw, opset) {
  const { operands, attrs } = drawNetwork(draw, opset, 'RNN');
  return { op: 'RNN', since: 7, operands, attrs: draw.attributes(attrs), outputs: drawOutputs(draw, 2) };
}

function gru(draw, opset) {
  const { operands, attrs } = drawNetwork(draw, opset, 'GRU');
  const all = { ...attrs, linear_before_reset: draw.maybe(draw.integer(0, 1)) };
  return { op: 'GRU', since: 7, operands, attrs: draw.attributes(all), outputs: drawOutputs(draw, 2) };
}

function lstm(draw, opset) {
  const { operands, attrs, state, peepholes, optional } = drawNetwork(draw, opset, 'LSTM');
  const all = { ...attrs, input_forget: draw.maybe(draw.integer(0, 1)) };
  return { op: 'LSTM', since: 7, operands: [...operands, optional(state), optional(peepholes)],
    attrs: draw.attributes(all), outputs: drawOutputs(draw, 3) };
}

module.exports = { RNN: rnn, GRU: gru, LSTM: lstm };
