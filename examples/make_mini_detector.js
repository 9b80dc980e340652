#!/usr/bin/env node
//===- make_mini_detector.js - Writes the model of the demo ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node examples/make_mini_detector.js examples/mini_detector.onnx
//
// A small object detector with the chains of transposes that exporters leave:
// blocks as ConvNeXt has them, which normalise and mix channels last between
// convolutions that want them first, and heads as SSD has them, which turn what
// they found to channels last before it is joined.
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const { Exporter } = require('./exporter');

const classes = 6, anchors = 3, box = 4;
const net = new Exporter();

const toLast = (name, x) => net.add('Transpose', `${name}.last`, [x], { perm: [0, 2, 3, 1] });
const toFirst = (name, x) => net.add('Transpose', `${name}.first`, [x], { perm: [0, 3, 1, 2] });

function normalise(name, x, channels) {
  return net.add('LayerNormalization', name, [x, net.weight(`${name}.scale`, [channels], 0.1, 1), net.weight(`${name}.shift`, [channels], 0.1)],
                 { axis: -1, epsilon: 1e-6 });
}

function linear(name, x, inputs, outputs) {
  const product = net.add('MatMul', name, [x, net.weight(`${name}.weight`, [inputs, outputs], Math.sqrt(3 / inputs))]);
  return net.add('Add', name, [product, net.weight(`${name}.bias`, [outputs], 0.1)]);
}

// x / 2 * (1 + erf(x / sqrt(2))), as opsets before 20 say it.
function gelu(name, x) {
  const number = (own, value) => net.weight(`${name}.${own}`, [], 0, value);
  const share = net.add('Add', name, [net.add('Erf', name, [net.add('Div', name, [x, number('root', Math.SQRT2)])]), number('one', 1)]);
  return net.add('Mul', `${name}.half`, [net.add('Mul', name, [x, share]), number('scale', 0.5)]);
}

function block(name, x, channels) {
  const mixed = net.convolution(`${name}.depthwise`, x, channels, channels, { kernel: 7, group: channels });
  const normal = normalise(`${name}.norm`, toLast(name, mixed), channels);
  const wide = gelu(`${name}.gelu`, linear(`${name}.expand`, normal, channels, 4 * channels));
  const narrow = linear(`${name}.reduce`, wide, 4 * channels, channels);
  const scaled = net.add('Mul', name, [narrow, net.weight(`${name}.gamma`, [channels], 0.1, 0.5)]);
  return net.add('Add', `${name}.out`, [x, toFirst(name, scaled)]);
}

function downsample(name, x, inputs, outputs, kernel) {
  const normal = inputs === 3 ? x : toFirst(`${name}.norm`, normalise(`${name}.norm`, toLast(`${name}.norm`, x), inputs));
  return net.convolution(name, normal, inputs, outputs, { kernel, stride: kernel, pad: 0 });
}

// What a head finds at each place of `x`, as a list of `size` numbers each.
function head(name, x, channels, size) {
  const found = toLast(name, net.convolution(name, x, channels, anchors * size));
  return net.reshape(`${name}.list`, found, [[found, 0], -1, size]);
}

function build() {
  let x = downsample('stem', 'image', 3, 24, 4);
  x = block('stage1.block2', block('stage1.block1', x, 24), 24);
  const fine = x;
  x = downsample('stage2.down', x, 24, 48, 2);
  x = block('stage2.block2', block('stage2.block1', x, 48), 48);
  const sizes = [[fine, 24, 'fine'], [x, 48, 'coarse']];
  const join = (name, size) => net.add('Concat', name, sizes.map(([from, channels, level]) => head(`${name}.${level}`, from, channels, size)), { axis: 1 });
  net.add('Softmax', 'scores', [join('scores', classes)], { axis: -1 }, 'scores');
  net.add('Identity', 'boxes', [join('boxes', box)], {}, 'boxes');
  return net.model('mini_detector', [['image', 'float', ['batch', 3, 64, 64]]],
                   [['scores', 'float', ['batch', 'places', classes]], ['boxes', 'float', ['batch', 'places', box]]]);
}

fs.writeFileSync(process.argv[2], build());
