//===- layout_models.js - Models of the tests of layouts ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node layout_models.js FOLDER
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('onnx');

const folder = process.argv[2];
fs.mkdirSync(folder, { recursive: true });

const write = (name, description) =>
  fs.writeFileSync(path.join(folder, name), onnx.model({ opset: 17, ...description }));

const image = [1, 4, 6, 8];
const row = [1, 4, 48];
const weights = (name, dims) =>
  onnx.tensorProto(name, 'float', dims, Float32Array.from({ length: dims.reduce((a, b) => a * b) }, (_, i) => Math.sin(i)));
const integers = (name, values) => onnx.tensorProto(name, 'int64', [values.length], values);
const initializers = [weights('w', [4, 4, 1, 1]), integers('to_row', row), integers('to_image', image)];
const conv = (name, input, output) => ({ op: 'Conv', name, inputs: [input, 'w'], outputs: [output] });
const reshape = (name, input, to, output) => ({ op: 'Reshape', name, inputs: [input, to], outputs: [output] });
const x = ['x', 'float', image];

// The drawings of docs/Requirements.md.
write('two_convs.onnx', {
  inputs: [x], outputs: [['y', 'float', image]], initializers,
  nodes: [conv('first', 'x', 'a'), conv('second', 'a', 'y')],
});
write('feature_tensor_feature.onnx', {
  inputs: [x], outputs: [['y', 'float', image]], initializers,
  nodes: [conv('first', 'x', 'a'), reshape('flat', 'a', 'to_row', 'b'), { op: 'Abs', name: 'abs', inputs: ['b'], outputs: ['c'] },
          reshape('back', 'c', 'to_image', 'd'), conv('second', 'd', 'y')],
});
const norm = (name, input, output) => ({
  op: 'BatchNormalization', name, inputs: [input, 'scale', 'shift', 'mean', 'variance'], outputs: [output],
});
const statistics = ['scale', 'shift', 'mean', 'variance'].map(name =>
  onnx.tensorProto(name, 'float', [4], Float32Array.from([1, 2, 3, 4])));
write('normalized.onnx', {
  inputs: [x], outputs: [['y', 'float', image]], initializers: [...initializers, ...statistics],
  nodes: [conv('first', 'x', 'a'), { op: 'Relu', name: 'relu', inputs: ['a'], outputs: ['b'] }, norm('norm', 'b', 'c'),
          conv('second', 'c', 'd'), norm('other', 'd', 'e'), conv('third', 'e', 'f'),
          { op: 'Softmax', name: 'softmax', inputs: ['f'], outputs: ['g'], attrs: { axis: 1 } }, conv('fourth', 'g', 'y')],
});
write('symbols.onnx', {
  inputs: [['x', 'float', ['batch', 4, 'side', 8]]], outputs: [['y', 'float', ['batch', 4, 'side', 8]]], initializers,
  nodes: [conv('conv', 'x', 'y')],
});
write('two_branches.onnx', {
  inputs: [x, ['z', 'float', image]], outputs: [['y', 'float', row]], initializers,
  nodes: [conv('conv', 'x', 'a'), reshape('left', 'a', 'to_row', 'b'), reshape('right', 'z', 'to_row', 'c'),
          { op: 'Add', name: 'add', inputs: ['b', 'c'], outputs: ['y'] }],
});
write('two_layouts.onnx', {
  inputs: [x], outputs: [['y', 'float', row]], initializers,
  nodes: [conv('first', 'x', 'a'), conv('second', 'x', 'b'),
          { op: 'Transpose', name: 'turn', inputs: ['b'], outputs: ['c'], attrs: { perm: [0, 2, 3, 1] } },
          { op: 'Abs', name: 'abs', inputs: ['c'], outputs: ['d'] },
          reshape('left', 'a', 'to_row', 'e'), reshape('right', 'd', 'to_row', 'f'),
          { op: 'Add', name: 'add', inputs: ['e', 'f'], outputs: ['y'] }],
});
write('three_transposes.onnx', {
  inputs: [x], outputs: [['y', 'float', [1, 4, 8, 6]]], initializers,
  nodes: [conv('first', 'x', 'a'),
          { op: 'Transpose', name: 'turn', inputs: ['a'], outputs: ['b'], attrs: { perm: [0, 1, 3, 2] } },
          conv('second', 'b', 'y')],
});

// Transposes around an operator that does not mind.
write('pair.onnx', {
  inputs: [x], outputs: [['y', 'float', image]],
  nodes: [{ op: 'Transpose', name: 'turn', inputs: ['x'], outputs: ['a'], attrs: { perm: [0, 2, 3, 1] } },
          { op: 'Relu', name: 'relu', inputs: ['a'], outputs: ['b'] },
          { op: 'Transpose', name: 'back', inputs: ['b'], outputs: ['y'], attrs: { perm: [0, 3, 1, 2] } }],
});

// One transpose of a large tensor, or two of the small ones that it is made of.
write('outer.onnx', {
  inputs: [['a', 'float', [1, 5, 6]], ['b', 'float', [7, 1, 6]]], outputs: [['y', 'float', [6, 5, 7]]],
  nodes: [{ op: 'Add', name: 'add', inputs: ['a', 'b'], outputs: ['c'] },
          { op: 'Transpose', name: 'turn', inputs: ['c'], outputs: ['y'], attrs: { perm: [2, 1, 0] } }],
});

// Operators without layout knowledge, one of them twice, one away from every
// relayout.
const swirl = (name, input, output) => ({ op: 'Swirl', name, domain: 'com.acme', inputs: [input], outputs: [output] });
write('barriers.onnx', {
  inputs: [x], outputs: [['y', 'float', image], ['z', 'float', image]], initializers, opset: { '': 17, 'com.acme': 1 },
  values: [['b', 'float', image], ['d', 'float', image]],
  nodes: [conv('first', 'x', 'a'), swirl('one', 'a', 'b'), conv('second', 'b', 'c'), swirl('two', 'c', 'd'),
          conv('third', 'd', 'y'), { op: 'Far', name: 'far', domain: 'com.acme', inputs: ['x'], outputs: ['z'] }],
});

// Normalised in front of a convolution, as densenets have it.
write('preactivated.onnx', {
  inputs: [['x', 'float', image]], outputs: [['y', 'float', image]],
  initializers: [...initializers, ...['scale', 'shift', 'mean'].map(name => weights(name, [4])),
                 onnx.tensorProto('variance', 'float', [4], Float32Array.from([1, 2, 3, 4]))],
  nodes: [{ op: 'BatchNormalization', name: 'norm', inputs: ['x', 'scale', 'shift', 'mean', 'variance'], outputs: ['n'] },
          { op: 'Relu', name: 'relu', inputs: ['n'], outputs: ['r'] },
          { op: 'Conv', name: 'conv', inputs: ['r', 'w'], outputs: ['y'] }],
});

// Queries, keys and values of one projection, with their heads behind positions.
const attention = others => {
  const node = (op, name, inputs, attrs = {}) => ({ op, name, inputs, outputs: [name], attrs });
  const heads = name => [node('MatMul', `${name}_all`, ['x', name]), node('Reshape', `${name}_split`, [`${name}_all`, 'to_heads']),
                         node('Transpose', `${name}_heads`, [`${name}_split`], { perm: name === 'k' ? [0, 2, 3, 1] : [0, 2, 1, 3] })];
  return {
    inputs: [['x', 'float', [1, 20, 32]]], outputs: [['y', 'float', [1, 20, 32]], ...others],
    initializers: [...['q', 'k', 'v'].map(name => weights(name, [32, 32])), integers('to_heads', [1, 20, 2, 16]), integers('to_rows', [1, 20, 32]),
                   onnx.tensorProto('scale', 'float', [], Float32Array.of(0.25)), weights('mask', [20, 20])],
    nodes: [...['q', 'k', 'v'].flatMap(heads), node('MatMul', 'products', ['q_heads', 'k_heads']), node('Mul', 'scaled', ['products', 'scale']),
            node('Add', 'scores', ['scaled', 'mask']), node('Softmax', 'weights', ['scores'], { axis: -1 }), node('MatMul', 'sums', ['weights', 'v_heads']),
            node('Transpose', 'rows', ['sums'], { perm: [0, 2, 1, 3] }), node('Reshape', 'y', ['rows', 'to_rows'])],
  };
};
write('attention.onnx', attention([]));
write('shown_attention.onnx', attention([['weights', 'float', [1, 2, 20, 20]]]));
