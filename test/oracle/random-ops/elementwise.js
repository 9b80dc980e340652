//===- elementwise.js - Random elementwise nodes --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { floating, integral, float, parameter, range } = require('./draw');
const { tensor, count } = require('../element');

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

// The range of the operand, and the other types it may have.
const unary = {
  Abs: [-3, 3, integral], Acos: [-1, 1], Acosh: [1, 6], Asin: [-1, 1], Asinh: [-5, 5], Atan: [-5, 5],
  Atanh: [-0.95, 0.95], Ceil: [-4, 4], Cos: [-5, 5], Cosh: [-4, 4], Erf: [-3, 3], Exp: [-4, 4], Floor: [-4, 4],
  Log: [0.05, 6], Neg: [-3, 3, ['int32', 'int64', 'int8']], Reciprocal: [0.2, 4], Relu: [-3, 3, ['int32', 'int8']],
  Sigmoid: [-9, 9], Sign: [-2, 2, integral], Sin: [-5, 5], Sinh: [-4, 4], Softplus: [-20, 20], Softsign: [-5, 5],
  Sqrt: [0, 9], Tan: [-1.3, 1.3], Tanh: [-5, 5], HardSwish: [-5, 5], Mish: [-9, 9], Identity: [-3, 3, integral],
};
const sinces = { HardSwish: 14, Mish: 18, Gelu: 20, Swish: 24, Acosh: 9, Relu: 14 };

// Numbers that few kernels get right by accident.
const odd = [Infinity, -Infinity, NaN, -0, 0, 1e30, -1e30, 1e-30];

function operand(draw, type, low, high) {
  const dims = draw.shapeOrEmpty(0, 4), values = draw.values(count(dims), type, low, high);
  if (type === 'float' && values.length && draw.chance(0.15)) values[draw.integer(0, values.length - 1)] = draw.pick(odd);
  return tensor(type, dims, values);
}

// ONNX Runtime computes these, or their constants, in single precision.
const inSinglePrecision = new Set(['Shrink', 'Gelu', 'HardSwish', 'Softplus', 'Mish']);
const toleranceOf = (op, type) => type === 'double' && inSinglePrecision.has(op) ? 1e-6 : undefined;

function unaryCase(op, [low, high, others = []]) {
  return draw => {
    const type = draw.type([...floating, ...others]), whole = /int/.test(type);
    const x = operand(draw, type, whole && type.startsWith('u') ? 0 : whole ? -9 : low, whole ? 9 : high);
    return { op, since: sinces[op] ?? 11, operands: [x], outputs: [type], tolerance: toleranceOf(op, type) };
  };
}

// Ties in both directions.
function round(draw) {
  const type = draw.type(floating), dims = draw.shape();
  const values = range(count(dims)).map(() => draw.chance(0.5) ? draw.integer(-9, 9) / 2 : draw.real(-4, 4));
  return { op: 'Round', since: 11, operands: [tensor(type, dims, values)], outputs: [type] };
}

const parametrised = {
  Elu: draw => ({ alpha: float(draw.maybe(draw.real(0.2, 2))) }),
  Celu: draw => ({ alpha: float(draw.maybe(draw.real(0.2, 2))) }),
  Selu: draw => ({ alpha: float(draw.maybe(draw.real(1, 2))), gamma: float(draw.maybe(draw.real(0.5, 1.5))) }),
  LeakyRelu: draw => ({ alpha: float(draw.maybe(draw.real(0, 0.5))) }),
  ThresholdedRelu: draw => ({ alpha: float(draw.maybe(draw.real(0.2, 1.5))) }),
  HardSigmoid: draw => ({ alpha: float(draw.maybe(draw.real(0.1, 0.4))), beta: float(draw.maybe(draw.real(0, 1))) }),
  Shrink: draw => ({ bias: float(draw.maybe(draw.real(-0.5, 0.5))), lambd: float(draw.maybe(draw.real(0.1, 1))) }),
  Gelu: draw => ({ approximate: draw.maybe(draw.pick(['none', 'tanh'])) }),
  Swish: draw => ({ alpha: float(draw.maybe(draw.real(0.5, 2))) }),
};

function parametrisedCase(op, attributes) {
  return (draw, opset) => {
    const type = draw.type(op === 'Shrink' ? [...floating, 'int32', 'int8', 'uint8'] : floating);
    const since = sinces[op] ?? (op === 'Celu' ? 12 : 11);
    const tolerance = toleranceOf(op, type);
    return { op, since, tolerance, operands: [operand(draw, type, type.startsWith('u') ? 0 : -4, 4)],
      attrs: draw.attributes(attributes(draw, opset)), outputs: [type] };
  };
}

function isInf(draw) {
  const attrs = { detect_negative: draw.maybe(draw.integer(0, 1)), detect_positive: draw.maybe(draw.integer(0, 1)) };
  const values = range(12).map(() => draw.pick([...odd, 1, 2]));
  return { op: 'IsInf', since: 11, operands: [tensor(draw.type(['double']), [3, 4], values)],
    attrs: draw.attributes(attrs), outputs: ['bool'] };
}

function isNaN(draw) {
  const values = range(12).map(() => draw.pick([...odd, 1, 2]));
  return { op: 'IsNaN', since: 13, operands: [tensor(draw.type(floating), [12], values)], outputs: ['bool'] };
}

const not = draw => ({ op: 'Not', since: 11, operands: [draw.tensor('bool', draw.shape())], outputs: ['bool'] });

function bitwiseNot(draw) {
  const type = draw.pick(integral);
  return { op: 'BitwiseNot', since: 18, operands: [draw.tensor(type, draw.shape())], outputs: [type] };
}

//===----------------------------------------------------------------------===//
// Several operands
//===----------------------------------------------------------------------===//

// Two shapes that broadcast, either the larger one.
function shapes(draw) {
  const dims = draw.shapeOrEmpty(0, 4), other = draw.broadcastable(dims);
  const stretched = dims.map(dim => draw.chance(0.15) ? 1 : dim);
  return draw.chance(0.5) ? [stretched, other] : [other, stretched];
}

const notZero = (draw, type, dims) => {
  const x = draw.tensor(type, dims, 1, 9);
  return /^u/.test(type) ? x : tensor(type, dims, Array.from({ length: count(dims) },
      () => (draw.chance(0.5) ? -1 : 1) * (/int/.test(type) ? draw.integer(1, 9) : draw.real(0.5, 3))));
};

function binaryCase(op, types, { outputs, second, since = 13, attributes = () => ({}) } = {}) {
  return (draw, opset) => {
    const type = types.includes('float') ? draw.type(types) : draw.pick(types), [a, b] = shapes(draw);
    const right = second ?? ((...args) => draw.tensor(...args.slice(1)));
    return { op, since, operands: [draw.tensor(type, a), right(draw, type, b)],
      attrs: draw.attributes(attributes(draw, type, opset)), outputs: outputs ?? [type] };
  };
}

const arithmetic = ['float', ...floating, ...integral];
const comparison = { outputs: ['bool'] };

const binaries = {
  Add: binaryCase('Add', arithmetic), Sub: binaryCase('Sub', arithmetic), Mul: binaryCase('Mul', arithmetic),
  Div: binaryCase('Div', arithmetic, { second: notZero }),
  PRelu: draw => {
    const type = draw.type([...floating, 'int32']), x = draw.shape(1, 4);
    return { op: 'PRelu', since: 16, operands: [draw.tensor(type, x), draw.tensor(type, draw.broadcastable(x))],
      outputs: [type] };
  },
  Mod: binaryCase('Mod', arithmetic, { second: notZero,
    attributes: (draw, type) => ({ fmod: /int/.test(type) ? draw.maybe(draw.integer(0, 1)) : 1 }) }),
  Equal: binaryCase('Equal', [...arithmetic, 'bool'], comparison),
  Greater: binaryCase('Greater', arithmetic, comparison), Less: binaryCase('Less', arithmetic, comparison),
  GreaterOrEqual: binaryCase('GreaterOrEqual', arithmetic, { ...comparison, since: 16 }),
  LessOrEqual: binaryCase('LessOrEqual', arithmetic, { ...comparison, since: 16 }),
  And: binaryCase('And', ['bool']), Or: binaryCase('Or', ['bool']), Xor: binaryCase('Xor', ['bool']),
  BitwiseAnd: binaryCase('BitwiseAnd', integral, { since: 18 }),
  BitwiseOr: binaryCase('BitwiseOr', integral, { since: 18 }),
  BitwiseXor: binaryCase('BitwiseXor', integral, { since: 18 }),
  BitShift: binaryCase('BitShift', ['uint8', 'uint16', 'uint32', 'uint64'],
      { attributes: draw => ({ direction: draw.pick(['LEFT', 'RIGHT']) }) }),
};

function pow(draw) {
  const [a, b] = shapes(draw), type = draw.type(['double', 'int32', 'int64']);
  const exponent = draw.pick(['float', 'double', 'int32', 'int64']), whole = /int/.test(type);
  const high = whole || /int/.test(exponent) ? 4 : 2.5;
  return { op: 'Pow', since: 13, outputs: [type],
    operands: [draw.tensor(type, a, whole ? 1 : 0.2, whole ? 5 : 3), draw.tensor(exponent, b, 0, Math.floor(high))] };
}

function variadicCase(op, types) {
  return draw => {
    const type = draw.type(types), dims = draw.shape(0, 4);
    const operands = range(draw.integer(1, 4)).map(() => draw.tensor(type, draw.broadcastable(dims)));
    return { op, since: 13, operands, outputs: [type] };
  };
}

function where(draw) {
  const type = draw.type([...floating, 'int32', 'int64', 'uint8']), dims = draw.shape(0, 4);
  return { op: 'Where', since: 11, outputs: [type], operands: [draw.tensor('bool', draw.broadcastable(dims)),
    draw.tensor(type, draw.broadcastable(dims)), draw.tensor(type, draw.broadcastable(dims))] };
}

function clip(draw) {
  const type = draw.type([...floating, 'int32', 'int64', 'int8', 'uint8']), unsigned = type.startsWith('u');
  const low = draw.maybe(draw.tensor(type, [], unsigned ? 1 : -1, unsigned ? 3 : 0), 0.7) ?? null;
  const high = draw.maybe(draw.tensor(type, [], unsigned ? 4 : 0, 6), 0.7) ?? null;
  return { op: 'Clip', since: 13, operands: [draw.tensor(type, draw.shape(0, 4)), low, high], outputs: [type] };
}

// Without training it is a copy, and its mask all true.
function dropout(draw) {
  const type = draw.type(floating), operands = [draw.tensor(type, draw.shape())];
  if (draw.chance(0.6)) operands.push(parameter(draw.tensor('float', [], 0, 0.9)));
  if (operands.length === 2 && draw.chance(0.5)) operands.push(parameter(tensor('bool', [], [false])));
  return { op: 'Dropout', since: 13, operands, outputs: draw.chance(0.5) ? [type] : [type, 'bool'] };
}

const mapped = (table, make) => Object.fromEntries(Object.keys(table).map(op => [op, make(op, table[op])]));

module.exports = {
  ...mapped(unary, unaryCase), ...mapped(parametrised, parametrisedCase), ...binaries,
  Round: round, IsInf: isInf, IsNaN: isNaN, Not: not, BitwiseNot: bitwiseNot, Pow: pow, Where: where, Clip: clip,
  Dropout: dropout,
  Max: variadicCase('Max', [...floating, ...integral]), Min: variadicCase('Min', [...floating, ...integral]),
  Sum: variadicCase('Sum', floating), Mean: variadicCase('Mean', floating),
};
