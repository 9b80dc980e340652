//===- control.js - If, Loop and Scan, optionals, model-local functions ---===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const { floats, list, scalar, graphCase } = require('./describe');
const onnx = require('../onnx');

const x = floats([3, 4]);
const value = (type, dims, values) => onnx.tensorProto('', type, dims, values);

// Both branches capture x; they differ in op and constant.
const branch = (op, constant) => onnx.graph({
  outputs: [['o', 'float', [3, 4]]],
  nodes: [
    { op: 'Constant', outputs: ['k'], attrs: { value: value('float', [], [constant]) } },
    { op, inputs: ['x', 'k'], outputs: ['o'] },
  ],
});

const ifCase = (name, opset, taken) => graphCase(name, opset, {
  inputs: { x, c: scalar('bool', taken) }, outputs: [['y', 'float']],
  nodes: [{ op: 'If', inputs: ['c'], outputs: ['y'], attrs: { then_branch: branch('Add', 1.5),
      else_branch: branch('Mul', 3) } }],
});

const constantIf = graphCase('If_21_constant_condition', 21, {
  inputs: { x }, constants: { c: scalar('bool', false) }, outputs: [['y', 'float']],
  nodes: [{ op: 'If', inputs: ['c'], outputs: ['y'], attrs: { then_branch: branch('Add', 1.5),
      else_branch: branch('Mul', 3) } }],
});

// s <- s + x, four times at most, until its sum passes the limit; every s is scanned.
const body = onnx.graph({
  inputs: [['i', 'int64', []], ['go', 'bool', []], ['s', 'float', [3, 4]]],
  outputs: [['again', 'bool', []], ['next', 'float', [3, 4]], ['trace', 'float', [3, 4]]],
  nodes: [
    { op: 'Add', inputs: ['s', 'x'], outputs: ['next'] },
    { op: 'ReduceSum', inputs: ['next'], outputs: ['sum'], attrs: { keepdims: 0 } },
    { op: 'Less', inputs: ['sum', 'limit'], outputs: ['again'] },
    { op: 'Identity', inputs: ['next'], outputs: ['trace'] },
  ],
});

const loopCase = (name, opset, trips, limit) => graphCase(name, opset, {
  inputs: { x, n: scalar('int64', trips), start: floats([3, 4], 0, 1) },
  constants: { go: scalar('bool', true), limit: scalar('float', limit) },
  outputs: [['y', 'float'], ['all', 'float']],
  nodes: [{ op: 'Loop', inputs: ['n', 'go', 'start'], outputs: ['y', 'all'], attrs: { body } }],
});

// Running sums of rows, with a state.
const scanBody = onnx.graph({
  inputs: [['s', 'float', [4]], ['row', 'float', [4]]], outputs: [['t', 'float', [4]], ['o', 'float', [4]]],
  nodes: [
    { op: 'Add', inputs: ['s', 'row'], outputs: ['t'] },
    { op: 'Mul', inputs: ['t', 'row'], outputs: ['o'] },
  ],
});

const scanCase = (name, opset, attrs) => graphCase(name, opset, {
  inputs: { x }, constants: { zero: floats([4], 0, 1) }, outputs: [['last', 'float'], ['y', 'float']],
  nodes: [{ op: 'Scan', inputs: ['zero', 'x'], outputs: ['last', 'y'],
      attrs: { body: scanBody, num_scan_inputs: 1, ...attrs } }],
});

const optionals = [
  graphCase('OptionalHasElement_18_tensor', 18, {
    inputs: { x }, outputs: [['has', 'bool'], ['y', 'float']], opaque: true,
    nodes: [
      { op: 'OptionalHasElement', inputs: ['x'], outputs: ['has'] },
      { op: 'OptionalGetElement', inputs: ['x'], outputs: ['y'] },
    ],
  }),
  graphCase('OptionalHasElement_18_nothing', 18, {
    inputs: { x }, outputs: [['has', 'bool'], ['y', 'float']], opaque: true,
    nodes: [
      { op: 'OptionalHasElement', outputs: ['has'] },
      { op: 'Relu', inputs: ['x'], outputs: ['y'] },
    ],
  }),
  graphCase('Sequence_18', 18, {
    inputs: { x }, constants: { one: scalar('int64', 1) }, outputs: [['y', 'float']], opaque: true,
    nodes: [
      { op: 'SplitToSequence', inputs: ['x', 'one'], outputs: ['s'], attrs: { axis: 0 } },
      { op: 'SequenceAt', inputs: ['s', 'one'], outputs: ['y'] },
    ],
  }),
];

const scaleAdd = {
  name: 'ScaleAdd', domain: 'local', inputs: ['a', 'b'], outputs: ['r'], attributes: ['axis'],
      defaults: { factor: 2.5 },
  opset: { '': 18 },
  nodes: [
    { op: 'Constant', outputs: ['f'], attrs: { value_float: { ref: 'factor', type: 'FLOAT' } } },
    { op: 'Mul', inputs: ['a', 'f'], outputs: ['m'] },
    { op: 'Add', inputs: ['m', 'b'], outputs: ['t'] },
    { op: 'Softmax', inputs: ['t'], outputs: ['r'], attrs: { axis: { ref: 'axis', type: 'INT' } } },
  ],
};

const functions = [
  graphCase('Function_18_defaults_and_references', 18, {
    irVersion: 9, opsets: { '': 18, 'local': 1 }, inputs: { x, z: floats([4]) }, outputs: [['y', 'float']],
        functions: [scaleAdd],
    nodes: [
      { op: 'ScaleAdd', domain: 'local', inputs: ['x', 'z'], outputs: ['h'], attrs: { axis: 0 } },
      { op: 'ScaleAdd', domain: 'local', inputs: ['h', 'x'], outputs: ['y'], attrs: { axis: 1, factor: { float: 4 } } },
    ],
  }),
];

module.exports = [
  ifCase('If_21_then', 21, true), ifCase('If_21_else', 21, false), ifCase('If_16_else', 16, false), constantIf,
  loopCase('Loop_21_trips', 21, 3, 1e9), loopCase('Loop_21_condition', 21, 9, 8), loopCase('Loop_16_trips', 16, 2, 1e9),
  scanCase('Scan_21', 21, {}), scanCase('Scan_21_reverse', 21, { scan_input_directions: [1] }),
  scanCase('Scan_21_reverse_output', 21, { scan_output_directions: [1] }),
  ...optionals, ...functions,
];
