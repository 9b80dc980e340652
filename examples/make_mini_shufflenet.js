#!/usr/bin/env node
//===- make_mini_shufflenet.js - Writes the bundled example model ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node examples/make_mini_shufflenet.js examples/mini_shufflenet.onnx
//
// A small image classifier, written the way exporters write models with a
// dynamic batch: shapes are computed node by node, parameters are Constant
// nodes, and identities and dropouts of the training framework are still there.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const { Exporter } = require('./exporter');

const classes = 10, groups = 4;
const net = new Exporter();

// Groups exchange their channels: N, G·C, H, W seen as N, G, C, H, W.
function shuffle(name, x, channels) {
  const split = net.reshape(`${name}.split`, x, [[x, 0], groups, channels / groups, [x, 2], [x, 3]]);
  const swapped = net.add('Transpose', name, [split], { perm: [0, 2, 1, 3, 4] });
  return net.reshape(`${name}.join`, swapped, [[x, 0], channels, [x, 2], [x, 3]]);
}

function block(name, x, channels) {
  const reduced = net.add('Relu', `${name}.reduce`, [net.convolution(`${name}.reduce`, x, channels, channels, { kernel: 1, group: groups })]);
  const mixed = net.convolution(`${name}.mix`, shuffle(`${name}.shuffle`, reduced, channels), channels, channels, { group: channels });
  const expanded = net.convolution(`${name}.expand`, net.add('Identity', `${name}.mix`, [mixed]), channels, channels, { kernel: 1, group: groups });
  return net.add('Relu', `${name}.out`, [net.add('Add', name, [x, expanded])]);
}

function classifier(x, channels) {
  const pooled = net.add('GlobalAveragePool', 'head.pool', [x]);
  const flat = net.reshape('head.flatten', pooled, [[pooled, 0], channels]);
  const kept = net.add('Dropout', 'head.dropout', [flat]);
  const logits = net.add('Gemm', 'head.fc', [kept, net.weight('head.fc.weight', [classes, channels], 0.5), net.weight('head.fc.bias', [classes], 0.1)],
                     { transB: 1 });
  net.add('Softmax', 'head', [logits], { axis: 1 }, 'probabilities');
}

function build() {
  let x = net.add('Relu', 'stem', [net.convolution('stem', 'image', 3, 32)]);
  x = block('stage1.block2', block('stage1.block1', x, 32), 32);
  x = net.add('Relu', 'down', [net.convolution('down', x, 32, 64, { stride: 2 })]);
  x = block('stage2.block2', block('stage2.block1', x, 64), 64);
  classifier(x, 64);
  return net.model('mini_shufflenet', [['image', 'float', ['batch', 3, 32, 32]]], [['probabilities', 'float', ['batch', classes]]]);
}

fs.writeFileSync(process.argv[2], build());
