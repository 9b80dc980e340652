//===- graph.js - Graphs, subgraphs and functions that are not sound ------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('../onnx');
const { tagBytes, varintBytes, BYTES } = require('../wire');
const { attributeTypes } = require('../schema');
const { MODEL, OK_OR_MODEL, floats, saying, ofBytes, ofModel, changed } = require('./describe');

const x = ['x', 'float', [2, 2]], y = ['y', 'float', [2, 2]];
const relu = (from, to, name = '') => ({ op: 'Relu', name, inputs: [from], outputs: [to] });
const ofNodes = (exit, message, nodes, rest = {}) => ofModel(exit, message,
    { inputs: [x], outputs: [y], nodes, ...rest });

//===----------------------------------------------------------------------===//
// Nesting, written from the inside out: the encoder would recurse
//===----------------------------------------------------------------------===//

const raw = (field, bytes) => [tagBytes(field, BYTES), varintBytes(bytes.length), bytes];

function nestedIfs(depth) {
  const leaf = onnx.graph({ outputs: [['o', 'float', []]],
      nodes: [{ op: 'Identity', inputs: ['v'], outputs: ['o'] }] });
  let graph = onnx.codec.encode('GraphProto', leaf);
  for (let level = 0; level < depth; ++level) graph = onnx.codec.encode('GraphProto', ifAround(graph, level));
  const outer = { inputs: [['c', 'bool', []], ['v', 'float', []]], outputs: [['y', 'float', []]], nodes: [] };
  const proto = onnx.modelProto({ opset: 18, ...outer });
  proto.graph.node.push({ ...ifNode(graph), output: ['y'], name: 'culprit' });
  return onnx.write(proto);
}

function ifNode(graph) {
  const then = { name: 'then_branch', type: attributeTypes.GRAPH, unknown: raw(6, graph) };
  const other = onnx.graph({ outputs: [['e', 'float', []]],
      nodes: [{ op: 'Identity', inputs: ['v'], outputs: ['e'] }] });
  return { opType: 'If', input: ['c'], attribute: [then,
      { name: 'else_branch', type: attributeTypes.GRAPH, g: other }] };
}

function ifAround(graph, level) {
  const output = `o${level}`;
  return { name: 'g', node: [{ ...ifNode(graph), output: [output] }], output: [{ name: output }] };
}

function nestedSequences(depth) {
  let type = onnx.codec.encode('TypeProto', onnx.typeProto('float', [1]));
  for (let level = 0; level < depth; ++level)
    type = onnx.codec.encode('TypeProto', { unknown: raw(4, Buffer.concat(raw(1, type))) });
  const proto = onnx.modelProto({ opset: 18, inputs: [x], outputs: [y], nodes: [relu('x', 'y')] });
  proto.graph.input.push({ name: 'culprit', unknown: raw(2, type) });
  return onnx.write(proto);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

const call = (name, from, to, label) => ({ op: name, domain: 'local', name: label, inputs: [from], outputs: [to] });
const define = (name, nodes) => ({ name, domain: 'local', inputs: ['a'], outputs: ['b'],
    opset: { '': 18, 'local': 1 }, nodes });

const ofFunctions = (exit, message, functions, called) => ofNodes(exit, message, [call(called, 'x', 'y', 'culprit')],
  { opset: { '': 18, 'local': 1 }, irVersion: 9, functions });

// Each function calls the one below twice: 2^levels nodes when inlined.
function doubling(levels) {
  const functions = [define('F0', [relu('a', 'b')])];
  for (let level = 1; level <= levels; ++level)
    functions.push(define(`F${level}`, [call(`F${level - 1}`, 'a', 'm'), call(`F${level - 1}`, 'm', 'b')]));
  return functions;
}

// A chain of named nodes, from 'a' to 'b'.
function chain(length) {
  const value = i => i === 0 ? 'a' : i === length ? 'b' : `v${i}`;
  return Array.from({ length }, (_, i) => ({ op: 'Sin', name: `n${i}`, inputs: [value(i)], outputs: [value(i + 1)] }));
}
const megabyte = 'long'.repeat(1 << 18);

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

const branch = (output, nodes) => onnx.graph({ outputs: [[output, 'float', [2, 2]]], nodes });
const goodBranch = branch('t', [relu('x', 't')]);

const ifWith = attrs => [{ op: 'If', name: 'culprit', inputs: ['c'], outputs: ['y'], attrs }];
const condition = { initializers: [onnx.tensorProto('c', 'bool', [], [true])] };

function loopWith(inputs, outputs) {
  const body = onnx.graph({
    inputs, outputs,
    nodes: [
      { op: 'Identity', inputs: ['go'], outputs: ['again'] },
      { op: 'Relu', inputs: ['x'], outputs: ['next'] },
    ],
  });
  return [{ op: 'Loop', name: 'culprit', inputs: ['n', 'c', 'x'], outputs: ['y'], attrs: { body } }];
}

const loopConstants = { initializers: [...condition.initializers, onnx.tensorProto('n', 'int64', [], [2])] };
const [iteration, going, state] = [['i', 'int64', []], ['go', 'bool', []], ['s', 'float', [2, 2]]];
const [again, next] = [['again', 'bool', []], ['next', 'float', [2, 2]]];

const softmax = attrs => [{ op: 'Softmax', name: 'culprit', inputs: ['x'], outputs: ['y'], attrs }];

module.exports = {
  'cycle': ofNodes(MODEL, saying('culprit|second', 'cycl'), [
    { op: 'Add', name: 'culprit', inputs: ['x', 'b'], outputs: ['a'] }, relu('a', 'b', 'second'), relu('b', 'y')]),
  'cycle-self': ofNodes(MODEL, saying('culprit', 'cycl|itself'), [
    { op: 'Add', name: 'culprit', inputs: ['x', 'a'], outputs: ['a'] }, relu('a', 'y')]),
  'cycle-through-subgraph': ofNodes(MODEL, saying('culprit|later',
      'cycl|undefined|not defined|before|no (node|producer)'), [
    ...ifWith({ then_branch: branch('t', [relu('later', 't')]), else_branch: branch('e', [relu('x', 'e')]) }).map(
      node => ({ ...node, outputs: ['m'] })),
    relu('m', 'later'), relu('later', 'y')], condition),
  'duplicate-value': ofNodes(MODEL, saying('culprit', 'twice|duplicate|already|more than'), [
    relu('x', 'culprit', 'one'), relu('x', 'culprit', 'two'), relu('culprit', 'y')]),
  'duplicate-value-same-node': ofNodes(MODEL, saying('culprit', 'twice|duplicate|already|more than'), [
    { op: 'Split', name: 'n', inputs: ['x'], outputs: ['culprit', 'culprit'], attrs: { num_outputs: 2 } },
        relu('culprit', 'y')]),
  'duplicate-initializer': changed(MODEL, saying('culprit', 'twice|duplicate|already|more than'), ({ graph }) => {
    graph.initializer.push(floats('culprit', [1], [1]), floats('culprit', [1], [2]));
  }),
  'duplicate-input': changed(MODEL, saying('x', 'twice|duplicate|already|more than'),
      ({ graph }) => { graph.input.push(graph.input[0]); }),
  'value-is-input': ofNodes(MODEL, saying('x', 'twice|duplicate|already|more than|input'), [
    relu('x', 'r'), relu('r', 'x'), relu('x', 'y')]),
  'value-is-initializer': changed(MODEL, saying('w', 'twice|duplicate|already|more than|initializer'), ({ graph }) => {
    graph.node[0].output[0] = 'w';
  }),
  'duplicate-in-subgraph': ofNodes(OK_OR_MODEL, saying('culprit|r', 'twice|duplicate|already|more than'), [
    relu('x', 'r'), ...ifWith({ then_branch: branch('t', [relu('x', 'r'), relu('r', 't')]),
        else_branch: goodBranch })], condition),
  'duplicate-output': changed(OK_OR_MODEL, saying('y', 'twice|duplicate|already|more than'),
      ({ graph }) => { graph.output.push(graph.output[0]); }),
  'missing-value': ofNodes(MODEL, saying('culprit', 'nowhere'), [{ ...relu('nowhere', 'y'), name: 'culprit' }]),
  'missing-output': changed(MODEL, saying('culprit', 'output|produce|defined'),
      ({ graph }) => { graph.output[0].name = 'culprit'; }),
  'output-without-name': changed(MODEL, /output|name/i, ({ graph }) => { graph.output[0].name = ''; }),
  'input-without-name': changed(OK_OR_MODEL, /input|name/i,
      ({ graph }) => { graph.input.push({ name: '', type: onnx.typeProto('float', []) }); }),
  'node-without-op': changed(MODEL, saying('first', 'op'), ({ graph }) => { delete graph.node[0].opType; }),
  'unsorted': ofNodes(OK_OR_MODEL, saying('culprit|m', 'order|sort|before|undefined|not defined'), [
    { ...relu('m', 'y'), name: 'culprit' }, relu('x', 'm')]),
  'too-many-inputs': ofNodes(MODEL, saying('culprit', 'input|operand'), [
    { op: 'Relu', name: 'culprit', inputs: ['x', 'x', 'x'], outputs: ['y'] }]),
  'too-few-inputs': ofNodes(MODEL, saying('culprit', 'input|operand'),
      [{ op: 'Add', name: 'culprit', inputs: ['x'], outputs: ['y'] }]),
  'required-input-left-out': ofNodes(MODEL, saying('culprit', 'input|operand'), [
    { op: 'Add', name: 'culprit', inputs: ['x', ''], outputs: ['y'] }]),
  'too-many-outputs': ofNodes(MODEL, saying('culprit', 'output|result'), [
    { op: 'Relu', name: 'culprit', inputs: ['x'], outputs: ['y', 'z'] }]),

  'deep-subgraphs': ofBytes(MODEL, /deep|nest|level/i, () => nestedIfs(3000)),
  'deep-type': ofBytes(MODEL, /deep|nest|level/i, () => nestedSequences(20000)),
  'subgraph-output-missing': ofNodes(MODEL, saying('culprit|missing', 'output|produce|defined'),
    ifWith({ then_branch: branch('missing', [relu('x', 't')]), else_branch: branch('e', [relu('x', 'e')]) }),
        condition),
  'subgraph-outputs-differ': ofNodes(MODEL, saying('culprit', 'output|result'), ifWith({
    then_branch: goodBranch,
    else_branch: onnx.graph({ outputs: [['e', 'float'], ['f', 'float']],
        nodes: [relu('x', 'e'), relu('x', 'f')] }) }), condition),
  'if-without-branch': ofNodes(MODEL, saying('culprit', 'else_branch'), ifWith({ then_branch: goodBranch }), condition),
  'loop-body-inputs': ofNodes(MODEL, saying('culprit', 'body|input'), loopWith([iteration, going], [again, next]),
      loopConstants),
  'loop-body-outputs': ofNodes(MODEL, saying('culprit', 'body|output|result'),
      loopWith([iteration, going, state], [again]), loopConstants),
  'loop-without-body': ofNodes(MODEL, saying('culprit', 'body'), [
    { op: 'Loop', name: 'culprit', inputs: ['n', 'c', 'x'], outputs: ['y'] }], loopConstants),
  'scan-negative-inputs': ofNodes(MODEL, saying('culprit', 'num_scan_inputs'), [{
    op: 'Scan', name: 'culprit', inputs: ['x'], outputs: ['y'],
    attrs: { num_scan_inputs: -1, body: onnx.graph({ inputs: [['r', 'float', [2]]], outputs: [['o', 'float', [2]]],
        nodes: [relu('r', 'o')] }) },
  }]),

  'attribute-wrong-type': ofNodes(MODEL, saying('culprit', 'axis'), softmax({ axis: 'one' })),
  'attribute-type-and-value-differ': ofBytes(OK_OR_MODEL, saying('culprit', 'axis'), () => {
    const proto = onnx.modelProto({ opset: 18, inputs: [x], outputs: [y], nodes: softmax({ axis: 1 }) });
    proto.graph.node[0].attribute[0].type = attributeTypes.FLOATS;
    return onnx.write(proto);
  }),
  'attribute-twice': ofBytes(MODEL, saying('culprit', 'axis'), () => {
    const proto = onnx.modelProto({ opset: 18, inputs: [x], outputs: [y], nodes: softmax({ axis: 1 }) });
    proto.graph.node[0].attribute.push(onnx.attributeProto('axis', 0));
    return onnx.write(proto);
  }),
  'attribute-without-name': ofNodes(MODEL, saying('culprit', 'attribute'), softmax({ '': 1 })),
  'attribute-reference-outside-function': ofNodes(OK_OR_MODEL, saying('culprit', 'axis|refer'),
      softmax({ axis: { ref: 'outer', type: 'INT' } })),

  'function-recursion': ofFunctions(MODEL, saying('F', 'recurs|cycl|itself'), [define('F', [call('F', 'a', 'b')])],
      'F'),
  'function-recursion-mutual': ofFunctions(MODEL, saying('F|G', 'recurs|cycl|itself'),
    [define('F', [call('G', 'a', 'b')]), define('G', [call('F', 'a', 'b')])], 'F'),
  'function-expansion': ofFunctions(MODEL, /limit|too many|expan|nodes/i, doubling(60), 'F60'),
  'function-output-missing': ofFunctions(MODEL, saying('F|b', 'output|produce|defined'),
      [define('F', [relu('a', 'c')])], 'F'),
  'function-twice': ofFunctions(OK_OR_MODEL, saying('F', 'twice|duplicate|already|more than'),
    [define('F', [relu('a', 'b')]), define('F', [relu('a', 'b')])], 'F'),
  // What is inlined is called after the call: 4,000 times a megabyte.
  'function-long-name': ofNodes([0], /./, [call('F', 'x', 'y', megabyte)],
    { opset: { '': 18, 'local': 1 }, irVersion: 9, functions: [define('F', chain(4000))] }),
  'names-equal-and-long': ofNodes([0], /./, [relu('x', 'a', megabyte), relu('a', 'b', megabyte), relu('b', 'y', megabyte)]),
  'names-of-controls': ofNodes([0], /./, [relu('x', 'a', '\0'), relu('a', '\n', '\x1b[2J'), relu('\n', 'y', '\ud800')]),
  'function-too-many-inputs': ofNodes(MODEL, saying('culprit', 'input'), [
    { op: 'F', domain: 'local', name: 'culprit', inputs: ['x', 'x'], outputs: ['y'] }],
    { opset: { '': 18, 'local': 1 }, irVersion: 9, functions: [define('F', [relu('a', 'b')])] }),
};
