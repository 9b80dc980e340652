//===- random_texts.js - Random networks over a length --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that compute what belongs to an element of a length from that
// alone, attention, and some that mix elements: these have to be seen.
//
//===----------------------------------------------------------------------===//

'use strict';

const { RandomNetwork } = require('./random_network');

const open = 'length';

class Texts extends RandomNetwork {
  keep(name, dims) { this.values.push({ name, dims }); }
  add(op, inputs, dims, attrs) { this.keep(this.net.add(op, inputs, attrs), dims); }

  input() {
    const name = `x${this.inputs.length}`, size = this.pick([4, 6, 8, 16, 40]);
    if (this.draw(3) === 0) {
      this.inputs.push([name, 'int64', [1, open]]);
      return this.add('Gather', [this.net.weight([37, size], 1), name], [1, open, size], { axis: 0 });
    }
    const dims = this.pick([[1, open, size], [open, size], [1, size, open], [1, 2, open, size]]);
    this.inputs.push([name, 'float', dims]);
    this.keep(name, dims);
  }

  value(isGood = () => true) { return super.value(value => !value.dims.includes(undefined) && isGood(value)); }
}

const last = dims => dims[dims.length - 1];
const isStatic = ({ dims }) => last(dims) !== open;
const isOnce = ({ dims }) => dims.filter(dim => dim === open).length < 2;
const without = (dims, axis) => dims.filter((_, i) => i !== axis);
const changed = (dims, axis, extent) => dims.map((dim, i) => (i === axis ? extent : dim));

const steps = {
  unary(own) {
    const { name, dims } = own.value();
    own.add(own.pick(['Relu', 'Sigmoid', 'Tanh', 'Erf', 'Neg', 'Abs']), [name], dims);
  },
  binary(own) {
    const { name, dims } = own.value(), same = own.value(other => String(other.dims) === String(dims));
    own.add(own.pick(['Add', 'Mul', 'Max']), own.draw(2) ? [name, same.name] : [same.name, name], dims);
  },
  scale(own) {
    const { name, dims } = own.value(isStatic) ?? own.value();
    own.add(own.pick(['Add', 'Mul']), [name, own.net.weight(last(dims) === open || own.draw(2) ? [1] : [last(dims)], 1)], dims);
  },
  choose(own) {
    const { name, dims } = own.value();
    own.add('Where', [own.net.add('Greater', [name, own.net.constant([], [0.1])]), name, own.net.constant([], [-1])], dims);
  },
  linear(own) {
    const value = own.value(isStatic);
    if (!value) return;
    const from = last(value.dims), to = own.pick([3, 8, 20, 33]);
    own.add('MatMul', [value.name, own.net.weight([from, to], 1 / Math.sqrt(from))], [...value.dims.slice(0, -1), to]);
  },
  // Of few numbers that are alike, what is left is rounding.
  norm(own) {
    const value = own.value(({ dims }) => isStatic({ dims }) && last(dims) >= 4);
    if (!value) return;
    const size = [last(value.dims)];
    own.add('LayerNormalization', [value.name, own.net.weight(size, 1), own.net.weight(size, 0.1)], value.dims, { axis: -1 });
  },
  turn(own) {
    const { name, dims } = own.value(), perm = dims.map((_, i) => i);
    for (let i = perm.length - 1; i > 0; --i) {
      const j = own.draw(i + 1);
      [perm[i], perm[j]] = [perm[j], perm[i]];
    }
    own.add('Transpose', [name], perm.map(i => dims[i]), { perm });
  },
  split(own) {
    const value = own.value(({ dims }) => isStatic({ dims }) && isOnce({ dims }) && last(dims) % 2 === 0 && dims.length < 5);
    if (!value) return;
    const dims = [...value.dims.slice(0, -1), 2, last(value.dims) / 2];
    own.add('Reshape', [value.name, own.net.integers(dims.map(dim => (dim === open ? -1 : dim)))], dims);
  },
  join(own) {
    const value = own.value(({ dims }) => dims.length > 2 && isStatic({ dims }) && isOnce({ dims }) && dims.at(-2) !== open);
    if (!value) return;
    const dims = [...value.dims.slice(0, -2), value.dims.at(-2) * last(value.dims)];
    own.add('Reshape', [value.name, own.net.integers(dims.map(dim => (dim === open ? -1 : dim)))], dims);
  },
  softmax(own) {
    const { name, dims } = own.value();
    own.add('Softmax', [name], dims, { axis: own.draw(4) === 0 ? own.draw(dims.length) : dims.length - 1 });
  },
  reduce(own) {
    const { name, dims } = own.value(), axis = own.draw(3) === 0 ? own.draw(dims.length) : dims.length - 1;
    if (dims.length < 2) return;
    own.add(own.pick(['ReduceMean', 'ReduceMax', 'ReduceL2']), [name], without(dims, axis), { axes: [axis], keepdims: 0 });
  },
  centre(own) {
    const value = own.value(isStatic);
    if (!value) return;
    own.add('Sub', [value.name, own.net.add('ReduceMean', [value.name], { axes: [-1], keepdims: 1 })], value.dims);
  },
  concat(own) {
    const { name, dims } = own.value(), axis = own.draw(4) === 0 ? own.draw(dims.length) : dims.length - 1;
    own.add('Concat', [name, name], changed(dims, axis, dims[axis] === open ? undefined : 2 * dims[axis]), { axis });
  },
  slice(own) {
    const value = own.value(({ dims }) => isStatic({ dims }) && last(dims) > 2);
    if (!value) return;
    const end = last(value.dims) - own.draw(2);
    own.add('Slice', [value.name, ...[1, end, -1].map(i => own.net.integers([i]))], changed(value.dims, value.dims.length - 1, end - 1));
  },
  take(own) {
    const { name, dims } = own.value(), axis = own.draw(dims.length);
    own.add('Gather', [name, own.net.scalar(own.draw(2) && dims[axis] !== 1 ? 1 : 0)], without(dims, axis), { axis });
  },
  sums(own) {
    const { name, dims } = own.value();
    own.add('CumSum', [name, own.net.scalar(own.draw(3) === 0 ? own.draw(dims.length) : dims.length - 1)], dims);
  },
  window(own) {
    const value = own.value(({ dims }) => dims.length === 3 && dims[0] === 1 && dims[1] !== open && dims[2] === open);
    if (!value) return;
    const taps = own.pick([1, 1, 3]), to = own.pick([5, 16]);
    own.add('Conv', [value.name, own.net.weight([to, value.dims[1], taps], 0.3)], [1, to, open], { pads: [taps >> 1, taps >> 1] });
  },
  scores(own) {
    const value = own.value(({ dims }) => isStatic({ dims }) && dims.at(-2) === open);
    if (!value) return;
    const perm = value.dims.map((_, i) => i);
    perm.push(...perm.splice(-2).reverse());
    const keys = own.net.add('Transpose', [value.name], { perm });
    own.add('MatMul', [value.name, keys], changed(value.dims, value.dims.length - 1, open));
  },
  attention(own) {
    const value = own.value(({ dims }) => dims.length === 3 && dims[0] === 1 && dims[1] === open && isStatic({ dims }));
    if (!value) return;
    const from = last(value.dims), heads = own.pick([1, 2, 3]), size = own.pick([4, 7, 16]);
    const head = perm => own.net.add('Transpose', [own.net.add('Reshape', [
      own.net.add('MatMul', [value.name, own.net.weight([from, heads * size], 1 / Math.sqrt(from))]),
      own.net.integers([1, -1, heads, size])])], { perm });
    let scores = own.net.add('MatMul', [head([0, 2, 1, 3]), head([0, 2, 3, 1])]);
    if (own.draw(2)) scores = own.net.add('Mul', [scores, own.net.constant([], [1 / Math.sqrt(size)])]);
    const seen = own.net.add('MatMul', [own.net.add('Softmax', [scores], { axis: -1 }), head([0, 2, 1, 3])]);
    own.add('Reshape', [own.net.add('Transpose', [seen], { perm: [0, 2, 1, 3] }), own.net.integers([1, -1, heads * size])],
            [1, open, heads * size]);
  },
};

// What mixes elements is drawn less often.
const rare = new Set(['softmax', 'reduce', 'concat', 'take', 'sums', 'window', 'scores']);
const often = Object.keys(steps).filter(name => !rare.has(name));

// A model whose inputs have the open dimension 'length'.
function randomText(seed) {
  const own = new Texts(seed), numSteps = 2 + own.draw(8);
  for (let i = -1; i < own.draw(2); ++i) own.input();
  for (let i = 0; i < numSteps; ++i) steps[own.draw(12) === 0 ? own.pick([...rare]) : own.pick(often)](own);
  const [result] = own.values.slice(-1), other = own.value();
  const outputs = [['y', 'float', result.dims, result.name]];
  if (other !== result) outputs.push(['z', 'float', other.dims, other.name]);
  return own.net.finish(own.inputs, outputs.map(([name, type, dims, of]) => [name, type, dims.map(dim => dim ?? null), of]));
}

module.exports = { randomText };
