//===- index.js - All forms of decomposed attention -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In old opsets the attention is exported as what it consists of, in new ones
// as a node where ONNX has that very attention.
//
//===----------------------------------------------------------------------===//

'use strict';

const { form } = require('./describe');
const { tensor, count } = require('../element');

const opsets = [14, 17, 18, 23];
const lowest = -3.4028234663852886e38;
const dims = [2, 5, 32], root = 8 ** -0.5;

// Numbers or bools by place: (row, column) of the last two dimensions.
function byPlace(type, shape, at) {
  const [rows, columns] = shape.slice(-2);
  const values = Array.from({ length: count(shape) }, (_, i) => at(Math.floor(i / columns) % rows, i % columns));
  return tensor(type, shape, values);
}
const causal = (hidden, shown = 0) => (row, column) => column > row ? hidden : shown;
// The second row sees nothing.
const hiding = (hidden, shown = 0) => (row, column) => row === 1 || (row + column) % 3 === 0 ? hidden : shown;

const operands = f => ['q', 'k', 'v'].map(name => f.heads(f.input(name, dims), 4, 8));

// Scales.
const scales = {
  none: () => ({}),
  multiplied: f => ({ before: [f.by('Mul', root)] }),
  divided: f => ({ before: [f.by('Div', 1 / root, [1])] }),
};

// Masks that are added, inputs or constants, or chosen by.
const masks = {
  float: f => f.add(f.input('m', [2, 1, 5, 5])),
  row: f => f.add(f.input('m', [2, 1, 1, 5], byPlace('float', [2, 1, 1, 5], hiding(-1e4)))),
  all: f => f.add(f.input('m', [2, 1, 1, 5], byPlace('float', [2, 1, 1, 5], () => lowest))),
  infinite: f => f.add(f.input('m', [1, 1, 5, 5], byPlace('float', [1, 1, 5, 5], hiding(-Infinity)))),
  lowest: f => f.add(f.input('m', [5, 5], byPlace('float', [5, 5], hiding(lowest)))),
  bias: f => f.add(f.weight('bias', [4, 5, 5])),
  causal: f => f.add(f.constant(byPlace('float', [1, 1, 5, 5], causal(-Infinity)))),
  hidden: f => f.add(f.constant(byPlace('float', [5, 5], hiding(-Infinity)))),
  chosen: f => x => f.op('Where', [f.input('m', [5, 5], byPlace('bool', [5, 5], hiding(0, 1))), x, f.number(-Infinity)]),
  replaced: f => x => f.op('Where', [f.input('m', [5, 5], byPlace('bool', [5, 5], hiding(1, 0))), f.number(lowest), x]),
};

const plain = opsets.flatMap(opset => Object.entries(scales).map(([name, scale]) =>
  form(`scale-${name}`, { rank: 3, opset, swap: name === 'multiplied' }, f => {
    const [q, k, v] = operands(f);
    return f.merge(f.attend(q, f.transposed(k), v, scale(f)));
  })));

const masked = opsets.flatMap(opset => Object.entries(masks).flatMap(([name, mask], i) => [false, true].map(guarded =>
  form(`mask-${name}${guarded ? '-guarded' : ''}`, { rank: 3, opset, swap: i % 2 === 1 }, f => {
    const [q, k, v] = operands(f);
    return f.merge(f.attend(q, f.transposed(k), v,
        { before: [f.by('Mul', root), mask(f)], after: guarded ? [f.guard()] : [] }));
  }))));

const others = [17, 18, 23].flatMap(opset => [
  form('scale-on-both', { rank: 3, opset }, f => {
    const [q, k, v] = operands(f), half = f.by('Mul', Math.sqrt(root), [1]);
    return f.merge(f.attend(half(q), half(f.transposed(k)), v));
  }),
  form('scale-in-front', { rank: 3, opset }, f => {
    const q = f.heads(f.by('Mul', root)(f.input('q', dims)), 4, 8);
    const [k, v] = ['k', 'v'].map(name => f.heads(f.input(name, dims), 4, 8));
    return f.merge(f.attend(q, f.transposed(k), v));
  }),
  form('key-transposed-at-once', { rank: 3, opset }, f => {
    const [q, v] = ['q', 'v'].map(name => f.heads(f.input(name, dims), 4, 8));
    const k = f.transpose(f.reshape(f.input('k', dims), 2, 5, 4, 8), 0, 2, 3, 1);
    return f.merge(f.attend(q, k, v, { before: [f.by('Mul', root)] }));
  }),
  form('bias-and-windows', { rank: 3, opset }, f => {
    const [q, k, v] = operands(f), mask = f.input('m', [1, 2, 1, 5, 5]);
    const windows = x => f.reshape(f.add(mask)(f.reshape(x, 1, 2, 4, 5, 5)), 2, 4, 5, 5);
    return f.merge(f.attend(q, f.transposed(k), v, { before: [f.by('Mul', root), f.add(f.weight('b', [1, 4, 5, 5])), windows] }));
  }),
  form('packed', { rank: 3, opset }, f => {
    const x = f.transpose(f.reshape(f.input('x', [2, 5, 96]), 2, 5, 3, 4, 8), 2, 0, 3, 1, 4);
    const [q, k, v] = [0, 1, 2].map(i => f.op('Gather', [x, f.index(i)], { axis: 0 }));
    return f.merge(f.attend(f.by('Mul', root)(q), f.transposed(k), v));
  }),
  form('sequence-first', { rank: 3, opset }, f => {
    const [q, k, v] = ['q', 'k', 'v'].map(name =>
      f.transpose(f.reshape(f.input(name, [5, 1, 32]), 5, 4, 8), 1, 0, 2));
    const view = (x, ...shape) => f.reshape(x, 1, 4, ...shape), half = f.by('Mul', Math.sqrt(root), [1]);
    const kT = view(f.transpose(k, 0, 2, 1), 8, 5);
    const y = f.attend(half(view(q, 5, 8)), half(kT), view(v, 5, 8));
    return f.reshape(f.transpose(y, 2, 0, 1, 3), 5, 32);
  }),
  form('softcap', { rank: 3, opset }, f => {
    const [q, k, v] = operands(f);
    const cap = x => f.by('Mul', 1.5)(f.op('Tanh', f.by('Div', 1.5)(x)));
    return f.merge(f.attend(q, f.transposed(k), v, { before: [f.by('Mul', root), cap, f.add(f.input('m', [5, 5]))] }));
  }),
  form('stacks', { rank: 4, opset }, f => {
    const [q, k, v] = ['q', 'k', 'v'].map(name => f.input(name, [6, 5, 8]));
    return f.attend(q, f.transpose(k, 0, 2, 1), v, { before: [f.by('Mul', root), f.add(f.input('m', [6, 5, 5]))] });
  }),
  form('heads-in-front', { rank: 4, opset }, f => {
    const [q, k, v] = ['q', 'k', 'v'].map(name => f.input(name, [2, 4, 5, 8]));
    return f.attend(q, f.transposed(k), v, { before: [f.by('Mul', root)] });
  }),
  form('other-lengths', { rank: 4, opset }, f => {
    const k = f.input('k', [2, 4, 7, 8]);
    return f.attend(f.input('q', [2, 4, 3, 8]), f.transposed(k), f.input('v', [2, 4, 7, 6]), { before: [f.by('Mul', root)] });
  }),
  form('shared-heads', { rank: 3, opset }, f => {
    const q = f.heads(f.input('q', dims), 4, 8);
    const repeat = x => f.reshape(f.op('Expand', [f.op('Unsqueeze', [x, f.ints(2)]), f.ints(2, 2, 2, 5, 8)]), 2, 4, 5, 8);
    const [k, v] = ['k', 'v'].map(name => repeat(f.heads(f.input(name, [2, 5, 16]), 2, 8)));
    return f.merge(f.attend(q, f.transposed(k), v, { before: [f.by('Mul', root), f.add(f.constant(byPlace('float', [5, 5], causal(lowest))))] }));
  }),
]);

// Rotated queries and keys, caches constant or computed.
const turn = (f, x, c, s) => {
  const [first, second] = [[0, 4], [4, 8]].map(([from, to]) =>
    f.op('Slice', [x, f.ints(from), f.ints(to), f.ints(-1)]));
  const turned = f.op('Concat', [f.op('Neg', second), first], { axis: -1 });
  return f.op('Add', [f.op('Mul', [x, c]), f.op('Mul', [turned, s])]);
};
const rotated = [17, 18, 23].flatMap(opset => [true, false].map(isConstant =>
  form(`rotated-${isConstant ? 'constant' : 'computed'}`, { rank: 3, rotations: 2, opset }, f => {
    const angles = f.values('angles', [5, 4]).data, doubled = fn => tensor('float', [1, 1, 5, 8],
        Array.from({ length: 40 }, (_, i) => fn(angles[Math.floor(i / 8) * 4 + i % 4])));
    const computed = isConstant ? undefined : f.input('f', [1, 5, 4]);
    const cache = (op, fn) => isConstant ? f.constant(doubled(fn))
      : f.op('Unsqueeze', [f.op(op, f.op('Concat', [computed, computed], { axis: -1 })), f.ints(1)]);
    const c = cache('Cos', Math.cos), s = cache('Sin', Math.sin);
    const [q, k, v] = operands(f);
    return f.merge(f.attend(turn(f, q, c, s), f.transposed(turn(f, k, c, s)), v, { before: [f.by('Mul', root)] }));
  })));

const none = [17, 18].flatMap(opset => [
  form('softmax-over-queries', { rank: 0, opset }, f => {
    const [q, k, v] = operands(f);
    return f.merge(f.attend(q, f.transposed(k), v, { axis: 2 }));
  }),
  form('scores-are-an-output', { rank: 0, opset }, f => {
    const [q, k, v] = operands(f), kept = [];
    return [f.merge(f.attend(q, f.transposed(k), v, { before: [x => { kept.push(x); return x; }] })), ...kept];
  }),
  form('scale-per-head', { rank: 0, opset }, f => {
    const [q, k, v] = operands(f), scale = f.weight('scale', [4, 1, 1]);
    return f.merge(f.attend(q, f.transposed(k), v, { before: [x => f.op('Mul', [x, scale])] }));
  }),
  form('mask-with-a-batch', { rank: 0, opset }, f => {
    const [q, k] = ['q', 'k'].map(name => f.input(name, [1, 4, 5, 8])), v = f.input('v', [2, 4, 5, 8]);
    return f.attend(q, f.transposed(k), v, { before: [f.add(f.input('m', [2, 1, 5, 5]))] });
  }),
  form('small-number-chosen', { rank: 0, opset }, f => {
    const [q, k, v] = operands(f), c = f.input('m', [5, 5], byPlace('bool', [5, 5], hiding(0, 1)));
    return f.merge(f.attend(q, f.transposed(k), v, { before: [x => f.op('Where', [c, x, f.number(-1e4)])] }));
  }),
]);

const half = [17, 18, 23].flatMap(opset => [
  form('half', { rank: 3, opset, type: 'float16' }, f => {
    const [q, k, v] = operands(f);
    return f.merge(f.attend(q, f.transposed(k), v, { before: [f.by('Mul', 0.25), f.cast('float')], after: [f.cast('float16')] }));
  }),
]);

module.exports = [...plain, ...masked, ...others, ...rotated, ...none, ...half];
