//===- generate.js - Random models with subgraphs in subgraphs ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model is options of onnx.model. All its tensors are float[3], but for
// conditions; every value of it, inside or outside of subgraphs, has a name of
// its own.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('../onnx');

const unary = ['Neg', 'Abs', 'Sin', 'Relu', 'Tanh', 'Sigmoid', 'Identity'], binary = ['Add', 'Sub', 'Mul', 'Max', 'Min'];
const maxDepth = 3;
const float = name => [name, 'float', [3]], bool = name => [name, 'bool', []];

class Generator {
  constructor(draw) {
    this.draw = draw;
    this.numValues = 0;
  }

  fresh() { return `v${this.numValues++}`; }

  // The content of a graph that sees `outside`: {floats, bools}. Its own
  // floats, which it returns as `made`, are what it may put out.
  content(outside, depth) {
    const scope = { floats: [...outside.floats], bools: [...outside.bools] }, nodes = [], initializers = [], made = [];
    const add = name => { scope.floats.push(name); made.push(name); return name; };
    for (let i = this.draw.integer(0, 2); i > 0; --i)
      initializers.push(onnx.tensorProto(add(this.fresh()), 'float', [3], this.draw.values(3, 'float', -1, 1)));
    const constants = made.length;
    for (let i = this.draw.integer(depth ? 2 : 5, depth ? 5 : 9); i > 0; --i)
      this.node(scope, nodes, depth).forEach(add);
    return { nodes, initializers, made: made.slice(constants) };
  }

  // Adds a node; the floats that it makes.
  node(scope, nodes, depth) {
    const { draw } = this, kind = depth < maxDepth && draw.chance(0.35) ? draw.pick(['choose', 'repeat', 'scan']) : 'plain';
    const { outputs, ...node } = this[kind](scope, depth);
    nodes.push({ ...node, outputs, name: `node of ${outputs[0]}` });
    if (draw.chance(0.1)) {
      const name = this.fresh();
      nodes.push({ op: 'Not', inputs: [draw.pick(scope.bools)], outputs: [name], name: `node of ${name}` });
      scope.bools.push(name);
    }
    return outputs;
  }

  plain({ floats }) {
    const outputs = [this.fresh()];
    if (this.draw.chance(0.5)) return { op: this.draw.pick(unary), inputs: [this.draw.pick(floats)], outputs };
    return { op: this.draw.pick(binary), inputs: [this.draw.pick(floats), this.draw.pick(floats)], outputs };
  }

  choose(scope, depth) {
    const count = this.draw.integer(1, 2);
    const branch = () => {
      const { made, ...rest } = this.content(scope, depth + 1);
      return onnx.graph({ ...rest, outputs: this.draw.shuffle(made).slice(0, count).map(float) });
    };
    return { op: 'If', inputs: [this.draw.pick(scope.bools)], outputs: Array.from({ length: count }, () => this.fresh()),
      attrs: { then_branch: branch(), else_branch: branch() } };
  }

  // One carried value, and one that is collected.
  repeat(scope, depth) {
    const [index, going, carried, still] = [this.fresh(), this.fresh(), this.fresh(), this.fresh()];
    const inside = { floats: [...scope.floats, carried], bools: [...scope.bools, going] };
    const { made, nodes, initializers } = this.content(inside, depth + 1);
    nodes.push({ op: 'Identity', inputs: [going], outputs: [still], name: `node of ${still}` });
    const body = onnx.graph({ inputs: [[index, 'int64', []], bool(going), float(carried)], nodes, initializers,
      outputs: [bool(still), float(this.draw.pick(made))] });
    return { op: 'Loop', inputs: ['trips', 'always', this.draw.pick(scope.floats)], outputs: [this.fresh()], attrs: { body } };
  }

  // States only: what is scanned would have another shape.
  scan(scope, depth) {
    const [state, element] = [this.fresh(), this.fresh()];
    const inside = { floats: [...scope.floats, state, element], bools: scope.bools };
    const { made, ...rest } = this.content(inside, depth + 1);
    const body = onnx.graph({ inputs: [float(state), float(element)], ...rest, outputs: [float(this.draw.pick(made))] });
    return { op: 'Scan', inputs: [this.draw.pick(scope.floats), 'rows'], outputs: [this.fresh()],
      attrs: { num_scan_inputs: 1, body } };
  }

  model() {
    const { made, nodes, initializers } = this.content({ floats: ['x', 'w'], bools: ['c', 'd'] }, 0);
    return {
      opset: this.draw.integer(16, 21), inputs: [float('x'), bool('c'), bool('d'), ['rows', 'float', [2, 3]]], nodes,
      outputs: this.draw.shuffle(made).slice(0, 3).map(float),
      initializers: [...initializers, onnx.tensorProto('w', 'float', [3], [0.5, -0.25, 1]),
        onnx.tensorProto('trips', 'int64', [], [2]), onnx.tensorProto('always', 'bool', [], [1])],
    };
  }
}

const generate = draw => onnx.modelProto(new Generator(draw).model());

module.exports = { generate };
