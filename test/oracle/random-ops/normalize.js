//===- normalize.js - Random normalisations, softmaxes and losses ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { range, float } = require('./draw');
const { tensor, count } = require('../element');

const epsilon = draw => float(draw.maybe(10 ** draw.integer(-5, -2)));
// Over a few elements that happen to be close, rounding decides the result.
const spread = (draw, low, high) => draw.shape(low, high).map((dim, i, dims) =>
  Math.max(dim, i === dims.length - 1 ? 6 : 2));

function batchNormalization(draw) {
  const type = draw.type(['double']), dims = draw.shape(2, 4), c = [dims[1]];
  const operands = [draw.tensor(type, dims), draw.tensor(type, c), draw.tensor(type, c), draw.tensor(type, c),
    draw.tensor(type, c, 0.3, 3)];
  return { op: 'BatchNormalization', since: 15, operands, attrs: draw.attributes({ epsilon: epsilon(draw) }),
    outputs: [type] };
}

function instanceNormalization(draw) {
  const dims = spread(draw, 3, 4), c = [dims[1]];
  return { op: 'InstanceNormalization', since: 11, operands: [draw.floats(dims), draw.floats(c), draw.floats(c)],
    attrs: draw.attributes({ epsilon: epsilon(draw) }), outputs: ['float'] };
}

function layerNormalization(draw) {
  const type = draw.type(['double']), dims = spread(draw, 1, 4), axis = draw.integer(0, dims.length - 1);
  const operands = [draw.tensor(type, dims), draw.tensor(type, dims.slice(axis))];
  if (draw.chance(0.6)) operands.push(draw.tensor(type, dims.slice(axis)));
  const spelled = axis === dims.length - 1 && draw.chance(0.5) ? undefined : draw.pick([axis, axis - dims.length]);
  const attrs = { axis: spelled, epsilon: epsilon(draw) };
  return { op: 'LayerNormalization', since: 17, operands, attrs: draw.attributes(attrs),
    outputs: type === 'float' && draw.chance(0.4) ? [type, 'float', 'float'] : [type] };
}

function rmsNormalization(draw) {
  const type = draw.type(['double']), dims = spread(draw, 1, 4), axis = draw.integer(0, dims.length - 1);
  return { op: 'RMSNormalization', since: 23, operands: [draw.tensor(type, dims), draw.tensor(type, dims.slice(axis))],
    attrs: draw.attributes({ axis: draw.pick([axis, axis - dims.length]), epsilon: epsilon(draw) }), outputs: [type] };
}

// Scales are per group until opset 20, per channel from 21 on.
function groupNormalization(draw, opset) {
  const groups = draw.integer(1, 3), per = draw.integer(1, 3), dims = spread(draw, 3, 4);
  dims[1] = groups * per;
  const c = [opset >= 21 ? groups * per : groups];
  return { op: 'GroupNormalization', since: 18, operands: [draw.floats(dims), draw.floats(c), draw.floats(c)],
    attrs: draw.attributes({ num_groups: groups, epsilon: epsilon(draw) }), outputs: ['float'] };
}

function lrn(draw) {
  const attrs = { size: draw.pick([1, 3, 5]), alpha: float(draw.maybe(draw.real(0.001, 0.5))),
    beta: float(draw.maybe(draw.real(0.2, 1))), bias: float(draw.maybe(draw.real(0.5, 2))) };
  return { op: 'LRN', since: 13, operands: [draw.floats(draw.shape(4, 4))], attrs: draw.attributes(attrs),
    outputs: ['float'] };
}

function lpNormalization(draw) {
  const type = draw.type(['double']), dims = draw.shape(1, 4);
  const attrs = { axis: draw.maybe(draw.axis(dims.length)), p: draw.maybe(draw.integer(1, 2)) };
  return { op: 'LpNormalization', since: 11, operands: [draw.tensor(type, dims)], attrs: draw.attributes(attrs),
    outputs: [type] };
}

function meanVariance(draw) {
  const dims = spread(draw, 4, 4);
  return { op: 'MeanVarianceNormalization', since: 13, operands: [draw.floats(dims)], outputs: ['float'],
    attrs: draw.attributes({ axes: draw.maybe(draw.pick([[0, 2, 3], [2, 3], [1, 2, 3]])) }) };
}

// Until opset 12 everything from the axis on is one dimension.
function softmaxCase(op) {
  return draw => {
    const type = draw.type(op === 'Hardmax' ? ['double'] : ['double', 'float16']), dims = draw.shape(1, 4);
    const axis = draw.maybe(draw.axis(dims.length), 0.8);
    return { op, since: 11, operands: [draw.tensor(type, dims, -6, 6)],
      attrs: draw.attributes({ axis: dims.length === 1 ? axis ?? 0 : axis }), outputs: [type] };
  };
}

function lossOperands(draw, attrs, low, high) {
  const [n, c] = [draw.integer(1, 4), draw.integer(2, 5)], spatial = draw.shape(0, 2);
  const targets = tensor(draw.pick(['int64', 'int32']), [n, ...spatial],
      range(n * count(spatial)).map(() => attrs.ignore_index !== undefined && draw.chance(0.2) ? attrs.ignore_index
                                                                                          : draw.integer(0, c - 1)));
  const operands = [draw.floats([n, c, ...spatial], low, high), targets];
  if (draw.chance(0.5)) operands.push(draw.floats([c], 0.2, 2));
  return operands;
}

// One target at least counts: the mean of none has no value.
function lossAttributes(draw) {
  return draw.attributes({ reduction: draw.maybe(draw.pick(['none', 'sum', 'mean'])),
    ignore_index: draw.maybe(draw.pick([-1, 0, 1]), 0.3) });
}

function negativeLogLikelihood(draw) {
  const attrs = lossAttributes(draw);
  return { op: 'NegativeLogLikelihoodLoss', since: 13, operands: lossOperands(draw, attrs, -3, 0), attrs,
    outputs: ['float'] };
}

function softmaxCrossEntropy(draw) {
  const attrs = lossAttributes(draw);
  return { op: 'SoftmaxCrossEntropyLoss', since: 13, operands: lossOperands(draw, attrs, -3, 3), attrs,
    outputs: draw.chance(0.5) ? ['float'] : ['float', 'float'] };
}

module.exports = {
  BatchNormalization: batchNormalization, InstanceNormalization: instanceNormalization,
  LayerNormalization: layerNormalization, RMSNormalization: rmsNormalization, GroupNormalization: groupNormalization,
  LRN: lrn, LpNormalization: lpNormalization, MeanVarianceNormalization: meanVariance,
  Softmax: softmaxCase('Softmax'), LogSoftmax: softmaxCase('LogSoftmax'), Hardmax: softmaxCase('Hardmax'),
  NegativeLogLikelihoodLoss: negativeLogLikelihood, SoftmaxCrossEntropyLoss: softmaxCrossEntropy,
};
