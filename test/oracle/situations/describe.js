//===- describe.js - How the layout situations are written down -----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   situation('s32-reversed', { none: 0 }, g => {
//     const x = g.input('x', [2, 3, 5]);
//     g.output(g.transpose(g.op('Relu', [g.transpose(x)])));
//   });
//
// A situation is {name, number, bytes, feeds, expect, ...}. What is expected:
//   none, nhwc, ascend   the most transposes that may remain for that target
//   noneBytes      the most bytes that they may move with `-t none`
//   plain          convolutions that may stay in ONNX's order with nhwc
//   blocked, masks how many convolutions in blocks and how many masks of padding
//                  there are with ascend
//   nested         the most transposes in subgraphs with nhwc
//   also           further targets: {name, yaml, atLeast, atMost}, and of some how
//                  many transposes read what another gives (chained) and that
//                  this is proved least (proved)
//   io             {layouts, perms, atMost}: inputs and outputs re-laid out when
//                  asked, for `-t nhwc`
//   dynamic        extents are computed at run time: no ledger can know them
//   refused        ONNX Runtime refuses the model: it must only not crash us
//   allowTrivial   its outputs are empty or constant by nature
// Values are small integers, so that sums are exact in any order.
//
//===----------------------------------------------------------------------===//

'use strict';

const onnx = require('../onnx');
const { tensor, count, element, bytesOf } = require('../element');
const { uniform, seedFor } = require('../random');

const equalExtents = [1, 8, 8, 8], primeExtents = [2, 3, 5, 7];
const toNhwc = [0, 2, 3, 1], toNchw = [0, 3, 1, 2];

const permuted = (dims, perm) => perm.map(i => dims[i]);
const inverse = perm => perm.map((_, i) => perm.indexOf(i));

class GraphBuilder {
  constructor(name) {
    this.name = name;
    this.nodes = [];
    this.inputs = [];
    this.outputs = [];
    this.constants = [];
    this.feeds = {};
  }

  random(name, dims, type, low, high) {
    const next = uniform(seedFor(count(dims), `${this.name}${name}`));
    return tensor(type, dims, Array.from({ length: count(dims) }, () => Math.floor(low + next() * (high - low))));
  }

  // `declared`: the shape as the model gives it (symbols, null: no shape).
  // `value`: a tensor to feed instead of random numbers.
  input(name, dims, type = 'float', { declared = dims, low = -8, high = 8, value } = {}) {
    this.inputs.push([name, type, declared ?? undefined]);
    this.feeds[name] = value ?? this.random(name, dims, type, low, high);
    return name;
  }

  // A list of numbers that the model reads at run time.
  fedList(name, values, type = 'int64', declared = [values.length]) {
    return this.input(name, [values.length], type, { declared, value: tensor(type, [values.length], values) });
  }

  // `values` instead of random numbers.
  constant(dims, type = 'float', { values, low = -4, high = 5 } = {}) {
    const name = `c${this.constants.length}`;
    const { data } = values ? tensor(type, dims, values) : this.random(name, dims, type, low, high);
    this.constants.push({ name, dims, dataType: element(type).number, rawData: bytesOf({ data }) });
    return name;
  }

  list(...values) { return this.constant([values.length], 'int64', { values }); }
  scalar(value, type = 'float') { return this.constant([], type, { values: [value] }); }

  // The name of its result; an array of names where there are several.
  op(op, inputs, attrs = {}, { outputs = 1, domain } = {}) {
    const at = this.nodes.length, names = Array.from({ length: outputs }, (_, i) => `${op}_${at}${i ? `_${i}` : ''}`);
    this.nodes.push({ op, name: `node_${at}`, inputs, outputs: names, attrs, domain });
    return outputs === 1 ? names[0] : names;
  }

  transpose(value, perm) { return this.op('Transpose', [value], perm ? { perm } : {}); }

  // A convolution with random weights; `group` and `kernel` are as in ONNX.
  conv(value, from, to, { rank = 2, kernel = 1, group = 1, ...attrs } = {}) {
    const weight = this.constant([to, from / group, ...Array(rank).fill(kernel)], 'float', { low: -2, high: 3 });
    const pads = Array(2 * rank).fill(kernel >> 1);
    return this.op('Conv', [value, weight], { group, ...(kernel > 1 ? { pads } : {}), ...attrs });
  }

  // An output whose layout is free: all but two extents are one.
  pooledOutput(value) { this.output(this.op('GlobalAveragePool', [value])); }

  output(value, type = 'float') { this.outputs.push([value, type]); }

  toBytes(opset) {
    return onnx.model({
      opset, name: this.name, inputs: this.inputs, outputs: this.outputs, nodes: this.nodes,
      initializers: this.constants,
    });
  }
}

// `expect.opset` is a version (default 18) or {domain: version}.
function situation(name, { opset = 18, refused, allowTrivial, ...expect }, build) {
  const builder = new GraphBuilder(name);
  build(builder);
  const [, list, number] = /^([sf])(\d\d)-/.exec(name);
  return {
    name, list, number: Number(number), bytes: builder.toBytes(opset), feeds: builder.feeds, expect,
    refused: Boolean(refused), allowTrivial: Boolean(allowTrivial),
  };
}

// Twice: with equal extents, so that no shape check can hide a wrong axis, and
// with different primes.
function sized(name, expect, build, { equal = equalExtents, prime = primeExtents } = {}) {
  return Object.entries({ equal, prime }).map(([suffix, dims]) =>
    situation(`${name}-${suffix}`, typeof expect === 'function' ? expect(dims) : expect, g => build(g, dims)));
}

// x is declared NHWC, `build` sees it as NCHW, and what it returns goes back.
// `dims` are NCHW.
function inNchw(g, dims, build, name = 'x') {
  const x = g.input(name, permuted(dims, toNhwc));
  g.output(g.transpose(build(g.transpose(x, toNchw)), toNhwc));
}

module.exports = { situation, sized, inNchw, permuted, inverse, toNhwc, toNchw, equalExtents, primeExtents };
