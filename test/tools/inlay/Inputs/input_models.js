//===- input_models.js - Models that want inputs of their own -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node input_models.js FOLDER
//
// Small ones with the structures of real models, with which arbitrary inputs
// give errors, NaN or nothing.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('onnx');
const { uniform } = require('random');

const folder = process.argv[2];
fs.mkdirSync(folder, { recursive: true });

function write(name, description) {
  fs.writeFileSync(path.join(folder, `${name}.onnx`), onnx.model({ opset: 17, ...description }));
}

// Weights that follow from their name.
function weight(name, dims) {
  const next = uniform([...name].reduce((sum, c) => sum * 31 + c.charCodeAt(0) | 0, 7));
  const length = dims.reduce((a, b) => a * b, 1);
  return onnx.tensorProto(name, 'float', dims, Array.from({ length }, () => next() - 0.5));
}
const float = (name, value) => onnx.tensorProto(name, 'float', [], [value]);
const ints = (name, ...values) => onnx.tensorProto(name, 'int64', [values.length], values);
const int = (name, value) => onnx.tensorProto(name, 'int64', [], [value]);
const node = (op, inputs, outputs, attrs = {}) => ({ op, inputs, outputs: [outputs].flat(), attrs });

// scores = softmax(h k^T + bias) h, with `bias` of (batch, 1, keys).
const attend = (bias, keys = 'h') => [
  node('MatMul', ['h', 'wq'], 'q'), node('Transpose', [keys], 'kt', { perm: [0, 2, 1] }), node('MatMul', ['q', 'kt'], 'scores'),
  node('Add', ['scores', bias], 'masked'), node('Softmax', ['masked'], 'p', { axis: -1 }), node('MatMul', ['p', keys], 'y'),
];

// BERT: three tables, and a mask that is subtracted from 1 and multiplied.
write('bert', {
  inputs: [['input_ids', 'int64', ['batch', 'length']], ['token_type_ids', 'int64', ['batch', 'length']],
           ['position_ids', 'int64', ['batch', 'length']], ['attention_mask', 'int64', ['batch', 'length']]],
  outputs: [['y', 'float', ['batch', 'length', 8]]],
  initializers: [weight('words', [100, 8]), weight('types', [2, 8]), weight('positions', [12, 8]), weight('wq', [8, 8]),
                 float('one', 1), float('lowest', -3.4028234663852886e38), ints('axis', 1)],
  nodes: [node('Gather', ['words', 'input_ids'], 'w'), node('Gather', ['types', 'token_type_ids'], 't'),
          node('Gather', ['positions', 'position_ids'], 'o'), node('Sum', ['w', 't', 'o'], 'h'),
          node('Cast', ['attention_mask'], 'm', { to: 1 }), node('Sub', ['one', 'm'], 'n'), node('Mul', ['n', 'lowest'], 'b'),
          node('Unsqueeze', ['b', 'axis'], 'bias'), ...attend('bias')],
});

// Positions are counted from the mask, and -infinity is put where it is 0.
write('positions_of_mask', {
  inputs: [['input_ids', 'int64', ['batch', 'length']], ['attention_mask', 'int64', ['batch', 'length']]],
  outputs: [['y', 'float', ['batch', 'length', 8]]],
  initializers: [weight('words', [100, 8]), weight('positions', [12, 8]), weight('wq', [8, 8]), int('one', 1), int('none', 0),
                 float('zero', 0), float('lowest', -Infinity), int('last', 1), ints('axis', 1)],
  nodes: [node('Gather', ['words', 'input_ids'], 'w'), node('CumSum', ['attention_mask', 'last'], 'c'), node('Sub', ['c', 'one'], 'i'),
          node('Gather', ['positions', 'i'], 'o'), node('Add', ['w', 'o'], 'h'), node('Equal', ['attention_mask', 'none'], 'e'),
          node('Where', ['e', 'lowest', 'zero'], 'b'), node('Unsqueeze', ['b', 'axis'], 'bias'), ...attend('bias')],
});

// Lengths instead of a mask.
write('lengths', {
  inputs: [['x', 'float', ['batch', 6, 8]], ['lengths', 'int64', ['batch']]],
  outputs: [['y', 'float', ['batch', 6, 8]]],
  initializers: [weight('wq', [8, 8]), ints('places', 0, 1, 2, 3, 4, 5), float('zero', 0), float('lowest', -Infinity), ints('axis', 1),
                 ints('shape', 0, 1, 6)],
  nodes: [node('Identity', ['x'], 'h'), node('Unsqueeze', ['lengths', 'axis'], 'l'), node('Less', ['places', 'l'], 'm'),
          node('Where', ['m', 'zero', 'lowest'], 'b'), node('Reshape', ['b', 'shape'], 'bias'), ...attend('bias')],
});

// Means over what a mask lets count, and the last position that does.
write('pooling', {
  inputs: [['x', 'float', ['batch', 8, 4]], ['attention_mask', 'int64', ['batch', 8]]],
  outputs: [['mean', 'float', ['batch', 4]], ['last', 'float', ['batch', 4]]],
  initializers: [ints('along', 1), ints('behind', -1), int('one', 1)],
  nodes: [node('Cast', ['attention_mask'], 'm', { to: 1 }), node('Unsqueeze', ['m', 'behind'], 'u'), node('Mul', ['x', 'u'], 'c'),
          node('ReduceSum', ['c', 'along'], 'sum', { keepdims: 0 }), node('ReduceSum', ['u', 'along'], 'count', { keepdims: 0 }),
          node('Div', ['sum', 'count'], 'mean'), node('ReduceSum', ['attention_mask', 'along'], 'length', { keepdims: 1 }),
          node('Sub', ['length', 'one'], 'i'), node('GatherND', ['x', 'i'], 'last', { batch_dims: 1 })],
});

// A decoder: what was attended to before, and a mask over all.
write('decoder', {
  inputs: [['input_ids', 'int64', ['batch', 'length']], ['past', 'float', ['batch', 'past', 8]],
           ['mask', 'bool', ['batch', 1, 'total']]],
  outputs: [['y', 'float', ['batch', 'length', 8]], ['present', 'float', ['batch', 'total', 8]]],
  initializers: [weight('words', [100, 8]), weight('wq', [8, 8]), float('zero', 0), float('lowest', -Infinity)],
  nodes: [node('Gather', ['words', 'input_ids'], 'h'), node('Concat', ['past', 'h'], 'present', { axis: 1 }),
          node('Where', ['mask', 'zero', 'lowest'], 'bias'), ...attend('bias', 'present')],
});

// Strides and windows without padding, and a head that wants 7 x 7.
const conv = (input, output, stride) =>
  node('Conv', [input, `w${output}`], output, { kernel_shape: [3, 3], strides: [stride, stride], pads: [1, 1, 1, 1] });
write('image', {
  inputs: [['x', 'float', ['n', 'c', 'height', 'width']]], outputs: [['y', 'float', ['n', 5]]],
  initializers: [weight('wa', [4, 3, 3, 3]), weight('wb', [4, 4, 3, 3]), weight('wc', [4, 4, 3, 3]), weight('w', [196, 5])],
  nodes: [conv('x', 'a', 4), conv('a', 'b', 4), conv('b', 'c', 2), node('Relu', ['c'], 'r'), node('Flatten', ['r'], 'f'),
          node('MatMul', ['f', 'w'], 'y')],
});
write('small_image', {
  inputs: [['x', 'float', ['n', 3, 'height', 'width']]], outputs: [['y', 'float', ['n', 4, null, null]]],
  initializers: [weight('wa', [4, 3, 3, 3]), weight('wb', [4, 4, 3, 3])],
  nodes: [conv('x', 'a', 4), node('MaxPool', ['a'], 'p', { kernel_shape: [3, 3], strides: [2, 2] }), conv('p', 'b', 2),
          node('AveragePool', ['b'], 'y', { kernel_shape: [2, 2] })],
});

write('channels_last', {
  inputs: [['x', 'float', ['n', 'height', 'width', 'channels']]], outputs: [['y', 'float', ['n', 4, null, null]]],
  initializers: [weight('wa', [4, 3, 3, 3])],
  nodes: [node('Transpose', ['x'], 't', { perm: [0, 3, 1, 2] }), conv('t', 'a', 4),
          node('MaxPool', ['a'], 'y', { kernel_shape: [5, 5], strides: [2, 2] })],
});

// A raw signal that many strides go over.
write('signal', {
  inputs: [['x', 'float', ['batch', 'samples']]], outputs: [['y', 'float', ['batch', 4, null]]],
  initializers: [weight('wa', [4, 1, 10]), weight('wb', [4, 4, 8]), weight('wc', [4, 4, 4]), ints('axis', 1)],
  nodes: [node('Unsqueeze', ['x', 'axis'], 'u'), node('Conv', ['u', 'wa'], 'a', { strides: [5] }),
          node('Conv', ['a', 'wb'], 'b', { strides: [4] }), node('Relu', ['b'], 'r'),
          node('Conv', ['r', 'wc'], 'y', { strides: [4] })],
});

// A detector: the best k of scores, and the boxes there.
write('detector', {
  inputs: [['scores', 'float', ['boxes', 6]], ['boxes', 'float', ['boxes', 4]], ['k', 'int64', [1]], ['classes', 'int64', [3]]],
  outputs: [['y', 'float', [null, 4]], ['areas', 'float', [null]], ['picked', 'float', ['boxes', 3]]],
  initializers: [ints('one', 1), ints('axis', 1)],
  nodes: [node('ReduceMax', ['scores'], 'best', { axes: [1], keepdims: 0 }), node('TopK', ['best', 'k'], ['v', 'i'], { axis: 0 }),
          node('Gather', ['boxes', 'i'], 'y'), node('Gather', ['scores', 'classes'], 'picked', { axis: 1 }),
          node('ReduceSum', ['boxes', 'axis'], 's', { keepdims: 0 }), node('Exp', ['s'], 'areas')],
});

// Roots, logarithms and quotients of inputs.
write('domains', {
  inputs: ['a', 'b', 'c', 'd', 'e', 'f'].map(name => [name, 'float', ['n', 4]]),
  outputs: ['ra', 'rb', 'rc', 'rd', 're', 'rf'].map(name => [name, 'float', ['n', 4]]),
  initializers: [float('half', 0.5), float('minus', -3), float('power', 1.7)],
  nodes: [node('Sub', ['a', 'half'], 'a1'), node('Sqrt', ['a1'], 'ra'), node('Mul', ['b', 'minus'], 'b1'), node('Log', ['b1'], 'rb'),
          node('Pow', ['c', 'power'], 'rc'), node('Acosh', ['d'], 'rd'), node('Div', ['a', 'e'], 're'),
          node('Relu', ['f'], 'f1'), node('Log', ['f1'], 'rf')],
});

// Shapes and counts as inputs.
write('shapes', {
  inputs: [['x', 'float', [2, 12]], ['shape', 'int64', [3]], ['repeats', 'int64', [2]], ['limit', 'int64', []],
           ['pads', 'int64', [4]], ['trips', 'int64', []]],
  outputs: [['y', 'float', [null, null, null]], ['z', 'float', [null, null]], ['r', 'int64', [null]], ['p', 'float', [null, null]]],
  initializers: [int('zero', 0), int('step', 1)],
  nodes: [node('Reshape', ['x', 'shape'], 'y'), node('Tile', ['x', 'repeats'], 'z'), node('Range', ['zero', 'limit', 'step'], 'r'),
          node('Pad', ['x', 'pads'], 'p')],
});

// Positions through every operator that takes some.
write('indices', {
  inputs: [['x', 'float', [5, 7]], ['i', 'int32', [3]], ['e', 'int64', [2, 7]], ['t', 'int64', [4, 2]], ['h', 'int64', [6]],
           ['s', 'int64', [2, 7]]],
  outputs: [['a', 'float', [3, 7]], ['b', 'float', [2, 7]], ['c', 'float', [4]], ['d', 'float', [6, 9]], ['f', 'float', [5, 7]]],
  initializers: [int('two', 2), int('depth', 9), onnx.tensorProto('values', 'float', [2], [0, 1]), weight('w', [2, 7])],
  nodes: [node('Cast', ['i'], 'i1', { to: 7 }), node('Sub', ['i1', 'two'], 'i2'), node('Gather', ['x', 'i2'], 'a'),
          node('GatherElements', ['x', 'e'], 'b', { axis: 0 }), node('GatherND', ['x', 't'], 'c'),
          node('OneHot', ['h', 'depth', 'values'], 'd'), node('ScatterElements', ['x', 's', 'w'], 'f', { axis: 0 })],
});

// What no extents suit.
fs.mkdirSync(path.join(folder, 'bad'), { recursive: true });
write('bad/unfit', {
  inputs: [['a', 'float', ['n', 3]], ['b', 'float', ['n', 4]]], outputs: [['y', 'float', ['n', 4]]],
  nodes: [node('Add', ['a', 'b'], 'y')],
});
