//===- work.js - How many operations products take ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By the definitions of ONNX, from extents that come of running the model: two
// operations for each product that is summed.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('./onnx');
const { count } = require('./element');
const { computedTypes } = require('./traffic');

const convolution = (x, w, y) => count(y) * count(w.slice(1));
const product = (a, b, y) => count(y) * a.at(-1);

// The extents of an equation's letters.
function letters(equation, operands) {
  const [left] = equation.replaceAll(' ', '').split('->'), extents = new Map();
  if (left.includes('.')) throw new Error(`an ellipsis in '${equation}'`);
  left.split(',').forEach((own, i) => [...own].forEach((letter, dim) =>
    extents.set(letter, Math.max(extents.get(letter) ?? 1, operands[i][dim]))));
  return [...extents.values()];
}

const recurrent = ([x, w, r]) => x[0] * x[1] * (count(w) + count(r));

// Products of a node, from the extents of its inputs and outputs.
const products = {
  Conv: ([x, w], [y]) => convolution(x, w, y),
  ConvInteger: ([x, w], [y]) => convolution(x, w, y),
  QLinearConv: ([x, , , w], [y]) => convolution(x, w, y),
  ConvTranspose: ([x, w]) => count(x) * count(w.slice(1)),
  MatMul: ([a, b], [y]) => product(a, b, y),
  MatMulInteger: ([a, b], [y]) => product(a, b, y),
  QLinearMatMul: ([a, , , b], [y]) => product(a, b, y),
  Gemm: ([a], [y], node) => count(y) * a[onnx.attribute(node, 'transA') ? 0 : 1],
  Einsum: (inputs, outputs, node) => count(letters(String(onnx.attribute(node, 'equation')), inputs)),
  RNN: recurrent, GRU: recurrent, LSTM: recurrent,
};

// Pairs of the names and operations of the nodes that sum products, those of
// the graph itself.
function countWork({ graph }, dimsOf) {
  return graph.node.filter(({ domain, opType }) => !domain && products[opType]).map(node => {
    const own = names => names.map(name => name ? dimsOf(name) : undefined);
    return [node.name, 2 * products[node.opType](own(node.input), own(node.output), node)];
  });
}

async function measureWork(file, feeds) {
  const proto = onnx.readFile(file);
  const types = new Map([...Object.entries(feeds), ...await computedTypes(file, proto, feeds)]);
  const weights = new Map(proto.graph.initializer.map(({ name, dims }) => [name, dims.map(Number)]));
  const dimsOf = name => types.get(name)?.dims ?? weights.get(name);
  return countWork(proto, dimsOf);
}

module.exports = { measureWork, countWork };
