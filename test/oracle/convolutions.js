//===- convolutions.js - Does every convolution read NHWC? ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Few transposes show nothing where convolutions were left in ONNX's order. A
// convolution for the target nhwc is a call of a function of that domain,
// whose body brings its first operand from channels last to ONNX's order: by a
// Transpose, or by a Reshape where every extent but the channels' is one.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('./onnx');

const convolutions = new Set(['Conv', 'ConvTranspose', 'ConvInteger', 'QLinearConv']);
const isConvolution = ({ domain, opType }) => !domain && convolutions.has(opType);

// NHWC to NCHW, of any rank.
const isChannelsFirst = perm => perm.every((axis, i) => axis === (i === 0 ? 0 : i === 1 ? perm.length - 1 : i - 1));

function readsNhwc({ node: nodes, input }, convolution) {
  const producer = nodes.find(({ output }) => output.includes(convolution.input[0]));
  if (!producer || !input.includes(producer.input[0])) return false;
  if (producer.opType === 'Reshape') return true;
  return producer.opType === 'Transpose' && isChannelsFirst(onnx.attribute(producer, 'perm').map(Number));
}

// Those that do not, in words.
function notNhwc(proto) {
  const plain = onnx.allGraphs(proto).flatMap(({ node: nodes }) => nodes.filter(isConvolution));
  const wrong = proto.functions.filter(body => body.node.some(node => isConvolution(node) && !readsNhwc(body, node)));
  return [...plain.map(({ name, opType }) => `${opType} '${name}' is not in NHWC`),
          ...wrong.map(({ name }) => `function '${name}' does not read NHWC`)];
}

module.exports = { notNhwc };
