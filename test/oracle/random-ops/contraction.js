//===- contraction.js - Random products of matrices -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { range, float } = require('./draw');
const { tensor } = require('../element');

// Shapes of a product: batches broadcast, either side may be a vector.
function matrixShapes(draw) {
  const [m, k, n] = draw.integers(3, 1, 6), batch = draw.shape(0, 2);
  const left = draw.chance(0.15) ? [k] : [...draw.broadcastable(batch), m, k];
  const right = draw.chance(0.15) ? [k] : [...draw.broadcastable(batch), k, n];
  return [left, right];
}

function matMul(draw) {
  const type = draw.type(['double', 'int32', 'int64', 'uint32', 'float16']), [a, b] = matrixShapes(draw);
  return { op: 'MatMul', since: 13, operands: [draw.tensor(type, a), draw.tensor(type, b)], outputs: [type] };
}

function gemm(draw) {
  const type = draw.type(['double', 'float16']), [m, k, n] = draw.integers(3, 1, 7);
  const [transA, transB] = [draw.maybe(draw.integer(0, 1)), draw.maybe(draw.integer(0, 1))];
  const factor = () => float(draw.maybe(draw.real(-2, 2)));
  const attrs = { transA, transB, alpha: factor(), beta: factor() };
  const bias = draw.pick([[m, n], [1, n], [m, 1], [n], [1], []]);
  const operands = [draw.tensor(type, transA ? [k, m] : [m, k]), draw.tensor(type, transB ? [n, k] : [k, n])];
  if (draw.chance(0.7)) operands.push(draw.tensor(type, bias));
  return { op: 'Gemm', since: 13, operands, attrs: draw.attributes(attrs), outputs: [type] };
}

const equations = ['ij,jk->ik', 'ij,jk', 'bij,bjk->bik', 'ij->ji', 'ii->i', 'ii', 'ij,ij->', 'i,j->ij', 'ijk->ki',
  'abc,cd,d->ab', 'bhid,bhjd->bhij', '...ij,...jk->...ik', 'i...->...', 'ij,kj->ik', 'a b , b c -> c a', 'ij,ik->jk'];

function einsum(draw) {
  const type = draw.type(['double', 'int32', 'int64']), equation = draw.pick(equations), extents = {};
  const dims = term => [...term.replace(/\.\.\./, '01').replace(/ /g, '')].map(
      letter => extents[letter] ??= draw.integer(1, 4));
  const operands = equation.split('->')[0].split(',').map(term => draw.tensor(type, dims(term)));
  return { op: 'Einsum', since: 12, operands, attrs: { equation }, outputs: [type] };
}

const bytes = (draw, type, dims) => draw.tensor(type, dims, type === 'int8' ? -128 : 0, type === 'int8' ? 127 : 255);
const zero = (draw, type, dims = []) => draw.tensor(type, dims, type === 'int8' ? -9 : 0, 9);

function matMulInteger(draw) {
  const [m, k, n] = draw.integers(3, 1, 6), batch = draw.shape(0, 1), [a, b] = [draw.pick(['uint8', 'int8']), 'uint8'];
  const operands = [bytes(draw, a, [...batch, m, k]), bytes(draw, b, [k, n])];
  if (draw.chance(0.7)) operands.push(zero(draw, a));
  if (operands.length === 3 && draw.chance(0.7)) operands.push(zero(draw, b, draw.pick([[], [n]])));
  return { op: 'MatMulInteger', since: 11, operands, outputs: ['int32'] };
}

// Scales are powers of two, so that no rounding of products is in the way.
const scale = (draw, dims = []) => tensor('float', dims,
    range(dims.reduce((a, b) => a * b, 1)).map(() => 2 ** draw.integer(-6, -3)));

function qLinearMatMul(draw) {
  const [m, k, n] = draw.integers(3, 1, 6), type = draw.pick(['uint8', 'int8']);
  return { op: 'QLinearMatMul', since: 11, outputs: [type],
    operands: [bytes(draw, type, [m, k]), scale(draw), zero(draw, type), bytes(draw, type, [k, n]), scale(draw),
      zero(draw, type), tensor('float', [], [2 ** draw.integer(-2, 2)]), zero(draw, type)] };
}

module.exports = {
  MatMul: matMul, Gemm: gemm, Einsum: einsum, MatMulInteger: matMulInteger, QLinearMatMul: qLinearMatMul,
};
