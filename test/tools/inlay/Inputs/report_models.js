//===- report_models.js - Models of tests of pages ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node report_models.js FOLDER
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const path = require('node:path');
const onnx = require('onnx');

const folder = process.argv[2];
fs.mkdirSync(folder, { recursive: true });

function write(name, description) {
  fs.writeFileSync(path.join(folder, name), onnx.model({ opset: 17, ...description }));
}

const ones = (name, dims) =>
  onnx.tensorProto(name, 'float', dims, Array(dims.reduce((product, dim) => product * dim, 1)).fill(1));

// Names that would be markup, end a script, colour a terminal, turn text round
// or are no UTF-8, and one that is very long.
const evil = {
  tag: '<script>globalThis.wasRun = 1</script>',
  end: '</script><img src=x onerror="globalThis.wasRun = 2"><!--<script>',
  style: '</style><b onclick=alert(1)>&lt;&quot;',
  terminal: '\u001b[31mred\u001b[0m\u0007',
  bidi: 'a\u202etxt.exe',
  quote: '"},{"kind":"operator","name":"\\u003c',
  long: 'long/'.repeat(2000),
};
write('evil.onnx', {
  inputs: [[evil.tag, 'float', [1, 3, 8, 8]]], outputs: [[evil.end, 'float', [1, 4, 6, 6]]],
  initializers: [ones(evil.quote, [4, 3, 3, 3])],
  nodes: [{ op: 'Conv', name: evil.style, inputs: [evil.tag, evil.quote], outputs: [evil.terminal] },
          { op: 'Relu', name: evil.bidi, inputs: [evil.terminal], outputs: [evil.long] },
          { op: 'Abs', name: evil.end, inputs: [evil.long], outputs: [evil.end] }],
});

// A convolution between two layouts, a branch, and a transpose that stays.
const branch = (op, name) => onnx.graph({
  name, outputs: [[`${name}_out`, 'float', [1, 6, 6, 4]]],
  nodes: [{ op, name: `${name}_node`, inputs: ['t'], outputs: [`${name}_out`] }],
});
write('small.onnx', {
  inputs: [['x', 'float', [1, 3, 8, 8]], ['c', 'bool', []]], outputs: [['y', 'float', [1, 6, 6, 4]]],
  initializers: [ones('w', [4, 3, 3, 3])],
  nodes: [{ op: 'Conv', name: 'conv', inputs: ['x', 'w'], outputs: ['v'] },
          { op: 'Relu', name: 'bend', inputs: ['v'], outputs: ['r'] },
          { op: 'Transpose', name: 'turn', inputs: ['r'], outputs: ['t'], attrs: { perm: [0, 2, 3, 1] } },
          { op: 'If', name: 'choose', inputs: ['c'], outputs: ['u'],
            attrs: { then_branch: branch('Neg', 'then'), else_branch: branch('Exp', 'else') } },
          { op: 'Abs', name: 'size', inputs: ['u'], outputs: ['y'] }],
});

/** Links of a chain, every tenth of which also reads what is far behind. */
function writeChain(name, length) {
  const nodes = [];
  for (let i = 0; i < length; ++i) {
    const isSum = i % 10 === 9;
    nodes.push({ op: isSum ? 'Add' : 'Tanh', name: `n${i}`, inputs: isSum ? [`t${i}`, `t${i - 5}`] : [`t${i}`], outputs: [`t${i + 1}`] });
  }
  write(name, { inputs: [['t0', 'float', [4]]], outputs: [[`t${length}`, 'float', [4]]], nodes });
}
writeChain('chain.onnx', 1400);
writeChain('huge.onnx', 30000);

// One tensor that every node reads, and a node that reads everything.
write('fan.onnx', {
  inputs: [['x', 'float', [4]]], outputs: [['y', 'float', [4]]],
  nodes: [...Array.from({ length: 700 }, (_, i) => ({ op: 'Add', name: `n${i}`, inputs: [i ? `t${i - 1}` : 'x', 'x'], outputs: [`t${i}`] })),
          { op: 'Sum', name: 'all', inputs: Array.from({ length: 700 }, (_, i) => `t${i}`), outputs: ['y'] }],
});
