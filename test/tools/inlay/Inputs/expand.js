//===- expand.js - A model of composite operators -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node expand.js FOLDER
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('onnx');

const folder = process.argv[2];
fs.mkdirSync(folder, { recursive: true });
fs.writeFileSync(path.join(folder, 'model.onnx'), onnx.model({
  opset: 20, inputs: [['x', 'float', [4, 8]]], outputs: [['y', 'float', [4, 8]]],
  nodes: [
    { op: 'Gelu', name: 'gelu', inputs: ['x'], outputs: ['a'] },
    { op: 'Sigmoid', name: 'sigmoid', inputs: ['a'], outputs: ['b'] },
    { op: 'Softmax', name: 'softmax', inputs: ['b'], outputs: ['y'] },
  ],
}));
