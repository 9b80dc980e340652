//===- check_costs.js - What a written model costs ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   node check_costs.js MODEL REPORT PRICES
//
// Counts what the transposes and the operators of an ONNX file cost, from the
// file alone, and compares that with what the report says. PRICES is JSON:
//
//   {"Softmax": 2.4}                     of a Softmax off the last axis
//   {"Conv": 1.7}                        of a Conv that is no function
//   {"run": 4, "factor": 8}              of transposes of shorter runs
//   {"axes": 2, "factor": 8}             of transposes of so many axes
//
//===----------------------------------------------------------------------===//

'use strict';

const fs = require('node:fs');
const onnx = require('onnx');

const [modelFile, reportFile, pricesText] = process.argv.slice(2);
const { graph } = onnx.readFile(modelFile);
const report = JSON.parse(fs.readFileSync(reportFile));
const prices = JSON.parse(pricesText);

const shapes = new Map(graph.initializer.map(tensor => [tensor.name, tensor.dims.map(Number)]));
for (const value of [...graph.input, ...graph.output])
  shapes.set(value.name, onnx.describeType(value.type).dims.map(Number));

// The shape of what the few operators of these models give.
function shapeOf({ domain, opType, input, attribute: attributes }) {
  const shape = shapes.get(input[0]), find = name => attributes.find(each => each.name === name);
  if (opType === 'Transpose') return find('perm').ints.map(dim => shape[Number(dim)]);
  if (opType === 'ReduceMax') return shape.filter((_, dim) => !find('axes').ints.map(Number).includes(dim));
  if (opType !== 'Conv') return shape;
  const weight = shapes.get(input[1]);
  return domain ? [...shape.slice(0, 3), weight[2]] : [shape[0], weight[0], ...shape.slice(2)];
}

const bytesOf = name => 4 * shapes.get(name).reduce((product, extent) => product * extent, 1);
const attribute = (node, name) => node.attribute.find(each => each.name === name);

// Bytes of a run: how long source and destination go along together.
function runOf(shape, perm) {
  const strides = shape.map((_, dim) => shape.slice(dim + 1).reduce((a, b) => a * b, 1));
  let run = 1;
  for (const dim of [...perm].reverse()) {
    if (shape[dim] !== 1 && strides[dim] !== run) break;
    run *= shape[dim];
  }
  return 4 * run;
}

// The least number of axes to take out so that the others are in order.
function movedAxes(shape, perm) {
  let axes = perm.filter(dim => shape[dim] !== 1);
  const sorted = [...axes].sort((a, b) => a - b);
  axes = axes.filter((dim, i) => i === 0 || sorted.indexOf(dim) !== sorted.indexOf(axes[i - 1]) + 1);
  for (let moved = 0; ; ++moved)
    for (let set = 0; set < 1 << axes.length; ++set) {
      const kept = axes.filter((_, i) => set >> i & 1);
      if (kept.length === axes.length - moved && kept.every((dim, i) => i === 0 || kept[i - 1] < dim)) return moved;
    }
}

const found = { moved: 0, copies: 0, forms: 0 };
const addForm = (node, factor) => {
  const traffic = [...node.input, ...node.output].reduce((sum, name) => sum + bytesOf(name), 0);
  found.forms += Math.floor(traffic * Math.round((factor - 1) * 1000) / 2000);
};
for (const node of graph.node) {
  shapes.set(node.output[0], shapeOf(node));
  if (node.domain) continue;
  if (node.opType === 'Transpose') {
    const shape = shapes.get(node.input[0]), bytes = bytesOf(node.input[0]);
    const perm = attribute(node, 'perm').ints.map(Number);
    const isSlow = prices.run ? runOf(shape, perm) <= prices.run : prices.axes && movedAxes(shape, perm) >= prices.axes;
    found.moved += bytes;
    found.copies += isSlow ? (prices.factor - 1) * bytes : 0;
  }
  if (node.opType === 'Softmax' && prices.Softmax) {
    const shape = shapes.get(node.input[0]), axis = Number(attribute(node, 'axis')?.i ?? -1);
    const inner = axis < 0 ? 1 : shape.slice(axis + 1).reduce((a, b) => a * b, 1);
    if (inner !== 1) addForm(node, prices.Softmax);
  }
  if (node.opType === 'Conv' && prices.Conv) addForm(node, prices.Conv);
}
found.cost = found.moved + found.copies + found.forms;
const said = report.costs?.out ?? { moved: report.ledger.out.bytes, copies: 0, forms: 0, cost: report.ledger.out.bytes };
const isSame = Object.keys(found).every(key => found[key] === said[key]);
console.log(`moved ${found.moved}, copies ${found.copies}, forms ${found.forms}, cost ${found.cost}:`,
            isSame ? 'as reported' : `reported ${JSON.stringify(said)}`);
console.log(`proved ${report.proved}, best ${report.best_bytes === found.cost}, bound ${report.bound_bytes === found.cost}`);
