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

// 40. Ranks that are not declared: what is done with a tensor tells its rank, forward and backward, to transposes that
// reverse however many axes there are. In each pair nothing tells it in the second.
const undeclared = (g, dims, name = 'x') => g.input(name, dims, 'float', { declared: null });
const reversedTwice = (g, x) => g.transpose(g.op('Abs', [g.transpose(x)]));
const ranked = [
  situation('s40-rank-from-perm', { none: 0 }, g => {
    const x = g.op('Relu', [undeclared(g, [2, 3, 5, 7])]);
    g.output(g.transpose(g.op('Abs', [g.transpose(x, toNhwc)]), toNchw));
  }),
  situation('s40-rank-from-conv-behind', { none: 0 }, g =>
    g.pooledOutput(g.conv(reversedTwice(g, g.op('Relu', [undeclared(g, [2, 3, 5, 7])])), 3, 4))),
  situation('s40-rank-from-gemm-behind', { none: 0 }, g =>
    g.output(g.op('Gemm', [reversedTwice(g, undeclared(g, [4, 5])), g.constant([5, 3])]))),
  situation('s40-rank-from-pool-behind', { none: 0 }, g => g.output(g.op('MaxPool',
    [g.op('Add', [reversedTwice(g, undeclared(g, [2, 3, 5, 7])), g.constant([7])])], { kernel_shape: [2, 2] }))),
  situation('s40-rank-from-reshape', { none: 0 }, g =>
    g.output(reversedTwice(g, g.op('Reshape', [undeclared(g, [2, 3, 35]), g.list(2, 3, 5, 7)])))),
  situation('s40-rank-behind-reshape', { none: 2, kept: 2 }, g =>
    g.output(g.op('Reshape', [reversedTwice(g, undeclared(g, [2, 3, 35])), g.list(2, 3, 5, 7)]))),
  situation('s40-rank-from-squeeze', { none: 0 }, g => {
    const x = g.op('Squeeze', [reversedTwice(g, undeclared(g, [1, 3, 5, 7])), g.list(0)]);
    g.output(g.transpose(g.op('Abs', [g.transpose(x, [0, 2, 1])]), [0, 2, 1]));
  }),
  situation('s40-rank-behind-squeeze-without-axes', { none: 2, kept: 2 }, g => {
    const x = g.op('Squeeze', [reversedTwice(g, undeclared(g, [1, 3, 5, 7]))]);
    g.output(g.transpose(g.op('Abs', [g.transpose(x, [0, 2, 1])]), [0, 2, 1]));
  }),
  situation('s40-rank-behind-sum', { none: 2, kept: 2 }, g => {
    const x = g.op('Add', [reversedTwice(g, undeclared(g, [3, 5, 7])), undeclared(g, [2, 3, 5, 7], 'z')]);
    g.output(g.op('MaxPool', [x], { kernel_shape: [2, 2] }));
  }),
  situation('s40-rank-in-a-branch', { none: 2, kept: 2, nested: 0 }, g => {
    const x = reversedTwice(g, undeclared(g, [2, 3, 5, 7]));
    const pool = { op: 'MaxPool', name: 'pool', inputs: [x], outputs: ['pooled'], attrs: { kernel_shape: [1, 1] } };
    const then = onnx.graph({ outputs: [['pooled', 'float']], nodes: [pool] });
    const taken = g.input('taken', [], 'bool', { value: bool(true) });
    g.output(g.op('If', [taken], { then_branch: then, else_branch: branch('Relu', x) }));
  }),
];

// A Scan of `x` along `axes` (of what is read, of what is written); `nodes` make
// t, the next state, of the state s, and what is collected of it and a slice e.
function scan(g, x, [state, element, collected], nodes, attrs) {
  const inner = onnx.graph({
    inputs: [['s', 'float', state], ['e', 'float', element]],
    outputs: [['t', 'float', state], ['o', 'float', collected]], nodes,
  });
  return g.op('Scan', [g.input('start', state), x], { body: inner, num_scan_inputs: 1, ...attrs }, { outputs: 2 });
}
const running = [{ op: 'Add', name: 'add', inputs: ['s', 'e'], outputs: ['t'] },
                 { op: 'Neg', name: 'neg', inputs: ['t'], outputs: ['o'] }];

// 39. Slices lie along whichever axis the whole is stored in; what a slice is
// cannot be stored otherwise where a state is not.
const scans = [
  ...sized('s39-scan-axis', { none: 0 }, (g, [a, b, c]) => {
    const x = g.transpose(g.input('x', [a, b, c]), [1, 0, 2]);
    const [last, all] = scan(g, x, [[a, c], [a, c], [a, c]], running, {});
    g.output(last);
    g.output(g.transpose(all, [1, 2, 0]));
  }, { equal: [4, 4, 4], prime: [2, 7, 3] }),
  ...sized('s39-scan-axes-backwards', { none: 0, opset: 11 }, (g, [a, b, c]) => {
    const x = g.transpose(g.input('x', [b, a, c]), [1, 2, 0]);
    const attrs = { scan_input_axes: [-1], scan_output_axes: [1], scan_input_directions: [1] };
    const [last, all] = scan(g, x, [[a, c], [a, c], [a, c]], running, attrs);
    g.output(last);
    g.output(g.transpose(all, [1, 0, 2]));
  }, { equal: [4, 4, 4], prime: [2, 7, 3] }),
  ...sized('s39-scan-slices-turned', { none: 0 }, (g, [a, b, c]) => {
    const x = g.transpose(g.input('x', [b, c, a]), [0, 2, 1]);
    const nodes = [{ op: 'Neg', name: 'neg', inputs: ['s'], outputs: ['t'] },
                   { op: 'Sin', name: 'sin', inputs: ['e'], outputs: ['i'] },
                   { op: 'Transpose', name: 'turn', inputs: ['i'], outputs: ['o'], attrs: perm([1, 0]) }];
    const [last, all] = scan(g, x, [[a], [a, c], [c, a]], nodes, {});
    g.output(last);
    g.output(all);
  }, { equal: [4, 4, 4], prime: [2, 7, 3] }),
  ...sized('s39-scan-slices-of-a-state', { none: 2 }, (g, [a, b, c]) => {
    const x = g.transpose(g.input('x', [b, c, a]), [0, 2, 1]);
    const [last, all] = scan(g, x, [[a, c], [a, c], [a, c]], running, {});
    g.output(last);
    g.output(g.transpose(all, [0, 2, 1]));
  }, { equal: [4, 4, 4], prime: [2, 7, 3] }),
];

// 40. Shapes that are known late or never.
const unknown = [
  situation('s40-rank-from-conv', { none: 0 }, g => {
    const x = g.op('Relu', [g.input('x', [2, 3, 5, 7], 'float', { declared: null })]);
    g.pooledOutput(g.conv(x, 3, 4));
  }),
  situation('s40-rank-unknown', { none: 2, kept: 2 }, g => {
    const x = g.op('Relu', [g.input('x', [2, 3, 5, 7], 'float', { declared: null })]);
    g.output(g.transpose(g.op('Abs', [g.transpose(x)])));
  }),
  ...ranked,
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

module.exports = [...control, ...scans, ...unknown];
