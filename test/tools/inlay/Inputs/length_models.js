//===- length_models.js - Models of inputs of any length ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node length_models.js FOLDER
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('onnx');

const folder = process.argv[2];

// Of nodes as [operator, name, inputs, attributes], each of which computes what
// has its name; the last is the output 'y'.
function write(file, dims, result, nodes, initializers = []) {
  const last = nodes.length - 1;
  const model = onnx.model({
    opset: 17, inputs: [['x', 'float', dims]], outputs: [['y', 'float', result]],
    initializers: initializers.map(own => onnx.tensorProto(...own)),
    nodes: nodes.map(([op, name, inputs, attrs], i) => ({ op, name, inputs, outputs: [i === last ? 'y' : name], attrs })),
  });
  fs.writeFileSync(path.join(folder, file), model);
}

const text = [1, 'length', 8];

write('attention.onnx', text, text, [
  ['Transpose', 'keys', ['x'], { perm: [0, 2, 1] }],
  ['MatMul', 'scores', ['x', 'keys']],
  ['Softmax', 'weights', ['scores'], { axis: -1 }],
  ['MatMul', 'seen', ['weights', 'x']],
]);

// Sums of all before each element, which nothing ends at a length; the last one; their number;
// whether they are many; one more of them; pairs of them; and another open
// dimension.
write('sums.onnx', text, text, [['CumSum', 'sums', ['x', 'axis']]], [['axis', 'int64', [], [1n]]]);
write('mean.onnx', text, [1, 8], [['ReduceMean', 'mean', ['x'], { axes: [1], keepdims: 0 }]]);
write('last.onnx', text, [1, 8], [['Gather', 'last', ['x', 'end'], { axis: 1 }]], [['end', 'int64', [], [-1n]]]);
write('divided.onnx', text, text, [
  ['Shape', 'shape', ['x']],
  ['Gather', 'length', ['shape', 'one'], { axis: 0 }],
  ['Cast', 'number', ['length'], { to: 1 }],
  ['Div', 'divided', ['x', 'number']],
], [['one', 'int64', [], [1n]]]);
write('short.onnx', text, text, [
  ['Shape', 'shape', ['x']],
  ['Gather', 'length', ['shape', 'one'], { axis: 0 }],
  ['Greater', 'greater', ['length', 'ten']],
  ['Cast', 'number', ['greater'], { to: 1 }],
  ['Mul', 'kept', ['x', 'number']],
], [['one', 'int64', [], [1n]], ['ten', 'int64', [], [10n]]]);
write('longer.onnx', text, [1, null, 8], [['Concat', 'longer', ['first', 'x'], { axis: 1 }]], [['first', 'float', [1, 1, 8], Array(8).fill(1)]]);
write('twice.onnx', text, [1, 'length', 'length'], [
  ['Transpose', 'keys', ['x'], { perm: [0, 2, 1] }],
  ['MatMul', 'scores', ['x', 'keys']],
]);
write('other.onnx', ['batch', 'length', 8], ['batch', 'length', 8], [['Relu', 'relu', ['x']]]);

// A picture through a window, twice as large, and where all windows end at the
// same place whatever its size is.
const picture = [1, 2, 'height', 'width'];
const weight = ['weight', 'float', [3, 2, 3, 3], Array.from({ length: 54 }, (_, i) => i % 5 - 2)];
write('picture.onnx', picture, [1, 3, null, null], [
  ['Conv', 'conv', ['x', 'weight'], { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] }],
  ['Relu', 'relu', ['conv']],
], [weight]);
write('larger.onnx', picture, [1, 2, null, null], [['Resize', 'larger', ['x', '', 'factors'], { mode: 'nearest' }]], [['factors', 'float', [4], [1, 1, 2, 2]]]);
write('same.onnx', picture, [1, 3, null, null], [['Conv', 'same', ['x', 'weight'], { kernel_shape: [3, 3], strides: [2, 2], auto_pad: 'SAME_UPPER' }]], [weight]);
