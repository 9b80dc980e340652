//===- noise.js - The same model with transposes that undo each other -----===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('./onnx');
const { uniform } = require('./random');

// Of one tensor, element by element.
const elementwise = new Set(['Relu', 'Sigmoid', 'Tanh', 'Exp', 'Erf', 'Sqrt', 'Neg', 'Abs', 'HardSwish', 'HardSigmoid',
  'LeakyRelu', 'Elu', 'Softplus', 'Cos', 'Sin', 'Gelu', 'Mish', 'Cast', 'Clip']);

function drawPermutation(rank, next) {
  const perm = [...Array(rank).keys()];
  for (let i = rank - 1; i > 0; --i) {
    const j = Math.floor(next() * (i + 1));
    [perm[i], perm[j]] = [perm[j], perm[i]];
  }
  return perm;
}

const invert = perm => perm.map((_, i) => perm.indexOf(i));
const transpose = (from, to, perm) =>
  onnx.node({ op: 'Transpose', inputs: [from], outputs: [to], attrs: { perm }, name: `${to}_transpose` });

// Inserts pairs into the graph `nodes`; `ranks` has those of its values.
class NoiseMaker {
  constructor(nodes, ranks, next) {
    Object.assign(this, { nodes, ranks, next, numNames: 0 });
  }

  drawName() { return `noise_${this.numNames++}`; }
  canPermute(name) { return this.ranks.get(name) >= 2; }

  // op(x) -> inverse(op(permute(x)))
  insertAround(at) {
    const node = this.nodes[at], [from] = node.input, [to] = node.output;
    if (node.domain || !elementwise.has(node.opType) || !this.canPermute(from) || !this.canPermute(to)) return false;
    const perm = drawPermutation(this.ranks.get(to), this.next), [before, behind] = [this.drawName(), this.drawName()];
    node.input[0] = before;
    node.output[0] = behind;
    this.nodes.splice(at, 1, transpose(from, before, perm), node, transpose(behind, to, invert(perm)));
    for (const name of [before, behind]) this.ranks.set(name, perm.length);
    return true;
  }

  // x -> inverse(permute(x)), for all uses or one of them.
  insertBehind(at) {
    const [value] = this.nodes[at].output;
    let users = this.nodes.filter(({ input }) => input.includes(value));
    if (!this.canPermute(value) || !users.length) return false;
    if (this.next() < 0.5) users = [users[Math.floor(this.next() * users.length)]];
    const perm = drawPermutation(this.ranks.get(value), this.next), [permuted, back] = [this.drawName(), this.drawName()];
    for (const user of users) user.input = user.input.map(name => name === value ? back : name);
    this.nodes.splice(at + 1, 0, transpose(value, permuted, perm), transpose(permuted, back, invert(perm)));
    for (const name of [permuted, back]) this.ranks.set(name, perm.length);
    return true;
  }
}

// Adds up to `numPairs` pairs to the model, half of them around an operator as
// far as there are any; `ranks` maps names of values. Returns how many.
function addNoise(proto, ranks, numPairs, seed) {
  const next = uniform(seed), maker = new NoiseMaker(proto.graph.node, ranks, next);
  let inserted = 0;
  for (let tries = 0; inserted < numPairs && tries < 50 * numPairs; ++tries) {
    const at = Math.floor(next() * maker.nodes.length), isAround = inserted % 2 === 0 && tries < 40 * numPairs;
    inserted += isAround ? maker.insertAround(at) : maker.insertBehind(at);
  }
  return inserted;
}

module.exports = { addNoise };
