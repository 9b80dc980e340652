//===- containers.js - Sequences and optionals at a model's border --------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The node binding passes tensors only. A sequence or optional that goes in is
// therefore built inside the model from tensor inputs, and one that comes out
// is taken apart: first its length (or whether it holds something), and once
// that is known its elements, as outputs `name[0]`, `name[1]`, `name.value`.
//
// A value is a tensor, {sequence: [values]} or {optional: value or null}.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('./onnx');

const isContainer = type => Boolean(type?.sequenceType ?? type?.optionalType);

// As it would be read: with every repeated field present.
const decoded = (message, proto) => onnx.codec.decode(message, onnx.codec.encode(message, proto));
const node = options => decoded('NodeProto', onnx.node(options));

// Adds to `plan` what builds `value` under `name`: nodes, inputs, feeds.
function buildValue(plan, name, type, value) {
  if (type.tensorType) {
    plan.inputs.push({ name, type: onnx.typeProto(value.type, value.dims) });
    plan.feeds[name] = value;
  } else if (type.sequenceType) {
    buildSequence(plan, name, type.sequenceType.elemType, value.sequence);
  } else {
    buildOptional(plan, name, type.optionalType.elemType, value.optional);
  }
}

function buildSequence(plan, name, elementType, items) {
  const names = items.map((_, i) => `${name}[${i}]`);
  items.forEach((item, i) => buildValue(plan, names[i], elementType, item));
  const empty = { op: 'SequenceEmpty', outputs: [name], attrs: { dtype: elementType.tensorType?.elemType ?? 1 } };
  plan.nodes.push(node(items.length ? { op: 'SequenceConstruct', inputs: names, outputs: [name] } : empty));
}

function buildOptional(plan, name, elementType, value) {
  if (value !== null) buildValue(plan, `${name}.value`, elementType, value);
  const nothing = { op: 'Optional', outputs: [name], attrs: { type: { typeProto: elementType } } };
  plan.nodes.push(node(value === null ? nothing : { op: 'Optional', inputs: [`${name}.value`], outputs: [name] }));
}

// Adds to `plan` what takes `name` apart, as far as `known` says how large it
// is (a Map from the names of lengths and flags to their values).
function showValue(plan, name, type, known) {
  if (type.tensorType) plan.outputs.push({ name, type });
  else if (type.sequenceType) showSequence(plan, name, type.sequenceType.elemType, known);
  else showOptional(plan, name, type.optionalType.elemType, known);
}

function showSequence(plan, name, elementType, known) {
  const length = `${name}.length`;
  plan.nodes.push(node({ op: 'SequenceLength', inputs: [name], outputs: [length] }));
  plan.outputs.push({ name: length, type: onnx.typeProto('int64', []) });
  for (let i = 0; i < (known.get(length) ?? 0); ++i) {
    const at = `${name}.at${i}`, item = `${name}[${i}]`;
    plan.nodes.push(node({ op: 'Constant', outputs: [at], attrs: { value: onnx.tensorProto('', 'int64', [], [i]) } }),
                    node({ op: 'SequenceAt', inputs: [name, at], outputs: [item] }));
    showValue(plan, item, elementType, known);
  }
}

function showOptional(plan, name, elementType, known) {
  const flag = `${name}.has`, value = `${name}.value`;
  plan.nodes.push(node({ op: 'OptionalHasElement', inputs: [name], outputs: [flag] }));
  plan.outputs.push({ name: flag, type: onnx.typeProto('bool', []) });
  if (!known.get(flag)) return;
  plan.nodes.push(node({ op: 'OptionalGetElement', inputs: [name], outputs: [value] }));
  showValue(plan, value, elementType, known);
}

module.exports = { isContainer, buildValue, showValue, decoded };
