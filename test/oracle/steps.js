//===- steps.js - Integer operators, one by one ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An integer operator may differ by one step from the floats in whose place it
// is. Through a whole network such steps add up: ONNX Runtime's own levels of
// optimisation end 3 steps apart in a quantised mobilenet_v2. So each operator
// is given what the original computed in front of it, and must be within one
// step behind it.
//
//===----------------------------------------------------------------------===//

'use strict';

const path = require('node:path');
const onnx = require('./onnx');
const { numbers } = require('./element');
const { randomInputs } = require('./inputs');
const { runModel } = require('./session');
const { compareTensors } = require('./equal');
const { producedNames } = require('./border');
const { quantiserStep } = require('./quantiser');

const given = name => `${name}__given`;

// The quantised tensors of the original that the other file computes, too.
function sharedTensors(original, integer) {
  const produced = new Set(producedNames(integer));
  return original.graph.node.filter(({ opType }) => opType === 'QuantizeLinear')
    .map(({ output }) => output[0]).filter(name => produced.has(name));
}

// The model with all readers of `tensors` (a Map) reading inputs instead.
function cutAt(proto, tensors) {
  const rename = name => tensors.has(name) ? given(name) : name;
  const node = proto.graph.node.map(each => ({ ...each, input: each.input.map(rename) }));
  const inputs = [...tensors].map(([name, { type, dims }]) => ({ name: given(name), type: onnx.typeProto(type, dims) }));
  return { ...proto, graph: { ...proto.graph, node, input: [...proto.graph.input, ...inputs] } };
}

const describe = ({ name, reason }) => `${name}: ${reason}`;

// Integers as numbers that may differ by a step.
const asNumbers = tensor => ({ type: 'double', dims: tensor.dims, data: Float64Array.from(numbers(tensor)) });

// {tensors, off, verdict}: how many tensors that show something were compared,
// how many of them differ somewhere, and 'equal' or the first that is more than
// a step off.
async function judgeSteps(original, integer) {
  const [a, b] = [original, integer].map(file => onnx.readFile(file));
  const inputs = randomInputs(a), shared = sharedTensors(a, b);
  const expected = (await runModel(original, inputs, { proto: a, expose: shared })).outputs;
  const fed = new Map(shared.map(name => [name, expected.get(name)]));
  const feeds = Object.fromEntries([...fed].map(([name, tensor]) => [given(name), tensor]));
  const found = (await runModel(integer, { ...inputs, ...feeds }, { proto: cutAt(b, fed), expose: shared })).outputs;
  const compare = ([name, tensor]) => {
    const step = fed.has(name) ? 1 : quantiserStep(a, name, path.dirname(original));
    const [x, y] = [tensor, found.get(name)].map(each => fed.has(name) ? asNumbers(each) : each);
    return { name, ...compareTensors(x, y, { tolerance: 0, step }) };
  };
  const rows = [...expected].map(compare), wrong = rows.find(({ equal }) => !equal);
  return {
    tensors: rows.filter(({ trivial }) => !trivial).length,
    off: rows.filter(({ changed }) => changed > 0).length,
    verdict: wrong ? describe(wrong) : 'equal',
  };
}

module.exports = { judgeSteps, sharedTensors, cutAt };
