//===- report_samples.js - Commands whose reports are looked at -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('./onnx');

// Words of commands on an example, each with what makes its report another one.
function samples({ example, work }) {
  const file = name => `${work}/${name}`, fixed = ['--dim', 'batch=1'];
  const compile = (name, ...flags) => ['compile', example, '-o', file(name), ...flags];
  return [
    compile('plain.onnx'),
    compile('nhwc.onnx', ...fixed, '-t', 'nhwc'),
    compile('region.onnx', ...fixed, '-t', 'nhwc', '--layout-strategy', 'region', '--verify', 'off'),
    compile('opu.onnx', ...fixed, '-t', 'opu', '--rewrite', 'on'),
    compile('best.onnx', ...fixed, '-t', 'opu', '--fusion-strategy', 'optimal'),
    compile('blocked.onnx', ...fixed, '-t', 'nchw16c'),
    compile('kernels.onnx', ...fixed, '--graph-kernels', 'on'),
    compile('best-kernels.onnx', ...fixed, '--graph-kernels', 'on', '--fusion-strategy', 'optimal'),
    compile('limits.onnx', ...fixed, '-t', 'ascend', '--rewrite', 'on', '--opset', '13'),
    compile('cut.mlir', ...fixed, '-t', 'opu'),
    compile('none.onnx', ...fixed, '--print-pipeline'),
    compile('library.so', ...fixed),
    ['inspect', example],
    ['inspect', file('opu.onnx')],
    ['inspect', example, ...fixed, '--cost', '-t', file('rates.yaml')],
    ['run', example],
    ['run', example, ...fixed, '--output', file('outputs')],
    ['run', example, ...fixed, '--native', '--check'],
    ['run', example, ...fixed, '--dump', file('dump')],
    ['compare', example, file('nhwc.onnx'), ...fixed],
    ['compare', example, ...fixed, '--native'],
    ['compare', file('outputs'), file('outputs')],
    ['compare', example, file('other.onnx'), ...fixed],
    ['compare', example, file('other.onnx'), ...fixed, '--layers'],
    ['bisect', example, file('other.onnx'), ...fixed, '-o', file('shown.npz')],
    ['bisect', example, ...fixed, '--native'],
    ['reduce', example, ...fixed, '--differs', file('other.onnx'), '-o', file('fault.onnx')],
    ['explain', example, '-t', 'nhwc'],
    ['explain', example, ...fixed, '-t', 'opu'],
    ['explain', example, ...fixed, '-t', 'nhwc', '/stem/Conv'],
    ['explain', example, ...fixed, '--graph-kernels', 'on'],
    ['targets', 'list'],
    ['targets', 'show', 'nhwc'],
    ['targets', 'new', 'mine'],
    ['targets', 'validate', file('rates.yaml')],
    ['targets', 'validate', file('bad.yaml')],
    ['rewrites'],
    ['bench', example, ...fixed, '--rounds', '3', '--profile', '--threads', '1,2'],
    ['extract', example, ...fixed, '--outputs', 'stem.Conv', '-o', file('part.onnx')],
    ['report', example, ...fixed, '-t', 'nhwc', '-o', file('page.html')],
    ['doctor'],
    ['compile', file('missing.onnx'), '-o', file('never.onnx')],
    ['inspect', example, '--no-such-option'],
    ['compile', example, '-o', file('never.onnx'), '-t', file('bad.yaml')],
  ];
}

// A model that differs from the example in a weight.
function damage(example) {
  const proto = onnx.readFile(example), { initializer } = proto.graph;
  const weight = initializer.find(({ dims, dataType }) => dataType === 1 && dims.length === 4);
  const values = Float32Array.from(onnx.tensorValue(weight).data);
  values[0] += 10;
  Object.assign(weight, onnx.tensorProto(weight.name, 'float', weight.dims.map(Number), values));
  return onnx.write(proto);
}

// Files that commands read.
const inputs = {
  'rates.yaml': 'schema: inlay.target/1\nname: rates\nmachine: {flops: 1e12, bandwidth: 1e10, on-chip: 65536}\n',
  'bad.yaml': 'schema: inlay.target/1\nname: bad\nlayots: []\n',
};

module.exports = { samples, inputs, damage };
