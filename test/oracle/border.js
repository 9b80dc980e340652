//===- border.js - Makes a model's inputs and outputs reachable -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ONNX Runtime's node binding passes tensors of common element types only. At
// the border of a model, a bf16, fp8, fp4 or int4 tensor therefore goes through
// a Cast from or to float, which is exact; sequences and optionals are built
// and taken apart; intermediate values can be exposed as further outputs. The
// graph between is not touched.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('./onnx');
const { numbers } = require('./element');
const { isContainer, buildValue, showValue, decoded } = require('./containers');

const passable = new Set(['float', 'uint8', 'int8', 'uint16', 'int16', 'int32', 'int64', 'string', 'bool', 'float16',
  'double', 'uint32', 'uint64']);
const castable = /^(bfloat16|float8|float4|u?int2$|u?int4$)/;
const suffix = '__oracle';

function castNode(from, to, type) {
  return decoded('NodeProto', onnx.node({ op: 'Cast', inputs: [from], outputs: [to], attrs: { to: type } }));
}

// Inputs first: what has to be fed, and the nodes that make the model's own
// inputs of it.
function adaptInputs(graph, inputs) {
  const plan = { inputs: [], nodes: [], feeds: {}, changed: false };
  for (const input of graph.input) {
    const value = inputs[input.name], { text, dims } = onnx.describeType(input.type);
    if (value && isContainer(input.type)) {
      buildValue(plan, input.name, input.type, value);
      plan.changed = true;
    } else if (value && castable.test(text)) {
      const name = input.name + suffix;
      plan.inputs.push({ name, type: onnx.typeProto('float', dims) });
      plan.nodes.push(castNode(name, input.name, input.type.tensorType.elemType));
      plan.feeds[name] = { type: 'float', dims: value.dims, data: Float32Array.from(numbers(value)) };
      plan.changed = true;
    } else {
      plan.inputs.push(input);
      if (value) plan.feeds[input.name] = value;
    }
  }
  return plan;
}

// Then outputs: `fetch` is a Map from name to {from, type}, `hidden` the names
// of those that cannot be seen.
function adaptOutputs(graph, expose, known) {
  const plan = { outputs: [], nodes: [], fetch: new Map(), hidden: [], changed: false };
  const apart = { outputs: [], nodes: plan.nodes };
  for (const output of graph.output) {
    if (!isContainer(output.type)) adaptOutput(plan, output);
    else showValue(apart, output.name, output.type, known), plan.outputs.push(output), plan.changed = true;
  }
  for (const output of apart.outputs) adaptOutput(plan, output);
  const declared = new Set(plan.outputs.map(({ name }) => name));
  for (const name of expose) if (!declared.has(name)) addOutput(plan, { name }), plan.changed = true;
  return plan;
}

function addOutput(plan, output, from = output.name, type) {
  plan.outputs.push(from === output.name ? output : { name: from, type: onnx.typeProto('float') });
  plan.fetch.set(output.name, { from, type });
}

function adaptOutput(plan, output) {
  const { text } = onnx.describeType(output.type);
  if (passable.has(text)) return addOutput(plan, output);
  if (!castable.test(text)) return plan.outputs.push(output), plan.hidden.push(output.name);
  plan.nodes.push(castNode(output.name, output.name + suffix, 1));
  plan.changed = true;
  return addOutput(plan, output, output.name + suffix, text);
}

// {proto, changed, feeds, fetch, hidden} for running `proto` on `inputs`.
function adapt(proto, inputs, { expose = [], known = new Map() } = {}) {
  const into = adaptInputs(proto.graph, inputs), out = adaptOutputs(proto.graph, expose, known);
  const graph = {
    ...proto.graph, input: into.inputs, output: out.outputs, node: [...into.nodes, ...proto.graph.node, ...out.nodes],
  };
  return {
    proto: { ...proto, graph }, changed: into.changed || out.changed, feeds: into.feeds, fetch: out.fetch,
    hidden: out.hidden,
  };
}

// Names that nodes of the outermost graph produce, in order.
function producedNames(proto) { return proto.graph.node.flatMap(node => node.output.filter(name => name !== '')); }

module.exports = { adapt, producedNames };
