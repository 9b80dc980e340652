//===- control.js - Situations 39 and 40: subgraphs, unknown shapes -------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('../onnx');
const { situation, sized, permuted, toNhwc, toNchw } = require('./describe');

const bool = value => ({ type: 'bool', dims: [], data: Uint8Array.from([value ? 1 : 0]) });
const int64 = value => ({ type: 'int64', dims: [], data: BigInt64Array.from([BigInt(value)]) });
const perm = list => ({ perm: list });

// One node that captures `value`.
const branch = (op, value, dims) => onnx.graph({
  outputs: [[`${op}_out`, 'float', dims]], nodes: [{ op, name: `${op}_node`, inputs: [value], outputs: [`${op}_out`] }],
});

function choose(g, taken, value, dims) {
  const attrs = { then_branch: branch('Relu', value, dims), else_branch: branch('Neg', value, dims) };
  return g.op('If', [g.input('taken', [], 'bool', { value: bool(taken) })], attrs);
}

// A body over one carried tensor and one scanned; `nodes` read s and make t.
const body = (nodes, dims) => onnx.graph({
  inputs: [['i', 'int64', []], ['go', 'bool', []], ['s', 'float', dims]],
  outputs: [['again', 'bool', []], ['t', 'float', dims]],
  nodes: [{ op: 'Identity', name: 'keep', inputs: ['go'], outputs: ['again'] }, ...nodes],
});

function loop(g, start, nodes, dims, count = g.input('n', [], 'int64', { value: int64(3) })) {
  return g.op('Loop', [count, g.constant([], 'bool', { values: [1] }), start], { body: body(nodes, dims) });
}

// 39. What a subgraph captures must survive; what a loop carries keeps its layout.
const control = [
  ...[true, false].map(taken => situation(`s39-captured-${taken ? 'then' : 'else'}`, { none: 1 }, g => {
    const dims = [2, 3, 5, 7], moved = g.transpose(g.input('x', dims), toNhwc);
    g.output(choose(g, taken, moved, permuted(dims, toNhwc)));
    g.output(g.transpose(g.op('Sigmoid', [moved]), toNchw));
  })),
  situation('s39-captured-and-back', { none: 2 }, g => {
    const dims = [1, 8, 8, 8], moved = g.transpose(g.input('x', dims), toNhwc);
    g.output(g.transpose(choose(g, true, moved, dims), toNchw));
  }),
  ...sized('s39-inside-a-loop', { none: 0 }, (g, dims) => g.output(loop(g, g.input('x', dims), [
    { op: 'Transpose', name: 'there', inputs: ['s'], outputs: ['moved'], attrs: perm(toNhwc) },
    { op: 'Sin', name: 'inside', inputs: ['moved'], outputs: ['done'] },
    { op: 'Transpose', name: 'back', inputs: ['done'], outputs: ['t'], attrs: perm(toNchw) },
  ], dims))),
  ...sized('s39-carried', { none: 2 }, (g, dims) => {
    const stored = permuted(dims, toNhwc), moved = g.transpose(g.input('x', dims), toNhwc);
    const nodes = [{ op: 'Sin', name: 'inside', inputs: ['s'], outputs: ['t'] }];
    g.output(g.transpose(loop(g, moved, nodes, stored), toNchw));
  }),
  ...['unknown', 'constant'].map(trips => situation(`s39-conv-in-a-loop-${trips}-trips`, {
    none: 0, nhwc: 2, nested: trips === 'constant' ? 0 : 2,
  }, g => {
    const weight = g.constant([8, 8, 1, 1]), dims = [1, 8, 8, 8];
    const nodes = [{ op: 'Conv', name: 'conv', inputs: ['s', weight], outputs: ['c'] },
                   { op: 'Sin', name: 'inside', inputs: ['c'], outputs: ['t'] }];
    const count = trips === 'constant' ? g.scalar(3, 'int64') : g.input('n', [], 'int64', { value: int64(3) });
    g.output(loop(g, g.input('x', dims), nodes, dims, count));
  })),
];

// 40. Shapes that are known late or never.
const unknown = [
  situation('s40-rank-from-conv', { none: 0 }, g => {
    const x = g.op('Relu', [g.input('x', [2, 3, 5, 7], 'float', { declared: null })]);
    g.pooledOutput(g.conv(x, 3, 4));
  }),
  situation('s40-rank-unknown', { none: 2 }, g => {
    const x = g.op('Relu', [g.input('x', [2, 3, 5, 7], 'float', { declared: null })]);
    g.output(g.transpose(g.op('Abs', [g.transpose(x)])));
  }),
  situation('s40-symbols-equal-at-run-time', { none: 0, nhwc: 2 }, g => {
    const [a, b] = ['a', 'b'].map(name => {
      const x = g.input(name, [1, 8, 8, 8], 'float', { declared: ['N', 8, `H${name}`, `W${name}`] });
      return g.op('Relu', [g.conv(x, 8, 4)]);
    });
    g.pooledOutput(g.conv(g.op('Add', [a, b]), 4, 4));
  }),
  situation('s40-symbols-between-transposes', { none: 0 }, g => {
    const x = g.input('x', [2, 5, 7, 3], 'float', { declared: ['N', 'H', 'W', 3] });
    const y = g.op('Add', [g.transpose(x, toNchw), g.constant([3, 1, 1])]);
    g.output(g.transpose(g.op('Softmax', [y], { axis: 1 }), toNhwc));
  }),
];

module.exports = [...control, ...unknown];
