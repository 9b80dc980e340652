//===- quantiser.js - The last quantiser before an output -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('./onnx');

// Breadth first from the output towards the inputs: the first QuantizeLinear
// met is the last one before the output.
function lastQuantiser(graph, output) {
  const producers = new Map(graph.node.flatMap(node => node.output.map(name => [name, node])));
  const queue = [output], seen = new Set(queue);
  for (let i = 0; i < queue.length; ++i) {
    const node = producers.get(queue[i]);
    if (node?.opType === 'QuantizeLinear') return node;
    for (const name of node?.input ?? []) if (!seen.has(name)) queue.push(name), seen.add(name);
  }
  return undefined;
}

// Two neighbours among the multiples of a step are rounded, each by at most half
// a unit in the last place of 256 steps.
const roundings = 2 ** -16;

// Its step, the largest where it has one per channel; undefined when there is
// no quantiser or its scale is computed.
function quantiserStep(proto, output, folder) {
  const scale = lastQuantiser(proto.graph, output)?.input[1];
  const constant = proto.graph.initializer.find(({ name }) => name === scale) ?? constantNode(proto.graph, scale);
  if (!constant) return undefined;
  return Math.max(...onnx.tensorValue(constant, folder).data) * (1 + roundings);
}

function constantNode(graph, name) {
  const node = graph.node.find(({ opType, output }) => opType === 'Constant' && output[0] === name);
  return node && onnx.attribute(node, 'value');
}

module.exports = { quantiserStep };
