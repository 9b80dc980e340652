//===- round_models.js - Models that take several rounds ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node round_models.js FOLDER
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
const node = (op, inputs, outputs, attrs = {}) => ({ op, name: outputs[0], inputs, outputs, attrs });
const transpose = (input, output, perm) => node('Transpose', [input], [output], { perm });

// relu(xt + zt) and sigmoid(x + z)t, where t transposes; the second sum is of
// another input in the twin.
const sums = second => ({
  inputs: ['x', 'z', 'v'].map(name => [name, 'float', [2, 3, 4, 5]]),
  outputs: [['o1', 'float', [2, 4, 5, 3]], ['o2', 'float', [2, 4, 5, 3]]],
  nodes: [transpose('x', 'xt', [0, 2, 3, 1]), transpose('z', 'zt', [0, 2, 3, 1]), node('Add', ['xt', 'zt'], ['a1']),
          node('Relu', ['a1'], ['o1']), node('Add', ['x', second], ['a2']), node('Sigmoid', ['a2'], ['s']),
          transpose('s', 'o2', [0, 2, 3, 1])],
});
write('equal_sums.onnx', sums('z'));
write('other_sums.onnx', sums('v'));

// A Scan along the first axis of what is transposed for it.
const body = onnx.graph({
  name: 'body', inputs: [['s', 'float', [2, 4]], ['e', 'float', [2, 4]]],
  outputs: [['t', 'float', [2, 4]], ['u', 'float', [2, 4]]],
  nodes: [node('Add', ['s', 'e'], ['t']), node('Relu', ['t'], ['u'])],
});
write('scan.onnx', {
  inputs: [['x', 'float', [2, 7, 4]], ['i', 'float', [2, 4]]],
  outputs: [['f', 'float', [2, 4]], ['y', 'float', [2, 7, 4]]],
  nodes: [transpose('x', 'xt', [1, 0, 2]), node('Scan', ['i', 'xt'], ['f', 'yt'], { num_scan_inputs: 1, body }),
          transpose('yt', 'y', [1, 0, 2])],
});
